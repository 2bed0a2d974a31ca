// Values for the arguments of queries: those that the rows have, and some that no row has.
import { formatPrismaCursor } from '@pothos/plugin-prisma'
import { offsetCursor } from '../../../src/kit/offset-cursor.ts'
import type { Rows } from './tables.ts'
import { oddTexts } from './texts.ts'

/** The tables of the types whose entries have cursors, or are found by their ids. */
const tables = {
  Agent: 'agents',
  Anchor: 'anchors',
  ApiKey: 'api_keys',
  Artifact: 'artifacts',
  AssistantExchange: 'assistant_exchanges',
  AuditEvent: 'audit_events',
  AnchorTransaction: 'anchor_transactions',
  CoverageTransfer: 'coverage_transfers',
  Export: 'exports',
  LinkedWallet: 'linked_wallets',
  Payment: 'payments',
  Project: 'projects',
  Receipt: 'receipts',
  ReceiptEvent: 'events',
  Session: 'sessions',
  Statement: 'statements',
  StatementAccount: 'statement_accounts',
  WalletCoverage: 'wallet_coverages',
  WebhookDelivery: 'webhook_deliveries',
  WebhookEndpoint: 'webhook_endpoints',
} as const
const numbered = new Set(['AuditEvent', 'CoverageTransfer', 'ReceiptEvent', 'WebhookDelivery'])

const encoded = (text: string) => Buffer.from(text).toString('base64')
const absent = '00000000-0000-4000-8000-000000000000'
const wrongCursors = [
  '',
  'x',
  encoded('GPC:S:x'),
  encoded(`GPC:S:${absent}`),
  encoded('GPC:I:999999'),
  encoded('GPC:I:99999999999999999999'),
  encoded('GPC:J:{"id":1}'),
  encoded('offset:x'),
]
const offsets = [0, 1, 7, 500, 9_999_999].map(offsetCursor)

export type Known = {
  /** By the name of the argument or member. */
  values: Readonly<Record<string, readonly unknown[]>>
  ids(type: string): readonly string[]
  /** `entry`: the type of the entries. Those that are right, and those that are wrong or of another list. */
  cursors(entry: string): { right: readonly string[]; others: readonly string[] }
}

export function knownFrom(rows: Rows): Known {
  const of = (table: string, column: string): string[] =>
    [...new Set((rows[table] ?? []).map(row => row[column]).filter(value => value !== null))].map(String)
  const moments = [...of('receipts', 'created_at'), ...of('receipts', 'anchored_at'), '2026-02-02', '2031-01-01']
  const ids = (type: string) => [...of(tables[type as keyof typeof tables], 'id'), absent]
  const cursorsOf = (type: string) =>
    type in tables
      ? of(tables[type as keyof typeof tables], 'id').map(id =>
          formatPrismaCursor({ id: numbered.has(type) ? BigInt(id) : id }, 'id'),
        )
      : []
  const all = Object.keys(tables).filter(type => !numbered.has(type))
  const wallets = [...of('receipts', 'sender_wallet'), '0xABCDEF0000000000000000000000000000000000', 'none']
  const others = [...wrongCursors, ...offsets, ...all.flatMap(type => cursorsOf(type).slice(0, 2))]
  return {
    values: {
      chains: [...of('receipts', 'chain'), 'eip155:8453', 'none'],
      currency: ['USDC', 'none'],
      timeZone: ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/Havana', '+05:30', 'Nowhere/None'],
      currencies: [...of('receipts', 'currency'), ...of('payments', 'currency')],
      wallets,
      senderWallets: wallets,
      receiverWallets: wallets,
      payers: wallets,
      reference: [...oddTexts.filter(text => text.trim() !== ''), 'order', '%', '_', '\\', '"', '1'],
      settlementTx: of('receipts', 'tip_tx_hash').flatMap(text => [text, text.replace(/#.*/, '').slice(2)]),
      bundleHash: of('receipts', 'bundle_hash'),
      projectId: ids('Project'),
      receiptId: ids('Receipt'),
      endpointId: ids('WebhookEndpoint'),
      networks: of('payments', 'network'),
      actions: of('audit_events', 'action'),
      objectTypes: of('audit_events', 'object_type'),
      objectIds: of('audit_events', 'object_id'),
      actors: of('audit_events', 'actor'),
      since: moments,
      until: moments,
      min: ['0', '1', '12.5', '0.001', '12345678901234567890.123456789012345678'],
      max: ['0', '1', '100', '12345678901234567890.123456789012345678'],
      sessionId: ['first', 'second', 'third'],
      owner: ids('Receipt'),
      name: ['evidence.zip', 'pain001.xml', 'none'],
      ids: all.flatMap(ids),
      id: all.flatMap(ids),
    },
    ids,
    cursors: entry => ({ right: cursorsOf(entry), others }),
  }
}
