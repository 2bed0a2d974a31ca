// States what evidence proves and what it does not, in the same sentences wherever they are shown.
import type { SettlementStatus } from './settlement.ts'

/** For pages, the terminal and the README. */
export const whatIsProven =
  'Verified evidence proves that this service sealed what was recorded, unchanged, before the block that carries its hash. It proves the payment only where settlement.json says so: every other payment was stated by its project.'

/**
 * How the service knows a payment. stated: the project stated it · observed: a quorum of its chain's nodes reports it ·
 * proved: its transaction is proved against the hash of its block.
 */
export type PaymentGrade = 'stated' | 'observed' | 'proved'

/** For messages: short enough to stand beside another sentence in the standard element with the fewest characters. */
const sentences: Partial<Record<SettlementStatus, string>> = {
  not_final: 'Seen on its chain, in a block not final yet.',
  mismatch: 'Contradicted: its chain shows another payment.',
  reverted: 'Contradicted: its transaction was reverted.',
  not_found: 'Not found on its chain.',
  ambiguous: 'Stated: several payments on its chain fit it.',
}
const notChecked = 'Stated by the project, not checked on its chain.'

const proved = 'Confirmed on its chain; the bundle proves it.'
const observed = 'Confirmed by nodes of its chain.'

/** Returns how the service knows a payment, in at most 48 characters. */
export function sentenceOf(settlement: { status: SettlementStatus; grade: PaymentGrade } | null): string {
  if (settlement?.status === 'confirmed') return settlement.grade === 'proved' ? proved : observed
  return (settlement && sentences[settlement.status]) ?? notChecked
}

/** SQL: the same of these columns. */
export const sentenceInSql = (status: string, grade: string): string =>
  `case ${status}::text when 'confirmed' then case ${grade}::text when 'proved' then '${proved}' else '${observed}' end
   ${Object.entries(sentences)
     .map(([name, sentence]) => `when '${name}' then '${sentence}'`)
     .join(' ')} else '${notChecked}' end`

/** For statements. */
export const statedPayments = 'Payments are stated by the project, not checked on their chains.'
export const mixedGrades = 'Each entry says how its payment is known.'
