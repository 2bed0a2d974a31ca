// Rotates webhook secrets, with an overlap in which the earlier secret also signs.
import { z } from 'zod'
import { notFound } from '../../core/errors.ts'
import { demandNoSession } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import { verb } from '../../kit/verb.ts'
import { followedProject } from '../events/project.ts'
import { changed, lockedEndpoint } from './endpoints.ts'
import { replaceSecret } from './secrets.ts'

const overlapHours = z
  .int()
  .min(0)
  .max(168)
  .nullish()
  .meta({ graphql: 'Int', default: 24 })
  .describe('Number of hours for which the present secret signs beside the new one: 24 unless given; 0 to 168.')

const untilAfter = (hours: number | null | undefined) => new Date(Date.now() + (hours ?? 24) * 3_600_000)

const rotateSecretInput = z.strictObject({ id: uuid.describe('The endpoint’s UUID.'), overlapHours })

/** Creates a new secret for an endpoint. Errors: `not_found`, `conflict`. */
export const rotateSecret = verb({
  name: 'webhook_endpoint.rotate_secret',
  access: 'manage',
  input: rotateSecretInput,
  async run(tx, { id, overlapHours }, context) {
    demandNoSession(context.principal, 'rotate a webhook secret')
    const endpoint = await lockedEndpoint(tx, id, context.principal)
    const owner = { projectId: endpoint.projectId, endpointId: id }
    await replaceSecret(tx.sql, context, owner, untilAfter(overlapHours))
    return changed(tx, 'secret_rotated', endpoint, { overlap_hours: overlapHours ?? 24 })
  },
})

const rotateCallbackSecretInput = z.strictObject({
  projectId: uuid.nullish().describe('The project; needed from a service administrator, else the key’s own.'),
  overlapHours,
})

/**
 * Creates a new secret for deliveries to the `callback_url` of a project's receipts. Errors: `not_found`,
 * `project_key_required`, `conflict`.
 */
export const rotateCallbackSecret = verb({
  name: 'project.rotate_callback_secret',
  access: 'manage',
  input: rotateCallbackSecretInput,
  async run(tx, { projectId: requested, overlapHours }, context) {
    demandNoSession(context.principal, 'rotate a webhook secret')
    const projectId = followedProject(context.principal, requested ?? null)
    const project = await tx.db.project.findUnique({ where: { id: projectId } })
    if (project === null) throw notFound('project')
    await replaceSecret(tx.sql, context, { projectId, endpointId: null }, untilAfter(overlapHours))
    const details = { overlap_hours: overlapHours ?? 24 }
    return { result: project, audit: [{ objectType: 'project', objectId: projectId, projectId, details }] }
  },
})
