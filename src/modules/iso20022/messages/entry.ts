// Builds Ntry: one receipt as an entry on a wallet, alike in notifications, reports and statements.
import { isAboveZero } from '../../../core/decimal.ts'
import { dayOf, utc } from '../../../core/time-zone.ts'
import { meaningOf } from '../asset-meaning.ts'
import { type Facts, isSettled, isSettledLater, paidAt, type ReceiptFacts } from '../facts.ts'
import { fractionDigitsOf, inBandAmount, inBandRate, label35, quantityUnit, slotId, slotText } from '../slots.ts'
import { supplementaryData } from '../supplementary.ts'
import { carryable, chunk, dateTime, type Element, el } from '../xml.ts'
import { sealedIds } from './original.ts'
import {
  choice,
  moneyOf,
  noAgent,
  payee,
  payeeAccount,
  payer,
  payerAccount,
  purpose,
  remittance,
  type Shown,
  shownAmount,
  transactionId,
} from './parts.ts'
import { sealedMessage } from './sealed.ts'
import { gradeOf } from './workflow.ts'

/** CRDT on the receiver's wallet, DBIT on the sender's. */
export type Side = 'CRDT' | 'DBIT'

/** Returns BkTxCd: a received or issued credit transfer, with RRTN when it is a return. */
const bankTransactionCode = (side: Side, refund: boolean): Element =>
  el('BkTxCd', [
    el('Domn', [
      el('Cd', 'PMNT'),
      el('Fmly', [el('Cd', side === 'CRDT' ? 'RCDT' : 'ICDT'), el('SubFmlyCd', refund ? 'RRTN' : 'OTHR')]),
    ]),
    el('Prtry', [el('Cd', 'ONCHAIN-PAYMENT')]),
  ])

/** Returns the exact amount as RltdQties: a decimal of 18 digits, else text of 35 characters; null if neither fits. */
function quantity(amount: string): Element | null {
  const unit = quantityUnit(amount)
  if (unit !== null) return el('RltdQties', [el('Qty', [el('Unit', unit)])])
  if (amount.length > 35) return null
  return el('RltdQties', [el('Prtry', [el('Tp', 'ASSET-UNITS'), el('Qty', amount)])])
}

/** Returns the asset by its label, or by its digital token identifier if one is configured. */
function asset({ receipt, organisation }: Facts): Element {
  const dti = meaningOf(receipt, organisation)?.dti ?? null
  const id =
    dti === null
      ? [el('Id', label35('CU-', receipt.currency)), el('Tp', [el('Prtry', 'ASSET-LABEL')])]
      : [el('Id', dti), el('Tp', [el('Cd', 'DTID')])]
  return el('FinInstrmId', [el('OthrId', id), el('Desc', slotText(description({ receipt, organisation }), 140))])
}

function description({ receipt, organisation }: Pick<Facts, 'receipt' | 'organisation'>): string {
  const { network, asset } = organisation.ledger
  const isOfChain = (organisation.networkKey ?? receipt.chainKey) === receipt.chainKey
  if (asset?.symbol !== receipt.currency || !isOfChain) return receipt.currency
  const contract = asset.contractAddress === null ? '' : `, contract ${asset.contractAddress}`
  const decimals = asset.decimals === null ? '' : `, ${asset.decimals} decimals`
  return `${receipt.currency}${contract}${decimals}${network === null ? '' : ` on ${network}`}`
}

/** Names the message in the bundle: a pain.001 by PmtInfId, equal to MsgId; a pacs.004, without PmtInfId, by MsgId. */
const sealedReference = (receipt: ReceiptFacts): Element =>
  el(receipt.refundOf === null ? 'PmtInfId' : 'MsgId', sealedMessage(receipt).messageId(receipt))

/** Returns the payment in a line that people read, and how it is known, in at most 500 characters. */
function summary(facts: Facts): string {
  const { receipt } = facts
  const grade = gradeOf(facts)
  const line = `${receipt.amount} ${receipt.currency} ON ${receipt.chain} ${transactions(receipt)}`
  return `${slotText(line, 500 - grade.length - 2)}. ${grade}`
}

function transactions({ tipTxHash, refundOf, refundTxHash }: ReceiptFacts): string {
  if (refundOf === null) return `TX ${tipTxHash}`
  return `${refundTxHash === null ? 'ANNOUNCED REFUND' : `REFUND TX ${refundTxHash}`} OF TX ${refundOf.tipTxHash}`
}

/**
 * Returns AmtDtls with the fiat equivalent; the amount of the entry, in the currency `source`, stays what was paid.
 * Null without an equivalent, or when it does not fit: one that is only less or more would be a false value.
 */
