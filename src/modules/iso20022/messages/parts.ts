// Elements that messages share: ids, parties, accounts, agents, amounts and remittance text.
import { meaningOf } from '../asset-meaning.ts'
import type { MessageConfiguration } from '../configuration.ts'
import type { Facts, ReceiptFacts } from '../facts.ts'
import { type Holder, type Recorded, receiver, sender } from '../holder.ts'
import {
  type AccountKey,
  accountId,
  endToEndId,
  fractionDigitsOf,
  type InBand,
  inBandAmount,
  label35,
  noCurrency,
  receiptUetr,
  slotId,
  slotText,
  walletId,
} from '../slots.ts'
import { carryable, chunk, dateTime, type Element, el } from '../xml.ts'

export const instructionId = ({ id }: { id: string }): string => slotId('IN-', id)
export const transactionId = ({ id }: { id: string }): string => slotId('TX-', id)

export const endToEnd = (receipt: ReceiptFacts, { idStrategy }: MessageConfiguration): string =>
  idStrategy.endToEndId === 'reference' ? endToEndId(receipt.reference) : slotId('EE-', receipt.id)

/**
 * Returns the UETR. Strategy `settlement` derives it from the values that distinguish the payments of one transaction
 * and that both sides know. They are taken as they were written: by their identities, receipts whose messages are
 * sealed would have another UETR in later messages. A refund's UETR comes from its receipt id with any strategy,
 * because its transaction may be unknown.
 */
export const uetrOf = (receipt: ReceiptFacts, { idStrategy }: MessageConfiguration): string => {
  if (idStrategy.uetr === 'receipt_id' || receipt.refundOf !== null) return receiptUetr(receipt.id)
  const { chain, tipTxHash, senderWallet, receiverWallet, amount, currency } = receipt
  return receiptUetr([chain, tipTxHash, senderWallet, receiverWallet, amount, currency].join('\n'))
}

/** Returns PmtId of pain and pacs messages; with `TxId` only if the schema has it. */
export const paymentId = ({ receipt, organisation }: Facts, withTransaction: boolean): Element =>
  el('PmtId', [
    el('InstrId', instructionId(receipt)),
    el('EndToEndId', endToEnd(receipt, organisation)),
    withTransaction ? el('TxId', transactionId(receipt)) : null,
    el('UETR', uetrOf(receipt, organisation)),
  ])

/** Issr is the source of the id: of the statement that the wallet belongs to the party that is named beside it. */
function othr({ wallet, stated, isProven }: Holder): Element {
  const { id, scheme } = walletId(wallet)
  const source = stated === null ? null : el('Issr', isProven ? 'PROVEN-BY-SIGNATURE' : 'STATED-BY-PROJECT')
  return el('Othr', [el('Id', id), el('SchmeNm', [el('Prtry', scheme)]), source])
}

/** Returns a PartyIdentification135: ids, and the stated name or else the wallet, because importers show names. */
export const party = (name: string, holder: Holder): Element => {
  const { wallet, stated } = holder
  const { lei = null, country = null } = stated ?? {}
  return el(name, [
    el('Nm', slotText(stated?.name ?? wallet, 140)),
    el('Id', [lei === null ? el('PrvtId', [othr(holder)]) : el('OrgId', [el('LEI', lei), othr(holder)])]),
    country === null ? null : el('CtryOfRes', country),
  ])
}

export const payer = (facts: Recorded, name = 'Dbtr'): Element => party(name, sender(facts))
export const payee = (facts: Recorded, name = 'Cdtr'): Element => party(name, receiver(facts))

/** Returns a Party40Choice that contains the party. */
export const choice = (party: Element): Element => el(party.name, [{ ...party, name: 'Pty' }])

/** Returns the organisation as a party; null when neither name nor LEI is configured. */
export function organisationParty(name: string, { org }: MessageConfiguration): Element | null {
  if (org.name === null && org.lei === null) return null
  return el(name, [
    org.name === null ? null : el('Nm', slotText(org.name, 140)),
    org.lei === null ? null : el('Id', [el('OrgId', [el('LEI', org.lei)])]),
    org.jurisdiction === null ? null : el('CtryOfRes', org.jurisdiction),
  ])
}

/** Returns the initiating party: the configured organisation, else the payer. */
export const initiator = (facts: Facts, name = 'InitgPty'): Element =>
  organisationParty(name, facts.organisation) ?? payer(facts, name)

