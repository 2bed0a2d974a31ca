// Records that a payment was given back (a refund), whole or in parts, each as a full receipt linked to the original.
// Moves no funds.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { amount } from '../../core/amount.ts'
import { notFound } from '../../core/errors.ts'
import { isCode } from '../../core/iso-codes.ts'
import { ownedBy } from '../../core/principal.ts'
import { originNow } from '../../core/scope.ts'
import { settlementText, uuid } from '../../core/text.ts'
import type { Receipt } from '../../generated/prisma/client.ts'
import type { App } from '../../kit/context.ts'
import { jobs } from '../../kit/jobs.ts'
import { type Done, type VerbTransaction, verb } from '../../kit/verb.ts'
import { matchRefund, type NewRefund, referenceTaken, type Stated } from './match-refund.ts'
import { type RawReceipt, receiptColumns, receiptOf } from './row.ts'
import { announce, locked, settle } from './settle-refund.ts'

export const refundReceiptInput = z.strictObject({
  originalReceiptId: uuid.describe('The receipt to refund; it must be anchored.'),
  amount: amount
    .nullish()
    .describe(
      'Amount that was given back, as an exact decimal string, in the currency of the receipt: at most what is left to refund. Without it the whole payment is refunded.',
    ),
  reasonCode: z
    .string()
    .refine(code => isCode('returnReason', code), {
      error: 'Not a code of the ISO 20022 external code set.',
      params: { type: 'enum' },
    })
    .nullish()
    .meta({ graphql: 'String', pattern: '^[A-Z0-9]{1,4}$' })
    .describe('Reason for the refund, from ExternalReturnReason1Code; for instance `FOCR`.'),
  refundTx: settlementText()
    .nullish()
    .describe(
      'The transaction that gave the money back, or one transfer in it, such as `0x…#3`. Without it the refund is announced, not settled.',
    ),
})

export const statedIn = (
  { amount, reasonCode, refundTx }: z.output<typeof refundReceiptInput>,
  isClaim: boolean,
): Stated => ({ amount: amount ?? null, reason: reasonCode ?? null, txHash: refundTx ?? null, isClaim })

/**
 * A repeated request returns the first refund, and settles it when only the second names a transaction. Errors:
 * `not_found`, `not_anchored`, `conflict`, `refund_too_large`, `disabled_by_configuration`.
 */
export const refundReceipt = verb({
  name: 'receipt.refund',
  access: 'write',
  input: refundReceiptInput,
  async run(tx, input, context) {
    const where = { id: input.originalReceiptId, ...ownedBy(context.principal) }
    if ((await tx.db.receipt.findFirst({ where, select: { id: true } })) === null) throw notFound('receipt')
    return refund(tx, where.id, statedIn(input, false), context)
  },
})

/** Records a refund; the calling verb has authorised the principal. Errors: those of `refundMeant` and `settle`. */
export async function refund(
  tx: VerbTransaction,
  originalId: string,
  stated: Stated,
  app: App,
): Promise<Done<Receipt>> {
  const original = await locked(tx.sql, originalId)
  const refund = await matchRefund(tx, original, stated, app)
  const { txHash } = stated
  if ('earlier' in refund) {
    if (txHash !== null) return settle(tx, original, refund.earlier, txHash, app)
    return stated.isClaim ? { result: refund.earlier, audit: 'unchanged' } : announce(tx, original, refund.earlier)
  }
  const receipt = await insert(tx, original, stated, refund)
  const { id, projectId } = receipt
  tx.changed(id)
  tx.event({ type: 'receipt.refunded', receiptId: original.id, refundId: id, isSettled: txHash !== null })
  tx.job(jobs.screen({ receipts: [id] }))
  const details = { refund_of: original.id, amount: refund.amount, refund_tx_hash: txHash }
  return { result: receipt, audit: [{ objectType: 'receipt', objectId: id, projectId, details }] }
}

// A refund keeps the original's configuration versions, because its message ids depend on the configuration.
async function insert(tx: VerbTransaction, { id }: Receipt, stated: Stated, refund: NewRefund) {
  const { reason, txHash, isClaim } = stated
  const { reference, amount } = refund
  const [made] = await tx.sql<RawReceipt>(
    `insert into receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference,
                           refund_of_id, refund_reason, refund_tx_hash, refund_claimed, origin, config_version,
                           project_config_version)
     select $1::uuid, project_id, coalesce($5::text, tip_tx_hash), chain, $6::numeric, currency, receiver_wallet,
       sender_wallet, $2::text, id, $3::text, $5::text, $7::boolean, $8::text, config_version, project_config_version
     from receipts where id = $4::uuid
     on conflict do nothing
     returning ${receiptColumns}`,
    [randomUUID(), reference, reason, id, txHash, amount, isClaim, originNow()],
  )
  if (made === undefined) throw referenceTaken(reference)
  return receiptOf(made)
}
