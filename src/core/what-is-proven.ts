// States what evidence proves and what it does not, in the same two sentences wherever they are shown.

/** For pages, the terminal and the README. */
export const whatIsProven =
  'Verified evidence proves that this service sealed what was recorded, unchanged, before the block that carries its hash. It does not prove the payment: this service did not check it on its chain.'
