// The process may die at any moment: what was accepted is anchored, and exactly once.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JsonRpcProvider } from 'ethers'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mayBecome, type ReceiptStatus } from '../../src/core/states.ts'
import { adminKey, apiOf, freshDatabase } from '../kit/service.ts'

const kills = 10
const receiptsEach = 200
const topic = '0xd414fe2d5071ea63896cf41c2e5a7bdd46aed543a8c8e83357a1ae468a383419'

let folder: string
let databaseUrl: string
let port: number
let child: ChildProcess

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}

async function begin(): Promise<{ rpcUrl: string }> {
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    PORT: String(port),
    ADMIN_API_KEYS: adminKey,
    LOG_LEVEL: 'error',
  }
  child = spawn(process.execPath, ['src/main.ts'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', chunk => {
      output += chunk
      if (output.includes('is ready')) resolve()
    })
    child.once('exit', () => reject(new Error(`it did not start: ${output}`)))
  })
  await ready
  return { rpcUrl: /Chain +(\S+)/.exec(output)?.[1] ?? '' }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-kill-'))
  databaseUrl = await freshDatabase()
  port = await freePort()
})
afterAll(async () => {
  child.kill('SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
  await rm(folder, { recursive: true, force: true })
})

it(`${kills} times kill -9 during ${receiptsEach} receipts: every accepted receipt is anchored exactly once`, async () => {
  const api = apiOf(`http://127.0.0.1:${port}`)
  await begin()
  const { key } = await api.project()
  const accepted = new Set<string>()
  for (let round = 0; round < kills; round++) {
    const offered = Array.from({ length: receiptsEach }, async () => {
      // A request that dies with the process was not accepted; the client would try again.
      const answer = await api.record(key).catch(() => null)
      if (answer?.status === 200) accepted.add(answer.json.receipt_id)
    })
    await new Promise(resolve => setTimeout(resolve, Math.random() * 2_500))
    child.kill('SIGKILL')
    await once(child, 'exit')
    await Promise.all(offered)
    await begin()
  }
  child.kill('SIGTERM')
  await once(child, 'exit')
  const { rpcUrl } = await begin()
  expect(accepted.size).toBeGreaterThan(0)

  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  const open = async () =>
    Number((await database.query(`select count(*) from receipts where status <> 'anchored'`)).rows[0].count)
  await expect.poll(open, { timeout: 60_000, interval: 500 }).toBe(0)
  const { rows } = await database.query('select id, bundle_hash, ledger_txid from receipts')
  const lives = await database.query<{ states: ReceiptStatus[] }>(
    'select array_agg(status::text order by id) as states from receipt_events group by receipt_id',
  )
  await database.end()
  expect(rows.map(row => row.id)).toEqual(expect.arrayContaining([...accepted]))
  expect(lives.rows).toHaveLength(rows.length)
  for (const { states } of lives.rows) {
    expect(states[0]).toBe('pending')
    states.slice(1).forEach((state, before) => {
      expect(mayBecome[state], states.join(' → ')).toContain(states[before])
    })
  }

  const provider = new JsonRpcProvider(rpcUrl)
  const logs = await provider.getLogs({ fromBlock: 0, toBlock: 'latest', topics: [topic] })
  provider.destroy()
  const anchored = logs.map(log => `${log.topics[1]} ${log.transactionHash}`).sort()
  expect(anchored).toEqual(rows.map(row => `${row.bundle_hash} ${row.ledger_txid}`).sort())
}, 240_000)
