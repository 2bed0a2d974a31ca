// The queue of waiting deliveries: claims those that are due, with the receivers served in turn.
import { isMoving } from '../../kit/moving.ts'
import type { Sql } from '../../kit/transaction.ts'

export type ClaimedDelivery = {
  id: string
  eventId: string
  projectId: string
  endpointId: string | null
  url: string
  /** Its endpoint is deleted, or is disabled and this is no test event: it is cancelled and not sent. */
  isOff: boolean
  /** Lease of this attempt: a worker that claims the delivery later has another lease. */
  leaseId: string
  /** Attempts of the present retry plan, this one included. */
  attempts: number
  /** Number of this attempt, counted over all retry plans. */
  number: number
}

// Longer than an attempt can take, so that only a dead or stalled worker loses a delivery to another worker.
const leaseSeconds = 30

// Maximum attempts in progress in one lane. A lane is one endpoint; or, for callbacks to one origin, the first attempts
// or the retries. An endpoint that has failed for a minute, and a lane of retries, get one place at a time.
const placesOfLane = 8
const placesOfFailing = 1

// Most projects of one query, and most lanes of each list of candidates. The recursive queries jump from key to key in
// an index, so that their cost does not grow with the deliveries that wait.
const projectsOfRound = 64
const lanesOfRound = 64

/** Returns projects with due deliveries, in order of their ids, after the project `after`. */
export async function dueProjects(sql: Sql, after: string): Promise<{ ids: string[]; isLast: boolean }> {
  const rows = await sql<{ id: string }>(
    `with recursive waiting as (
       (select project_id as id, next_attempt_at as next from webhook_deliveries
        where state = 'waiting' and project_id > $1::uuid order by 1, 2 limit 1)
       union all
       select d.id, d.next from waiting cross join lateral (
         select project_id as id, next_attempt_at as next from webhook_deliveries
         where state = 'waiting' and project_id > waiting.id order by 1, 2 limit 1
       ) as d
     )
     select id from waiting where next <= now() and not ${isMoving('waiting.id')} limit ${projectsOfRound}`,
    [after],
    'webhook-projects',
  )
  return { ids: rows.map(({ id }) => id), isLast: rows.length < projectsOfRound }
}

/**
 * Claims due deliveries of a project so that at most `places` are in progress, and stores their attempts first. A
 * delivery in progress keeps the state `waiting`; its `next_attempt_at` is the end of its lease. Candidates are the
 * lanes after `after` (`ahead`, then `behind` from the start), so that each lane gets its turn, and the lanes of the
 * deliveries that are due longest (`earliest`).
 */
