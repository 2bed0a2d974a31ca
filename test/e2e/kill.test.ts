// The process may be killed at any moment: every accepted receipt is anchored exactly once.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect } from 'vitest'
import { killWithUs } from '../../src/embedded/on-death.ts'
import { audit, embedded } from '../kit/auditor.ts'
import { keptPort } from '../kit/kept-port.ts'
import { adminKey, apiOf, freshDatabase, type Tip, tipOf } from '../kit/service.ts'
import { onlyInFull } from '../kit/size.ts'

const kills = 20
const patienceMs = 60_000 + kills * 40_000
const receiptsEach = 60

let folder: string
let databaseUrl: string
let port: number
let child: ChildProcess

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
  child.once('exit', killWithUs(child.pid))
  let output = ''
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', chunk => {
      output += chunk
      if (output.includes('"Quittance is ready"')) resolve()
    })
    child.once('exit', () => reject(new Error(`it did not start: ${output}`)))
  })
  await ready
  return { rpcUrl: /"chain":"([^"]+)"/.exec(output)?.[1] ?? '' }
}

async function end(signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-kill-'))
  databaseUrl = await freshDatabase()
  port = await keptPort()
})
afterAll(async () => {
  await end('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

onlyInFull(
  `${kills} times kill -9 during ${receiptsEach} receipts: every accepted receipt is anchored exactly once`,
  async () => {
    const { project, record } = apiOf(`http://127.0.0.1:${port}`)
    await begin()
    const { key } = await project()
    const accepted = new Set<string>()
    // A request that fails with the process was not accepted, and the client retries it.
    let unanswered: Tip[] = []
    async function offer(tip: Tip): Promise<void> {
      const answer = await record(key, tip).catch(() => null)
      if (answer?.status === 200) accepted.add(answer.json.receipt_id)
      else unanswered.push(tip)
    }
    for (let round = 0; round < kills; round++) {
      const tips = [...unanswered, ...Array.from({ length: receiptsEach }, () => tipOf())]
      unanswered = []
      const offered = tips.map(offer)
      await sleep(Math.random() * 2_500)
      await end('SIGKILL')
      await Promise.all(offered)
      await begin()
    }
    await Promise.all(unanswered.splice(0).map(offer))
    expect(unanswered).toEqual([])
    expect(accepted.size).toBe(kills * receiptsEach)
    await end('SIGTERM')
    const { rpcUrl } = await begin()

    const database = new pg.Client({ connectionString: databaseUrl })
    await database.connect()
    const open = async () =>
      Number((await database.query(`select count(*) from receipts where status <> 'anchored'`)).rows[0].count)
    await expect.poll(open, { timeout: 120_000 }).toBe(0)
    await database.end()
    expect(await audit({ databaseUrl, rpcUrl, ...embedded, accepted, settled: true })).toEqual([])
  },
  patienceMs,
)
