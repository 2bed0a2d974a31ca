// The filters and orders of lists that bench/growth.ts measures, with values that are frequent, rare, or only in old
// rows.

/**
 * `countsByScan`: the total of what most rows of another table meet is as fast as that table is read. `afterTimes`: a
 * filter by time, after whose newest entry the page begins. `document`: in place of that of the list.
 */
export type Case = {
  list: List
  name: string
  variables: Record<string, unknown>
  afterTimes?: object
  document?: string
  countsByScan?: boolean
}
export type List = keyof typeof documents

/** The document of each list, by the table that the list reads. */
export const documents = {
  receipts: `query ($filter: ReceiptFilter, $orderBy: ReceiptOrder, $after: String) {
    receipts(first: 20, filter: $filter, orderBy: $orderBy, after: $after) { edges { cursor node { id status amount } } } }`,
  payments: `query ($filter: PaymentFilter, $orderBy: PaymentOrder, $after: String) {
    payments(first: 20, filter: $filter, orderBy: $orderBy, after: $after) { edges { cursor node { id status amount } } } }`,
  audit_events: `query ($filter: AuditEventFilter, $orderBy: AuditEventOrder, $after: String) {
    auditTrail(first: 20, filter: $filter, orderBy: $orderBy, after: $after) { edges { cursor node { number action actor { name } } } } }`,
  statements: `query ($filter: StatementFilter, $orderBy: StatementOrder) {
    me { project { statements(first: 20, filter: $filter, orderBy: $orderBy) { nodes { id from to } } } } }`,
}

// With a field beside the list, or in its entries, that is not compiled to SQL.
const ofProject = (Type: string, field: string) => `query ($filter: ${Type}Filter) { me { project {
  config { __typename } ${field}(first: 20, filter: $filter) { edges { cursor node { id } } } } } }`
const resolved: readonly (readonly [list: List, name: string, document: string])[] = [
  [
    'receipts',
    'by resolvers',
    `query ($filter: ReceiptFilter) { receipts(first: 20, filter: $filter) {
      edges { cursor node { id project { config { __typename } } } } } }`,
  ],
  ['receipts', 'of a project, by resolvers', ofProject('Receipt', 'receipts')],
  ['payments', 'of a project, by resolvers', ofProject('Payment', 'payments')],
  [
    'audit_events',
    'of a project, by resolvers',
    `query ($filter: AuditEventFilter) { me { project { config { __typename }
      auditTrail(first: 20, filter: $filter) { edges { cursor node { number action } } } } } }`,
  ],
]

/** Documents that count the entries of a list. */
export const totals: Record<List, string> = {
  receipts: 'query ($filter: ReceiptFilter) { receipts(filter: $filter) { totalCount } }',
  payments: 'query ($filter: PaymentFilter) { payments(filter: $filter) { totalCount } }',
  audit_events: 'query ($filter: AuditEventFilter) { auditTrail(filter: $filter) { totalCount } }',
  statements: 'query ($filter: StatementFilter) { me { project { statements(filter: $filter) { totalCount } } } }',
}

/** The root field of each list. */
export const fieldOf: Record<List, string> = {
  receipts: 'receipts',
  payments: 'payments',
  audit_events: 'auditTrail',
  statements: 'me',
}

