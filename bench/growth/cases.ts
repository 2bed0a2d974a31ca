// The filters and orders that bench/filters.ts measures, with values that are frequent, rare, or only in old rows.

/** `afterTimes`: a filter by time, after whose newest entry the page begins. */
export type Case = { list: List; name: string; variables: Record<string, unknown>; afterTimes?: object }
export type List = keyof typeof documents

/** Each list with the table that it reads. */
export const documents = {
  receipts: `query ($filter: ReceiptFilter, $orderBy: ReceiptOrder, $after: String) {
    receipts(first: 20, filter: $filter, orderBy: $orderBy, after: $after) { edges { cursor node { id status amount } } } }`,
  payments: `query ($filter: PaymentFilter, $orderBy: PaymentOrder, $after: String) {
    payments(first: 20, filter: $filter, orderBy: $orderBy, after: $after) { edges { cursor node { id status amount } } } }`,
  audit_events: `query ($filter: AuditEventFilter, $orderBy: AuditEventOrder, $after: String) {
    auditTrail(first: 20, filter: $filter, orderBy: $orderBy, after: $after) { edges { cursor node { number action actor } } } }`,
  statements: `query ($filter: StatementFilter, $orderBy: StatementOrder) {
    me { project { statements(first: 20, filter: $filter, orderBy: $orderBy) { nodes { id from to } } } } }`,
}

/** The root field of each list. */
export const fieldOf: Record<List, string> = {
  receipts: 'receipts',
  payments: 'payments',
  audit_events: 'auditTrail',
  statements: 'me',
}

/** What a database of this size has, as bench/filters/seed.ts makes it. */
export type Samples = { receipt: Record<string, string>; payer: string; objectId: string }

const oldTimes = { since: '2024-03-01', until: '2024-03-02' }
const words = (key: string, frequent: string, rare: string, old: string) => [
  [`${key}: frequent`, { [key]: [frequent] }] as const,
  [`${key}: rare`, { [key]: [rare] }] as const,
  [`${key}: old`, { [key]: [old] }] as const,
  [`${key}: two`, { [key]: [rare, old] }] as const,
]
const orders = (...fields: string[]) =>
  fields.flatMap(field => ['ASC', 'DESC'].map(direction => ({ field, direction })))

export function casesOf({ receipt, payer, objectId }: Samples): Case[] {
  const filters: Record<List, (readonly [string, object])[]> = {
    receipts: [
      ['statuses: frequent', { statuses: ['ANCHORED'] }],
      ['statuses: rare', { statuses: ['FAILED'] }],
      ['statuses: none', { statuses: ['AWAITING_ANCHOR'] }],
      ...words('chains', 'base', 'flare', 'ethereum'),
      ...words('currencies', 'USDC', 'DAI', 'USDT'),
      ['wallets: rare', { wallets: [receipt.sender] }],
      ['wallets: frequent', { wallets: [receipt.hub] }],
      ['wallets: two', { wallets: [receipt.sender, receipt.hub] }],
      ['senderWallets', { senderWallets: [receipt.sender] }],
      ['receiverWallets: rare', { receiverWallets: [receipt.sender] }],
      ['receiverWallets: frequent', { receiverWallets: [receipt.hub] }],
      ['reference: rare', { reference: receipt.reference?.slice(-8) }],
      ['reference: frequent', { reference: 'order' }],
      ['reference: none', { reference: 'zzz-zzz' }],
      ['settlementTx', { settlementTx: receipt.tx }],
      ['bundleHash', { bundleHash: receipt.bundle }],
      ['amount: narrow', { amount: { min: '5000.01', max: '5000.05' } }],
      ['amount: wide', { amount: { min: '10' } }],
      ['createdAt: old', { createdAt: oldTimes }],
      ['anchoredAt: old', { anchoredAt: oldTimes }],
      ['hasRefund: true', { hasRefund: true }],
      ['hasRefund: false', { hasRefund: false }],
      ['hasRefund and statuses', { hasRefund: true, statuses: ['ANCHORED'] }],
      ['chains and statuses', { chains: ['flare'], statuses: ['ANCHORED'] }],
    ],
    payments: [
      ['statuses: frequent', { statuses: ['DELIVERED'] }],
      ['statuses: rare', { statuses: ['FAILED'] }],
      ...words('types', 'FX_LOOKUP', 'BULK_VERIFY', 'GENERATE_STATEMENT'),
      ...words('networks', 'eip155:8453', 'eip155:14', 'eip155:1'),
      ...words('currencies', 'USDC', 'DAI', 'USDT'),
      ['payers', { payers: [payer] }],
      ['amount: narrow', { amount: { min: '50.001', max: '50.005' } }],
      ['verifiedAt: old', { verifiedAt: oldTimes }],
      ['settledAt: old', { settledAt: oldTimes }],
      ['hasReceipt: true', { hasReceipt: true }],
      ['hasReceipt: false', { hasReceipt: false }],
    ],
    audit_events: [
      ...words('actions', 'receipt.record', 'agent.delete', 'wallet.link'),
      ...words('objectTypes', 'receipt', 'agent', 'wallet'),
      ['objectIds', { objectIds: [objectId] }],
      ...words('actors', 'key:first', 'key:rare', 'key:old'),
      ['createdAt: old', { createdAt: oldTimes }],
    ],
    statements: [
      ['types', { types: ['CAMT_052'] }],
      ['from: old', { from: oldTimes }],
      ['createdAt: old', { createdAt: oldTimes }],
    ],
  }
  const ordered: Record<List, { field: string; direction: string }[]> = {
    receipts: orders('CREATED_AT', 'ANCHORED_AT', 'AMOUNT'),
    payments: orders('VERIFIED_AT', 'SETTLED_AT', 'AMOUNT'),
    audit_events: orders('CREATED_AT'),
    statements: orders('CREATED_AT', 'FROM'),
  }
  const middle = { until: '2025-06-19' }
  const pages: Case[] = [
    { list: 'receipts', name: 'a page in the middle', variables: {}, afterTimes: { createdAt: middle } },
    { list: 'payments', name: 'a page in the middle', variables: {}, afterTimes: { verifiedAt: middle } },
    { list: 'audit_events', name: 'a page in the middle', variables: {}, afterTimes: { createdAt: middle } },
  ]
  const lists = Object.keys(documents) as List[]
  const filtered = lists.flatMap(list => [
    ...filters[list].map(([name, filter]) => ({ list, name, variables: { filter } })),
    ...ordered[list].map(orderBy => ({
      list,
      name: `order ${orderBy.field} ${orderBy.direction}`,
      variables: { orderBy },
    })),
  ])
  return [...filtered, ...pages]
}
