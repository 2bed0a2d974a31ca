// Measures paid requests a second, one after the other and from sixteen payers at once, and where their time goes. The
// baseline is a plain wallet that sends the same settlements to the same node, one after the other. Clients sign
// beforehand, in the server's process. The provider of ethers, as published, waits for a timer before each request. The
// service does not, so the wallet is also measured without these waits.
import { setTimeout as sleep } from 'node:timers/promises'
import { JsonRpcProvider } from 'ethers'
import { z } from 'zod'
import { UnbatchedProvider } from '../src/adapters/nodes.ts'
import { type Running, start } from '../src/app.ts'
import { readEnv } from '../src/env.ts'
import { account } from '../test/kit/anvil.ts'
import { answerTo, argumentsOf, createPayer, dollars, type Payer, random32, signTransfer } from '../test/kit/payer.ts'
import { inBench, median, ratioOf, report, roomForAll } from './kit.ts'

const rounds = 5
const each = 48
const payersAtOnce = 16

/**
 * The measured steps of one payment. The remaining time is the transport, the handler, and the wait for the nonce
 * queue.
 */
const steps = {
  checking: 'reading and checking it, its signature included',
  simulating: 'simulating it: head, verify, gas',
  signing: 'preparing its settlement: chain id, fees, nonce',
  broadcasting: 'broadcasting',
  mining: 'waiting until it is mined',
  database: 'statements of the database',
} as const
type Step = keyof typeof steps

/** Milliseconds of each step since the map was cleared. */
const spent = new Map<Step, number>()
const add = (step: Step, since: number) => spent.set(step, (spent.get(step) ?? 0) + performance.now() - since)

function timed<Args extends unknown[], Result>(step: Step, work: (...args: Args) => Result) {
  return (...args: Args): Result => {
    const since = performance.now()
    const result = work(...args)
    if (result instanceof Promise) result.finally(() => add(step, since)).catch(() => undefined)
    else add(step, since)
    return result
  }
}

function timeChain({ facilitator }: Running['app']): void {
  if (facilitator === null) throw new Error('nothing can be paid for here')
  const { decode, checkLocally, head, verify, pendingNonce, prepareSettlement, broadcast, outcome } = facilitator
  const waiting = new Map<string, number>()
  const timedOutcome: typeof outcome = async (txid, payload) => {
    const since = waiting.get(txid) ?? performance.now()
    waiting.set(txid, since)
    const result = await outcome(txid, payload)
    if (typeof result === 'object') add('mining', since)
    return result
  }
  Object.assign(facilitator, {
    decode: timed('checking', decode),
    checkLocally: timed('checking', checkLocally),
    head: timed('simulating', head),
    verify: timed('simulating', verify),
    pendingNonce: timed('signing', pendingNonce),
    prepareSettlement: timed('signing', prepareSettlement),
    broadcast: timed('broadcasting', broadcast),
    outcome: timedOutcome,
  })
}

const statement = z.union([z.string(), z.object({ text: z.string() }).transform(({ text }) => text)])

/** Times the statements of transactions on their connections, and all others on the pool. */
function timeDatabase({ pool }: Running['app']): void {
  const seen = new WeakSet()
  const time = (target: { query: unknown }) => {
    const { query } = target
    if (typeof query !== 'function' || seen.has(target)) return
    seen.add(target)
    target.query = (...args: unknown[]) => {
      const text = statement.parse(args[0])
      const send = () => Reflect.apply(query, target, args)
      // Sent together with statements that are counted.
      return text === 'begin' || text.includes('json_to_recordset') ? send() : timed('database', send)()
    }
  }
  time(pool)
  pool.on('acquire', time)
}

await inBench(async ({ databaseUrl, folder }) => {
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: folder, PORT: '0', ROLES: 'api', LOG_LEVEL: 'error' }
  const running = await start(readEnv({ ...env, RATE_LIMITS: roomForAll }))
  const options = { staticNetwork: true, cacheTimeout: -1, batchMaxCount: 1 }
  const node = new JsonRpcProvider(running.localChain ?? '', 31337, options)
  try {
    timeChain(running.app)
    timeDatabase(running.app)
    await measure(running, node, new UnbatchedProvider(running.localChain ?? '', 31_337, options))
  } finally {
    node.destroy()
    await running.stop()
  }
})

type Load = { perSecond: number; latency: number; spent: Map<Step, number> }

