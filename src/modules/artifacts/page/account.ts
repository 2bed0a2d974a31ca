// One account of a statement: its balances and a table of its entries, exact where an entry carries its payment.

import { elementAt, textAt, type XmlNode } from '../read-xml.ts'
import { paymentsIn } from '../reader.ts'
import { codeWords } from './code-words.ts'
import { fact, type Html, html, said, saidCode, time } from './html.ts'

/** A statement, report or notification as a card. */
export function accountCard(statement: XmlNode, index: number): Html {
  const payments = paymentsIn(statement)
  const entries = statement.children.filter(node => node.name === 'Ntry')
  const assets = [...new Set(payments.map(payment => payment.asset))]
  const asset = assets.length === 1 ? (assets[0] ?? null) : null
  const cut = payments.some(payment => payment.amountInBand === 'truncated')
  const heading = `account-${index + 1}`
  return html`<section class="panel" aria-labelledby="${heading}">
<h3 id="${heading}">Account ${saidCode(accountId(statement) ?? 'not named')}</h3>
<dl>
${fact('Asset', asset === null ? null : said(asset))}
${fact('From', when(elementAt(statement, 'FrToDt', 'FrDtTm')))}
${fact('To', when(elementAt(statement, 'FrToDt', 'ToDtTm')))}
${statement.children.filter(node => node.name === 'Bal').map(node => balance(node, asset))}
${fact('Entries', html`${entries.length}`)}
</dl>
${cut ? cutNote : null}${entries.length > 0 ? table(heading, entries) : null}
</section>
`
}

// The proxy holds a wallet whole, the id may hold a handle of it.
const accountId = (node: XmlNode): string | null =>
  textAt(node, 'Acct', 'Prxy', 'Id') ?? textAt(node, 'Acct', 'Id', 'IBAN') ?? textAt(node, 'Acct', 'Id', 'Othr', 'Id')

function balance(node: XmlNode, asset: string | null): Html {
  const code = textAt(node, 'Tp', 'CdOrPrtry', 'Cd') ?? textAt(node, 'Tp', 'CdOrPrtry', 'Prtry') ?? ''
  const words = codeWords(['Cd'], code) ?? code
  const sign = textAt(node, 'CdtDbtInd') === 'DBIT' ? '−' : ''
  return html`<div><dt>${words.charAt(0).toUpperCase() + words.slice(1)}</dt>
<dd>${said(sign + (textAt(node, 'Amt') ?? ''))} ${said(currency(node) || (asset ?? ''))}</dd></div>
`
}

/** XXX says that there is no currency. */
function currency(node: XmlNode): string {
  const code = elementAt(node, 'Amt')?.attributes.Ccy ?? ''
  return code === 'XXX' ? '' : code
}

const cutNote = html`<p class="hint">The amounts in the table are exact. The standard fields of the message, and so its
balances, hold them cut short, because ISO 20022 allows 18 digits, 5 of them after the point.</p>
`

const table = (
  heading: string,
  entries: XmlNode[],
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

function entryRows(entry: XmlNode): Html[] {
  const booked = when(elementAt(entry, 'BookgDt', 'DtTm') ?? elementAt(entry, 'BookgDt', 'Dt'))
  const direction = textAt(entry, 'CdtDbtInd') ?? ''
  const first = html`<td>${booked}</td><td>${codeWords(['CdtDbtInd'], direction) ?? direction}</td>`
  const payments = paymentsIn(entry)
  if (payments.length === 0) {
    return [
      html`<tr>${first}<td class="number">${said(textAt(entry, 'Amt') ?? '')}</td><td>${said(currency(entry))}</td>
<td></td><th scope="row">${said(textAt(entry, 'NtryRef') ?? '')}</th><td></td></tr>
`,
    ]
  }
  return payments.map(
    payment => html`<tr>${first}<td class="number">${said(payment.amount)}</td><td>${said(payment.asset)}</td>
<td>${saidCode(direction === 'DBIT' ? payment.payee : payment.payer)}</td><th scope="row">${said(payment.reference)}</th>
<td>${saidCode(payment.txHash)}</td></tr>
`,
  )
}

/** Our own times in UTC as everywhere; any other as it stands. */
function when(node: XmlNode | null): Html | null {
  if (node === null) return null
  const isUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(node.text) && !Number.isNaN(Date.parse(node.text))
  return isUtc ? time(new Date(node.text)) : said(node.text)
}
