// A numbered statement has the wallet's balance on chain at its closing block beside its own, once that block is final.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Wallet } from 'ethers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDays } from '../../src/modules/statements/close.ts'
import { closingBalance } from '../../src/modules/statements/closing-balance.ts'
import { random32 } from '../kit/payer.ts'
import { refused } from '../kit/rpc-faults.ts'
import { type RpcProxy, startRpcProxy } from '../kit/rpc-proxy.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'
import { startTokenChain, type TokenChain } from '../kit/token-chain.ts'

const hour = 3_600_000
const caip2 = 'eip155:31351'
const tomorrow = Math.ceil(Date.now() / (24 * hour)) * 24 * hour
const ends = new Date(tomorrow)
const fields = 'closing closingBlock chainBalance balanceDifference'

let chain: TokenChain
let node: RpcProxy
let folder: string
let service: Service
beforeAll(async () => {
  chain = await startTokenChain(31_351, new Date())
  node = await startRpcProxy(chain.url)
  folder = await mkdtemp(join(tmpdir(), 'quittance-closing-'))
  const file = join(folder, 'chains.json')
  await writeFile(
    file,
    JSON.stringify([{ name: 'Shop chain', caip2, rpc_urls: [node.url], finality: { confirmations: 1 } }]),
  )
  service = await startService({ PAYMENT_CHAINS_FILE: file })
  const assets = [
    { label: 'SHOP', caip19: `${caip2}/erc20:${chain.token}`, decimals: 6 },
    { label: 'ETH', caip19: `${caip2}/slip44:60`, decimals: 18 },
  ]
  await service.api.graphql(
    'mutation ($assets: [SettlementAssetInput!]!) { configureSettlement(input: { policy: OFF, assets: $assets }) { organisation { settlement { policy } } } }',
    { key: adminKey, variables: { assets } },
  )
})
afterAll(async () => {
  await service?.stop()
  await node?.stop()
  await chain?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Records a payment of 12.5 to a wallet, closes the day, and returns its statement's id. */
async function stated(receiver_wallet: string, currency: string) {
  const { key, id } = await service.api.project('Shop')
  const body = {
    ...{ tip_tx_hash: random32(), chain: caip2, amount: '12.5', currency },
    ...{ sender_wallet: Wallet.createRandom().address, receiver_wallet, reference: random32() },
  }
  const { json } = await service.api.call('POST', '/v1/iso/record-tip', { key, body })
  await service.api.anchored(json.receipt_id)
  await closeDays(service.app, id, new Date(tomorrow + hour))
  const rows = async () =>
    (await service.app.pool.query('select id, status from statements where project_id = $1', [id])).rows
  await expect
    .poll(async () => (await rows()).every(({ status }) => status !== 'pending'), { timeout: 20_000 })
    .toBe(true)
  const statements: { id: string; status: string }[] = await rows()
  expect(statements.length).toBeGreaterThan(0)
  const read = async () => {
    const { data, errors } = await service.api.graphql(
      `query ($id: ID!) { statement(id: $id) { account { wallet } ${fields} } }`,
      { key, variables: { id: statements[0]?.id } },
    )
    expect(errors).toBeUndefined()
    return data.statement
  }
  return { id: statements[0]?.id ?? '', read }
}
const someone = () => Wallet.createRandom().address.toLowerCase()
const nothing = { closingBlock: null, chainBalance: null, balanceDifference: null }

describe('a day whose end the chain has passed', () => {
  it('has the balance of a token at the last block before, and the difference', async () => {
    const wallet = someone()
    const [leg] = await chain.pay([{ to: wallet, units: 13_250_001n }])
    const before = await stated(wallet, 'SHOP')
    expect(await before.read()).toMatchObject({ closing: '12.5', ...nothing })
    await chain.next(new Date(tomorrow - 1_000))
    const [last] = await chain.pay([{ to: wallet, units: 1_000_000n }])
    await chain.next(ends)
    await chain.pay([{ to: wallet, units: 99n }])
    expect(last?.block).toBeGreaterThan(leg?.block ?? 0)
    const again = async () => {
      await closingBalance.run(service.app, { statement: before.id, chain: caip2 })
      return before.read()
    }
    await expect.poll(again, { timeout: 20_000, interval: 500 }).toMatchObject({
      closing: '12.5',
      closingBlock: String(last?.block),
      chainBalance: '14.250001',
      balanceDifference: '1.750001',
    })
  })

  it('has the balance of the chain’s own currency', async () => {
    const wallet = someone()
    const { read } = await stated(wallet, 'ETH')
    await expect.poll(read, { timeout: 20_000 }).toMatchObject({ chainBalance: '0', balanceDifference: '-12.5' })
  })

  it('has none of an asset that nothing names, and none while the nodes do not have the state', async () => {
    const unknown = await stated(someone(), 'DUST')
    node.fault = refused('missing trie node', -32_000)
    const { id, read } = await stated(someone(), 'SHOP')
    const pruned = refused('missing trie node', -32_000)
    node.fault = async (question, forward) =>
      question.method === 'eth_call' ? pruned(question, forward) : { kind: 'honest' }
    await closingBalance.run(service.app, { statement: id, chain: caip2 })
    expect(await read()).toMatchObject(nothing)
    // The job waits for nodes that have it.
    node.fault = null
    await closingBalance.run(service.app, { statement: id, chain: caip2 })
    expect(await read()).toMatchObject({
      closingBlock: expect.any(String),
      chainBalance: '0',
      balanceDifference: '-12.5',
    })
    expect(await unknown.read()).toMatchObject({ closing: '12.5', ...nothing })
  })
})
