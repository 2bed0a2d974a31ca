// Sends deliveries again: one delivery, or all events of an endpoint after a given event.
import { z } from 'zod'
import { AppError, notFound } from '../../core/errors.ts'
import { ownedBy } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import type { WebhookEndpoint } from '../../generated/prisma/client.ts'
import { type Done, verb } from '../../kit/verb.ts'
import { lockedEndpoint } from './endpoints.ts'

const number = (of: string) =>
  z
    .string()
    .regex(/^\d{1,18}$/, `Must be the id of ${of}.`)
    .meta({ graphql: 'ID' })

// Begins a new retry plan; attempts of earlier plans are still shown.
const anew = `state = 'waiting', attempts = 0, next_attempt_at = now(), lease_id = null, finished_at = null`

// A delivery that is replayed again and again keeps its newest attempts only.
const mostKept = 50
const forgotten = `forgotten as (
  delete from webhook_attempts a using sent where a.delivery_id = sent.id and a.number <= (
    select max(number) - ${mostKept} from webhook_attempts b where b.delivery_id = sent.id)
)`

const replayDeliveryInput = z.strictObject({ id: number('a delivery').describe('The delivery’s id.') })

/** Makes a delivery due at once, with a new retry plan and the same `webhook-id`. Errors: `not_found`, `conflict`. */
export const replayDelivery = verb({
  name: 'webhook_delivery.replay',
  access: 'manage',
  input: replayDeliveryInput,
  async run(tx, { id }, { principal }) {
    const delivery = await tx.db.webhookDelivery.findFirst({
      where: { id: BigInt(id), ...ownedBy(principal) },
    })
    if (delivery === null) throw notFound('delivery')
    if (delivery.endpointId !== null) demandEnabled(await lockedEndpoint(tx, delivery.endpointId, principal))
    const replayed = await tx.sql(
      `with sent as (
         update webhook_deliveries set ${anew}
         where id = $1::bigint and (lease_id is null or next_attempt_at <= now()) returning id
       ), ${forgotten}
       select id from sent`,
      [id],
    )
    if (replayed.length === 0) throw new AppError('conflict', 'The delivery is being sent now.')
    const { projectId } = delivery
    return { result: { id: delivery.id }, audit: [{ objectType: 'webhook_delivery', objectId: id, projectId }] }
  },
})

function demandEnabled({ disabledAt }: WebhookEndpoint): void {
  if (disabledAt !== null) throw new AppError('conflict', 'The endpoint is disabled: enable it first.')
}

const mostReplayed = 1_000
// A delivery is sent, and each of its attempts stored.
const costOfDelivery = 5

const replayEventsInput = z.strictObject({
  endpointId: uuid.describe('The endpoint’s UUID.'),
  after: number('an event').describe(
    'The number of the last event that the receiver processed: its `webhook-id` without `evt_`; 0 for all.',
  ),
  until: number('an event').nullish().describe('The number of the last event to be sent; the newest unless given.'),
  includeDelivered: z
    .boolean()
    .nullish()
    .meta({ graphql: 'Boolean', default: false })
    .describe('Whether to send also events that were delivered before.'),
})

export type Replayed = { endpointId: string; count: number; next: string | null }

/**
 * Sends events of the endpoint's types again, at most 1,000 per call, also events from before the endpoint was created.
 * Deliveries that wait for a retry are made due at once. `next` is the `after` of the next call; null when no events
 * are left. Errors: `not_found`, `conflict`, `too_many_requests`.
 */
export const replayEvents = verb({
  name: 'webhook_endpoint.replay',
  access: 'manage',
  input: replayEventsInput,
  async run(tx, { endpointId, after, until, includeDelivered }, { principal, allowance }): Promise<Done<Replayed>> {
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
           do update set ${anew} where case d.state
             when 'waiting' then d.attempts > 0 and (d.lease_id is null or d.next_attempt_at <= now())
             when 'delivered' then $6::boolean else true end
         returning id
       ), ${forgotten}
       select (select count(*)::int from sent) as count, (select max(id)::text from page) as last,
         (select count(*)::int from page) as read`,
      [projectId, after, until ?? null, endpointId, eventTypes, includeDelivered ?? false],
    )
    const count = row?.count ?? 0
    allowance.spend(count * costOfDelivery)
    const details = { after, until: until ?? null, count }
    return {
      result: { endpointId, count, next: row?.read === mostReplayed ? row.last : null },
      audit: [{ objectType: 'webhook_endpoint', objectId: endpointId, projectId, details }],
    }
  },
})
