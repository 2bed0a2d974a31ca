// Generated payments against an oracle that knows no logs and no traces: the generator moves balances in a ledger of
// its own, which is compared with those of the chain after each block. Nothing is confirmed that did not happen exactly
// so, and everything that did is, by the number of its transfer.
import { toQuantity } from 'ethers'
import { afterAll, beforeAll, expect } from 'vitest'
import { createPaymentChain } from '../../src/adapters/evm-payment-chain.ts'
import { fromUnits } from '../../src/core/decimal.ts'
import { checkPayments, type StatedPayment } from '../../src/modules/settlement/check.ts'
import { account } from '../kit/anvil.ts'
import { type Call, type PaymentWorld, startPaymentWorld } from '../kit/payment-world.ts'
import { proof, sized } from '../kit/size.ts'

const seed = 34
const wanted = sized(2_000, 10_000)
// A node executes a block again for each trace.
const perBlock = 25
const eth = 'ETH'

let world: PaymentWorld
beforeAll(async () => {
  // Without fees, so that the balances of accounts are exact.
  world = await startPaymentWorld(31_343, ['--base-fee', '0', '--gas-price', '0', '--gas-limit', '30000000000'])
})
afterAll(() => world?.anvil.stop())

/** A transfer that happened. `number`: of its log in the transaction, or among its transfers of value. */
type Move = { asset: string; from: string; to: string; units: bigint; number: number }
type Made = { sent: object; moves: Move[]; logs: number; succeeds: boolean }

/** A generator with a seed (mulberry32): the next integer below the limit. */
function random(start: number): (limit: number) => number {
  let state = start
  return limit => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) % limit
  }
}

function generator(next: (limit: number) => number) {
  const { contracts, byDecimals, data, call } = world
  const tokens = new Map([
    ['USDC', contracts.token],
    ['T18', byDecimals.get(18) ?? ''],
    ['FEE', contracts.feeToken],
  ])
  const pick = <T>(items: readonly T[]): T => items[next(items.length)] as T
  const people = [2, 3, 4, 5, 6, 7].map(index => account(index).address.toLowerCase())
  const payers = [people[0], people[3]] as string[]
  const accounts = [...people, ...[1, 2, 3, 4, 5, 6].map(byte => `0x${`c${byte}`.repeat(20)}`), contracts.wallet]
  // Few, so that several transfers of one transaction are often alike.
  const amount = () => pick([1n, 2n, 12_500_000n, 12_500_001n, BigInt(1 + next(10 ** 9))])

  /** Returns calls of one batch, and adds what they move, in order. */
  function batch(of: string, count: number, moves: Move[], state: { logs: number; values: number }): Call[] {
    const value = (from: string, to: string, units: bigint) =>
      void moves.push({ asset: eth, from, to, units, number: state.values++ })
    const token = (asset: string, from: string, to: string, units: bigint) => {
      const fee = asset === 'FEE' ? units / 100n : 0n
      moves.push({ asset, from, to, units: units - fee, number: state.logs++ })
      if (asset !== 'FEE') return
      moves.push({ asset, from, to: `0x${'fee'.padStart(40, '0')}`, units: fee, number: state.logs++ })
    }
    const one = (): Call => {
      const [asset, contract] = pick([...tokens])
      const [to, units, from] = [pick(accounts), amount(), pick(payers)]
      switch (next(10)) {
        case 0:
        case 1:
        case 2:
          token(asset, of, to, units)
          return call(contract, data('Token', 'transfer', to, units))
        case 3:
          token(asset, from, to, units)
          return call(contract, data('Token', 'transferFrom', from, to, units))
        case 4:
        case 5:
          value(of, to, units)
          return call(to, '0x', { value: units })
        case 6:
          state.logs++
          return call(contracts.noise, data('Noise', 'say', from, to, units))
        case 7:
          state.logs++
          return call(contracts.fake, data('Token', 'transfer', to, units))
        case 8:
          return pick([
            call(contract, data('Token', 'transfer', to, 2n ** 250n), { mayFail: true }),
            call(contracts.refusing, '0x', { value: units, mayFail: true }),
          ])
        default: {
          const undone = [call(contract, data('Token', 'transfer', to, units)), call(to, '0x', { value: units })]
          return call(of, data('Batch', 'runAndRevert', undone), { mayFail: true })
        }
      }
    }
    return Array.from({ length: count }, one)
  }

  function transaction(): Made {
    const from = pick(payers)
    const [to, units] = [pick(accounts), amount()]
    const kind = next(12)
    if (kind === 0) {
      const moves = [{ asset: eth, from, to, units, number: 0 }]
      return { sent: { from, to, value: toQuantity(units) }, moves, logs: 0, succeeds: true }
    }
    if (kind === 1) {
      const moves = [{ asset: 'USDC', from, to, units, number: 0 }]
      return { sent: { from, to: contracts.token, data: world.transferOf(units, to) }, moves, logs: 1, succeeds: true }
    }
    const moves: Move[] = []
    const own = next(3) === 0 ? amount() : 0n
    const state = { logs: 0, values: 0 }
    if (own > 0n) moves.push({ asset: eth, from, to: contracts.batch, units: own, number: state.values++ })
    const calls = batch(contracts.batch, 1 + next(14), moves, state)
    const succeeds = kind !== 2
    if (!succeeds) calls.push(call(contracts.token, world.transferOf(2n ** 250n)))
    const sent = { from, to: contracts.batch, data: data('Batch', 'run', calls), value: toQuantity(own) }
    return succeeds ? { sent, moves, logs: state.logs, succeeds } : { sent, moves: [], logs: 0, succeeds }
  }
  return { transaction, pick, accounts: [...accounts, contracts.batch, `0x${'fee'.padStart(40, '0')}`], tokens }
}

