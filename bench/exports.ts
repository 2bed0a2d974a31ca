// Measures an export: rows a second while it is written and downloaded, and the largest RSS of the one process that
// does both. --rows=1000000 makes it larger; the RSS should not.
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { inBench, projectKey } from './kit.ts'

const { values: flags } = parseArgs({ options: { rows: { type: 'string', default: '200000' } } })
const rows = Number(flags.rows)

const started = 'mutation { startExport(input: { kind: RECEIPTS, format: CSV }) { export { id } } }'
const read = 'query ($id: ID!) { export(id: $id) { status rowCount downloadUrl } }'

await inBench(async ({ databaseUrl, serve }) => {
  const { url, pid } = await serve('src/main.ts', {})
  const key = await projectKey(url)
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  await database.query('set session_replication_role = replica')
  await database.query(
    `insert into receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet,
       chain_key, tx_key, sender_key, receiver_key, reference, status, created_at)
     select gen_random_uuid(), (select id from projects order by created_at desc limit 1), tx, 'base', n * 0.01, 'USDC',
       wallet, wallet, 'eip155:8453', tx, wallet, wallet, 'order-' || n, 'anchored', now() - n * interval '1 second'
     from generate_series(1, $1::int) as n,
       lateral (select '0x' || lpad(n::text, 64, '0') as tx, '0x' || lpad((n % 1000)::text, 40, '0') as wallet) as of`,
    [rows],
  )
  await database.query('vacuum analyze receipts')
  await database.end()

  let largest = 0
  const watched = setInterval(async () => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    largest = Math.max(largest, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0))
  }, 100)
  const ask = async (query: string, variables: object = {}) => {
    const headers = { 'Content-Type': 'application/json', 'X-API-Key': key }
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
    })
    return (await response.json()).data
  }
  const begun = performance.now()
  const { id } = (await ask(started)).startExport.export
  let link: string | null = null
  while (link === null) {
    await sleep(100)
    link = (await ask(read, { id })).export.downloadUrl
  }
  const written = performance.now()
  let size = 0
  for await (const bytes of (await fetch(link)).body ?? []) size += bytes.length
  const end = performance.now()
  clearInterval(watched)
  const perSecond = (ms: number) => Math.round((rows / ms) * 1_000).toLocaleString('en')
  console.log(
    `${rows.toLocaleString('en')} receipts, ${(size / 1e6).toFixed(0)} MB: written ${perSecond(written - begun)} rows a second (${((written - begun) / 1_000).toFixed(1)} s), downloaded ${perSecond(end - written)} a second (${((end - written) / 1_000).toFixed(1)} s), largest RSS ${(largest / 1024).toFixed(0)} MB`,
  )
})
