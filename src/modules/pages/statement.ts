// Renders a statement, report or notification of many payments: what it covers, then its accounts as cards.

import { statedPayments } from '../../core/what-is-proven.ts'
import { textAt, type XmlNode } from '../iso20022/read-xml.ts'
import { type OnChainStatement, readOnChainStatement } from '../iso20022/reader.ts'
import { accountCard } from './account.ts'
import { fact, type Html, html, saidCode, time, when } from './html.ts'
import { labelOf } from './labels.ts'

/** `accounts` are the Stmt, Rpt or Ntfctn elements of the message, at least one. */
export function statementCards(body: XmlNode, accounts: XmlNode[]): Html {
  const statement = readOnChainStatement(body)
  if (statement === null) return html`${accounts.map((node, index) => accountCard(node, index, null))}`
  return html`${overview(statement, body, accounts)}${accountCards(statement, accounts)}`
}

function overview({ statementId, from, to, page, pages }: OnChainStatement, body: XmlNode, accounts: XmlNode[]): Html {
  const made = textAt(body, 'GrpHdr', 'CreDtTm')
  const isEarly = made !== null && Date.parse(made) < to.getTime()
  return html`<section class="panel">
<h3>${labelOf(accounts[0]?.name ?? '')}</h3>
<dl>
${fact('Period', html`${time(from)} to just before ${time(to)}`)}
${fact('Made', made === null ? null : html`${when(made)}${isEarly ? ', before the period ended' : null}`)}
${pages > 1 ? fact('Page', html`${page} of ${pages}`) : null}
${fact('Statement id', saidCode(statementId))}
</dl>
<p class="hint">${statedPayments} Balances add up recorded payments only: they are not the balance of the wallet on chain.
${pages > 1 ? 'All balances and sums are those of this page.' : null}</p>
</section>
`
}

/** Assigns the exact sums to the accounts by position; the one account element of an empty statement is no account. */
function accountCards({ accounts: sums }: OnChainStatement, accounts: XmlNode[]): Html {
  const hasEntries = accounts.some(node => node.children.some(({ name }) => name === 'Ntry'))
  if (sums.length === 0 && !hasEntries)
    return html`<p class="panel">No payment was booked in this period.</p>
`
  if (sums.length === accounts.length) {
    return html`${accounts.map((node, index) => accountCard(node, index, sums[index] ?? null))}`
  }
  return html`<p class="panel">The exact sums in this message are not those of its accounts and so not shown.</p>
${accounts.map((node, index) => accountCard(node, index, null))}`
}
