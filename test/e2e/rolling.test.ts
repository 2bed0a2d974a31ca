// Processes are replaced one after the other under load, as in a deployment, without any failed request.
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Anvil, startAnvil } from '../kit/anvil.ts'
import { type Balancer, startBalancer } from '../kit/balancer.ts'
import { apiSettings, type Child, startChild } from '../kit/child.ts'
import { apiOf, freshDatabase, tipOf } from '../kit/service.ts'
import { onlyInFull } from '../kit/size.ts'

const requests = 20_000
const replacements = 6
const clients = 16

let folder: string
let chain: Anvil
let balancer: Balancer
let databaseUrl: string
const running: Child[] = []

const begin = async () => {
  const child = await startChild({
    ...apiSettings(databaseUrl, folder, chain),
    SHUTDOWN_SECONDS: '9',
  })
  running.push(child)
  await balancer.add(child.url())
}

/** Stops the oldest process as an orchestrator does, and starts another. */
async function replaceOldest(): Promise<void> {
  const oldest = running.shift()
  if (oldest === undefined) throw new Error('nothing runs')
  await oldest.end('SIGTERM')
  expect(oldest.process.exitCode, oldest.said()).toBe(0)
  balancer.remove(oldest.url())
  await begin()
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-rolling-'))
  databaseUrl = await freshDatabase()
  chain = await startAnvil(31_340)
  balancer = await startBalancer()
  await begin()
  await begin()
})
afterAll(async () => {
  await balancer?.stop()
  for (const child of running) await child.end('SIGTERM')
  await chain?.stop()
  await rm(folder, { recursive: true, force: true })
})

onlyInFull(
  `${replacements} replacements of a process under ${requests} requests: every request is answered, and every write is kept`,
  {
    timeout: 300_000,
  },
  async () => {
    const { project, record } = apiOf(balancer.url)
    const { key } = await project()
    const known: string = (await record(key)).json.receipt_id
    const agent = new Agent({ keepAlive: true, maxSockets: clients })
    const ask = (method: string, path: string, body?: object) =>
      new Promise<{ status: number; text: string }>((resolve, reject) => {
        const headers = { 'X-API-Key': key, ...(body && { 'Content-Type': 'application/json' }) }
        const sent = request(balancer.url + path, { method, agent, headers }, answer => {
          let text = ''
          answer.on('data', chunk => (text += chunk)).on('error', reject)
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
        })
        sent.on('error', reject).end(body && JSON.stringify(body))
      })
    const query = `{ receipt(id: "${known}") { id status } }`
    const kinds = [
      () => ask('GET', `/v1/iso/receipts/${known}`),
      () => ask('POST', '/v1/iso/record-tip', tipOf()),
      () => ask('POST', '/graphql', { query }),
    ]
    const written: string[] = []
    const failures: string[] = []
    let answered = 0
    let replacing = true
    async function client(): Promise<void> {
      while (replacing || answered < requests) {
        const kind = answered % kinds.length
        try {
          const { status, text } = (await kinds[kind]?.()) ?? { status: 0, text: '' }
          if (status !== 200 || text.includes('"errors"')) failures.push(`${status} ${text}`)
          else if (kind === 1) written.push(JSON.parse(text).receipt_id)
        } catch (error) {
          failures.push(String(error))
        }
        answered += 1
      }
    }
    async function replaceAll(): Promise<void> {
      try {
        for (let count = 0; count < replacements; count++) await replaceOldest()
      } finally {
        replacing = false
      }
    }
    await Promise.all([replaceAll(), ...Array.from({ length: clients }, client)])
    agent.destroy()

    expect(failures).toEqual([])
    const database = new pg.Client({ connectionString: databaseUrl })
    await database.connect()
    const { rows } = await database.query('select count(*)::int as kept from receipts where id = any($1::uuid[])', [
      written,
    ])
    await database.end()
    expect(rows[0]?.kept).toBe(written.length)
  },
)
