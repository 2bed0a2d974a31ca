// Creates a project with its first project_admin key, in one transaction.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { actorOf } from '../../core/principal.ts'
import { text } from '../../core/text.ts'
import { verb } from '../../kit/verb.ts'
import { addKey } from './manage.ts'

export const createProjectInput = z.strictObject({ name: text().describe('What the project is called.') })

/** Errors: `unauthenticated`, `forbidden`, `validation_failed`. */
export const createProject = verb({
  name: 'project.create',
  access: 'admin',
  input: createProjectInput,
  async run(tx, { name }, context) {
    const project = await tx.db.project.create({ data: { id: randomUUID(), name } })
    const actor = actorOf(context.principal)
    tx.audit({
      action: 'project.create',
      objectType: 'project',
      objectId: project.id,
      projectId: project.id,
      actor,
      details: { name },
    })
    const first = { projectId: project.id, label: 'first key', role: 'project_admin' as const, expiresAt: null }
    return { project, ...(await addKey(tx, context, first)) }
  },
})
