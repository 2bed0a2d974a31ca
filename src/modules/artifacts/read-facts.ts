// What the messages say of receipts, read from the rows.
import { plainAmount } from '../../core/amount.ts'
import type { ReceiptStatus } from '../../core/states.ts'
import type { App } from '../../kit/context.ts'
import type { ReceiptFacts } from './facts.ts'

/** Of those receipts, the ones in this state; the others have moved on. */
export async function readFacts(
  app: Pick<App, 'pool'>,
  receiptIds: string[],
  status: ReceiptStatus,
): Promise<ReceiptFacts[]> {
  const { rows } = await app.pool.query<ReceiptFacts>(
    `select id, reference, chain, tip_tx_hash as "tipTxHash", amount, currency, sender_wallet as "senderWallet",
       receiver_wallet as "receiverWallet", resource_hash as "resourceHash", created_at as "createdAt"
     from receipts where id = any($1::uuid[]) and status = $2`,
    [receiptIds, status],
  )
  return rows.map(row => ({ ...row, amount: plainAmount(row.amount) }))
}
