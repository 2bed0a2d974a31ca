// Sends the deliveries that are due: many at a time, from any number of processes, with the receivers served in turn.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { originOf, outOfScope } from '../../core/scope.ts'
import type { App } from '../../kit/context.ts'
import { causedBy } from '../../kit/origins.ts'
import { sqlOf } from '../../kit/transaction.ts'
import { newDeliveries } from '../../ports/event-feed.ts'
import { readEvents } from '../events/log.ts'
import { type ClaimedDelivery, claimDue, dueProjects } from './queue.ts'
import { secretsFor } from './secrets.ts'
import { attempt } from './send.ts'

// Maximum attempts in progress in this process.
const places = 512
// Polling interval: no notification announces that a waiting delivery has become due.
const lookEveryMs = 1_000
const pauseMs = 10

/** Returns how many free slots one project may use, so that projects with hanging receivers leave slots to others. */
const shareOf = (free: number): number => (free > 256 ? 32 : free > 64 ? 8 : Math.min(2, free))

const first = '00000000-0000-0000-0000-000000000000'

export type Deliverer = {
  /** Starts no further attempts. Those in progress finish, or are released at `deadline` (milliseconds since 1970). */
  stop(deadline: number): Promise<void>
}

export function startDelivering(app: App): Deliverer {
  const sql = sqlOf(app.pool)
  const underWay = new Map<Promise<void>, string>()
  const cut = new AbortController()
  let stopping = false
  let wake = () => {}
  let nextProject = first

  /** Starts attempts of several projects. Returns whether more may be due immediately. */
  async function round(): Promise<boolean> {
    const { ids, isLast } = await dueProjects(sql, nextProject)
    nextProject = isLast ? first : (ids.at(-1) ?? first)
    let begun = 0
    for (const projectId of ids) {
      if (stopping) return false
      begun += await begin(projectId)
    }
    return begun > 0 || !isLast
  }

  /** Starts attempts of one project, from a random receiver on, so that no receiver is always last. */
  async function begin(projectId: string): Promise<number> {
    // A delivery that is cancelled while it is sent loses its lease, but not its place here.
    const own = [...underWay.values()].filter(id => id === projectId).length
    const share = shareOf(places - underWay.size) - own
    const claimed = share > 0 ? await claimDue(sql, { projectId, after: randomUUID(), places: share }) : []
    if (claimed.length === 0) return 0
    const [events, secretsOf] = await Promise.all([
      readEvents(sql, [...new Set(claimed.map(({ eventId }) => eventId))]),
      secretsFor(sql, app, projectId, new Set(claimed.map(({ endpointId }) => endpointId))),
    ])
    for (const delivery of claimed) {
      const event = events.find(({ id }) => id === delivery.eventId)
      send(delivery, { event, secrets: secretsOf.get(delivery.endpointId) ?? [] })
    }
    return claimed.length
  }

  function send(delivery: ClaimedDelivery, content: Parameters<typeof attempt>[2]): void {
    const { origin = null, type = 'of a deleted event' } = content.event ?? {}
    const origins = origin === null ? [] : [originOf(origin)]
    const sent = causedBy(app, { name: `delivery ${type}`, kind: 'client', origins }, () =>
      attempt(app, delivery, content, cut.signal),
    )
      // The lease of the delivery expires, and a worker claims the delivery again.
      .catch(error => app.log.error({ err: error, delivery: delivery.id }, 'the outcome of an attempt was not stored'))
      .finally(() => {
        underWay.delete(sent)
        wake()
      })
    underWay.set(sent, delivery.projectId)
  }

  async function loop(): Promise<void> {
    while (!stopping) {
      const woken = new Promise<void>(resolve => (wake = resolve))
      const more = await round().catch(error => {
        app.log.warn({ err: error }, 'due deliveries cannot be claimed now')
        return false
      })
      // The slots of attempts that end during the pause are filled together.
      if (more) await sleep(pauseMs)
      else await Promise.race([woken, sleep(lookEveryMs, undefined, { ref: false })])
    }
  }

  const watching = app.feed.watch(newDeliveries, () => wake())
  const running = outOfScope(loop)
  return {
    async stop(deadline) {
      stopping = true
      watching.stop()
      wake()
      await running
      const all = Promise.allSettled(underWay.keys())
      await Promise.race([all, sleep(Math.max(0, deadline - Date.now()), undefined, { ref: false })])
      cut.abort()
      await all
    },
  }
}
