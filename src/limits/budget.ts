// Charges one request to the budgets of its caller. Reads may use a part of each; the rest is kept for writes and
// payments, so that a dashboard that asks without end never refuses the record of a payment.
import type { Allowance } from '../kit/allowance.ts'
import type { Charge, Limiter, QuotaState } from './limiter.ts'

export type Budgets = {
  /** The budget of the key, session or address. */
  own: Charge
  /** The budget of the project, with all its keys and sessions; null without a key. */
  project: Charge | null
  /** The budgets of whoever has many others; no part of these is kept. */
  walls: readonly Charge[]
  /** The part that reads may use. */
  readable: number
  /** Whether the request can be a write or a payment. */
  mayWrite: boolean
  /** Learns what was spent. */
  spent(units: number): void
}

type Budget = Pick<Allowance, 'spend' | 'demand' | 'asksFor' | 'left'>

/** `demandAll` throws `too_many_requests` unless all states admit the cost, and reports `shown` to the caller. */
export function budgetOf(
  limiter: Limiter,
  demandAll: (states: QuotaState[], cost: number, shown?: QuotaState | null) => void,
  { own, project, walls, readable, mayWrite, spent }: Budgets,
): Budget {
  const whole = project ? [project, own] : [own]
  const part = whole.map(charge => ({ ...charge, share: readable }))
  let kind: 'unknown' | 'read' | 'write' = mayWrite ? 'unknown' : 'read'
  /** Taken beyond the part for reads, and from the caller's own budget alone, before the kind was known. */
  let loose = 0
  /** Thrown again to whoever asks after it: what is refused on one way may be tried on another. */
  let refusal: unknown = null

  function takeFrom(charges: readonly Charge[], cost: number): void {
    const states = limiter.consume([...charges, ...walls], cost)
    demandAll(states, cost, scarcest(states.slice(0, charges.length)))
  }

  function take(units: number): void {
    if (kind !== 'unknown') return void takeFrom(kind === 'read' ? part : whole, units)
    const states = limiter.consume([...part, ...walls], units)
    if (states.every(state => state.admitted))
      return void demandAll(states, units, scarcest(states.slice(0, part.length)))
    takeFrom([own], units)
    loose += units
  }

  return {
    spend(cost) {
      if (cost <= 0) return
      const units = Math.ceil(cost)
      take(units)
      spent(units)
    },
    demand(cost) {
      if (cost > 0) demandAll(limiter.states([...(kind === 'read' ? part : whole), ...walls], cost), cost)
    },
    asksFor(requested) {
      if (refusal !== null) throw refusal
      // A caller who may not write gets no part of what is kept for writes, whatever it asks for.
      kind = mayWrite ? requested : 'read'
      const owed = loose
      loose = 0
      if (owed === 0) return
      try {
        if (kind === 'read') limiter.note([own], -owed)
        const owing = kind === 'read' ? part : project ? [project] : []
        demandAll(limiter.consume(owing, owed), owed)
      } catch (error) {
        refusal = error
        throw error
      }
    },
    left: () => scarcest(limiter.states(kind === 'write' ? whole : part, 0)),
  }
}

const scarcest = (states: readonly QuotaState[]): QuotaState | null =>
  states.reduce<QuotaState | null>((least, one) => (least && least.remaining <= one.remaining ? least : one), null)
