// The input of messages and bundles: the accepted values of a receipt, its anchor, the organisation's configuration,
// and the occasion (id, time and reason codes) of one message.
import { isContradicting, type SettlementStatus } from '../../core/settlement.ts'
import type { PaymentGrade } from '../../core/what-is-proven.ts'
import type { MessageConfiguration } from './configuration.ts'

export type FiatEquivalent = {
  /** The receipt's amount times the rate, rounded half to even to 18 fraction digits: a plain decimal. */
  amount: string
  /** ISO 4217. */
  currency: string
  /** Units of `currency` for one unit of `rateOf`: a plain decimal above zero. */
  rate: string
  /** The asset label, or the ISO 4217 code to which the configuration maps it. */
  rateOf: string
  /** The rate provider and the figures it used, as text for people. */
  source: string
  asOf: Date
}

export type ReceiptFacts = {
  /** Lower-case UUIDv4. */
  id: string
  reference: string
  chain: string
  tipTxHash: string
  /** Plain decimal, at most 20 integer and 18 fraction digits. */
  amount: string
  /** The caller's label of the asset; not an ISO 4217 code. */
  currency: string
  senderWallet: string
  receiverWallet: string
  /** The identities of chain and wallets, whatever their spelling (src/core/identity.ts). */
  chainKey: string
  senderKey: string
  receiverKey: string
  /**
   * Whether the wallet was linked to the project by a signature when the receipt was sealed; before that, whether it is
   * now.
   */
  senderProven: boolean
  receiverProven: boolean
  /** 0x and 64 hex digits. */
  resourceHash: string | null
  createdAt: Date
  /** The value of the amount in the configured base currency, computed once; null where no value is known. */
  fiatEquivalent: FiatEquivalent | null
  /** The project that recorded the receipt, and so stated all these values. */
  project: {
    id: string
    /** Lower-case; null when a service administrator created the project. */
    ownerWallet: string | null
  }
  /** The receipt that this receipt refunds, whole or in part: wallets swapped. */
  refundOf: {
    id: string
    reference: string
    tipTxHash: string
    amount: string
    createdAt: Date
    /** When that payment took place; null where that is not known. */
    paidAt?: Date | null
  } | null
  /** For a refund: the transaction that returned the money; null while the refund is only announced. */
  refundTxHash: string | null
  /** Why it refunds: ExternalReturnReason1Code. */
  refundReason: string | null
  /** When the payment took place, as the project stated it. */
  statedAt: Date | null
  /** The check of the payment on its own chain; null where there was none. */
  settlement: SettlementFacts | null
}

/** A check of the payment on its own chain. `blockNumber` and the members after it are null unless it is in a block. */
export type SettlementFacts = {
  status: SettlementStatus
  grade: PaymentGrade
  checkedAt: Date
  /** CAIP-19. */
  assetId: string | null
  blockNumber: number | null
  blockHash: string | null
  blockTime: Date | null
  /** Sender of the transaction, who paid its fee, in the smallest unit of the chain's own currency. */
  sentBy: string | null
  fee: string | null
  legIndex: number | null
  /** Facts that are stated otherwise than the chain has them; `found` is null where the chain has none. */
  differences: readonly { field: string; stated: string; found: string | null }[]
}

/** How the service knows the payment. */
export const gradeOfPayment = ({ settlement }: Pick<ReceiptFacts, 'settlement'>): PaymentGrade =>
  settlement?.grade ?? 'stated'

/** When the payment took place: the time of its block, else as the project stated it; null where that is not known. */
export const paidAt = ({ settlement, statedAt }: Pick<ReceiptFacts, 'settlement' | 'statedAt'>): Date | null =>
  (settlement !== null && settlement.grade !== 'stated' ? settlement.blockTime : null) ?? statedAt

/** When the payment took place, as far as that is known; else when it was recorded. */
export const timeOf = (receipt: Pick<ReceiptFacts, 'settlement' | 'statedAt' | 'createdAt'>): Date =>
  paidAt(receipt) ?? receipt.createdAt

type Moving = Pick<ReceiptFacts, 'refundOf' | 'refundTxHash' | 'settlement'>

/** Returns whether it is a refund without a return transaction. */
export const isAnnounced = ({
  refundOf,
  refundTxHash,
}: {
  refundOf: object | null
  refundTxHash: string | null
}): boolean => refundOf !== null && refundTxHash === null

/** Returns whether the payment's own chain says that it did not take place. */
export const isContradicted = ({ settlement }: Pick<Moving, 'settlement'>): boolean =>
  isContradicting(settlement?.status ?? null)

/** Returns whether money has moved, as far as it is known. */
export const isSettled = (receipt: Moving): boolean => !isAnnounced(receipt) && !isContradicted(receipt)

/** Returns the amount of the payment of which the receipt refunds a part; null for any other receipt. */
export const partiallyRefunded = ({ refundOf, amount }: Pick<ReceiptFacts, 'refundOf' | 'amount'>): string | null =>
  refundOf === null || refundOf.amount === amount ? null : refundOf.amount

/** Returns the receipt as recorded, without a refund transaction stated later, so that a rebuilt bundle is the same. */
export const asRecorded = (receipt: ReceiptFacts): ReceiptFacts => {
  const { refundOf, tipTxHash } = receipt
  return { ...receipt, refundTxHash: refundOf === null || tipTxHash === refundOf.tipTxHash ? null : tipTxHash }
}

/** Returns whether the receipt is a refund that was announced first and whose transaction was stated later. */
export const isSettledLater = (receipt: ReceiptFacts): boolean =>
  receipt.refundTxHash !== asRecorded(receipt).refundTxHash

/** Returns the hash of the transaction that moved the money; null for a refund that is only announced. */
export const settlementOf = ({ refundOf, refundTxHash, tipTxHash }: ReceiptFacts): string | null =>
  refundOf === null ? tipTxHash : refundTxHash

export type AnchorFacts = {
  chain: string
  txid: string
  blockNumber: number
  /** The block's timestamp. */
  anchoredAt: Date
  /** Booking date: when the service first knew the receipt as anchored and settled. Null for an announced refund. */
  bookedAt: Date | null
  bundleHash: string
}

/** Why and when one message is made. */
export type Occasion = {
  /** The UUID behind the message id: the receipt's for lifecycle messages, a new one for each requested message. */
  id: string
  at: Date
  /** ISO 20022 external code, a member of the code set for the message type. */
  reasonCode: string | null
  resolutionCode: string | null
  /** The words in which an older client stated a code; null: as the code itself. */
  statedAs: string | null
  /** The request (camt.056) that the message answers; null where there is none, and in other messages. */
  answers: { caseId: string; createdAt: Date } | null
}

export type Facts = {
  receipt: ReceiptFacts
  anchor: AnchorFacts | null
  organisation: MessageConfiguration
  occasion: Occasion
}

/** Returns the occasion of the receipt's lifecycle messages, of which there is one for each type. */
export const inLife = (receipt: ReceiptFacts, at: Date, reasonCode: string | null = null): Occasion => ({
  id: receipt.id,
  at,
  reasonCode,
  resolutionCode: null,
  statedAs: null,
  answers: null,
})
