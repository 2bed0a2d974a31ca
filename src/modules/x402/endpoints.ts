// The paid endpoints and their default prices, which an administrator can change.

const under = '/v1/x402/premium'

export const endpoints = {
  fxLookup: { path: `${under}/fx-lookup`, price: '0.001', description: 'What one currency is worth in another.' },
  verifyBundle: { path: `${under}/verify-bundle`, price: '0.001', description: 'Verification of an evidence bundle.' },
  generateStatement: {
    path: `${under}/generate-statement`,
    price: '0.005',
    description: 'A statement of the payments of a day, or of part of one.',
  },
  isoMessage: {
    path: `${under}/iso-message/{receipt_id}/{type}`,
    price: '0.002',
    description: 'One ISO 20022-style message.',
  },
  bulkVerify: { path: `${under}/bulk-verify`, price: '0.010', description: 'Verification of up to 100 bundles.' },
  refund: { path: `${under}/refund`, price: '0.003', description: 'The record of a refund.' },
} as const

export type Endpoint = keyof typeof endpoints
