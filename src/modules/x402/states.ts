// The states of a payment and all moves between them. `moveSql` builds the statements of the moves from this table. The
// tests compare the table with the diagram in ARCHITECTURE.md, and with the events of every payment that they make.

export const paymentStatuses = ['verified', 'settling', 'settled', 'delivered', 'failed', 'reversed'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

type Move = {
  /** None: the row is new. */
  from: readonly PaymentStatus[]
  /** Null: the row is deleted. */
  to: PaymentStatus | null
}

// A request makes its moves under the payment's lease, except `claim`, which takes it, and `reopen`. The worker's job
// (tasks.ts) makes only the moves that say so, because no client waits for it. The moves of recheck.ts need no lease,
// because they name the settlement too.
export const moves = {
  /** claim.ts: the payment is verified and the request admitted. */
  claim: { from: [], to: 'verified' },
  /** settle.ts (nonce-queue.ts): the transaction is signed and stored; it is sent afterwards. */
  sign: { from: ['verified'], to: 'settling' },
  /** settle.ts, deliver.ts (with the answer), the job too: the transfer is in a mined transaction, whoever sent it. */
  settle: { from: ['verified', 'settling'], to: 'settled' },
  /** settle.ts, the job too: the transaction reverted, or the authorization expired or was used for something else. */
  fail: { from: ['verified', 'settling'], to: 'failed' },
  /** settle.ts, the job too: another transaction has the nonce of the stored one. */
  forget: { from: ['settling'], to: 'verified' },
  /** settle.ts: the payment cannot be settled now, and no transaction of it was ever sent. */
  drop: { from: ['verified'], to: null },
  /** settle.ts: the payment cannot be settled now, and an earlier transaction of it reverted. */
  setAside: { from: ['verified'], to: 'failed' },
  /** resume.ts, named.ts: the payer sends a payment again that reverted. */
  reopen: { from: ['failed'], to: 'verified' },
  /** pay.ts: the answer, which is stored, was written to a client. */
  deliver: { from: ['settled'], to: 'delivered' },
  /** recheck.ts: the settlement left the chain, and the payment cannot be settled again. */
  reverse: { from: ['settled', 'delivered'], to: 'reversed' },
  /** recheck.ts: the settlement is in the chain again. `deliver` follows at once if the answer was delivered before. */
  reinstate: { from: ['reversed'], to: 'settled' },
} as const satisfies Record<string, Move>

/**
 * SQL that makes a move of payment $1, if the payment has a status from which the move starts. `last`: the next move,
 * made at once.
 */
export function moveSql(name: keyof typeof moves, { set = '', where = '', last = name } = {}): string {
  const { from }: Move = moves[name]
  const { to }: Move = moves[last]
  const statuses = from.map(status => `'${status}'`).join(', ')
  const change = to === null ? 'delete from payments' : `update payments set status = '${to}'${set && `, ${set}`}`
  return `${change} where id = $1 and status in (${statuses})${where && ` and ${where}`}`
}
