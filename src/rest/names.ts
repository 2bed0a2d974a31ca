// Converts a GraphQL name to its wire name.

/** Names that are older in the REST API. */
const kept: Readonly<Record<string, string>> = {
  anchorTx: 'txid',
  baseCurrency: 'base_ccy',
  quoteCurrency: 'quote_ccy',
}

/** `bundleHash` to `bundle_hash`, `anchorURL` to `anchor_url`; digits stay with the letters before them. */
export const snakeCase = (name: string): string =>
  kept[name] ??
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
