// Subjects of compliance checks: a receipt's payment with the names its project states, or a payment to this service.
import { plainAmount } from '../../core/amount.ts'
import type { App } from '../../kit/context.ts'
import type { Sql } from '../../kit/transaction.ts'
import type { ComplianceParty, ComplianceSubject } from '../../ports/compliance.ts'
import { partyOf } from '../iso20022/holder.ts'
import type { Organisation } from '../settings/organisation.ts'
import { configurationAt } from '../settings/read.ts'

type ReceiptRow = {
  id: string
  chain: string
  txHash: string
  amount: string
  currency: string
  sender: string
  receiver: string
  chainKey: string
  senderKey: string
  receiverKey: string
  organisation: number | null
  project: number | null
}

/** `isChecked`: its payment is looked up on its own chain before it is sealed. */
export type ScreenedReceipt = { subject: ComplianceSubject; organisation: Organisation; isChecked: boolean }

/** Returns those of the receipts that are pending, each with the configuration under which it was recorded. */
export async function pendingReceipts(app: App, sql: Sql, receiptIds: readonly string[]): Promise<ScreenedReceipt[]> {
  const rows = await sql<ReceiptRow>(
    `select id, chain, tip_tx_hash as "txHash", amount::text, currency, sender_wallet as sender, receiver_wallet as receiver,
       chain_key as "chainKey", sender_key as "senderKey", receiver_key as "receiverKey",
       config_version as organisation, project_config_version as project
     from receipts where id = any($1::uuid[]) and status = 'pending'`,
    [receiptIds],
  )
  return Promise.all(
    rows.map(async row => {
      const organisation = await configurationAt(app, sql, row)
      const { chainKey } = row
      const { policy } = organisation.checks
      const side = (wallet: string, walletKey: string): ComplianceParty => {
        const { name = null, country = null, lei = null } = partyOf(organisation, { walletKey, chainKey }) ?? {}
        return { wallet, name, country, lei }
      }
      const { id, chain, txHash, amount, currency } = row
      const what = { kind: 'receipt', id, chain, txHash, amount: plainAmount(amount), currency } as const
      return {
        organisation,
        isChecked: policy === 'require' || (policy === 'record' && app.paymentChains.has(chainKey)),
        subject: { ...what, sender: side(row.sender, row.senderKey), receiver: side(row.receiver, row.receiverKey) },
      }
    }),
  )
}

export type PaymentFacts = {
  /** Nonce of the payment's authorization, 0x-prefixed. */
  nonce: string
  network: string
  amount: string
  currency: string
  payer: string
  payTo: string
}

export const paymentSubject = ({
  nonce,
  network,
  amount,
  currency,
  payer,
  payTo,
}: PaymentFacts): ComplianceSubject => ({
  kind: 'payment',
  id: nonce.toLowerCase(),
  chain: network,
  txHash: null,
  amount: plainAmount(amount),
  currency,
  sender: nameless(payer),
  receiver: nameless(payTo),
})

const nameless = (wallet: string): ComplianceParty => ({ wallet, name: null, country: null, lei: null })

export async function paymentSubjects(
  sql: Sql,
  paymentIds: readonly string[],
): Promise<Map<string, ComplianceSubject>> {
  const rows = await sql<PaymentFacts & { id: string }>(
    `select id, '0x' || encode(nonce, 'hex') as nonce, network, amount::text, currency, payer, pay_to as "payTo"
     from payments where id = any($1::uuid[])`,
    [paymentIds],
  )
  return new Map(rows.map(row => [row.id, paymentSubject(row)]))
}
