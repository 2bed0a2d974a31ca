// The rows that bench/seed.ts writes, one statement for each table. Most rows are of one project, and some values are
// rare, or in old rows only. $1: number of receipts; $2: the large project; $3: the other projects.

// The newest hundredth of the rows, and the oldest fifth.
const newest = 'i > $1 - $1 / 100'
const oldest = 'i <= $1 / 5'
const project = '(case when i % 10 < 8 then $2::uuid else ($3::uuid[])[1 + i % cardinality($3::uuid[])] end)'
const at = `(timestamptz '2026-11-01' - ($1 - i) * (interval '1000 days' / $1))`
const word = (rare: string, old: string, second: string, first: string) =>
  `case when i % 5000 = 5 then '${rare}' when ${oldest} and i % 2 = 0 then '${old}' when i % 3 = 0 then '${second}' else '${first}' end`
const hex = (salt: string, of = 'i') => `'0x' || md5('${salt}' || ${of}) || md5('${salt}${salt}' || ${of})`
const wallet = (salt: string, of: string) => `substr(${hex(salt, of)}, 1, 42)`
const sender = wallet('s', '(i % 20000)')
const receiver = `case when i % 2 = 0 then ${wallet('hub', '0')} else ${wallet('w', '(i % 50000)')} end`
// Some references have other than ASCII letters.
const isOther = 'i % 50 = 7'
const reference = `(case when ${isOther} then 'Счёт ' || i else 'order-' || i || '-' || substr(md5('o' || i), 1, 10) end)`
const id = (salt: string, of = 'i') => `md5('${salt}' || ${of})::uuid`
const status = `(case when ${newest} then 'pending' when i % 5000 = 5 then 'failed' else 'anchored' end)::receipt_status`
const each = 'from generate_series(1, $1::int) as i'
const eachTime = (times: number) => `${each} cross join generate_series(1, ${times}) as n`
const settled = `case when not (${newest}) then ${at} + interval '1 second' end`
// An anchor transaction carries this many receipts.
const batch = 100

const files = `(values (1, 'pain.001', 'pain.001.001.09', 'pain001.xml', 'application/xml'),
  (2, 'evidence', 'evidence.2', 'evidence.zip', 'application/zip'),
  (3, 'pain.002', 'pain.002.001.10', 'pain002.xml', 'application/xml'),
  (4, 'camt.054', 'camt.054.001.08', 'camt054.xml', 'application/xml')) as file(n, type, version, name, media)`

