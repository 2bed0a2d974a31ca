// Measures the pipeline with payments that are checked on their own chain, in turn with payments of a chain without
// nodes; the requests that a payment takes; and the size of its proof in the bundle.
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { HDNodeWallet, Interface } from 'ethers'
import pg from 'pg'
import { pino } from 'pino'
import testDollar from '../contracts/TestDollar.json' with { type: 'json' }
import { startChain } from '../src/embedded/chain.ts'
import { anchoringOn, inBench, median, post, projectKey, tipWith } from './kit.ts'

const offered = 3_000
const rounds = 3
const connections = 64
/** Payments in one block. */
const together = 50
const dollars = new Interface(testDollar.abi)
const phrase = 'test test test test test test test test test test test junk'
const payer = HDNodeWallet.fromPhrase(phrase, '', `m/44'/60'/0'/0/6`).address.toLowerCase()

type Payment = Parameters<typeof tipWith>[0]

await inBench(async ({ serve, databaseUrl, folder }) => {
  const chain = await startChain(join(folder, 'chain'), pino({ level: 'silent' }))
  const counter = await counting(chain.rpcUrl)
  try {
    const file = join(folder, 'payment-chains.json')
    const caip2 = `eip155:${chain.chainId}`
    const readFrom = (url: string) =>
      writeFile(file, JSON.stringify([{ name: 'paid', caip2, rpc_urls: [url], finality: { confirmations: 1 } }]))
    await readFrom(chain.rpcUrl)
    const env = { ...anchoringOn(chain), PAYMENT_CHAINS_FILE: file }
    const api = await serve('src/main.ts', { ...env, ROLES: 'api' })
    const workers = [
      await serve('src/main.ts', { ...env, ROLES: 'worker' }),
      await serve('src/main.ts', { ...env, ROLES: 'worker' }),
    ]
    const key = await projectKey(api.url)
    await configure(api.url, key, `${caip2}/erc20:${chain.testDollar}`)
    const database = new pg.Client({ connectionString: databaseUrl })
    await database.connect()
    const rates: Record<'stated' | 'checked', number[]> = { stated: [], checked: [] }
    for (let round = 0; round < rounds; round++) {
      const paid = await payments(chain.rpcUrl, chain.testDollar)
      rates.stated.push(
        await pipeline(
          database,
          api.url,
          key,
          Array.from({ length: offered }, () => ({})),
        ),
      )
      rates.checked.push(await pipeline(database, api.url, key, paid))
    }
    const ratio = median(rates.checked.map((rate, round) => rate / (rates.stated[round] ?? Number.NaN)))
    const shown = (values: number[]) => values.map(value => value.toFixed(0)).join(', ')
    console.log(
      `${ratio >= 0.7 ? 'ok' : 'BELOW'}     recorded to anchored with the check: ${ratio.toFixed(2)} of without (goal 0.7); ${shown(rates.checked)}/s against ${shown(rates.stated)}/s`,
    )
    await sizes(database)
    // Counting takes time, so that the rates are measured without it.
    await readFrom(counter.url)
    for (const { pid } of workers) process.kill(pid, 'SIGHUP')
    await sleep(2_000)
    await pipeline(database, api.url, key, await payments(chain.rpcUrl, chain.testDollar))
    counter.report()
    await database.end()
  } finally {
    counter.stop()
    await chain.stop()
  }
})

async function pipeline(database: pg.Client, url: string, key: string, tips: readonly Payment[]): Promise<number> {
  const started = performance.now()
  const left = [...tips]
  const ids: string[] = []
  const one = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) ids.push(await post(url, key, tipWith(next)))
  }
  await Promise.all(Array.from({ length: connections }, one))
  const open = `select from receipts where id = any($1::uuid[]) and status <> 'anchored' limit 1`
  while ((await database.query(open, [ids])).rowCount !== 0) await sleep(50)
  const seconds = (performance.now() - started) / 1_000
  const busy = 'select from graphile_worker.jobs where attempts = 0 or locked_by is not null limit 1'
  while ((await database.query(busy)).rowCount !== 0) await sleep(100)
  return tips.length / seconds
}

async function sizes(database: pg.Client): Promise<void> {
  const { rows } = await database.query<{ grade: string; count: number; p50: number; p95: number }>(
    `select grade, count(*)::int, percentile_cont(0.5) within group (order by size) as p50,
       percentile_cont(0.95) within group (order by size) as p95
     from (select grade, length(document->>'proof') as size from settlements) as proofs group by grade`,
  )
  for (const { grade, count, p50, p95 } of rows) {
    const verdict = grade === 'proved' && p95 <= 20_000 ? 'ok' : 'BELOW'
    console.log(
      `${verdict}     ${count} ${grade}: proof in blocks of ${together} payments p50 ${p50} bytes, p95 ${p95} bytes (goal 20,000)`,
    )
  }
}

async function configure(url: string, key: string, caip19: string): Promise<void> {
  const call = async (query: string, variables: object = {}) => {
    const headers = { 'Content-Type': 'application/json', 'X-API-Key': key }
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
    })
    const { data, errors } = await response.json()
    if (errors) throw new Error(JSON.stringify(errors))
    return data
  }
  const { me } = await call('{ me { project { id } } }')
  await call(
    `mutation ($id: ID!, $assets: [SettlementAssetInput!]) { configureProject(input: { projectId: $id,
       anchoring: { executionMode: PLATFORM, chains: [] }, settlement: { assets: $assets } }) { project { id } } }`,
    { id: me.project.id, assets: [{ label: 'TESTUSD', caip19, decimals: 6 }] },
  )
}

/** Makes payments on the chain, many in a block. */
async function payments(rpcUrl: string, token: string): Promise<Payment[]> {
  const rpc = async (method: string, ...params: unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(rpcUrl, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    const { result, error } = await response.json()
    if (error) throw new Error(error.message)
    return result
  }
  const send = (data: string) => rpc('eth_sendTransaction', { from: payer, to: token, data, gas: '0x186a0' })
  await send(dollars.encodeFunctionData('mint', [10n ** 12n]))
  await rpc('evm_setAutomine', false)
  const made: Payment[] = []
  for (let n = 0; n < offered; n++) {
    const receiver_wallet = `0x${randomBytes(20).toString('hex')}`
    const tip_tx_hash = await send(dollars.encodeFunctionData('transfer', [receiver_wallet, 12_500_000n]))
    made.push({ tip_tx_hash, receiver_wallet, sender_wallet: payer, chain: 'paid', currency: 'TESTUSD' })
    if (n % together === together - 1) await rpc('anvil_mine', '0x1')
  }
  await rpc('anvil_mine', '0x1')
  await rpc('evm_setAutomine', true)
  return made
}

/** A proxy that counts the requests by their methods. */
async function counting(target: string) {
  const requests = new Map<string, number>()
  const server = createServer(async (incoming, outgoing) => {
    const body = await text(incoming)
    const method = String(JSON.parse(body).method)
    requests.set(method, (requests.get(method) ?? 0) + 1)
    const forwarded = request(target, { method: 'POST', headers: { 'Content-Type': 'application/json' } }, response => {
      outgoing.writeHead(response.statusCode ?? 502)
      response.pipe(outgoing)
    })
    forwarded.end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    report() {
      const all = [...requests.values()].reduce((sum, count) => sum + count, 0) / offered
      const each = [...requests].map(([method, count]) => `${method} ${(count / offered).toFixed(2)}`).join(', ')
      console.log(`${all <= 5 ? 'ok' : 'ABOVE'}     ${all.toFixed(2)} requests a payment (goal 5): ${each}`)
    },
    stop: () => server.close(),
  }
}