function countervalue({ receipt: { fiatEquivalent } }: Facts, source: string): Element | null {
  if (fiatEquivalent === null || !isAboveZero(fiatEquivalent.amount)) return null
  const { currency, asOf } = fiatEquivalent
  const { text: amount, inBand } = inBandAmount(fiatEquivalent.amount, fractionDigitsOf(currency))
  if (inBand === 'raised' || !isLongerBy(fiatEquivalent.amount, amount)) return null
  const rate = inBandRate(fiatEquivalent.rate)
  return el('AmtDtls', [
    el('CntrValAmt', [
      el('Amt', amount, { Ccy: currency }),
      rate === null
        ? null
        : el('CcyXchg', [
            el('SrcCcy', source),
            el('TrgtCcy', currency),
            el('UnitCcy', source),
            el('XchgRate', rate),
            el('QtnDt', dateTime(asOf)),
          ]),
    ]),
  ])
}

/** Whether the text is the same amount up to its fraction: it was not reduced to the largest amount of the slot. */
const isLongerBy = (whole: string, shown: string) => whole.split('.')[0] === shown.split('.')[0]

const details = (facts: Facts, side: Side, shown: Shown): Element => {
  const { receipt } = facts
  const { instruction, endToEnd, transaction, uetr } = sealedIds(facts)
  return el('TxDtls', [
    el('Refs', [
      receipt.refundOf === null ? null : sealedReference(receipt),
      el('AcctSvcrRef', servicerReference(facts, side)),
      receipt.refundOf === null ? sealedReference(receipt) : null,
      el('InstrId', instruction),
      el('EndToEndId', endToEnd),
      el('UETR', uetr),
      transaction === null ? null : el('TxId', transaction),
    ]),
    moneyOf('Amt', shown),
    el('CdtDbtInd', side),
    countervalue(facts, shown.currency),
    el('RltdPties', [choice(payer(facts)), payerAccount(facts), choice(payee(facts)), payeeAccount(facts)]),
    el('RltdAgts', [noAgent('DbtrAgt', receipt.chain), noAgent('CdtrAgt', receipt.chain)]),
    purpose(facts),
    remittance(facts),
    quantity(receipt.amount),
    asset(facts),
    returnInformation(facts),
    el('AddtlTxInf', summary(facts)),
    supplementaryData(facts, shown.inBand),
  ])
}

/** Returns the entry's own id, which differs on the two sides of a payment within one wallet. */
const servicerReference = ({ receipt }: Facts, side: Side): string =>
  slotId(side === 'CRDT' ? 'EC-' : 'ED-', receipt.id)

/** Returns RtrInf of a refund: the code of its reason, and the transaction that it returns. Null for a payment. */
function returnInformation({ receipt: { refundOf, refundReason } }: Facts): Element | null {
  if (refundOf === null) return null
  return el('RtrInf', [
    refundReason === null ? null : el('Rsn', [el('Cd', refundReason)]),
    ...chunk(carryable(`Return of transaction ${refundOf.tipTxHash}`), 105).map(piece => el('AddtlInf', piece)),
  ])
}

/** Returns an ISODate, because importers in use read no time here. OnChainPayment has the exact times. */
const date = (at: Date, zone: string): Element => el('Dt', dayOf(at, zone))

/** Returns when the payment took place; where that is not known, when the service recorded that money had moved. */
const settledAt = ({ receipt, anchor }: Facts): Date =>
  paidAt(receipt) ?? (isSettledLater(receipt) ? anchor?.bookedAt : null) ?? receipt.createdAt

/** The facts that a statement states of an entry. */
type Stated = {
  shown: Shown
  bookedAt: Date
  /** IANA name of the zone of its dates. */
  timeZone: string
}

/**
 * Builds an entry. Its status is BOOK, or PDNG for a refund that is only announced and for a payment that its chain
 * contradicts. Its booking date is the day on which the service first knew the receipt as anchored and settled; until
 * then, the day of recording. Its value date is the day of its block or, where that is not known, the day of recording;
 * for a refund settled later, the booking date.
 */
export const entry = (
  facts: Facts,
  side: Side,
  {
    shown = shownAmount(facts),
    bookedAt = facts.anchor?.bookedAt ?? facts.receipt.createdAt,
    timeZone = utc,
  }: Partial<Stated> = {},
): Element =>
  el('Ntry', [
    el('NtryRef', transactionId(facts.receipt)),
    moneyOf('Amt', shown),
    el('CdtDbtInd', side),
    el('Sts', [el('Cd', isSettled(facts.receipt) ? 'BOOK' : 'PDNG')]),
    isSettled(facts.receipt) ? el('BookgDt', [date(bookedAt, timeZone)]) : null,
    isSettled(facts.receipt) ? el('ValDt', [date(settledAt(facts), timeZone)]) : null,
    el('AcctSvcrRef', servicerReference(facts, side)),
    bankTransactionCode(side, facts.receipt.refundOf !== null),
    el('NtryDtls', [details(facts, side, shown)]),
    el('AddtlNtryInf', summary(facts)),
  ])
