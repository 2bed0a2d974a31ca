// Fills a database for bench/filters.ts: most rows are of one project, and some values are rare, or in old rows only.
import type pg from 'pg'

const tables = ['receipts', 'payments', 'audit_events', 'statements']

// The hundredth part of the rows from the newest on, the fifth part from the oldest on.
const newest = 'i > $1 - $1 / 100'
const oldest = 'i <= $1 / 5'
const project = '(case when i % 10 < 8 then $2::uuid else ($3::uuid[])[1 + i % cardinality($3::uuid[])] end)'
const at = `(timestamptz '2026-11-01' - ($1 - i) * (interval '1000 days' / $1))`
const word = (rare: string, old: string, second: string, first: string) =>
  `case when i % 5000 = 5 then '${rare}' when ${oldest} and i % 2 = 0 then '${old}' when i % 3 = 0 then '${second}' else '${first}' end`
const hex = (salt: string, of = 'i') => `'0x' || md5('${salt}' || ${of}) || md5('${salt}${salt}' || ${of})`
const wallet = (salt: string, of: string) => `substr(${hex(salt, of)}, 1, 42)`

const inserts = [
  `insert into receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference,
     refund_of_id, status, bundle_hash, created_at, anchored_at, booked_at)
   select md5('r' || i)::uuid, ${project}, ${hex('t')}, ${word('flare', 'ethereum', 'polygon', 'base')},
     (i::bigint * 7919 % 1000000) / 100.0 + 0.01, ${word('DAI', 'USDT', 'EURC', 'USDC')},
     ${wallet('s', '(i % 20000)')}, case when i % 2 = 0 then ${wallet('hub', '0')} else ${wallet('w', '(i % 50000)')} end,
     'order-' || i || '-' || substr(md5('o' || i), 1, 10),
     case when i % 500 = 13 then md5('r' || (i - 10))::uuid end,
     (case when ${newest} then 'pending' when i % 5000 = 5 then 'failed' else 'anchored' end)::receipt_status,
     ${hex('b')}, ${at}, case when not (${newest}) then ${at} + (1 + i % 60) * interval '1 second' end,
     case when not (${newest}) then ${at} + interval '1 minute' end
   from generate_series(1, $1::int) as i`,
  `insert into payments (id, network, asset, payer, nonce, amount, currency, pay_to, endpoint, fingerprint, payload,
     project_id, status, since_block, verified_at, settled_at, receipt_id)
   select md5('p' || i)::uuid, ${word('eip155:14', 'eip155:1', 'eip155:137', 'eip155:8453')}, '0xasset',
     ${wallet('payer', '(i % 20000)')}, decode(md5('n' || i), 'hex'), (i::bigint * 7919 % 100000) / 1000.0 + 0.001,
     ${word('DAI', 'USDT', 'EURC', 'USDC')}, '0xto',
     '/v1/x402/premium/' || ${word('bulk-verify', 'generate-statement', 'refund', 'fx-lookup')}, '\\x00', '{}', ${project},
     (case when ${newest} then 'verified' when i % 5000 = 5 then 'failed' else 'delivered' end)::payment_status, 0, ${at},
     case when not (${newest}) then ${at} + interval '1 second' end,
     case when i % 1000 = 5 then md5('r' || i)::uuid end
   from generate_series(1, $1::int) as i`,
  `insert into audit_events (id, action, object_type, object_id, project_id, actor, created_at, seq)
   select i, ${word('agent.delete', 'wallet.link', 'receipt.anchor', 'receipt.record')},
     ${word('agent', 'wallet', 'receipt', 'receipt')}, md5('r' || i / 2), ${project},
     'key:' || ${word('rare', 'old', 'second', 'first')}, ${at}, i
   from generate_series(1, $1::int) as i`,
  `insert into statements (id, project_id, type, "from", "to", count, created_at)
   select md5('s' || i)::uuid, ${project}, case when i % 500 = 5 then 'camt.052' else 'camt.053' end,
     date_trunc('day', ${at}), date_trunc('day', ${at}) + interval '1 day', 1, ${at}
   from generate_series(1, $1::int) as i where i % 10 < 2 or i % 100 = 7`,
]

/** Replaces all rows by `size` rows in each table. Their indexes are made afterwards, because that is faster. */
export async function seed(database: pg.Client, size: number, large: string, others: string[]): Promise<void> {
  const { rows: indexes } = await database.query<{ name: string; made: string }>(
    `select indexname as name, indexdef as made from pg_indexes
     where schemaname = 'public' and tablename = any($1) and indexname not like '%\\_pkey'`,
    [tables],
  )
  // Neither triggers nor foreign keys: the hash chain of the audit trail is not measured here.
  await database.query('set session_replication_role = replica')
  for (const { name } of indexes) await database.query(`drop index "${name}"`)
  await database.query(`truncate ${tables.join()} cascade`)
  for (const insert of inserts) await database.query(insert, [size, large, others])
  await database.query(`set maintenance_work_mem = '512MB'`)
  for (const { made } of indexes) await database.query(made)
  await database.query('vacuum analyze')
}
