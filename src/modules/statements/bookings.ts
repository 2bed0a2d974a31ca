// Reads what the entries of statements state: receipts, their anchors, and the configurations they were recorded under.
import { AppError } from '../../core/errors.ts'
import type { App } from '../../kit/context.ts'
import { sqlOf } from '../../kit/transaction.ts'
import { type RecordedFacts, readAnchors, readFacts } from '../artifacts/read-facts.ts'
import { inLife } from '../iso20022/facts.ts'
import type { Booking } from '../iso20022/messages/statement-sums.ts'
import type { Configuration } from '../settings/organisation.ts'
import type { Movement } from './collect.ts'

/** Receipts that are read at a time, so that the process serves other requests in between. */
const atOnce = 250

export type Naming = {
  /** The configuration of the statement, whose currencies its entries have too. */
  present: Configuration
  /** Returns which names of a receipt's own configuration the statement bears. */
  namesOf(organisation: Configuration): Configuration
  signal: AbortSignal | null
}

/** Returns the entries of the movements, in their order. Throws `caller_gone`. */
export async function bookingsOf(
  app: App,
  movements: readonly Movement[],
  { present, namesOf, signal }: Naming,
): Promise<Booking[]> {
  const ids = [...new Set(movements.map(({ id }) => id))]
  const { anchors, recorded } = await factsOf(app, ids, signal)
  return movements.map(({ id, side, bookedAt }) => {
    const facts = recorded.get(id)
    if (facts === undefined) throw new Error(`receipt ${id} vanished`)
    const { receipt } = facts
    const organisation = namesOf(facts.organisation)
    const anchored = anchors.get(id)
    const anchor = anchored === undefined ? null : { ...anchored, bookedAt }
    // The receipt's own configuration, so that its ids are those of its other messages. Only the currencies are those
    // of the present one, as in the account.
    const occasion = inLife(receipt, anchor?.anchoredAt ?? receipt.createdAt)
    return {
      side,
      bookedAt,
      facts: { receipt, anchor, organisation: { ...organisation, assets: present.assets }, occasion },
    }
  })
}

async function factsOf(app: App, ids: readonly string[], signal: AbortSignal | null) {
  const sql = sqlOf(app.pool)
  const recorded = new Map<string, RecordedFacts>()
  const anchors: Awaited<ReturnType<typeof readAnchors>> = new Map()
  for (let start = 0; start < ids.length; start += atOnce) {
    if (signal?.aborted) throw new AppError('caller_gone')
    const some = ids.slice(start, start + atOnce)
    for (const [id, anchor] of await readAnchors(sql, some)) anchors.set(id, anchor)
    for (const facts of await readFacts(app, sql, some)) recorded.set(facts.receipt.id, facts)
  }
  return { anchors, recorded }
}
