// The remaining limits of one caller, as the work done for that caller sees them.

export type Allowance = {
  /** The account that is charged and queued: `project:<id>`, `address:<address>`, `payer:<wallet>` or `admin`. */
  subject: string
  /** A caller without API key and payment: one client can pose as many such callers. */
  isAnonymous: boolean
  /** Paid work is never refused because a queue is full; it waits. */
  isPaid: boolean
  /** Charges work whose cost is known only while it runs. Throws `too_many_requests` when the cost exceeds the rest. */
  spend(cost: number): void
  /** Throws what `spend` would throw, and charges nothing. */
  demand(cost: number): void
  /** Says what is asked for once that is known: reads may use only a part. Throws `too_many_requests`. */
  asksFor(kind: 'read' | 'write'): void
  /** Charges wallet signatures that are about to be checked. Throws `too_many_requests`. */
  spendSignatures(count: number): void
  /**
   * Counts one more open event stream of this caller, until the returned function is called. Throws `too_many_requests`
   * when the caller has its maximum of streams.
   */
  openStream(): () => void
  /**
   * Runs work that takes processor time without a pause: for a caller without credentials when it is its turn, for all
   * others at once. Throws `too_many_requests` and `caller_gone`.
   */
  inTurn<T>(work: () => T | Promise<T>): T | Promise<T>
  /** Returns what the caller has left for what is asked for; null where nothing is limited. */
  left(): { remaining: number; resetAt: Date; resetSeconds: number } | null
  /** Aborted when the caller disconnects; null where the work is finished regardless. */
  readonly signal: AbortSignal | null
}

/** Returns a function that charges fractions of a unit: a whole unit is spent once the fractions make one. */
export function meter({ spend }: Allowance): (cost: number) => void {
  let owed = 0
  return cost => {
    owed += cost
    const whole = Math.floor(owed)
    owed -= whole
    if (whole > 0) spend(whole)
  }
}

/** Returns the allowance of paid work, which is neither charged nor aborted. */
export const unlimited = (subject: string): Allowance => ({
  subject,
  isAnonymous: false,
  isPaid: true,
  spend: () => undefined,
  demand: () => undefined,
  asksFor: () => undefined,
  spendSignatures: () => undefined,
  openStream: () => () => undefined,
  inTurn: work => work(),
  left: () => null,
  signal: null,
})