/** Sends many requests as one. */
async function rpc(requests: readonly { method: string; params: unknown[] }[]): Promise<unknown[]> {
  const body = JSON.stringify(requests.map((request, id) => ({ jsonrpc: '2.0', id, ...request })))
  const answer = await fetch(world.anvil.url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  const results: { id: number; result?: unknown; error?: { message: string } }[] = await answer.json()
  const failed = results.find(({ error }) => error !== undefined)
  if (failed?.error) throw new Error(failed.error.message)
  return results.toSorted((a, b) => a.id - b.id).map(({ result }) => result)
}

proof(
  'what happened is confirmed by its number, and nothing else is',
  async () => {
    const next = random(seed)
    const { transaction, pick, accounts, tokens } = generator(next)
    const chain = createPaymentChain({
      ...{ name: 'oracle', caip2: world.anvil.caip2, rpcUrls: [world.anvil.url], finality: { confirmations: 1 } },
    })

    const balances = async () => {
      const cells = [eth, ...tokens.keys()].flatMap(asset => accounts.map(owner => ({ asset, owner })))
      const found = await rpc(
        cells.map(({ asset, owner }) =>
          asset === eth
            ? { method: 'eth_getBalance', params: [owner, 'latest'] }
            : {
                method: 'eth_call',
                params: [{ to: tokens.get(asset), data: world.data('Token', 'balanceOf', owner) }, 'latest'],
              },
        ),
      )
      return new Map(cells.map(({ asset, owner }, at) => [`${asset} ${owner}`, BigInt(String(found[at]))]))
    }
    const ledger = await balances()
    const add = (asset: string, owner: string, units: bigint) =>
      ledger.set(`${asset} ${owner}`, (ledger.get(`${asset} ${owner}`) ?? 0n) + units)

    const nonces = new Map<string, number>()
    const numbered = async (sent: object) => {
      const from = String(Object.fromEntries(Object.entries(sent)).from)
      const nonce = nonces.get(from) ?? Number(await world.anvil.rpc('eth_getTransactionCount', from, 'latest'))
      nonces.set(from, nonce + 1)
      return { ...sent, nonce: toQuantity(nonce), gas: toQuantity(4_000_000), gasPrice: '0x0' }
    }

    const decimals: Record<string, number> = { USDC: 6, T18: 18, FEE: 6, ETH: 18 }
    const stated = ({ asset, from, to, units }: Move, txid: string, leg: number | null): StatedPayment => ({
      ...{ currency: asset, amount: fromUnits(units, decimals[asset] ?? 0), senderKey: from, receiverKey: to },
      ...{ txKey: leg === null ? txid : `${txid}#${leg}`, assets: world.assets },
    })
    /** The same, with something that is not so. */
    const falsified = (move: Move): Move => {
      switch (next(6)) {
        case 0:
          return { ...move, units: move.units + 1n }
        case 1:
          return { ...move, units: move.units === 0n ? 1n : move.units - 1n }
        case 2:
          return { ...move, from: move.to, to: move.from }
        case 3:
          return { ...move, to: pick(accounts) }
        case 4:
          return { ...move, from: pick(accounts) }
        default:
          return { ...move, asset: pick([eth, ...tokens.keys()]) }
      }
    }

    await world.anvil.rpc('evm_setAutomine', false)
    let happened = 0
    const wrong: unknown[] = []
    const results = new Map<string, number>()
    while (happened < wanted) {
      const made = Array.from({ length: perBlock }, transaction)
      const sent: object[] = []
      for (const { sent: one } of made) sent.push(await numbered(one))
      const hashes = (await rpc(sent.map(one => ({ method: 'eth_sendTransaction', params: [one] })))).map(String)
      await world.anvil.rpc('evm_mine')
      const block = await world.anvil.rpc('eth_getBlockByNumber', 'latest', false)
      expect(block.transactions.toSorted()).toEqual(hashes.toSorted())

      for (const { moves } of made) {
        for (const { asset, from, to, units } of moves) {
          add(asset, from, -units)
          add(asset, to, units)
        }
      }
      expect(await balances()).toEqual(ledger)

      const places = new Map(hashes.map((hash, at) => [hash, made[at] as Made]))
      const asked: { payment: StatedPayment; expected: string }[] = []
      let logsBefore = 0
      for (const hash of block.transactions) {
        const { moves, logs, succeeds } = places.get(hash) as Made
        const legOf = ({ asset, number }: Move) => (asset === eth ? number : logsBefore + number)
        const isLike = (a: Move, b: Move) =>
          a.asset === b.asset && a.from === b.from && a.to === b.to && a.units === b.units
        const ask = (move: Move, leg: number | null) => {
          const fitting = moves.filter(one => isLike(one, move) && (leg === null || legOf(one) === leg))
          const found = fitting.length > 1 ? 'ambiguous' : 'confirmed'
          const not = succeeds ? 'mismatch' : 'reverted'
          asked.push({ payment: stated(move, hash, leg), expected: fitting.length === 0 ? not : found })
        }
        for (const move of moves) {
          happened++
          ask(move, legOf(move))
          ask(move, null)
          const other = falsified(move)
          ask(other, next(2) === 0 ? null : legOf(move))
          ask(move, legOf(pick(moves)) + next(2))
        }
        if (moves.length === 0) {
          ask({ asset: pick(['USDC', eth]), from: pick(accounts), to: pick(accounts), units: 1n, number: 0 }, null)
        }
        logsBefore += logs
      }
      const found = await checkPayments(
        chain,
        world.known,
        asked.map(({ payment }) => payment),
      )
      for (const [at, { payment, expected }] of asked.entries()) {
        const status = found[at]?.status ?? 'none'
        results.set(status, (results.get(status) ?? 0) + 1)
        if (status !== expected) wrong.push({ payment: { ...payment, assets: [] }, expected, status })
      }
    }
    expect(wrong).toEqual([])
    expect(happened).toBeGreaterThanOrEqual(wanted)
    for (const status of ['confirmed', 'mismatch', 'ambiguous', 'reverted']) {
      expect([status, (results.get(status) ?? 0) > 20]).toEqual([status, true])
    }
    process.stdout.write(`${happened} transfers: ${JSON.stringify(Object.fromEntries(results))}\n`)
  },
  600_000,
)
