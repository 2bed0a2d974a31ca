// One run over failovers: two APIs and two workers under load, while the primary is killed again and again.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Interface, zeroPadValue } from 'ethers'
import evidenceAnchor from '../../../contracts/EvidenceAnchor.json' with { type: 'json' }
import testDollar from '../../../contracts/TestDollar.json' with { type: 'json' }
import { account } from '../anvil.ts'
import { audit } from '../auditor.ts'
import { type Child, startChild } from '../child.ts'
import { type PaidChain, startPaidChain } from '../paid-chain.ts'
import { createPayer } from '../payer.ts'
import { auditPayments } from '../payment-books.ts'
import { adminKey, apiOf, roomForAll } from '../service.ts'
import { type Outages, outagesOf, violationsOf } from './check.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { startHaproxy } from './haproxy.ts'
import { type Final, writeHistory } from './history.ts'
import { startLoad, startReaders } from './load.ts'
import { startPatroni } from './patroni.ts'

export type Run = {
  kills: number
  /** The service finds the primary by the hosts of its URL, or through HAProxy; with `patroni` Patroni promotes. */
  by: 'hosts' | 'haproxy' | 'patroni'
  /** The history is written here. */
  file: string
  tell(line: string): void
  /** True ends the run after the present kill. */
  isEnough?(): boolean
}

export type Outcome = { violations: string[]; outages: Outages; receipts: number; payments: number; events: number }

const settleMs = 180_000

export async function run({ kills, by, file, tell, isEnough = () => false }: Run): Promise<Outcome> {
  const closers: (() => Promise<unknown>)[] = []
  const folder = await mkdtemp(join(tmpdir(), 'quittance-failover-'))
  closers.push(() => rm(folder, { recursive: true, force: true }))
  const history = writeHistory(file)
  try {
    const chain = await startPaidChain(['--block-time', '1'])
    closers.push(chain.stop)
    const cluster = await (by === 'patroni' ? startPatroni() : startCluster())
    closers.push(cluster.stop)
    const proxy = by === 'haproxy' ? await startHaproxy(cluster) : null
    if (proxy !== null) closers.push(proxy.stop)
    const { signer, payTo, settings } = await chain.till()
    const common = {
      ...settings,
      ANCHOR_PRIVATE_KEY: account(1).privateKey,
      ANCHOR_CONFIRMATIONS: '1',
      DATABASE_URL: proxy?.url ?? allHosts(cluster),
      DATA_DIR: folder,
      PORT: '0',
      ADMIN_API_KEYS: adminKey,
      RATE_LIMITS: roomForAll,
      ALLOW_PRIVATE_TARGETS: 'true',
      LOG_LEVEL: 'warn',
    }
    const children: Child[] = []
    // One after the other, because the first makes the tables and keys.
    for (const ROLES of ['api', 'api', 'worker', 'worker']) {
      const child = await startChild({ ...common, ROLES })
      children.push(child)
      closers.push(() => child.end('SIGKILL'))
    }
    const apis = children.slice(0, 2).map(child => apiOf(child.url()))
    const [api] = apis
    if (api === undefined) throw new Error('no process')
    const { key, id: project } = await api.project('Failover')
    const readers = await startReaders(apis, key, history)
    const payers = await Promise.all([0, 1].map(() => createPayer(chain.node, chain.asset, 100_000_000n)))
    const load = startLoad(apis, key, payers, history)
    for (let number = 1; number <= kills && !isEnough(); number++) {
      await sleep(2_000 + Math.random() * 2_000)
      const begun = history.now()
      await cluster.failOver(history)
      tell(`kill ${number} of ${kills}: ${((history.now() - begun) / 1_000).toFixed(1)} s until a new standby follows`)
    }
    await sleep(2_000)
    await load.stop()
    const primary = cluster.primary()
    await settled(primary, history.now, () => children.map(child => child.said().slice(-3_000)).join('\n'))
    const last = await lastEvent(primary, project)
    await until(() => [...history.entries].filter(e => e.kind === 'event' && e.event === last).length >= 3)
    await readers.stop()
    const dead = children.filter(({ process: { exitCode, signalCode } }) => exitCode !== null || signalCode !== null)
    for (const child of children) await child.end('SIGTERM')
    const final = await finalOf(primary, project, chain, payTo, load.authorizations)
    const accepted = history.entries.flatMap(e => (e.kind === 'told' && e.what === 'receipt' ? [e.receipt] : []))
    const anchors = { rpcUrl: chain.url, contract: settings.ANCHOR_CONTRACT, signer: account(1).address }
    const books = { databaseUrl: primary.url, rpcUrl: chain.url, asset: chain.asset, payTo, signer }
    const violations = [
      ...violationsOf(history.entries, final),
      ...(await audit({ ...anchors, databaseUrl: primary.url, accepted, settled: true })),
      ...(await auditPayments(books)),
      ...dead.map(child => `a process ended: ${child.said().slice(-2_000)}`),
    ]
    return {
      violations,
      outages: outagesOf(history.entries),
      receipts: final.receipts.length,
      payments: final.charges.length,
      events: final.events.length,
    }
  } finally {
    for (const close of closers.reverse()) await close().catch(error => tell(`could not stop: ${error}`))
    await history.close()
  }
}

