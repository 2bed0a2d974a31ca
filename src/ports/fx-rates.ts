// The port to providers of exchange rates.

export type Rate = {
  /** Units of the quote currency for one of the base: a plain decimal above zero, no exponent, no trailing zeros. */
  rate: string
  /** The source, for people: the provider, and the rates of the provider that it was computed from. */
  source: string
  /** Time of the oldest of those rates. */
  asOf: Date
}

export type FxRates = {
  /** The name by which callers select this provider. */
  readonly name: string
  /**
   * Returns the rate of two different upper-case codes; null: the provider does not know the pair. Throws AppError
   * `fx_unavailable` when the provider cannot be reached, or its answer is older than allowed or no rate.
   */
  rate(base: string, quote: string): Promise<Rate | null>
}
