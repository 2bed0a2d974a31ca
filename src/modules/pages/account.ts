// Renders one account of a statement: its balances and a table of its entries, exact where the message has exact
// values.

import { elementAt, textAt, type XmlNode } from '../iso20022/read-xml.ts'
import { type OnChainAccount, type OnChainPayment, readOnChainPayments } from '../iso20022/reader.ts'
import { codeWords } from './code-words.ts'
import { fact, type Html, html, said, saidCode, saidLabel, time, when } from './html.ts'

const proprietaryCode = ['BkTxCd', 'Prtry', 'Cd'] as const

type Entry = { node: XmlNode; payments: OnChainPayment[] }

/** Renders a Stmt, Rpt or Ntfctn as a card; `sums` are its exact sums, null if the message has only standard fields. */
export function accountCard(statement: XmlNode, index: number, sums: OnChainAccount | null): Html {
  const entries = statement.children
    .filter(node => node.name === 'Ntry')
    .map((node): Entry => ({ node, payments: readOnChainPayments(node) }))
    // The amounts here are exact, so there is no remainder but the payments in it.
    .filter(({ node, payments }) => payments.length > 0 || textAt(node, ...proprietaryCode) !== 'ONCHAIN-REMAINDER')
  const heading = `account-${index + 1}`
  return html`<section class="panel" aria-labelledby="${heading}">
<h3 id="${heading}">${sums === null ? standardName(statement) : exactName(sums)}</h3>
<dl>
${sums === null ? standardFacts(statement, entries) : exactFacts(statement, sums)}
${fact('Entries', html`${entries.length}`)}
</dl>
${cutNote(entries, sums)}${entries.length > 0 ? table(heading, entries) : null}
</section>
`
}

const exactName = ({ wallet, chain, asset }: OnChainAccount): Html =>
  html`${saidLabel(asset)} on ${said(chain)} · ${saidCode(wallet)}`

function exactFacts(statement: XmlNode, { asset, opening, credits, debits, closing }: OnChainAccount): Html {
  const pagination = elementAt(statement, 'StmtPgntn') ?? elementAt(statement, 'RptPgntn') ?? statement
  const isContinued = Number(textAt(pagination, 'PgNb') ?? 1) > 1
  const goesOn = textAt(pagination, 'LastPgInd') === 'false'
  const sum = (label: string, text: string) => fact(label, html`${said(text)} ${saidLabel(asset)}`)
  return html`${sum(isContinued ? 'Opening balance, brought forward' : 'Opening balance', opening.replace('-', '−'))}
${sum('Credits', signed('+', credits))}
${sum('Debits', signed('−', debits))}
${sum(goesOn ? 'Closing balance, carried forward' : 'Closing balance', closing.replace('-', '−'))}
${currencyFact(statement)}`
}

const signed = (sign: string, sum: string): string => (/[1-9]/.test(sum) ? sign + sum : sum)

function standardName(statement: XmlNode): Html {
  const name = textAt(statement, 'Acct', 'Nm')
  const id = accountId(statement)
  if (name === null) return html`Account ${saidCode(id ?? 'not named')}`
  return html`${said(name)}${id === null ? null : html` · ${saidCode(id)}`}`
}

// The proxy contains the whole wallet address, the id possibly only a hash of it.
const accountId = (node: XmlNode): string | null =>
  textAt(node, 'Acct', 'Prxy', 'Id') ?? textAt(node, 'Acct', 'Id', 'IBAN') ?? textAt(node, 'Acct', 'Id', 'Othr', 'Id')

function standardFacts(statement: XmlNode, entries: Entry[]): Html {
  const assets = new Set(entries.flatMap(({ payments }) => payments.map(payment => payment.asset)))
  const asset = assets.size === 1 ? ([...assets][0] ?? null) : null
  return html`${fact('Asset', asset === null ? null : said(asset))}
${currencyFact(statement)}
${fact('From', when(textAt(statement, 'FrToDt', 'FrDtTm')))}
${fact('To', when(textAt(statement, 'FrToDt', 'ToDtTm')))}
${statement.children.filter(node => node.name === 'Bal').map(node => balance(node, asset))}`
}