function allHosts({ servers }: Cluster): string {
  const { username, password, pathname } = new URL(servers[0]?.url ?? '')
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join()
  return `postgres://${username}:${password}@${hosts}${pathname}?target_session_attrs=read-write`
}

type Server = Cluster['servers'][number]

async function settled(primary: Server, now: () => number, said: () => string): Promise<void> {
  const open = `select (select count(*) from receipts where status <> 'anchored')::int
    + (select count(*) from payments where status in ('verified', 'settling'))::int
    + (select count(*) from webhook_deliveries where state = 'waiting')::int as count`
  for (const deadline = now() + settleMs; ; await sleep(250)) {
    const [row] = await primary.sql<{ count: number }>(open)
    if (row?.count === 0) return
    if (now() > deadline) throw new Error(`${row?.count} are still open. The processes said: ${said()}`)
  }
}

const lastEvent = async (primary: Server, project: string): Promise<string> =>
  (
    await primary.sql<{ id: string }>(
      `select max(id)::text as id from events where project_id = $1 and receipt_id is not null`,
      [project],
    )
  )[0]?.id ?? ''

async function until(isSo: () => boolean): Promise<void> {
  // An event that has not come by then is a hole, which the audit names.
  for (const deadline = Date.now() + settleMs; !isSo() && Date.now() < deadline; ) await sleep(250)
}

const topicOf = (abi: typeof testDollar.abi | typeof evidenceAnchor.abi, name: string) =>
  new Interface(abi).getEvent(name)?.topicHash ?? ''

async function finalOf(
  primary: Server,
  project: string,
  { node, asset }: PaidChain,
  payTo: string,
  authorizations: ReadonlyMap<string, string>,
): Promise<Final> {
  const all = { fromBlock: 0, toBlock: 'latest' }
  const transfers = await node.getLogs({
    ...all,
    address: asset,
    topics: [topicOf(testDollar.abi, 'Transfer'), null, zeroPadValue(payTo, 32)],
  })
  const uses = await node.getLogs({ ...all, address: asset, topics: [topicOf(testDollar.abi, 'AuthorizationUsed')] })
  const anchors = await node.getLogs({ ...all, topics: [topicOf(evidenceAnchor.abi, 'EvidenceAnchored')] })
  const nonces = new Map(uses.map(({ transactionHash, topics }) => [transactionHash, topics[2] ?? '']))
  return {
    receipts: await primary.sql(
      `select id, tip_tx_hash as write, bundle_hash as "bundleHash" from receipts where project_id = $1`,
      [project],
    ),
    events: await primary.sql(
      `select id::text as event, receipt_id::text as receipt, type from events
       where project_id = $1 and receipt_id is not null order by id`,
      [project],
    ),
    charges: transfers.map(({ transactionHash: txid }) => ({
      txid,
      write: authorizations.get(nonces.get(txid) ?? '') ?? `unknown ${txid}`,
    })),
    anchored: anchors.map(({ topics }) => topics[1] ?? ''),
  }
}
