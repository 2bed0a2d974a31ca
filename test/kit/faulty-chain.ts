// A Quittance whose nodes can be made to fail: one real local EVM behind one proxy per node.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { type EmbeddedChain, startChain } from '../../src/embedded/chain.ts'
import { audit, embedded } from './auditor.ts'
import { type RpcProxy, startRpcProxy } from './rpc-proxy.ts'
import { type Service, startService } from './service.ts'

export type FaultyChain = {
  service: Service
  chain: EmbeddedChain
  nodes: RpcProxy[]
  key: string
  /** Queries the EVM directly, not through the proxies. */
  rpc(method: string, params?: unknown[]): Promise<unknown>
  /** Records receipts, each with a known id, and does not wait for their anchors. */
  record(count: number): Promise<string[]>
  /** Waits until all of them are anchored, and mines a block now and then. */
  anchored(ids: string[]): Promise<void>
  /** Returns what the auditor finds wrong with all receipts recorded so far. */
  violations(): Promise<string[]>
  /** Makes every proxy forward honestly and releases every held request. */
  heal(): void
  stop(): Promise<void>
}

export async function startFaultyChain(options: { nodes: number; confirmations: number }): Promise<FaultyChain> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-faulty-'))
  const chain = await startChain(join(folder, 'chain'), pino({ level: 'silent' }))
  const nodes = await Promise.all(Array.from({ length: options.nodes }, () => startRpcProxy(chain.rpcUrl)))
  const file = join(folder, 'chains.json')
  const entry = {
    name: 'faulty',
    caip2: `eip155:${chain.chainId}`,
    rpc_urls: nodes.map(({ url }) => url),
    contract: chain.contract,
    finality: { confirmations: options.confirmations },
    replace_after_seconds: 1,
  }
  await writeFile(file, JSON.stringify([entry]))
  const service = await startService({
    CHAINS_FILE: file,
    ANCHOR_PRIVATE_KEY: chain.anchorPrivateKey,
    LOG_LEVEL: 'silent',
  })
  const { key } = await service.api.project()
  const accepted: string[] = []

  async function rpc(method: string, params: unknown[] = []): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'Content-Type': 'application/json' }
    const { result, error } = await (await fetch(chain.rpcUrl, { method: 'POST', headers, body })).json()
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }

  async function record(count: number): Promise<string[]> {
    const answers = await Promise.all(Array.from({ length: count }, () => service.api.record(key)))
    const ids = answers.map(({ json }): string => json.receipt_id)
    accepted.push(...ids)
    return ids
  }

  async function anchored(ids: string[]): Promise<void> {
    for (const until = Date.now() + 40_000; Date.now() < until; await sleep(200)) {
      const { rowCount } = await service.app.pool.query(
        `select from receipts where id = any($1::uuid[]) and status <> 'anchored' limit 1`,
        [ids],
      )
      if (rowCount === 0) return
      if (options.confirmations > 1) await rpc('evm_mine')
    }
    const { rows } = await service.app.pool.query(
      `select r.status, a.state, t.state as transaction, t.nonce from receipts r left join anchors a on a.receipt_id = r.id
       left join anchor_transactions t on t.id = a.transaction_id where r.id = any($1::uuid[])`,
      [ids],
    )
    throw new Error(`not anchored: ${JSON.stringify(rows)}`)
  }

  function heal(): void {
    for (const node of nodes) {
      node.fault = null
      node.release()
    }
  }

  return {
    service,
    chain,
    nodes,
    key,
    rpc,
    record,
    anchored,
    heal,
    violations: () =>
      audit({ ...embedded, rpcUrl: chain.rpcUrl, databaseUrl: service.databaseUrl, accepted, settled: true }),
    async stop() {
      heal()
      await service.stop()
      for (const node of nodes) await node.stop()
      await chain.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
