// States what evidence proves and what it does not, in the same sentences wherever they are shown.

/** For pages, the terminal and the README. */
export const whatIsProven =
  'Verified evidence proves that this service sealed what was recorded, unchanged, before the block that carries its hash. It does not prove the payment: this service did not check it on its chain.'

/** How the service knows a payment. `stated`: the project stated it, and nobody looked at its chain. */
export type PaymentGrade = 'stated'

/** For messages: short enough to stand beside another sentence in the standard element with the fewest characters. */
export const gradeSentences: Record<PaymentGrade, { one: string; many: string }> = {
  stated: {
    one: 'Stated by the project, not checked on its chain.',
    many: 'Payments are stated by the project, not checked on their chains.',
  },
}