export const rows: Record<string, string> = {
  receipts: `(id, project_id, tip_tx_hash, tx_key, chain, chain_key, amount, currency, sender_wallet, sender_key,
     receiver_wallet, receiver_key, reference, reference_key, refund_of_id, has_refund, refunded_amount, status, bundle_hash, ledger_txid, created_at,
     anchored_at, booked_at)
   select ${id('r')}, ${project}, ${hex('t')}, ${hex('t')}, ${word('flare', 'ethereum', 'polygon', 'base')},
     ${word('eip155:14', 'eip155:1', 'eip155:137', 'eip155:8453')}, (i::bigint * 7919 % 1000000) / 100.0 + 0.01,
     ${word('DAI', 'USDT', 'EURC', 'USDC')}, ${sender}, ${sender}, ${receiver}, ${receiver},
     ${reference}, case when ${isOther} then search_key(${reference}) end,
     case when i % 500 = 13 then ${id('r', '(i - 10)')} end, i % 500 = 3 and i + 10 <= $1,
     case when i % 500 = 3 and i + 10 <= $1 then 0.01 else 0 end, ${status},
     ${hex('b')}, case when not (${newest}) then ${hex('x', `(i / ${batch})`)} end, ${at},
     case when not (${newest}) then ${at} + (1 + i % 60) * interval '1 second' end,
     case when not (${newest}) then ${at} + interval '1 minute' end ${each}`,
  compliance_checks: `(id, receipt_id, type, decision, provider, checked_at)
   select ${id('c', "(i || '-' || n)")}, ${id('r')}, (array['travel_rule', 'sanctions']::compliance_type[])[n], 'allow',
     'allow-all', ${at} ${eachTime(2)}`,
  blobs: `(sha256, size) select ${hex('f', "(i || '-' || n)")}, 2000 ${eachTime(4)}`,
  artifacts: `(id, receipt_id, type, version, name, media_type, sha256, signed_by, created_at)
   select ${id('a', "(i || '-' || n)")}, ${id('r')}, type, version, name, media, ${hex('f', "(i || '-' || n)")},
     case when type = 'evidence' then repeat('0123456789abcdef', 4) end, ${at} ${each} cross join ${files}`,
  anchor_transactions: `(id, chain, contract, signer, nonce, txid, state, finality, block_number, block_hash, block_time,
     created_at, proved_at)
   select ${id('x')}, 'local', '0xcontract', '0xsigner', i, ${hex('x')}, 'confirmed', 'final', i, ${hex('bl')}, ${at}, ${at},
     now() from generate_series(0, $1::int / ${batch}) as i`,
  anchor_attempts: `(txid, transaction_id, raw_transaction, max_fee_per_gas, created_at)
   select ${hex('x')}, ${id('x')}, repeat('0123456789abcdef', ${4 * batch}), 1, ${at}
   from generate_series(0, $1::int / ${batch}) as i`,
  anchors: `(id, receipt_id, chain, bundle_hash, state, transaction_id, created_at)
   select ${id('n')}, ${id('r')}, 'local', ${hex('b')}, (case when ${newest} then 'waiting' else 'confirmed' end)::anchor_state,
     case when not (${newest}) then ${id('x', `(i / ${batch})`)} end, ${at} ${each}`,
  events: `(id, type, project_id, receipt_id, status, bundle_hash, ledger_txid, anchored_at, created_at)
   select 3 * (i::bigint - 1) + n, 'receipt.' || (array['pending', 'awaiting_anchor', 'anchored'])[n], ${project},
     ${id('r')}, (array['pending', 'awaiting_anchor', 'anchored']::receipt_status[])[n], case when n > 1 then ${hex('b')} end,
     case when n > 2 then ${hex('x', `(i / ${batch})`)} end, case when n > 2 then ${at} end, ${at} ${eachTime(3)}`,
  audit_events: `(id, action, object_type, object_id, project_id, actor, created_at, seq, hash)
   select 2 * (i::bigint - 1) + n,
     case when n = 1 then ${word('agent.delete', 'wallet.link', 'receipt.refund', 'receipt.record')} else 'receipt.anchor' end,
     ${word('agent', 'wallet', 'receipt', 'receipt')}, ${id('r')}::text, ${project},
     case when n = 1 then 'key:' || ${word('rare', 'old', 'second', 'first')} else 'worker' end, ${at},
     2 * (i::bigint - 1) + n, sha256(i::text::bytea) ${eachTime(2)}`,
  payments: `(id, network, asset, payer, nonce, amount, currency, pay_to, endpoint, fingerprint, payload,
     project_id, status, since_block, verified_at, settled_at, answered_at, receipt_id)
   select ${id('p')}, ${word('eip155:14', 'eip155:1', 'eip155:137', 'eip155:8453')}, '0xasset',
     ${wallet('payer', '(i % 20000)')}, decode(md5('n' || i), 'hex'), (i::bigint * 7919 % 100000) / 1000.0 + 0.001,
     ${word('DAI', 'USDT', 'EURC', 'USDC')}, '0xto',
     '/v1/x402/premium/' || ${word('bulk-verify', 'generate-statement', 'refund', 'fx-lookup')}, '\\x00', '{}', ${project},
     (case when ${newest} then 'verified' when i % 5000 = 5 then 'failed' when i % 20 = 9 then 'settled'
       else 'delivered' end)::payment_status, 0, ${at}, ${settled}, ${settled}, case when i % 1000 = 5 then ${id('r')} end ${each}`,
  statements: `(id, project_id, type, kind, "from", "to", day, "window", count, created_at)
   select ${id('s')}, ${project}, case when i % 500 = 5 then 'camt.052' else 'camt.053' end, 'report',
     date_trunc('day', ${at}), date_trunc('day', ${at}) + interval '1 day', to_char(${at}, 'YYYY-MM-DD'), '00:00-23:59', 1,
     ${at} ${each} where i % 10 < 2 or i % 100 = 7`,
  webhook_deliveries: `(id, project_id, event_id, url, receipt_id, lane, state, attempts, next_attempt_at, created_at, finished_at)
   select i, ${project}, 3 * i::bigint, 'https://shop.example/hook', ${id('r')}, ${id('lane', '(i % 50)')},
     (case when ${newest} then 'waiting' else 'delivered' end)::webhook_delivery_state, 1,
     case when ${newest} then ${at} end, ${at}, case when not (${newest}) then now() end ${each} where i % 2 = 0`,
  webhook_attempts: `(delivery_id, number, started_at, duration_ms, status_code)
   select i, 1, ${at}, 20, 200 ${each} where i % 2 = 0`,
  idempotent_requests: `(principal, key, fingerprint, created_at, finished_at, status, headers, body)
   select 'key:' || i % 20, md5('k' || i), sha256(i::text::bytea), now(), now(), 200, '{}', decode(repeat('00', 300), 'hex')
   ${each} where i % 5 = 0`,
  rate_windows: `(bucket, "window", used)
   select 'address:' || i, extract(epoch from now())::bigint / 60, 1
   ${each} where i % 20 = 0`,
}
