// Sends deliveries again: one, or all events of an endpoint since one that is named.
import { z } from 'zod'
import { AppError, notFound } from '../../core/errors.ts'
import { actorOf, type Principal } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import type { Prisma, WebhookEndpoint } from '../../generated/prisma/client.ts'
import { type VerbTransaction, verb } from '../../kit/verb.ts'
import { followedProject } from '../events/project.ts'
import { lockedEndpoint } from './endpoints.ts'

const number = (of: string) =>
  z
    .string()
    .regex(/^\d{1,18}$/, `Must be the id of ${of}.`)
    .meta({ graphql: 'ID' })

/** Deliveries that this principal may see: those of its project, all for a service administrator. */
export const visibleDeliveries = (principal: Principal): Prisma.WebhookDeliveryWhereInput =>
  principal.kind === 'admin' ? {} : { projectId: followedProject(principal, null) }

// A new plan; the attempts of the earlier ones are still shown.
const anew = `state = 'waiting', attempts = 0, next_attempt_at = now(), lease_id = null, finished_at = null`

export const replayDeliveryInput = z.strictObject({ id: number('a delivery').describe('The delivery’s id.') })

/** It is due at once and begins its plan anew, with the same `webhook-id`. Errors: `not_found`, `conflict`. */
export const replayDelivery = verb({
  name: 'webhook_delivery.replay',
  access: 'manage',
  input: replayDeliveryInput,
  async run(tx, { id }, { principal }) {
    const delivery = await tx.db.webhookDelivery.findFirst({
      where: { id: BigInt(id), ...visibleDeliveries(principal) },
    })
    if (delivery === null) throw notFound('delivery')
    if (delivery.endpointId !== null) demandEnabled(await lockedEndpoint(tx, delivery.endpointId, principal))
    await tx.sql(`update webhook_deliveries set ${anew} where id = $1::bigint`, [id])
    noted(tx, 'webhook_delivery', id, delivery.projectId, principal)
    return delivery.id
  },
})

function demandEnabled({ disabledAt }: WebhookEndpoint): void {
  if (disabledAt !== null) throw new AppError('conflict', 'The endpoint is disabled: enable it first.')
}

const mostReplayed = 1_000

export const replayEventsInput = z.strictObject({
  endpointId: uuid.describe('The endpoint’s UUID.'),
  after: number('an event').describe(
    'The number of the last event that was taken: the `webhook-id` without `evt_`; 0 for all.',
  ),
  until: number('an event').nullish().describe('The number of the last event to be sent; the newest unless given.'),
  includeDelivered: z
    .boolean()
    .nullish()
    .meta({ graphql: 'Boolean', default: false })
    .describe('Whether to send also what was delivered before.'),
})

export type Replayed = { endpointId: string; count: number; next: string | null }

/**
 * Events of the endpoint's types, at most 1,000 at once, also those from before it was made. `next` is the `after` of the next
 * call, null when there are no more. Errors: `not_found`, `conflict`.
 */
export const replayEvents = verb({
  name: 'webhook_endpoint.replay',
  access: 'manage',
  input: replayEventsInput,
  async run(tx, { endpointId, after, until, includeDelivered }, { principal }): Promise<Replayed> {
    const endpoint = await lockedEndpoint(tx, endpointId, principal)
    demandEnabled(endpoint)
    const { projectId, eventTypes } = endpoint
    const [row] = await tx.sql<{ count: number; last: string | null; read: number }>(
      `with page as (
         select id, type, receipt_id from events
         where project_id = $1::uuid and id > $2::bigint and ($3::bigint is null or id <= $3::bigint)
         order by id limit ${mostReplayed}
       ), present as materialized (
         select id from webhook_deliveries
         where endpoint_id = $4::uuid and event_id in (select id from page) order by id for no key update
       ), sent as (
         insert into webhook_deliveries as d (project_id, event_id, endpoint_id, receipt_id, lane)
         select $1::uuid, id, $4::uuid, receipt_id, $4::uuid from page, (select count(*) from present) as locked
         where type = any($5::text[]) order by id
         on conflict (endpoint_id, event_id) where endpoint_id is not null
           do update set ${anew} where d.state <> 'waiting' and ($6::boolean or d.state <> 'delivered')
         returning 1
       )
       select (select count(*)::int from sent) as count, (select max(id)::text from page) as last,
         (select count(*)::int from page) as read`,
      [projectId, after, until ?? null, endpointId, eventTypes, includeDelivered ?? false],
    )
    const count = row?.count ?? 0
    noted(tx, 'webhook_endpoint', endpointId, projectId, principal, { after, until: until ?? null, count })
    return { endpointId, count, next: row?.read === mostReplayed ? row.last : null }
  },
})

function noted(
  tx: VerbTransaction,
  objectType: 'webhook_delivery' | 'webhook_endpoint',
  objectId: string,
  projectId: string,
  principal: Principal,
  details: Record<string, unknown> = {},
): void {
  tx.audit({ action: `${objectType}.replay`, objectType, objectId, projectId, actor: actorOf(principal), details })
}
