// Fills the tables that bench/nested.ts reads: receipts of several projects, spread evenly, with their files, anchors,
// events and payments. Statistics of these tables are not gathered until the bench does it.
import type pg from 'pg'
import { addUpCounters } from '../../src/modules/receipts/counters.ts'

const tables = ['receipts', 'artifacts', 'anchors', 'anchor_transactions', 'events', 'payments', 'projects']

const hex = (salt: string) => `'0x' || md5('${salt}' || i) || md5('${salt}${salt}' || i)`
const wallet = (salt: string, many: number) =>
  `'0x' || md5('${salt}' || i % ${many}) || substr(md5('w' || i % ${many}), 1, 8)`
const project = '($2::uuid[])[1 + i % cardinality($2::uuid[])]'
const chain = `(array['base', 'polygon', 'ethereum'])[1 + i / 7 % 3]`
const at = `(timestamptz '2026-06-01' + i * interval '47 seconds')`
const receipt = `md5('r' || i)::uuid`

const inserts = [
  `insert into receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference,
     status, bundle_hash, ledger_txid, created_at, anchored_at, booked_at, chain_key, tx_key, sender_key, receiver_key)
   select ${receipt}, ${project}, ${hex('t')}, ${chain},
     (i::bigint * 7919 % 1000000) / 100.0 + 0.01, (array['USDC', 'EURC'])[1 + i / 3 % 2], ${wallet('s', 500)},
     ${wallet('d', 700)}, 'order-' || i, 'anchored', ${hex('b')}, ${hex('x')}, ${at}, ${at} + interval '2 seconds',
     ${at} + interval '2 seconds', chain_key(${chain}), transaction_key(${hex('t')}), address_key(${wallet('s', 500)}),
     address_key(${wallet('d', 700)})
   from generate_series(1, $1::int) as i`,
  `insert into artifacts (id, receipt_id, type, version, name, media_type, sha256, created_at)
   select gen_random_uuid(), ${receipt}, type, version, name, media_type, ${hex('f')}, ${at} + n * interval '1 second'
   from generate_series(1, $1::int) as i, (values
     (1, 'pain.001', 'pain.001.001.09', 'pain001.xml', 'application/xml'),
     (1, 'evidence', '1', 'evidence.zip', 'application/zip'),
     (3, 'pain.002', 'pain.002.001.10', 'pain002.xml', 'application/xml'),
     (3, 'camt.054', 'camt.054.001.08', 'camt054.xml', 'application/xml')
   ) as file (n, type, version, name, media_type)`,
  `insert into anchor_transactions (id, chain, contract, signer, nonce, txid, state, finality, block_number, block_hash,
     block_time, created_at)
   select md5('x' || i)::uuid, 'eip155:8453', ${wallet('c', 1)}, ${wallet('a', 1)}, i, ${hex('x')}, 'confirmed', 'final', i,
     ${hex('k')}, ${at}, ${at}
   from generate_series(1, $1::int / 20) as i`,
  // Every fourth receipt is anchored on two chains.
  `insert into anchors (id, receipt_id, chain, bundle_hash, state, transaction_id, created_at)
   select gen_random_uuid(), ${receipt}, chain, ${hex('b')}, 'confirmed', md5('x' || (1 + i % ($1 / 20)))::uuid, ${at}
   from generate_series(1, $1::int) as i, (values (1, 'eip155:8453'), (4, 'eip155:137')) as anchor (each, chain)
   where i % each = 0`,
  `insert into events (id, type, project_id, receipt_id, status, bundle_hash, created_at)
   select 3 * i + n, 'receipt.' || status, ${project}, ${receipt}, status::receipt_status,
     case when status <> 'pending' then ${hex('b')} end, ${at} + n * interval '1 second'
   from generate_series(1, $1::int) as i, (values (0, 'pending'), (1, 'awaiting_anchor'), (2, 'anchored')) as move (n, status)
   order by i, n`,
  // Every third receipt records a payment to the service.
  `insert into payments (id, network, asset, payer, nonce, amount, currency, pay_to, endpoint, fingerprint, payload,
     project_id, status, since_block, verified_at, settled_at, delivered_at, receipt_id)
   select md5('p' || i)::uuid, 'eip155:8453', '0xasset', ${wallet('s', 500)}, decode(md5('n' || i), 'hex'), 0.01, 'USDC',
     ${wallet('u', 1)}, '/v1/x402/premium/fx-lookup', '\\x00', '{}', ${project}, 'delivered', 0, ${at}, ${at}, ${at},
     ${receipt}
   from generate_series(1, $1::int) as i where i % 3 = 0`,
]

export async function seed(database: pg.Client, receipts: number, projects: string[]): Promise<void> {
  for (const table of tables) await database.query(`alter table ${table} set (autovacuum_enabled = false)`)
  // Without triggers and foreign keys: neither the numbers of events nor stored bytes are measured here.
  await database.query('set session_replication_role = replica')
  for (const insert of inserts) await database.query(insert, [receipts, projects].slice(0, /\$2/.test(insert) ? 2 : 1))
  await database.query('select receipt_recount()')
  await addUpCounters({ pool: database })
}

export const analyze = (database: pg.Client) => database.query(`analyze ${tables.join()}`)
