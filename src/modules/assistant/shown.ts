// Renders receipts as JSON for the model, with the member names of the REST API.
import type { Anchor, AnchorTransaction, Receipt } from '../../generated/prisma/client.ts'
import { bundleUrl } from '../receipts/urls.ts'

/** Returns the members of a receipt that are shown in a list. */
export const listed = ({ id, status, amount, currency, chain, reference, createdAt, anchoredAt }: Receipt) => ({
  ...{ id, status, amount: amount.toFixed(), currency, chain, reference },
  created_at: createdAt,
  anchored_at: anchoredAt,
})

export const shown = (receipt: Receipt, publicBaseUrl: string) => ({
  ...listed(receipt),
  tip_tx_hash: receipt.tipTxHash,
  sender_wallet: receipt.senderWallet,
  receiver_wallet: receipt.receiverWallet,
  resource_hash: receipt.resourceHash,
  bundle_hash: receipt.bundleHash,
  bundle_url: bundleUrl(publicBaseUrl, receipt.id, receipt),
  ledger_txid: receipt.ledgerTxid,
  failure_reason: receipt.failureReason,
  refund_of: receipt.refundOfId,
  refund_tx_hash: receipt.refundTxHash,
})

export const anchorsOf = (anchors: (Anchor & { transaction: AnchorTransaction | null })[]) =>
  anchors.map(({ chain, state, transaction }) => ({
    ...{ chain, state, txid: transaction?.txid ?? null, contract: transaction?.contract ?? null },
    block_number: transaction?.blockNumber?.toString() ?? null,
    anchored_at: transaction?.blockTime ?? null,
    finality: transaction?.finality ?? null,
  }))
