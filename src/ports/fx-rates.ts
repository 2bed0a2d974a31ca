// Who says what one currency is worth in another.

export type Rate = {
  /** Units of the quote currency for one of the base: a plain decimal above zero, no exponent, no trailing zeros. */
  rate: string
  /** Where it comes from, for people: the provider, and which of its figures it was made of. */
  source: string
  /** When the oldest of those figures was true. */
  asOf: Date
}

export type FxRates = {
  /** By which callers ask for this provider. */
  readonly name: string
  /**
   * Of two different upper-case codes. Null: this provider does not know the pair. Throws AppError `fx_unavailable` when it
   * cannot be asked, or what it says is older than allowed or no rate.
   */
  rate(base: string, quote: string): Promise<Rate | null>
}
