// Builds camt.052 and camt.053, which have the same structure: a page with an element for each of its accounts.

import { dayOf, localTime } from '../../../core/time-zone.ts'
import { mixedGrades, statedPayments } from '../../../core/what-is-proven.ts'
import type { MessageConfiguration } from '../configuration.ts'
import { gradeOfPayment } from '../facts.ts'
import { partyOf } from '../holder.ts'
import { receiptUetr, slotId, slotText } from '../slots.ts'
import { dateTime, type Element, el } from '../xml.ts'
import { entry, type Side } from './entry.ts'
import type { MessageId } from './message.ts'
import { onChainStatement } from './on-chain-statement.ts'
import { account, noAgent, organisationParty, party } from './parts.ts'
import { remainderEntry } from './remainder.ts'
import { closingTime, lastMoment, type Page, type Piece, type StatementHead } from './statement.ts'
import { inBandText, type Sums } from './statement-sums.ts'

/**
 * The ids and the element names that differ between the two schemas, and the balance codes at both ends of the window.
 */
export type Form = {
  messageId: MessageId
  root: string
  part: string
  pagination: string
  opening: 'ITBD' | 'OPBD'
  closing: 'ITBD' | 'CLBD'
  information: string
}

// Ids of a page and of an account. Both must fit 35 characters and be the same whenever the statement is written.
const pageId = ({ messageId }: Form, { statement: { id }, number }: Page): string =>
  messageId({ id: number === 1 ? id : receiptUetr(`${id}\npage ${number}`) })
const accountId = ({ id }: StatementHead, accountNumber: number): string =>
  slotId('ST-', receiptUetr(`${id}\naccount ${accountNumber}`))

const pagination = (name: string, number: number, isLast: boolean): Element =>
  el(name, [el('PgNb', String(number)), el('LastPgInd', String(isLast))])

const period = (statement: StatementHead): Element =>
  el('FrToDt', [
    el('FrDtTm', localTime(statement.from, statement.timeZone)),
    el('ToDtTm', localTime(lastMoment(statement), statement.timeZone)),
  ])

/** Returns the number of the statement in its series, which schemas place around the reporting sequence. */
const sequence = ({ number }: StatementHead): Element[] =>
  number === null ? [] : ['ElctrncSeqNb', 'LglSeqNb'].map(name => el(name, String(number)))

const sideOf = (value: bigint): Side => (value < 0n ? 'DBIT' : 'CRDT')
const direction = (value: bigint): Element => el('CdtDbtInd', sideOf(value))

const balance = (code: string, value: bigint, currency: string, at: Date, timeZone: string): Element =>
  el('Bal', [
    el('Tp', [el('CdOrPrtry', [el('Cd', code)])]),
    el('Amt', inBandText(value), { Ccy: currency }),
    direction(value),
    // Not DtTm: an importer in use stops at a balance with a time.
    el('Dt', [el('Dt', dayOf(at, timeZone))]),
  ])

/** Returns TxsSummry with all three totals, because importers in use fail when only some are present. */
function summary({ credits, debits }: Sums, sides: readonly Side[]): Element {
  const credited = sides.filter(side => side === 'CRDT').length
  const total = (name: string, count: number, sum: bigint, net: bigint | null = null) =>
    el(name, [
      el('NbOfNtries', String(count)),
      el('Sum', inBandText(sum)),
      net === null ? null : el('TtlNetNtry', [el('Amt', inBandText(net)), direction(net)]),
    ])
  return el('TxsSummry', [
    total('TtlNtries', sides.length, credits + debits, credits - debits),
    total('TtlCdtNtries', credited, credits),
    total('TtlDbtNtries', sides.length - credited, debits),
  ])
}

/**
 * Returns Acct. Its name distinguishes the assets of a wallet, because the currency of most is XXX. Importers in use
 * fail without Svcr.
 */
function accountOf(key: Piece['account'], organisation: MessageConfiguration, currency: string) {
  const { wallet, chain, currency: label, isProven } = key
  const owner = party('Ownr', {
    wallet,
    stated: partyOf(organisation, key),
    isProven,
  })
  const { content, ...element } = account('Acct', key, currency, owner)
  const parts = typeof content === 'string' ? [] : content
  const name = el('Nm', slotText(`${label} on ${chain}`, 70))
  const named = parts.flatMap(part => (part.name === 'Prxy' ? [name, part] : [part]))
  return { ...element, content: [...named, noAgent('Svcr', chain)] }
}

