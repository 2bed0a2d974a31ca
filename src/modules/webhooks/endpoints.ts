// Creates, changes and deletes webhook endpoints: the addresses to which a project's events are sent.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { AppError, notFound } from '../../core/errors.ts'
import { webhookTypes } from '../../core/event-types.ts'
import { ownedBy, type Principal } from '../../core/principal.ts'
import { receiverUrl, text, uuid } from '../../core/text.ts'
import type { Prisma, WebhookEndpoint } from '../../generated/prisma/client.ts'
import { demandReachable } from '../../kit/reachable.ts'
import { type Done, type VerbTransaction, verb } from '../../kit/verb.ts'
import { webhookTypesInput } from '../events/input.ts'
import { followedProject } from '../events/project.ts'
import { cancelWaiting } from './queue.ts'
import { liveSecrets } from './secrets.ts'

/** Maximum number of endpoints of one project. */
export const mostEndpoints = 16

const where =
  'URL to which events are POSTed: a public http or https address without user and password. Redirects are not followed.'
const description = text().nullish().describe('Name of the endpoint.')
const eventTypes = webhookTypesInput.describe('The types of events that are sent to the endpoint; all unless given.')

const createEndpointInput = z.strictObject({
  projectId: uuid.nullish().describe('The project; needed from a service administrator, else the key’s own.'),
  url: receiverUrl.describe(where),
  description,
  eventTypes,
})

const updateEndpointInput = z.strictObject({
  id: uuid.describe('The endpoint’s UUID.'),
  url: receiverUrl.optional().describe(where),
  description: text().nullish().describe('Name of the endpoint; null: none.'),
  eventTypes: webhookTypesInput.describe('The types of events that are sent to the endpoint; null: all.'),
})

export const endpointById = z.strictObject({ id: uuid.describe('The endpoint’s UUID.') })

/** Returns the filter for endpoints of the principal's project, or for all if admin. Throws `unauthenticated`. */
export const visibleEndpoints = (principal: Principal): Prisma.WebhookEndpointWhereInput => ({
  deletedAt: null,
  ...ownedBy(principal),
})

/** Locks the endpoint until the transaction ends, and returns it. Throws `not_found`. */
export async function lockedEndpoint({ db, sql }: VerbTransaction, id: string, principal: Principal) {
  await sql('select id from webhook_endpoints where id = $1::uuid for no key update', [id])
  const endpoint = await db.webhookEndpoint.findFirst({ where: { id, ...visibleEndpoints(principal) } })
  if (endpoint === null) throw notFound('webhook endpoint')
  return endpoint
}

/** Adds the event of a change. Returns the changed endpoint with its audit row, as a verb does. */
export function changed(
  tx: VerbTransaction,
  change: 'created' | 'updated' | 'enabled' | 'disabled' | 'deleted' | 'secret_rotated',
  endpoint: WebhookEndpoint,
  details: Record<string, unknown> = {},
): Done<WebhookEndpoint> {
  const { id, projectId } = endpoint
  tx.event({ type: `webhook_endpoint.${change}`, projectId, endpointId: id })
  return { result: endpoint, audit: [{ objectType: 'webhook_endpoint', objectId: id, projectId, details }] }
}

// The audit row contains only the origin, because path or query may contain a secret.
const originOf = (address: string) => new URL(address).origin

/** Errors: `not_found`, `project_key_required`, `too_many_webhook_endpoints`, `validation_failed`. */
export const createEndpoint = verb({
  name: 'webhook_endpoint.create',
  access: 'manage',
  input: createEndpointInput,
  async run(tx, { projectId: requested, ...input }, context) {
    const { principal } = context
    const projectId = followedProject(principal, requested ?? null)
    demandReachable(context, input.url, 'url')
    // Without the lock, two concurrent calls could both count below the limit and together exceed it.
    const [project] = await tx.sql('select id from projects where id = $1::uuid for no key update', [projectId])
    if (project === undefined) throw notFound('project')
    const present = await tx.db.webhookEndpoint.count({ where: { projectId, deletedAt: null } })
    if (present >= mostEndpoints) throw new AppError('too_many_webhook_endpoints')
    const endpoint = await tx.db.webhookEndpoint.create({
      data: {
        id: randomUUID(),
        projectId,
        url: input.url,
        description: input.description ?? '',
        eventTypes: [...(input.eventTypes ?? webhookTypes)],
      },
    })
    await liveSecrets(tx.sql, context, { projectId, endpointId: endpoint.id })
    const details = { origin: originOf(endpoint.url), event_types: endpoint.eventTypes }
    return changed(tx, 'created', endpoint, details)
  },
})

/** Members that are absent stay as they are. Errors: `not_found`, `validation_failed`. */
export const updateEndpoint = verb({
  name: 'webhook_endpoint.update',
  access: 'manage',
  input: updateEndpointInput,
  async run(tx, { id, url, description, eventTypes }, context) {
    await lockedEndpoint(tx, id, context.principal)
    if (url) demandReachable(context, url, 'url')
    const endpoint = await tx.db.webhookEndpoint.update({
      where: { id },
      data: {
        ...(url !== undefined && { url }),
        ...(description !== undefined && { description: description ?? '' }),
        ...(eventTypes !== undefined && { eventTypes: [...(eventTypes ?? webhookTypes)] }),
      },
    })
    return changed(tx, 'updated', endpoint, {
      ...(url !== undefined && { origin: originOf(url) }),
      ...(eventTypes !== undefined && { event_types: endpoint.eventTypes }),
    })
  },
})

/** Marks the endpoint as deleted; finished deliveries are kept as long as any others. Errors: `not_found`. */
export const deleteEndpoint = verb({
  name: 'webhook_endpoint.delete',
  access: 'manage',
  input: endpointById,
  async run(tx, { id }, { principal }) {
    await lockedEndpoint(tx, id, principal)
    await cancelWaiting(tx.sql, { endpointId: id })
    await tx.sql('update webhook_secrets set expires_at = now() where endpoint_id = $1::uuid and expires_at is null', [
      id,
    ])
    const endpoint = await tx.db.webhookEndpoint.update({ where: { id }, data: { deletedAt: new Date() } })
    return changed(tx, 'deleted', endpoint)
  },
})
