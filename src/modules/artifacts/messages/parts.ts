// Parts that several messages share: parties, accounts, agents, amounts and remittance text.
import type { ReceiptFacts } from '../facts.ts'
import { inBandAmount, label35, noCurrency, slotId, slotText, walletId } from '../slots.ts'
import { carryable, chunk, type Element, el } from '../xml.ts'

/** Prefixes of MsgId, one for each message, and of the ids inside the instruction. */
export const ids = {
  pain001: (receipt: ReceiptFacts) => slotId('P1-', receipt.id),
  pain002: (receipt: ReceiptFacts) => slotId('P2-', receipt.id),
  camt054: (receipt: ReceiptFacts) => slotId('C4-', receipt.id),
  instruction: (receipt: ReceiptFacts) => slotId('IN-', receipt.id),
  transaction: (receipt: ReceiptFacts) => slotId('TX-', receipt.id),
}

function othr(wallet: string): Element {
  const { id, scheme } = walletId(wallet)
  return el('Othr', [el('Id', id), el('SchmeNm', [el('Prtry', scheme)])])
}

/** PartyIdentification135: the wallet as a name, because readers show names, and its id. */
export const party = (name: string, wallet: string): Element =>
  el(name, [el('Nm', slotText(wallet, 140)), el('Id', [el('PrvtId', [othr(wallet)])])])

/** Party40Choice. */
export const partyChoice = (name: string, wallet: string): Element => el(name, [party('Pty', wallet)])

/** CashAccount38 or 39: the id slot is too short for most addresses, the proxy (EWAL, e-wallet) carries them whole. */
export const account = (name: string, wallet: string, more: Element[] = []): Element =>
  el(name, [
    el('Id', [othr(wallet)]),
    el('Prxy', [el('Tp', [el('Cd', 'EWAL')]), el('Id', slotText(wallet, 2048))]),
    ...more,
  ])

/** The schemas demand agents, a chain has none. No Nm: market practice wants an address beside it. */
export const noAgent = (name: string, chain: string): Element =>
  el(name, [el('FinInstnId', [el('Othr', [el('Id', 'NOTPROVIDED'), el('Issr', label35('CH-', chain))])])])

export const money = (name: string, amount: string): Element => el(name, inBandAmount(amount).text, { Ccy: noCurrency })

export const remittance = (reference: string): Element =>
  el(
    'RmtInf',
    chunk(carryable(reference), 140).map(piece => el('Ustrd', piece)),
  )