/** Returns whether the statement is made before its period ends, so that it has no closing balance. */
const isEarly = (statement: StatementHead): boolean => closingTime(statement) < lastMoment(statement)

/** Explains the numbers, which readers could mistake for a bank's. All sentences together fit Max500Text. */
const nature = (piece: Piece | null) =>
  `${isMixed(piece) ? mixedGrades : statedPayments} They are booked when their evidence was anchored. Balances add up recorded payments only: they are not the balance of the wallet on chain.`

function information(statement: StatementHead, piece: Piece | null): string {
  return [
    nature(piece),
    seriesText(statement),
    isEmpty(piece) ? 'No payment was booked in this period.' : null,
    isEarly(statement) ? 'Made before its period ended.' : null,
    piece !== null && !(piece.isLast && piece.number === 1) ? 'Totals and balances are those of this page.' : null,
    piece?.isShortened ? `Sums of this account exceed 18 digits: ${kept(piece)}.` : null,
    'Exact amounts are in the supplementary data.',
  ]
    .filter(sentence => sentence !== null)
    .join(' ')
}

const isMixed = (piece: Piece | null): boolean =>
  piece?.entries.some(({ facts: { receipt } }) => gradeOfPayment(receipt) !== 'stated') ?? false

const isEmpty = (piece: Piece | null): boolean =>
  piece === null || piece.entries.length + piece.inBand.small.length === 0

function seriesText({ number, isProvisional }: StatementHead): string | null {
  if (number !== null) return null
  return `${isProvisional ? 'Provisional' : 'A report'}: not in the numbered series of statements.`
}

const kept = ({ fractionDigits }: Piece): string =>
  fractionDigits === null
    ? 'there are none here, and balances are at most the largest amount'
    : `amounts here are all cut to ${fractionDigits} fraction digits`

function part(form: Form, statement: StatementHead, piece: Piece): Element {
  const { currency } = piece
  const { opening, closing } = piece.inBand.sums
  const remainder = remainderEntry(statement, piece)
  const sides = piece.entries.map(({ side }) => side)
  const { timeZone } = statement
  return el(form.part, [
    el('Id', accountId(statement, piece.accountNumber)),
    pagination(form.pagination, piece.number, piece.isLast),
    ...sequence(statement),
    el('CreDtTm', dateTime(statement.at)),
    period(statement),
    accountOf(piece.account, statement.organisation, currency),
    // At page breaks both balances are interim (ITBD), and the opening balance comes first.
    balance(piece.number === 1 ? form.opening : 'ITBD', opening, currency, piece.opensAt, timeZone),
    balance(piece.isLast && !isEarly(statement) ? form.closing : 'ITBD', closing, currency, piece.closesAt, timeZone),
    piece.fractionDigits === null
      ? null
      : summary(piece.inBand.sums, remainder === null ? sides : [...sides, sideOf(piece.inBand.remainder)]),
    ...piece.entries.map(booking => entry(booking.facts, booking.side, { ...booking, timeZone })),
    remainder,
    el(form.information, information(statement, piece)),
  ])
}

/** Returns the element of an empty statement: schemas require one account, and importers require all parts of it. */
function emptyPart(form: Form, statement: StatementHead): Element {
  const none = el('Othr', [el('Id', 'NOTPROVIDED')])
  return el(form.part, [
    el('Id', accountId(statement, 0)),
    pagination(form.pagination, 1, true),
    el('CreDtTm', dateTime(statement.at)),
    period(statement),
    el('Acct', [el('Id', [none]), el('Ccy', 'XXX'), el('Svcr', [el('FinInstnId', [none])])]),
    balance(form.opening, 0n, 'XXX', statement.from, statement.timeZone),
    balance(isEarly(statement) ? 'ITBD' : form.closing, 0n, 'XXX', closingTime(statement), statement.timeZone),
    summary({ opening: 0n, credits: 0n, debits: 0n, closing: 0n }, []),
    el(form.information, information(statement, null)),
  ])
}

export function statementBody(form: Form, page: Page): Element {
  const { statement, number, count, pieces } = page
  return el(form.root, [
    el('GrpHdr', [
      el('MsgId', pageId(form, page)),
      el('CreDtTm', dateTime(statement.at)),
      organisationParty('MsgRcpt', statement.organisation),
      pagination('MsgPgntn', number, number === count),
    ]),
    ...(pieces.length === 0 ? [emptyPart(form, statement)] : pieces.map(piece => part(form, statement, piece))),
    onChainStatement(page),
  ])
}
