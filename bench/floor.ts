// The baseline of the figures: a hand-written server with Express 5 and pg for the same work and headers.
import { randomUUID } from 'node:crypto'
import express from 'express'
import pg from 'pg'
import { floorApp, listening } from './floor/app.ts'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 24 })
const app = floorApp()

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

app.get('/v1/iso/receipts/:rid', async (req, res) => {
  if (!uuid.test(req.params.rid)) return void res.status(422).json({ detail: [] })
  const { rows } = await pool.query({
    name: 'receipt',
    text: `select id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference, resource_hash,
      callback_url, refund_of_id, status, failure_reason, bundle_hash, ledger_txid, created_at, anchored_at from receipts where id = $1`,
    values: [req.params.rid],
  })
  const [row] = rows
  if (row === undefined) return void res.status(404).json({ detail: 'not_found' })
  const base = 'http://127.0.0.1'
  res.json({
    id: row.id,
    status: row.status,
    bundle_hash: row.bundle_hash,
    ledger_txid: row.ledger_txid,
    xml_url: row.bundle_hash && `${base}/files/${row.id}/pain001.xml`,
    bundle_url: row.bundle_hash && `${base}/files/${row.id}/evidence.zip`,
    resource_hash: row.resource_hash,
    created_at: row.created_at.toISOString(),
    anchored_at: row.anchored_at?.toISOString() ?? null,
  })
})

const insert = `insert into bench_receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference,
    tx_key, chain_key, sender_key, receiver_key)
  values ($1, $1, $2, $3, $4, $5, $6, $7, $8, $2, 'eip155:8453', $6, $7)`
const valuesOf = (id: string, body: Record<string, string>) => [
  id,
  body.tip_tx_hash,
  body.chain,
  body.amount,
  body.currency,
  body.sender_wallet,
  body.receiver_wallet,
  body.reference,
]

/** A bare durable insert: the same columns and unique keys, without job, audit row and event. */
app.post('/insert', express.json(), async (req, res) => {
  const id = randomUUID()
  await pool.query({ name: 'insert', text: insert, values: valuesOf(id, req.body) })
  res.json({ receipt_id: id, status: 'pending' })
})

/** Runs the statements one after the other in a transaction, on a connection of the pool. */
async function inTransaction(statements: pg.QueryConfig[]): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    for (const statement of statements) await client.query(statement)
    await client.query('commit')
  } finally {
    client.release()
  }
}

/** The least with which a receipt is processed further: the row and its job. */
app.post('/row-and-job', express.json(), async (req, res) => {
  const id = randomUUID()
  await inTransaction([
    { name: 'insert', text: insert, values: valuesOf(id, req.body) },
    { name: 'job', text: job, values: [JSON.stringify({ receipts: [id] })] },
  ])
  res.json({ receipt_id: id, status: 'pending' })
})

/**
 * The plain transaction: everything that recording must write (receipt, audit row, event, job, notification), one
 * statement each.
 */
app.post('/transaction', express.json(), async (req, res) => {
  const id = randomUUID()
  await inTransaction([
    { name: 'insert', text: insert, values: valuesOf(id, req.body) },
    { name: 'audit', text: audit, values: [id] },
    { name: 'event', text: event, values: [id] },
    { name: 'job', text: job, values: [JSON.stringify({ receipts: [id] })] },
    { name: 'notify', text: `select pg_notify('bench', $1)`, values: [id] },
  ])
  res.json({ receipt_id: id, status: 'pending' })
})

const audit = `insert into bench_audit (action, object_type, object_id, project_id, actor, details)
  values ('receipt.record', 'receipt', $1::text, $1::text::uuid, 'key', '{}')`
const event = `insert into bench_events (type, project_id, receipt_id, status) values ('receipt.pending', $1, $1, 'pending')`
const job = `select graphile_worker.add_job('bench', $1::json)`

for (const [copy, original] of [
  ['bench_receipts', 'receipts'],
  ['bench_audit', 'audit_events'],
  ['bench_events', 'events'],
]) {
  await pool.query(`create table if not exists ${copy} (like ${original} including defaults including indexes)`)
}
// The plain transaction numbers its rows as most tables do.
for (const table of ['bench_audit', 'bench_events']) {
  await pool.query(`create sequence if not exists ${table}_id`)
  await pool.query(`alter table ${table} alter column id set default nextval('${table}_id')`)
}
listening(app)
