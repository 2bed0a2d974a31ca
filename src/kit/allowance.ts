// What one caller may still ask for, as the work done for him sees it.

export type Allowance = {
  /** The account that is charged and takes turns: `project:<id>`, `address:<address>`, `payer:<wallet>` or `admin`. */
  subject: string
  /** A caller without key and payment: anyone can be many of them. */
  isAnonymous: boolean
  /** Work that is paid for is never refused for want of room; it waits. */
  isPaid: boolean
  /** Charges work whose cost is known only now. Throws `too_many_requests` when that is more than is left. */
  spend(cost: number): void
  /**
   * Counts one more event stream of this caller as open, until what it answers is called. Throws `too_many_requests` when
   * there are as many as it may have.
   */
  openStream(): () => void
  /** The rest of the caller's own limit; null where nothing is limited. */
  left(): { remaining: number; resetSeconds: number } | null
  /** Aborted when the caller is gone; null where the work is finished all the same. */
  readonly signal: AbortSignal | null
}

/** For work that is paid for: it is neither charged nor given up. */
export const unlimited = (subject: string): Allowance => ({
  subject,
  isAnonymous: false,
  isPaid: true,
  spend: () => undefined,
  openStream: () => () => undefined,
  left: () => null,
  signal: null,
})
