// What a request left undone: payments are settled without it, their transactions handed over again and replaced when they
// are stuck; and what is paid and not delivered is an alarm, because only its payer can ask for it.
import { z } from 'zod'
import type { App } from '../../kit/context.ts'
import { task } from '../../kit/task.ts'
import { inTransaction } from '../../kit/transaction.ts'
import type { PaymentFacilitator } from '../../ports/payment-facilitator.ts'
import { dropPayment, endLease, leasePayment } from './ledger.ts'
import { settlePayment } from './settle.ts'

const most = 100

/** One payment whose request ended before it was settled. */
export const settle = task({
  name: 'settle',
  payload: z.strictObject({ payment: z.guid() }),
  async run(app, { payment }) {
    const { facilitator } = app
    if (facilitator === null) return
    const leased = await leasePayment(app, payment)
    if (leased === null) return
    try {
      const settled = await settlePayment(app, facilitator, leased, 0)
      if (settled === 'unpaid') await dropPayment(app, payment)
    } finally {
      await endLease(app, payment)
    }
  },
})

type Open = { id: string; raw: string; ageMs: number }

/** Every few minutes: whatever is open. */
export async function settleOpen(app: App): Promise<void> {
  const { facilitator, pool } = app
  if (facilitator === null) return
  const { rows } = await pool.query<Open>(
    `select id, raw_transaction as raw, (extract(epoch from now() - verified_at) * 1000)::float8 as "ageMs" from payments
     where status = 'settling' and network = $1 and signer = $2 order by signer_nonce limit ${most}`,
    [facilitator.network, facilitator.address],
  )
  for (const row of rows) await tend(app, facilitator, row)
  const { rows: open } = await pool.query<{ id: string }>(
    `select id from payments where status in ('verified', 'settling') and (lease_until is null or lease_until < now())
     order by verified_at limit ${most}`,
  )
  await inTransaction(app, async tx =>
    tx.job(...open.map(({ id }) => ({ task: 'settle', payload: { payment: id }, key: `settle:${id}` }))),
  )
  const { rows: owed } = await pool.query<{ count: number }>(
    `select count(*)::int as count from payments where status = 'settled' and settled_at < now() - interval '5 minutes'`,
  )
  const count = owed[0]?.count ?? 0
  if (count > 0)
    app.log.error({ payments: count }, 'ALARM: payments are settled, and what they paid for is not delivered')
}

async function tend(app: App, facilitator: PaymentFacilitator, { id, raw, ageMs }: Open): Promise<void> {
  const outcome = await facilitator.broadcast(raw)
  if (outcome === 'unfunded') app.log.error({ payment: id }, 'ALARM: the settling account cannot pay for gas')
  if (outcome !== 'underpriced' && ageMs < facilitator.replaceAfterMs) return
  const signed = outcome === 'overtaken' ? null : await facilitator.signReplacement(raw)
  if (signed === null) return
  await app.pool.query(
    `update payments set raw_transaction = $2, txid = $3 where id = $1 and status = 'settling' and raw_transaction = $4`,
    [id, signed.raw, signed.txid, raw],
  )
  await facilitator.broadcast(signed.raw)
}