async function measure({ url, app }: Running, node: JsonRpcProvider, unbatched: JsonRpcProvider): Promise<void> {
  const asset = app.facilitator?.asset ?? ''
  const money = BigInt(each * (rounds + 1)) * 2_000n
  const payers = await Promise.all(Array.from({ length: payersAtOnce }, () => createPayer(node, asset, money)))
  const ask = (header?: string) =>
    fetch(`${url}/v1/x402/premium/fx-lookup`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(header !== undefined && { 'PAYMENT-SIGNATURE': header }) },
      body: '{"base_ccy":"USD","quote_ccy":"USD"}',
    })
  const headerBy = async (payer: Payer) => answerTo(payer, (await ask()).headers.get('payment-required'))

  async function load(atOnce: number): Promise<Load> {
    const headers = await Promise.all(Array.from({ length: each }, (_, n) => headerBy(payerAt(payers, n))))
    spent.clear()
    const started = performance.now()
    const latency = await shared(atOnce, headers, async header => {
      const answer = await ask(header)
      if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
    })
    return { perSecond: (each * 1_000) / (performance.now() - started), latency, spent: new Map(spent) }
  }

  async function plain(provider: JsonRpcProvider): Promise<number> {
    const token = dollars(asset, account(4).connect(provider))
    const settle = token.getFunction('transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)')
    const signed = await Promise.all(
      Array.from({ length: each }, async (_, n) => {
        const { wallet, address: from } = payerAt(payers, n)
        const validBefore = `${Math.floor(Date.now() / 1_000) + 600}`
        const nonce = random32()
        const authorization = { from, to: app.paymentsTo, value: '1000', validAfter: '0', validBefore, nonce }
        return [...argumentsOf(authorization), await signTransfer(wallet, asset, authorization)]
      }),
    )
    const started = performance.now()
    for (const args of signed) {
      const { hash } = await settle(...args)
      while ((await provider.getTransactionReceipt(hash)) === null) await sleep(2)
    }
    return (each * 1_000) / (performance.now() - started)
  }

  await Promise.all([load(1), plain(node)])
  const floor: number[] = []
  const direct: number[] = []
  const one: Load[] = []
  const many: Load[] = []
  for (let round = 0; round < rounds; round++) {
    floor.push(await plain(node))
    direct.push(await plain(unbatched))
    one.push(await load(1))
    many.push(await load(payersAtOnce))
  }
  const rates = (loads: Load[]) => loads.map(({ perSecond }) => perSecond)
  report('paid requests one after the other, against settlements by a plain wallet', rates(one), floor, 0.6)
  report(`paid requests of ${payersAtOnce} payers at once, against the same`, rates(many), floor, 0.95)
  const shares = [one, many].map(loads => ratioOf(rates(loads), direct).toFixed(2))
  console.log(
    `       the wallet without waits for timers: ${median(direct).toFixed(0)}/s; of it ${shares.join(' and ')}`,
  )
  console.log(`\n        milliseconds of one payment${' '.repeat(29)}alone    ${payersAtOnce} at once`)
  for (const [step, name] of Object.entries(steps)) {
    const of = (loads: Load[]) => column(loads, load => (load.spent.get(step as Step) ?? 0) / each)
    console.log(`        ${name.padEnd(50)}${of(one)}${of(many)}`)
  }
  const rest = (loads: Load[]) =>
    column(loads, load => load.latency - [...load.spent.values()].reduce((sum, ms) => sum + ms, 0) / each)
  console.log(`        ${'the rest: transport, wait for the nonce'.padEnd(50)}${rest(one)}${rest(many)}`)
  const whole = (loads: Load[]) => column(loads, ({ latency }) => latency)
  console.log(`        ${'from request to answer'.padEnd(50)}${whole(one)}${whole(many)}`)
}

/** Returns the median of the rounds: milliseconds, and their share of the total. */
function column(loads: Load[], of: (load: Load) => number): string {
  const ms = median(loads.map(of))
  const share = median(loads.map(load => of(load) / load.latency))
  return `${ms.toFixed(1).padStart(7)} ${`${(share * 100).toFixed(0)} %`.padStart(5)}`
}

function payerAt(payers: Payer[], number: number): Payer {
  const payer = payers[number % payers.length]
  if (payer === undefined) throw new Error('no payer')
  return payer
}

/** Runs `work` for all headers, `atOnce` at a time. Returns the average milliseconds of one. */
async function shared(atOnce: number, headers: string[], work: (header: string) => Promise<void>): Promise<number> {
  const left = [...headers]
  let total = 0
  const worker = async () => {
    for (let header = left.pop(); header !== undefined; header = left.pop()) {
      const since = performance.now()
      await work(header)
      total += performance.now() - since
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return total / headers.length
}