function currencyFact(statement: XmlNode): Html | null {
  const code = textAt(statement, 'Acct', 'Ccy')
  if (code === null) return null
  const words = codeWords(['Ccy'], code)
  return fact('Currency', html`${said(code)}${words === null ? null : ` (${words})`}`)
}

function balance(node: XmlNode, asset: string | null): Html | null {
  const code = textAt(node, 'Tp', 'CdOrPrtry', 'Cd') ?? textAt(node, 'Tp', 'CdOrPrtry', 'Prtry') ?? ''
  const words = codeWords(['Cd'], code) ?? code
  const sign = textAt(node, 'CdtDbtInd') === 'DBIT' ? '−' : ''
  return fact(
    words.charAt(0).toUpperCase() + words.slice(1),
    html`${said(sign + (textAt(node, 'Amt') ?? ''))} ${said(currency(node) || (asset ?? ''))}`,
  )
}

/** Returns the currency of the element's Amt; '' for XXX, the code for no currency. */
function currency(node: XmlNode): string {
  const code = elementAt(node, 'Amt')?.attributes.Ccy ?? ''
  return code === 'XXX' ? '' : code
}

const isCut = (payment: OnChainPayment): boolean => payment.amountInBand !== 'exact'

/** Returns a note that amounts on the page are exact and those in the standard fields truncated; null if none are. */
function cutNote(entries: Entry[], sums: OnChainAccount | null): Html | null {
  if (sums?.inBand !== 'truncated' && !entries.some(({ payments }) => payments.some(isCut))) return null
  return html`<p class="hint">${sums === null ? 'The amounts in the table are' : 'All balances, sums and amounts here are'}
exact. The standard fields of the message, and so its balances, hold them cut short or raised to the smallest amount,
because ISO 20022 allows 18 digits, 5 of them after the point, and a currency often fewer.</p>
`
}

const table = (
  heading: string,
  entries: Entry[],
): Html => html`<div class="wide" role="region" tabindex="0" aria-labelledby="${heading}">
<table>
<caption>Entries</caption>
<thead><tr><th scope="col">Booked</th><th scope="col">Debit or credit</th><th scope="col" class="number">Amount</th>
<th scope="col">Asset</th><th scope="col">Counterparty</th><th scope="col">Reference</th>
<th scope="col">Transaction hash</th></tr></thead>
<tbody>
${entries.flatMap(entryRows)}</tbody>
</table>
</div>`

function entryRows({ node, payments }: Entry): Html[] {
  const day = when(textAt(node, 'BookgDt', 'DtTm') ?? textAt(node, 'BookgDt', 'Dt'))
  const pending = textAt(node, 'Sts', 'Cd') === 'PDNG' ? html`Pending` : day
  const direction = textAt(node, 'CdtDbtInd') ?? ''
  const booking = (at: Date | null) =>
    html`<td>${at === null ? pending : time(at)}</td><td>${codeWords(['CdtDbtInd'], direction) ?? direction}</td>`
  if (payments.length === 0) {
    return [
      html`<tr>${booking(null)}<td class="number">${said(textAt(node, 'Amt') ?? '')}</td><td>${said(currency(node))}</td>
<td></td><th scope="row">${said(textAt(node, 'NtryRef') ?? '')}</th><td></td></tr>
`,
    ]
  }
  return payments.map(payment => {
    const counterparty = direction === 'DBIT' ? payment.payee : payment.payer
    return html`<tr>${booking(payment.bookedAt)}<td class="number">${said(payment.amount)}${mark(payment)}</td>
<td>${said(payment.asset)}</td><td>${saidCode(counterparty)}</td>
<th scope="row">${said(payment.reference)}${refundMark(payment)}</th>
<td>${payment.txHash === null ? html`Not stated` : saidCode(payment.txHash)}</td></tr>
`
  })
}

const mark = ({ amountInBand }: OnChainPayment): Html | null =>
  amountInBand === 'exact'
    ? null
    : html` <span class="hint">${amountInBand === 'raised' ? 'raised' : 'cut'} in the message</span>`

const refundMark = ({ refundOf }: OnChainPayment): Html | null =>
  refundOf === null ? null : html` <span class="hint">Refund of receipt ${saidCode(refundOf.receiptId)}</span>`
