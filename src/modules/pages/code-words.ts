// Translates the codes of a message into words: a code of an external set by the element that contains it, a fixed code
// alike in every element.
import { type CodeSet, meaningOf } from '../../core/iso-codes.ts'

const fixed = new Map(
  Object.entries({
    CRDT: 'credit',
    DBIT: 'debit',
    BOOK: 'booked',
    PDNG: 'pending',
    INFO: 'for information',
    OPBD: 'opening booked balance',
    CLBD: 'closing booked balance',
    ITBD: 'interim booked balance',
    PRCD: 'previously closed booked balance',
    OPAV: 'opening available balance',
    CLAV: 'closing available balance',
    ACSC: 'settled',
    ACSP: 'settlement in process',
    ACCP: 'accepted',
    ACTC: 'technically accepted',
    RJCT: 'rejected',
    PART: 'partially accepted',
    CNCL: 'cancelled as requested',
    ACCR: 'cancellation accepted',
    RJCR: 'cancellation rejected',
    PDCR: 'cancellation pending',
    TRF: 'credit transfer',
    DD: 'direct debit',
    SLEV: 'as agreed in the service level',
    SHAR: 'shared',
    DEBT: 'borne by the debtor',
    CRED: 'borne by the creditor',
    CLRG: 'through a clearing system',
    EWAL: 'electronic wallet',
    DTID: 'digital token identifier, ISO 24165',
    PMNT: 'payments',
    RCDT: 'received credit transfers',
    ICDT: 'issued credit transfers',
    XXX: 'no currency',
  }),
)
const coded = /^(Cd|Ccy|CdtDbtInd|ChrgBr|PmtMtd|SttlmMtd|Conf|SubFmlyCd|([A-Z][A-Za-z]*)?Sts)$/

const sets = new Map<string, CodeSet>([
  ['CxlRsnInf', 'cancellationReason'],
  ['CxlStsRsnInf', 'cancellationRejection'],
  ['Conf', 'investigationConfirmation'],
  ['RvslRsnInf', 'reversalReason'],
  ['RtrRsnInf', 'returnReason'],
  ['CtgyPurp', 'categoryPurpose'],
  ['Purp', 'purpose'],
])

/** Returns the words for a code at this path of tags, its own tag last; null for plain text and for unknown codes. */
export function codeWords(path: readonly string[], value: string): string | null {
  const tag = path.at(-1) ?? ''
  if (!coded.test(tag)) return null
  const above = path.findLast(name => sets.has(name))
  const set = above === undefined ? undefined : sets.get(above)
  return (set === undefined ? null : meaningOf(set, value)) ?? fixed.get(value) ?? null
}
