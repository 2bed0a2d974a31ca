// Makes a statement of a project. Each is a new one; the earlier ones stay.
import { z } from 'zod'
import { invalid, notFound } from '../../core/errors.ts'
import { ownProject } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import type { Context } from '../../kit/context.ts'
import { verb } from '../../kit/verb.ts'
import { type Built, build, mostEntries, store, turns } from './build.ts'
import { windowInput, windowOf } from './window.ts'

export const generateStatementInput = z.strictObject({
  projectId: uuid.nullish().describe('The project; needed from a service administrator, else the key’s own.'),
  ...windowInput,
})

/** Errors: `not_found`, `project_key_required`, `validation_failed`, `statement_too_large`, `too_many_requests`. */
export const generateStatement = verb({
  name: 'statement.generate',
  access: 'write',
  input: generateStatementInput,
  async prepare(input, context): Promise<Built> {
    const window = windowOf(input, new Date(), ['input'])
    const projectId = await projectOf(context, input.projectId ?? null)
    return turns(context)(() => build(context, { projectId }, window, mostEntries))
  },
  run: (tx, _, { principal }, built) => store(tx, built, principal),
})

async function projectOf({ principal, db }: Context, asked: string | null): Promise<string> {
  if (principal.kind !== 'admin') {
    const own = ownProject(principal)
    if (asked !== null && asked !== own) throw notFound('project')
    return own
  }
  if (asked === null) throw invalid([{ path: ['input', 'projectId'], message: 'Field required', type: 'missing' }])
  if ((await db.project.count({ where: { id: asked } })) === 0) throw notFound('project')
  return asked
}
