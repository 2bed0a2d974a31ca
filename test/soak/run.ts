// The soak: mixed load over all doors of two API processes, with two workers, while processes, servers of the database
// and the node of the chain fail. It ends with the auditors: nothing lost, doubled or seen by another tenant.
// `npm run soak -- --minutes=10 --seed=7`: the seed decides what fails and when.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { account } from '../kit/anvil.ts'
import { audit } from '../kit/auditor.ts'
import { startBalancer } from '../kit/balancer.ts'
import { type Child, startChild } from '../kit/child.ts'
import { keptPort } from '../kit/kept-port.ts'
import { startPaidChain } from '../kit/paid-chain.ts'
import { auditPayments } from '../kit/payment-books.ts'
import { startReceiver } from '../kit/receiver.ts'
import { faults } from '../kit/rpc-faults.ts'
import { startRpcProxy } from '../kit/rpc-proxy.ts'
import { adminKey, apiOf, roomForAll } from '../kit/service.ts'
import { startServers } from '../kit/standby.ts'
import { startLoad } from './load.ts'
import { randomOf } from './random.ts'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string' } } })
const minutes = Number(values.minutes)
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9))
if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  console.error('usage: npm run soak -- --minutes=10 --seed=7')
  process.exit(2)
}
const random = randomOf(seed)
const begun = Date.now()
const note = (what: string) => console.log(`${((Date.now() - begun) / 1_000).toFixed(0).padStart(5)} s  ${what}`)
note(`seed ${seed}, ${minutes} minutes`)

const folder = await mkdtemp(join(tmpdir(), 'quittance-soak-'))
const servers = await startServers({ max_connections: '400' })
let { primary } = servers
const withStandby = async (name: string) => {
  const standby = await servers.addStandby(name, primary)
  // Only now: without a standby, every commit would wait.
  await primary.sql(`alter system set synchronous_standby_names = '*'`)
  await primary.sql('select pg_reload_conf()')
  return standby
}
let standby = await withStandby('standby_0')
const chain = await startPaidChain()
// Two of three must agree, so that one may lie about everything.
const nodes = [await startRpcProxy(chain.url), await startRpcProxy(chain.url), await startRpcProxy(chain.url)]
const { signer, payTo, settings: paid } = await chain.till(nodes.map(({ url }) => url).join())
const receiver = await startReceiver((res, _, nth) => {
  if (nth % 7 === 0) res.writeHead(503).end()
})
const databaseUrl = () => {
  const { username, password } = new URL(primary.url)
  const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join()
  return `postgres://${username}:${password}@${hosts}/quittance?target_session_attrs=read-write`
}
const common = {
  ...paid,
  ANCHOR_PRIVATE_KEY: account(1).privateKey,
  ANCHOR_CONFIRMATIONS: '1',
  DATA_DIR: folder,
  ADMIN_API_KEYS: adminKey,
  RATE_LIMITS: roomForAll,
  ALLOW_PRIVATE_TARGETS: 'true',
  SHUTDOWN_SECONDS: '6',
  LOG_LEVEL: 'fatal',
}

type Process = { name: string; settings: Record<string, string>; child: Child }
const balancer = await startBalancer()
const processes: Process[] = []
async function begin(name: string, settings: Record<string, string>): Promise<Process> {
  // A start that meets a server that is away ends, and its supervisor starts it again.
  for (;;) {
    try {
      const child = await startChild({ ...common, ...settings, DATABASE_URL: databaseUrl() })
      return { name, settings, child }
    } catch {
      await sleep(500)
    }
  }
}
async function restart(one: Process, signal: NodeJS.Signals): Promise<void> {
  await one.child.end(signal)
  one.child = (await begin(one.name, one.settings)).child
}
const urls = [await keptPort(), await keptPort()].map(port => `http://127.0.0.1:${port}`)
// Alone, because it makes the tables.
processes.push(await begin('worker 1', { ROLES: 'worker' }))
const beside = [
  begin('worker 2', { ROLES: 'worker' }),
  ...urls.map((url, index) => begin(`api ${index + 1}`, { ROLES: 'api', PORT: new URL(url).port })),
]
processes.push(...(await Promise.all(beside)))
await Promise.all(urls.map(url => balancer.add(url)))

