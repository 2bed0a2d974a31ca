// Generates a statement of a project. Each call makes a new statement; the earlier statements stay.
import { z } from 'zod'
import { AppError, invalid, notFound } from '../../core/errors.ts'
import { ownProject } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import type { Context } from '../../kit/context.ts'
import { sqlOf } from '../../kit/transaction.ts'
import { verb } from '../../kit/verb.ts'
import { type Built, build, mostEntries, statementSemaphore, store } from './build.ts'
import { countBooked } from './collect.ts'
import { windowInput, windowOf } from './window.ts'

const generateStatementInput = z.strictObject({
  projectId: uuid.nullish().describe('The project; needed from a service administrator, else the key’s own.'),
  ...windowInput,
})

// An entry is about five kilobytes of XML, which are stored permanently.
const costPerEntry = 2.5

/** Errors: `not_found`, `project_key_required`, `validation_failed`, `statement_too_large`, `too_many_requests`. */
export const generateStatement = verb({
  name: 'statement.generate',
  access: 'write',
  input: generateStatementInput,
  async prepare(input, context): Promise<Built> {
    const window = windowOf(input, new Date())
    const owner = { projectId: await projectOf(context, input.projectId ?? null) }
    const count = await countBooked(sqlOf(context.pool), owner, window.from, window.to, mostEntries + 1)
    if (count > mostEntries) throw new AppError('statement_too_large')
    context.allowance.spend(count * costPerEntry)
    return statementSemaphore(context).run(context.allowance, () => build(context, owner, window, mostEntries))
  },
  run: (tx, _input, _context, built) => store(tx, built),
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
