// Builds OnChainStatement, the supplementary data of a statement's page: its exact sums, because the standard elements
// may have to truncate them. The namespace is our own (onchain-payment-1.xsd).
import { exactElement, onChainPaymentNamespace } from '../supplementary.ts'
import { dateTime, type Element, el } from '../xml.ts'
import type { Page, Piece } from './statement.ts'
import { exactText, isWhole } from './statement-sums.ts'

const accountElement = ({ account, exact, inBand: { sums, small }, entries }: Piece): Element =>
  el(
    'o:Account',
    [
      exactElement('Wallet', account.wallet),
      exactElement('Chain', account.chain),
      exactElement('Asset', account.currency),
      el('o:Opening', exactText(exact.opening)),
      el('o:Credits', exactText(exact.credits)),
      el('o:Debits', exactText(exact.debits)),
      el('o:Closing', exactText(exact.closing)),
      el('o:Entries', String(entries.length + small.length)),
    ],
    { inBand: isWhole(sums, exact) ? 'exact' : 'truncated' },
  )

/** Returns the SplmtryData element of the document. */
export function onChainStatement({ statement, number, count, pieces }: Page): Element {
  const root = el('o:OnChainStatement', [
    exactElement('StatementId', statement.id),
    exactElement('From', dateTime(statement.from)),
    exactElement('To', dateTime(statement.to)),
    exactElement('Page', String(number)),
    exactElement('Pages', String(count)),
    ...pieces.map(accountElement),
  ])
  return el('SplmtryData', [el('Envlp', [{ ...root, namespace: onChainPaymentNamespace }])])
}
