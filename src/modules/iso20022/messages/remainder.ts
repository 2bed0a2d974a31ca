// Builds the entry of the remainder: what the entries of an account lack of its balances, because their amounts are
// cut. Without it, readers that add up the entries would not come to the closing balance.
import { dayOf } from '../../../core/time-zone.ts'
import { receiptUetr, slotId } from '../slots.ts'
import { supplementaryData } from '../supplementary.ts'
import { type Element, el } from '../xml.ts'
import { moneyOf } from './parts.ts'
import type { Piece, StatementHead } from './statement.ts'
import { inBandText } from './statement-sums.ts'

/** Returns null where nothing is lacking. Payments that are too small for an entry are in its supplementary data. */
export function remainderEntry({ id, timeZone }: StatementHead, piece: Piece): Element | null {
  const { accountNumber, number, currency, closesAt, inBand } = piece
  const { remainder, small } = inBand
  if (remainder === 0n) return null
  const reference = slotId('RM-', receiptUetr(`${id}\naccount ${accountNumber}\nremainder ${number}`))
  const amount = moneyOf('Amt', { text: inBandText(remainder), currency, inBand: 'exact' })
  const direction = el('CdtDbtInd', remainder < 0n ? 'DBIT' : 'CRDT')
  const day = [el('Dt', dayOf(closesAt, timeZone))]
  const family = remainder < 0n ? 'MDOP' : 'MCOP'
  const payments = small.length === 1 ? '1 payment' : `${small.length} payments`
  const text = `Remainder of amounts that are cut here${small.length === 0 ? '' : `, with ${payments} too small for an entry`}`
  return el('Ntry', [
    el('NtryRef', reference),
    amount,
    direction,
    el('Sts', [el('Cd', 'BOOK')]),
    el('BookgDt', day),
    el('ValDt', day),
    el('AcctSvcrRef', reference),
    el('BkTxCd', [
      el('Domn', [el('Cd', 'ACMT'), el('Fmly', [el('Cd', family), el('SubFmlyCd', 'ADJT')])]),
      el('Prtry', [el('Cd', 'ONCHAIN-REMAINDER')]),
    ]),
    el('NtryDtls', [
      el('TxDtls', [
        el('Refs', [el('AcctSvcrRef', reference), el('EndToEndId', 'NOTPROVIDED')]),
        amount,
        direction,
        el('RmtInf', [el('Ustrd', text)]),
        el('AddtlTxInf', text),
        ...small.map(({ facts }) => supplementaryData(facts, 'truncated')),
      ]),
    ]),
    el('AddtlNtryInf', `${text}. It is no payment of its own. Exact amounts are in the supplementary data.`),
  ])
}