// Choices of its own: how many clients choose depends on the speed of the machine.
const load = await startLoad(apiOf(balancer.url), { chain, receiver, random: randomOf(seed + 1) })
note('everything runs')
const end = Date.now() + minutes * 60_000

const events: Record<string, number> = {}
const disasters: [string, () => Promise<unknown>][] = [
  ['kill', () => restart(random.of(processes), 'SIGKILL')],
  ['kill', () => restart(random.of(processes), 'SIGKILL')],
  ['replace', () => restart(random.of(processes), 'SIGTERM')],
  ['database restart', async () => primary.kill().then(() => primary.start())],
  ['failover', failover],
  [
    'node fault',
    async () => {
      const node = random.of(nodes)
      node.fault = random.of(Object.values(faults))
      await sleep(random.below(8_000))
      node.fault = null
      node.release()
    },
  ],
]

let generation = 0
/** The standby becomes the primary. Another standby is made of it, and each process gets the new list of servers. */
async function failover(): Promise<void> {
  const old = primary
  await old.kill()
  await standby.promote()
  primary = standby
  await servers.remove(old)
  generation += 1
  standby = await withStandby(`standby_${generation}`)
  // An API process and a worker at a time.
  for (const role of ['1', '2'])
    await Promise.all(processes.filter(({ name }) => name.endsWith(role)).map(one => restart(one, 'SIGTERM')))
}

while (Date.now() < end) {
  await sleep(2_000 + random.below(6_000))
  const [name, happen] = random.of(disasters)
  const since = Date.now()
  await happen()
  events[name] = (events[name] ?? 0) + 1
  note(`${name}, over after ${((Date.now() - since) / 1_000).toFixed(1)} s; ${load.progress()}`)
}

note('the load ends; what is open is finished')
const { accepted, faults: seen, counts } = await load.end()
const database = new pg.Client({ connectionString: primary.url })
await database.connect()
const open = async () => {
  const { rows } = await database.query<{ open: number }>(
    `select (select count(*)::int from receipts where status in ('pending', 'awaiting_anchor'))
       + (select count(*)::int from payments where status in ('verified', 'settling'))
       + (select count(*)::int from anchor_transactions where state = 'signed') as open`,
  )
  return rows[0]?.open ?? 0
}
const patience = Date.now() + 180_000
while ((await open()) > 0 && Date.now() < patience) await sleep(250)
const stillOpen = await open()
await database.end()
for (const { child } of processes) await child.end('SIGTERM')
const found = [
  ...seen,
  ...(stillOpen > 0 ? [`${stillOpen} receipts, payments and transactions are open after three minutes of quiet`] : []),
  ...(await audit({
    databaseUrl: primary.url,
    rpcUrl: chain.url,
    contract: paid.ANCHOR_CONTRACT,
    signer: account(1).address,
    accepted,
  })),
  ...(await auditPayments({ databaseUrl: primary.url, rpcUrl: chain.url, asset: chain.asset, payTo, signer })),
]
await balancer.stop()
await receiver.stop()
for (const node of nodes) await node.stop()
await chain.stop()
await servers.stop()
await rm(folder, { recursive: true, force: true })

note(`happened: ${JSON.stringify(events)}`)
note(`answered: ${JSON.stringify(counts)}`)
for (const fault of found.slice(0, 50)) console.log(`FAULT  ${fault}`)
note(found.length === 0 ? `no fault, seed ${seed}` : `${found.length} faults, seed ${seed}`)
process.exit(found.length === 0 ? 0 : 1)
