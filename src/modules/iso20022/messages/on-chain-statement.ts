// Builds OnChainStatement: the exact sums behind a page of a statement, in our own namespace (onchain-payment-1.xsd).
import { exact, onChainPaymentNamespace } from '../supplementary.ts'
import { dateTime, type Element, el } from '../xml.ts'
import type { Page, Piece } from './statement.ts'
import { exactText, isWhole } from './statement-sums.ts'

const accountElement = ({ account, exact: sums, inBand, entries }: Piece): Element =>
  el(
    'o:Account',
    [
      exact('Wallet', account.wallet),
      exact('Chain', account.chain),
      exact('Asset', account.currency),
      el('o:Opening', exactText(sums.opening)),
      el('o:Credits', exactText(sums.credits)),
      el('o:Debits', exactText(sums.debits)),
      el('o:Closing', exactText(sums.closing)),
      el('o:Entries', String(entries.length)),
    ],
    { inBand: isWhole(inBand, sums) ? 'exact' : 'truncated' },
  )

/** Returns the SplmtryData element of the document. */
export function onChainStatement({ statement, number, count, pieces }: Page): Element {
  const root = el('o:OnChainStatement', [
    exact('StatementId', statement.id),
    exact('From', dateTime(statement.from)),
    exact('To', dateTime(statement.to)),
    exact('Page', String(number)),
    exact('Pages', String(count)),
    ...pieces.map(accountElement),
  ])
  return el('SplmtryData', [el('Envlp', [{ ...root, namespace: onChainPaymentNamespace }])])
}
