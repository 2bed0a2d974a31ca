// The node for payments is down when the process starts, or fails during a payment: the caller gets 503 with
// Retry-After, never a request to pay again, and the same payment is valid once the node is back.
import { afterAll, beforeAll, expect } from 'vitest'
import { type Child, startChild } from '../kit/child.ts'
import { keptPort } from '../kit/kept-port.ts'
import { type PaidChain, startPaidChain } from '../kit/paid-chain.ts'
import { createPaidWorld, fxPath, fxQuestion, type PaidWorld } from '../kit/paid-world.ts'
import { startRpcProxy } from '../kit/rpc-proxy.ts'
import { adminKey } from '../kit/service.ts'
import { it, proof, some } from '../kit/size.ts'

let chain: PaidChain
beforeAll(async () => {
  chain = await startPaidChain()
})
afterAll(() => chain?.stop())

/**
 * Runs with a process of its own; afterwards compares the payments table with the chain, and searches all answers and
 * logs for secrets.
 */
async function inWorld(
  run: (world: PaidWorld) => Promise<void>,
  more: (world: PaidWorld) => Record<string, string> = () => ({}),
) {
  const world = await createPaidWorld(chain)
  let running: Child | null = null
  try {
    running = await startChild({ ...world.settings, ...more(world) })
    await run(world)
    expect(running.process.exitCode, running.said()).toBeNull()
    expect(await world.audit()).toEqual([])
    expect(await world.leaks(running.said())).toEqual([])
  } finally {
    await running?.end('SIGKILL')
    await world.end()
  }
}

type Answer = Awaited<ReturnType<PaidWorld['buy']>>

function expectComeAgain({ status, headers, text }: Answer): void {
  expect([status, headers.get('payment-required')], text).toEqual([503, null])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
}

it.concurrent('with a node that is down at the start all but payments works, and payments follow', async () => {
  const port = await keptPort()
  await inWorld(
    async world => {
      const { api } = world
      expectComeAgain(await world.send(fxPath, fxQuestion))
      expect((await api.call('GET', '/livez')).status).toBe(200)
      const { key } = await api.project()
      expect((await api.record(key)).status).toBe(200)
      expect((await api.call('POST', '/v1/iso/verify', { body: { bundle_hash: `0x${'12'.repeat(32)}` } })).status).toBe(
        200,
      )
      const node = await startRpcProxy(chain.url, port)
      try {
        const header = await world.header()
        expect((await world.buy(header)).status).toBe(200)
        node.fault = async () => ({ kind: 'reset' })
        // A payment that is settled and delivered needs no node.
        expect((await world.buy(header)).status).toBe(200)
      } finally {
        await node.stop()
      }
    },
    ({ secret }) => ({ X402_RPC_URL: `http://127.0.0.1:${port}/v3/${secret}` }),
  )
})

// Verification estimates, settling reads the balance with eth_call and sends, and the outcome is read from the
// transaction receipt and the newest block.
const methods = [
  'eth_getTransactionReceipt',
  'eth_blockNumber',
  'eth_estimateGas',
  'eth_call',
  'eth_sendRawTransaction',
]
const faults = (['hang', 'reset'] as const).flatMap(kind => methods.map(method => ({ kind, method })))

// In reverse order, so that the first cases, which take 45 seconds, are not among the cases of `npm test`.
proof.concurrent.each(some(faults.toReversed(), 6))(
  'a node with a $kind at $method: 503 with Retry-After, then the same payment is valid and charged once',
  async ({ kind, method }) => {
    await inWorld(async world => {
      const header = await world.header()
      const money = await world.balance()
      let isSent = false
      world.node.fault = async ({ method: asked }) => {
        isSent ||= asked === 'eth_sendRawTransaction'
        // Verification reads the newest block too, and would fail first.
        const isDue = asked === method && (isSent || method !== 'eth_blockNumber')
        return { kind: isDue ? kind : 'honest' }
      }
      expectComeAgain(await world.buy(header))
      world.node.fault = null
      world.node.release()
      const { status, text } = await world.buy(header)
      expect(status, text).toBe(200)
      expect(money - (await world.balance())).toBe(1_000n)
    })
  },
  180_000,
)

it.concurrent('a copy whose node is slower than another copy’s whole payment gets its answer, no 402', async () => {
  await inWorld(async world => {
    const header = await world.header()
    const money = await world.balance()
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let isFirst = true
    world.node.fault = async ({ method }) => {
      if (method === 'eth_estimateGas' && isFirst) {
        isFirst = false
        reached.resolve()
        await released.promise
      }
      return { kind: 'honest' }
    }
    const late = world.buy(header)
    await reached.promise
    const early = await world.buy(header)
    released.resolve()
    const { status, json } = await late
    expect([early.status, status, json]).toEqual([200, 200, early.json])
    expect(money - (await world.balance())).toBe(1_000n)
  })
})

it.concurrent('a request that is no longer possible when the node is back is refused, and not charged', async () => {
  await inWorld(async world => {
    const header = await world.header()
    const money = await world.balance()
    world.node.fault = async ({ method }) => ({ kind: method === 'eth_call' ? 'reset' : 'honest' })
    expectComeAgain(await world.buy(header))
    world.node.fault = null
    const offer = (enabled: boolean) =>
      world.api.call('POST', '/v1/x402/pricing', {
        key: adminKey,
        body: [{ path: fxPath, enabled }],
      })
    expect((await offer(false)).status).toBe(200)
    const { status, json } = await world.buy(header)
    expect([status, json.detail]).toEqual([403, 'disabled_by_configuration'])
    expect(await world.balance()).toBe(money)
    await offer(true)
    expect((await world.buy(header)).status).toBe(200)
    expect(money - (await world.balance())).toBe(1_000n)
  })
})

it.concurrent('a node that accepts a transaction silently: 503, then the same payment is charged once', async () => {
  await inWorld(async world => {
    const header = await world.header()
    const money = await world.balance()
    world.node.fault = async ({ method }, forward) => {
      if (method === 'eth_sendRawTransaction') await forward()
      const isAsked = ['eth_sendRawTransaction', 'eth_getTransactionByHash'].includes(method)
      return { kind: isAsked ? 'reset' : 'honest' }
    }
    expectComeAgain(await world.buy(header))
    world.node.fault = null
    expect((await world.buy(header)).status).toBe(200)
    expect(money - (await world.balance())).toBe(1_000n)
  })
})