/**
 * Returns a CashAccount38 or 39. Importers distinguish accounts by the id alone, so the id is made of wallet, chain and
 * asset label; the proxy (EWAL, e-wallet) carries the wallet address itself.
 */
export const account = (
  name: string,
  key: AccountKey & { wallet: string },
  currency: string | null = null,
  owner?: Element,
): Element =>
  el(name, [
    el('Id', [el('Othr', [el('Id', accountId(key)), el('SchmeNm', [el('Prtry', 'WALLET-CHAIN-ASSET-SHA256-128')])])]),
    currency === null ? null : el('Ccy', currency),
    el('Prxy', [el('Tp', [el('Cd', 'EWAL')]), el('Id', slotText(key.wallet, 2048))]),
    owner ?? null,
  ])

const debited = ({ senderWallet: wallet, senderKey: walletKey, chainKey, currency }: ReceiptFacts) => ({
  wallet,
  walletKey,
  chainKey,
  currency,
})
export const credited = ({ receiverWallet: wallet, receiverKey: walletKey, chainKey, currency }: ReceiptFacts) => ({
  wallet,
  walletKey,
  chainKey,
  currency,
})
export const payerAccount = ({ receipt }: Facts): Element => account('DbtrAcct', debited(receipt))
export const payeeAccount = ({ receipt }: Facts): Element => account('CdtrAcct', credited(receipt))

/** Placeholder agent: schemas require agents, a chain has none. No Nm, because market practice wants an address too. */
export const noAgent = (name: string, chain: string): Element =>
  el(name, [el('FinInstnId', [el('Othr', [el('Id', 'NOTPROVIDED'), el('Issr', label35('CH-', chain))])])])

/** Returns SttlmInf of pacs messages, with the chain as a clearing system. */
export const settlement = ({ receipt }: Facts): Element =>
  el('SttlmInf', [el('SttlmMtd', 'CLRG'), el('ClrSys', [el('Prtry', label35('CH-', receipt.chain))])])

type Labelled = Pick<ReceiptFacts, 'currency' | 'chainKey'>

export const currencyOf = (labelled: Labelled, organisation: MessageConfiguration): string =>
  meaningOf(labelled, organisation)?.currency ?? noCurrency

/** An amount as a message states it, with the currency in which it does. */
export type Shown = { text: string; currency: string; inBand: InBand }

/**
 * Returns the receipt's amount as far as a slot can carry it. An amount below the minor unit of the mapped currency
 * stays in units of the asset (XXX), in which it has more digits.
 */
export function shownAmount({ receipt, organisation }: Recorded): Shown {
  const currency = currencyOf(receipt, organisation)
  const shown = inBandAmount(receipt.amount, fractionDigitsOf(currency))
  if (shown.inBand !== 'raised') return { ...shown, currency }
  return { ...inBandAmount(receipt.amount), currency: noCurrency }
}

export const moneyOf = (name: string, { text, currency }: Shown): Element => el(name, text, { Ccy: currency })

/** Returns the receipt's amount. */
export const money = (name: string, facts: Facts): Element => moneyOf(name, shownAmount(facts))

/** Returns the number of transactions and their sum. */
export const totals = (facts: Facts, count = 'NbOfTxs', sum = 'CtrlSum'): Element[] => [
  el(count, '1'),
  el(sum, shownAmount(facts).text),
]

export const chargeBearer = ({ organisation }: Facts): Element => el('ChrgBr', organisation.mapping.chargeBearer)

export const paymentType = ({ organisation: { mapping } }: Facts): Element | null =>
  mapping.categoryPurpose === null ? null : el('PmtTpInf', [el('CtgyPurp', [el('Cd', mapping.categoryPurpose)])])

export const purpose = ({ organisation: { mapping } }: Facts): Element | null =>
  mapping.purpose === null ? null : el('Purp', [el('Cd', mapping.purpose)])

/** Returns RmtInf with the reference: as text, or as a document number if structured remittance is configured. */
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
  const texts = pieces.map(piece => el('AddtlRmtInf', piece))
  return el('RmtInf', [
    el('Strd', [
      el('RfrdDocInf', [type, el('Nb', label35('RF-', reference))]),
      el('RfrdDocAmt', [money('RmtdAmt', facts)]),
      // The schema allows three AddtlRmtInf in each Strd: 420 characters.
      ...texts.slice(0, 3),
    ]),
    texts.length > 3 ? el('Strd', texts.slice(3, 6)) : null,
  ])
}

export const created = ({ occasion }: Facts): Element => el('CreDtTm', dateTime(occasion.at))
