// Parts that messages share: ids, parties, accounts, agents, amounts and remittance text.
import { meaningOf } from '../../settings/asset-meaning.ts'
import type { Organisation, Party } from '../../settings/organisation.ts'
import type { Facts, Occasion, ReceiptFacts } from '../facts.ts'
import {
  accountId,
  endToEndId,
  inBandAmount,
  label35,
  noCurrency,
  receiptUetr,
  slotId,
  slotText,
  walletId,
} from '../slots.ts'
import { carryable, chunk, dateTime, type Element, el } from '../xml.ts'

// Every MsgId begins with what kind of message it is, so that the messages of one receipt have different ids.
const prefixes = {
  'pain.001': 'P1-',
  'pain.002': 'P2-',
  'pain.007': 'P7-',
  'pain.008': 'P8-',
  'pacs.002': 'F2-',
  'pacs.004': 'F4-',
  'pacs.007': 'F7-',
  'pacs.008': 'F8-',
  'pacs.009': 'F9-',
  'camt.029': 'C9-',
  'camt.052': 'CR-',
  'camt.053': 'CS-',
  'camt.054': 'C4-',
  'camt.056': 'C6-',
  'remt.001': 'RA-',
} as const
export type MessageType = keyof typeof prefixes

/** Max35Text id of the message of this type that was made on this occasion. */
export const messageId = (type: MessageType, { id }: Pick<Occasion, 'id'>): string => slotId(prefixes[type], id)

export const instructionId = ({ id }: { id: string }): string => slotId('IN-', id)
export const transactionId = ({ id }: { id: string }): string => slotId('TX-', id)

export const endToEnd = (receipt: ReceiptFacts, { idStrategy }: Organisation): string =>
  idStrategy.endToEndId === 'reference' ? endToEndId(receipt.reference) : slotId('EE-', receipt.id)

/**
 * UETR. That of a settlement is made of all that tells apart the payments of one transaction and that both sides know. A
 * refund has its own, whatever the strategy: its transaction may not be known.
 */
export const uetrOf = (receipt: ReceiptFacts, { idStrategy }: Organisation): string => {
  if (idStrategy.uetr === 'receipt_id' || receipt.refundOf !== null) return receiptUetr(receipt.id)
  const { chain, tipTxHash, senderWallet, receiverWallet, amount, currency } = receipt
  return receiptUetr([chain, tipTxHash, senderWallet, receiverWallet, amount, currency].join('\n'))
}

/** PmtId of pain and pacs messages; `TxId` only where the schema has it. */
export const paymentId = ({ receipt, organisation }: Facts, withTransaction: boolean): Element =>
  el('PmtId', [
    el('InstrId', instructionId(receipt)),
    el('EndToEndId', endToEnd(receipt, organisation)),
    withTransaction ? el('TxId', transactionId(receipt)) : null,
    el('UETR', uetrOf(receipt, organisation)),
  ])

function othr(wallet: string): Element {
  const { id, scheme } = walletId(wallet)
  return el('Othr', [el('Id', id), el('SchmeNm', [el('Prtry', scheme)])])
}

/** PartyIdentification135: the configured name or else the wallet, because readers show names, and its ids. */
export const party = (name: string, wallet: string, { name: known, country, lei }: Party): Element =>
  el(name, [
    el('Nm', slotText(known ?? wallet, 140)),
    el('Id', [lei === null ? el('PrvtId', [othr(wallet)]) : el('OrgId', [el('LEI', lei), othr(wallet)])]),
    country === null ? null : el('CtryOfRes', country),
  ])

/** Who pays and who is paid, with what the configuration says of them: the payer of a refund is the creditor of before. */
export function payer({ receipt, organisation }: Facts, name = 'Dbtr'): Element {
  const { debtorDefaults, creditorDefaults } = organisation.mapping
  return party(name, receipt.senderWallet, receipt.refundOf === null ? debtorDefaults : creditorDefaults)
}
export function payee({ receipt, organisation }: Facts, name = 'Cdtr'): Element {
  const { debtorDefaults, creditorDefaults } = organisation.mapping
  return party(name, receipt.receiverWallet, receipt.refundOf === null ? creditorDefaults : debtorDefaults)
}

/** Party40Choice around a party. */
export const choice = (party: Element): Element => el(party.name, [{ ...party, name: 'Pty' }])