export const claimDue = (
  sql: Sql,
  { projectId, after, places }: { projectId: string; after: string; places: number },
) =>
  sql<ClaimedDelivery>(
    `with recursive ahead as (
       (select lane from webhook_deliveries
        where project_id = $1::uuid and state = 'waiting' and lane > $2::uuid order by 1 limit 1)
       union all
       select (select lane from webhook_deliveries d
               where d.project_id = $1::uuid and state = 'waiting' and d.lane > ahead.lane order by 1 limit 1)
       from ahead where lane is not null
     ), behind as (
       (select lane from webhook_deliveries where project_id = $1::uuid and state = 'waiting' order by 1 limit 1)
       union all
       select (select lane from webhook_deliveries d
               where d.project_id = $1::uuid and state = 'waiting' and d.lane > behind.lane order by 1 limit 1)
       from behind where lane <= $2::uuid
     ), earliest as (
       select lane from webhook_deliveries
       where project_id = $1::uuid and state = 'waiting' and next_attempt_at <= now()
       order by next_attempt_at limit ${lanesOfRound}
     ), candidates as (
       (select lane from ahead where lane is not null limit ${lanesOfRound})
       union
       (select lane from behind where lane <= $2::uuid limit ${lanesOfRound})
       union
       select lane from earliest
     ), under_way as materialized (
       select lane, count(*) as number from webhook_deliveries
       where project_id = $1::uuid and lease_id is not null and next_attempt_at > now() group by lane
     ), due as materialized (
       select next.id, candidates.lane, coalesce(under_way.number, 0) + next.rank as rank
       from candidates
       left join under_way using (lane)
       left join webhook_endpoints endpoint on endpoint.id = candidates.lane
       -- Numbered here, where the index has the order, so that nothing is sorted.
       cross join lateral (
         select id, attempts, row_number() over (order by next_attempt_at) as rank from webhook_deliveries d
         where d.project_id = $1::uuid and d.lane = candidates.lane and d.state = 'waiting'
           and d.next_attempt_at <= now()
         order by next_attempt_at limit ${placesOfLane}
       ) as next
       where coalesce(under_way.number, 0) + next.rank <=
         case when endpoint.failing_since < now() - interval '1 minute' or endpoint.id is null and next.attempts > 0
           then ${placesOfFailing} else ${placesOfLane} end
     ), locked as materialized (
       -- Not as two conditions: with those, the planner would read all due deliveries from their index.
       select d.id from due join webhook_deliveries d using (id)
       where (d.state = 'waiting' and d.next_attempt_at <= now()) is true
       order by due.rank, due.lane <= $2::uuid, due.lane
       limit greatest(0, $3::int - (select coalesce(sum(number), 0) from under_way))
       for no key update of d skip locked
     ), claimed as (
       update webhook_deliveries d set lease_id = gen_random_uuid(), attempts = attempts + 1,
         next_attempt_at = now() + interval '${leaseSeconds} seconds'
       from locked where d.id = locked.id returning d.*
     ), begun as (
       insert into webhook_attempts (delivery_id, number)
       select id, (select coalesce(max(number), 0) + 1 from webhook_attempts a where a.delivery_id = claimed.id)
       from claimed
       returning delivery_id, number
     )
     select claimed.id, claimed.event_id as "eventId", claimed.project_id as "projectId",
       claimed.endpoint_id as "endpointId", coalesce(claimed.url, endpoint.url) as url, claimed.lease_id as "leaseId",
       claimed.attempts, begun.number, coalesce(endpoint.deleted_at is not null
         or endpoint.disabled_at is not null and event.type <> 'webhook.test', false) as "isOff"
     from claimed join begun on begun.delivery_id = claimed.id join events event on event.id = claimed.event_id
       left join webhook_endpoints endpoint on endpoint.id = claimed.endpoint_id`,
    [projectId, after, places],
    'webhook-claim',
  )

/** The deliveries to an endpoint, or the callbacks of the receipt that this delivery is about. */
export type Whose = { endpointId: string } | { receiptOf: string }

// The rest is cancelled when it is due, so that an endpoint with a large backlog is disabled at once.
const mostCancelled = 10_000

/**
 * Locks the waiting deliveries until the transaction ends. Every statement that locks several deliveries does so in the
 * order of their ids, and after their endpoints, so that no two transactions deadlock.
 */
const waitingOf = (whose: Whose) =>
  `select id from webhook_deliveries where state = 'waiting' and ${
    'endpointId' in whose
      ? 'endpoint_id = $1::uuid'
      : 'receipt_id = (select receipt_id from webhook_deliveries where id = $1::bigint) and endpoint_id is null'
  } order by id limit ${mostCancelled} for no key update`
const keyOf = (whose: Whose) => ('endpointId' in whose ? whose.endpointId : whose.receiptOf)

export const lockWaiting = (sql: Sql, whose: Whose) => sql(waitingOf(whose), [keyOf(whose)])

/** Cancels the waiting deliveries: they are not sent any more. */
export const cancelWaiting = (sql: Sql, whose: Whose) =>
  sql(
    `update webhook_deliveries set state = 'cancelled', finished_at = now(), next_attempt_at = null, lease_id = null
     where id in (${waitingOf(whose)})`,
    [keyOf(whose)],
  )