/** The values that a database of this size has, as bench/seed.ts fills it. */
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
  const filters: Record<List, (readonly [string, object, 'counts by a scan'?])[]> = {
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
      ['reference: rare', { reference: { contains: receipt.reference?.slice(-8) } }],
      ['reference: frequent', { reference: { contains: 'order' } }],
      ['reference: short', { reference: { contains: 'or' } }],
      ['reference: none', { reference: { contains: 'zzz-zzz' } }],
      ['reference: exact', { reference: { eq: receipt.reference } }],
      ['reference: begin', { reference: { startsWith: receipt.reference?.slice(0, 12) } }],
      ['reference: in any case', { reference: { containsIgnoreCase: receipt.reference?.slice(-8).toUpperCase() } }],
      ['reference: other letters, rare', { reference: { contains: 'Счёт 107' } }],
      ['reference: other letters, frequent', { reference: { containsIgnoreCase: 'счёт' } }],
      ['reference: other letters, none', { reference: { contains: '注文' } }],
      ['anchorTx', { anchorTx: receipt.anchor }],
      ['isRefund: true', { isRefund: true }],
      ['isRefund: false', { isRefund: false }],
      ['isSettled: true', { isSettled: true }],
      ['isSettled: false', { isSettled: false }],
      ['complianceDecision: frequent', { complianceDecision: 'ALLOW' }, 'counts by a scan'],
      ['complianceDecision: none', { complianceDecision: 'DENY' }],
      ['payment: rare', { payment: { payers: [payer] } }],
      ['anchors: frequent', { anchors: { chains: ['local'], statuses: ['FINAL'] } }, 'counts by a scan'],
      ['anchors: none', { anchors: { statuses: ['SAFE'] } }, 'counts by a scan'],
      ['artifacts: frequent', { artifacts: { types: ['PAIN_002'] } }, 'counts by a scan'],
      ['artifacts: none', { artifacts: { types: ['PACS_004'] } }],
      ['or', { or: [{ bundleHash: receipt.bundle }, { anchorTx: receipt.anchor }, { currencies: ['DAI'] }] }],
      ['not: frequent', { not: { statuses: ['ANCHORED'] } }],
      ['not: rare', { not: { currencies: ['DAI'] } }],
      ['settlementTx', { settlementTx: receipt.tx }],
      ['bundleHash', { bundleHash: receipt.bundle }],
      ['amount: narrow', { amount: { min: '5000.01', max: '5000.05' } }],
      ['amount: wide', { amount: { min: '10' } }],
      ['createdAt: old', { createdAt: oldTimes }],
      ['anchoredAt: old', { anchoredAt: oldTimes }],
      ['hasRefund: true', { hasRefund: true }],
      ['hasRefund: false', { hasRefund: false }],
      ['hasRefund: false, and statuses', { hasRefund: false, statuses: ['ANCHORED'] }],
      ['hasRefund: false, and createdAt', { hasRefund: false, createdAt: oldTimes }],
      ['wallets: two, and createdAt', { wallets: [receipt.sender, receipt.hub], createdAt: oldTimes }],
      ['receiverWallets: two', { receiverWallets: [receipt.sender, receipt.hub] }],
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
      ['kinds', { kinds: ['SERIES'] }],
      ['account', { account: objectId }],
      ['date: old', { date: { since: '2025-06-01', until: '2025-06-19' } }],
      ['from: old', { from: oldTimes }],
      ['createdAt: old', { createdAt: oldTimes }],
    ],
  }
  const ordered: Record<List, { field: string; direction: string }[]> = {
    receipts: orders('CREATED_AT', 'ANCHORED_AT', 'BOOKED_AT', 'AMOUNT', 'REFERENCE'),
    payments: orders('VERIFIED_AT', 'SETTLED_AT', 'AMOUNT'),
    audit_events: orders('CREATED_AT'),
    statements: orders('CREATED_AT', 'FROM', 'DATE'),
  }
  const middle = { until: '2025-06-19' }
  const pages: Case[] = [
    { list: 'receipts', name: 'a page in the middle', variables: {}, afterTimes: { createdAt: middle } },
    { list: 'payments', name: 'a page in the middle', variables: {}, afterTimes: { verifiedAt: middle } },
    { list: 'audit_events', name: 'a page in the middle', variables: {}, afterTimes: { createdAt: middle } },
  ]
  const lists = Object.keys(documents) as List[]
  const filtered = lists.flatMap(list => [
    ...filters[list].map(([name, filter, countsByScan]) => ({
      ...{ list, name, variables: { filter } },
      countsByScan: countsByScan !== undefined,
    })),
    ...ordered[list].map(orderBy => ({
      list,
      name: `order ${orderBy.field} ${orderBy.direction}`,
      variables: { orderBy },
    })),
  ])
  const several = resolved.flatMap(([list, name, document]) =>
    filters[list].flatMap(([of, filter]) =>
      of.endsWith(': two') ? [{ list, name: `${name}, ${of}`, variables: { filter }, document }] : [],
    ),
  )
  return [...filtered, ...pages, ...several]
}