/** The organisation itself; null when neither name nor LEI is configured. */
export function organisationParty(name: string, { org }: Organisation): Element | null {
  if (org.name === null && org.lei === null) return null
  return el(name, [
    org.name === null ? null : el('Nm', slotText(org.name, 140)),
    org.lei === null ? null : el('Id', [el('OrgId', [el('LEI', org.lei)])]),
    org.jurisdiction === null ? null : el('CtryOfRes', org.jurisdiction),
  ])
}

/** The configured organisation initiates, else the payer. */
export const initiator = (facts: Facts, name = 'InitgPty'): Element =>
  organisationParty(name, facts.organisation) ?? payer(facts, name)

/** An account is what one wallet holds of one asset on one chain. */
type AccountKey = { wallet: string; chain: string; currency: string }

/**
 * CashAccount38 or 39. Readers tell accounts apart by the id alone, so it is made of wallet, chain and asset label; the proxy
 * (EWAL, e-wallet) carries the wallet as it is.
 */
export const account = (name: string, key: AccountKey, currency: string | null = null, owner?: Element): Element =>
  el(name, [
    el('Id', [el('Othr', [el('Id', accountId(key)), el('SchmeNm', [el('Prtry', 'WALLET-CHAIN-ASSET-SHA256-128')])])]),
    currency === null ? null : el('Ccy', currency),
    el('Prxy', [el('Tp', [el('Cd', 'EWAL')]), el('Id', slotText(key.wallet, 2048))]),
    owner ?? null,
  ])
export const payerAccount = ({ receipt: { senderWallet: wallet, chain, currency } }: Facts): Element =>
  account('DbtrAcct', { wallet, chain, currency })
export const payeeAccount = ({ receipt: { receiverWallet: wallet, chain, currency } }: Facts): Element =>
  account('CdtrAcct', { wallet, chain, currency })

/** The schemas demand agents, a chain has none. No Nm: market practice wants an address beside it. */
export const noAgent = (name: string, chain: string): Element =>
  el(name, [el('FinInstnId', [el('Othr', [el('Id', 'NOTPROVIDED'), el('Issr', label35('CH-', chain))])])])

/** The chain as a clearing system: SttlmInf of pacs messages. */
export const settlement = ({ receipt }: Facts): Element =>
  el('SttlmInf', [el('SttlmMtd', 'CLRG'), el('ClrSys', [el('Prtry', label35('CH-', receipt.chain))])])

type Labelled = Pick<ReceiptFacts, 'currency' | 'chain'>

export const currencyOf = (labelled: Labelled, organisation: Organisation): string =>
  meaningOf(labelled, organisation)?.currency ?? noCurrency

/** The receipt's amount, as far as the slot can say it. */
export const money = (name: string, { receipt, organisation }: Facts): Element =>
  el(name, inBandAmount(receipt.amount).text, { Ccy: currencyOf(receipt, organisation) })

/** How many transactions, and their sum. */
export const totals = ({ receipt }: Facts, count = 'NbOfTxs', sum = 'CtrlSum'): Element[] => [
  el(count, '1'),
  el(sum, inBandAmount(receipt.amount).text),
]

export const chargeBearer = ({ organisation }: Facts): Element => el('ChrgBr', organisation.mapping.chargeBearer)

export const paymentType = ({ organisation: { mapping } }: Facts): Element | null =>
  mapping.categoryPurpose === null ? null : el('PmtTpInf', [el('CtgyPurp', [el('Cd', mapping.categoryPurpose)])])

export const purpose = ({ organisation: { mapping } }: Facts): Element | null =>
  mapping.purpose === null ? null : el('Purp', [el('Cd', mapping.purpose)])

/** The reference: as text, or as the number of a document where it is configured to be structured. */
export function remittance(facts: Facts): Element {
  const { reference } = facts.receipt
  const pieces = chunk(carryable(reference), 140)
  if (!facts.organisation.mapping.structuredRemittance) {
    return el(
      'RmtInf',
      pieces.map(piece => el('Ustrd', piece)),
    )
  }
  const type = el('Tp', [el('CdOrPrtry', [el('Prtry', 'BUSINESS-REFERENCE')])])
  return el('RmtInf', [
    el('Strd', [
      el('RfrdDocInf', [type, el('Nb', label35('RF-', reference))]),
      el('RfrdDocAmt', [money('RmtdAmt', facts)]),
      // The schema has three of these, 420 characters.
      ...pieces.slice(0, 3).map(piece => el('AddtlRmtInf', piece)),
    ]),
  ])
}

export const created = ({ occasion }: Facts): Element => el('CreDtTm', dateTime(occasion.at))
