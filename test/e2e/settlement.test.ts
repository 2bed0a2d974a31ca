// The check of a payment on its own chain, from recording to the verified bundle, on the chain of the service itself.
import { Contract, JsonRpcProvider, parseEther, Wallet } from 'ethers'
import JSZip from 'jszip'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import testDollar from '../../contracts/TestDollar.json' with { type: 'json' }
import { createPayer, type Payer, random32 } from '../kit/payer.ts'
import { type Service, startService } from '../kit/service.ts'

let service: Service
let node: JsonRpcProvider
let token: string
let payer: Payer
let key: string

beforeAll(async () => {
  service = await startService({ ANCHOR_CONFIRMATIONS: '1' })
  node = new JsonRpcProvider(service.localChain ?? '', 31337, {
    staticNetwork: true,
    cacheTimeout: -1,
    pollingInterval: 20,
  })
  token = service.app.facilitator?.asset ?? ''
  payer = await createPayer(node, token, 1_000_000_000n)
  key = (await service.api.project()).key
})
afterAll(async () => {
  node.destroy()
  await service.stop()
})

const shop = () => Wallet.createRandom().address.toLowerCase()

async function transfer(to: string, units: bigint) {
  const sent = await new Contract(token, testDollar.abi, payer.wallet).getFunction('transfer')(to, units)
  return sent.wait()
}

const facts = `status grade blockNumber blockTime transferIndex senderWallet receiverWallet amount transactionSender fee
  candidates isFinal differences { field stated found }`
const query = `query ($id: ID!) { receipt(id: $id) { status failureReason isSettled settlement { ${facts} }
  complianceChecks { type decision provider reason } } }`

async function recorded(tip: object, projectKey = key) {
  const { json } = await service.api.record(projectKey, { chain: 'local', currency: 'TESTUSD', amount: '12.5', ...tip })
  return json.receipt_id as string
}

async function untilDone(id: string, projectKey = key) {
  for (let turn = 0; turn < 400; turn++) {
    const { data } = await service.api.graphql(query, { key: projectKey, variables: { id } })
    if (['ANCHORED', 'FAILED'].includes(data.receipt.status)) return data.receipt
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error('the receipt was neither anchored nor failed')
}

async function bundleOf(id: string) {
  const answer = await fetch(`${service.base}/files/${id}/evidence.zip`)
  const zip = await JSZip.loadAsync(await answer.arrayBuffer())
  const text = async (name: string) => (await zip.file(name)?.async('string')) ?? null
  return { names: Object.keys(zip.files), text, settlement: JSON.parse((await text('settlement.json')) ?? 'null') }
}

const verified = async (id: string) =>
  (
    await service.api.graphql(
      `query ($url: URL!) { verifyEvidence(bundleUrl: $url) { errors checks { code status detail } } }`,
      { variables: { url: `${service.base}/files/${id}/evidence.zip` } },
    )
  ).data.verifyEvidence

describe('a payment that took place', () => {
  test('is confirmed, proved, dated by its block, and verifies', async () => {
    const to = shop()
    const mined = await transfer(to, 12_500_000n)
    const block = await node.getBlock(mined.blockNumber)
    const id = await recorded({ tip_tx_hash: mined.hash, sender_wallet: payer.address, receiver_wallet: to })
    const receipt = await untilDone(id)
    expect(receipt).toMatchObject({
      status: 'ANCHORED',
      isSettled: true,
      settlement: {
        status: 'CONFIRMED',
        grade: 'PROVED',
        blockNumber: String(mined.blockNumber),
        blockTime: new Date(Number(block?.timestamp) * 1_000).toISOString(),
        transferIndex: mined.logs[0].index,
        senderWallet: payer.address,
        receiverWallet: to,
        amount: '12.5',
        transactionSender: payer.address,
        fee: String(mined.fee),
        differences: [],
        isFinal: true,
      },
    })
    expect(receipt.complianceChecks).toContainEqual({
      type: 'SETTLEMENT',
      decision: 'ALLOW',
      provider: 'eip155:31337',
      reason: 'confirmed',
    })
    const { settlement, text, names } = await bundleOf(id)
    expect(names).toContain('settlement.json')
    expect(settlement).toMatchObject({ status: 'confirmed', grade: 'proved', transaction: { hash: mined.hash } })
    const xml = await text('pain001.xml')
    expect(xml).toContain('Confirmed on its chain; the bundle proves it.')
    expect(xml).toContain(new Date(Number(block?.timestamp) * 1_000).toISOString())
    const { errors, checks } = await verified(id)
    expect(errors).toEqual([])
    const of = (code: string) => checks.find((check: { code: string }) => check.code === code)?.status
    expect(['settlement_invalid', 'settlement_unchecked', 'settlement_vanished', 'payment_unchecked'].map(of)).toEqual(
      Array(4).fill('PASSED'),
    )
  })

  test('in the chain’s own currency is confirmed', async () => {
    const to = shop()
    const mined = await (await payer.wallet.sendTransaction({ to, value: parseEther('0.01') })).wait()
    const tip = { tip_tx_hash: mined?.hash ?? '', sender_wallet: payer.address, receiver_wallet: to }
    const receipt = await untilDone(await recorded({ ...tip, currency: 'ETH', amount: '0.01' }))
    expect(receipt.settlement).toMatchObject({ status: 'CONFIRMED', grade: 'PROVED', transferIndex: 0 })
  })
})

describe('under the policy `record`, a payment that its chain contradicts', () => {
  test('is anchored, pending and not booked', async () => {
    const to = shop()
    const mined = await transfer(to, 12_400_000n)
    const id = await recorded({ tip_tx_hash: mined.hash, sender_wallet: payer.address, receiver_wallet: to })
    const receipt = await untilDone(id)
    expect(receipt).toMatchObject({
      status: 'ANCHORED',
      isSettled: false,
      settlement: {
        status: 'MISMATCH',
        grade: 'STATED',
        differences: [{ field: 'AMOUNT', stated: '12.5', found: '12.4' }],
      },
    })
    const pain002 = `${service.base}/files/${id}/pain002.xml`
    await expect.poll(async () => (await fetch(pain002)).status, { timeout: 20_000 }).toBe(200)
    const status = await (await fetch(pain002)).text()
    expect(status).toContain('<TxSts>PDNG</TxSts>')
    expect(status).toContain('amount stated as 12.5, on chain 12.4.')
    expect((await verified(id)).errors).toEqual([])
  })

  test('is not found where no such transaction is', async () => {
    const id = await recorded({ tip_tx_hash: random32() })
    expect(await untilDone(id)).toMatchObject({ isSettled: false, settlement: { status: 'NOT_FOUND', isFinal: false } })
  })
})

describe('under the policy `require`', () => {
  let strict: { id: string; key: string }
  beforeAll(async () => {
    strict = await service.api.project('Strict')
    const { errors } = await service.api.graphql(
      `mutation ($id: ID!) { configureProject(input: { projectId: $id, anchoring: { executionMode: PLATFORM, chains: [] },
        settlement: { policy: REQUIRE } }) { config { settlement { policy } } } }`,
      { key: strict.key, variables: { id: strict.id } },
    )
    expect(errors).toBeUndefined()
  })

  test('a confirmed payment is sealed, and a contradicted one fails with the difference', async () => {
    const to = shop()
    const mined = await transfer(to, 12_500_000n)
    const tip = { tip_tx_hash: mined.hash, sender_wallet: payer.address, receiver_wallet: to }
    expect(await untilDone(await recorded(tip, strict.key), strict.key)).toMatchObject({ status: 'ANCHORED' })
    const other = await transfer(to, 12_000_000n)
    const id = await recorded({ ...tip, tip_tx_hash: other.hash }, strict.key)
    expect(await untilDone(id, strict.key)).toMatchObject({
      status: 'FAILED',
      failureReason: 'settlement_mismatch: amount 12.5, on chain 12',
    })
  })
})

describe('a payment of which only the transaction is named', () => {
  const mutation = `mutation ($input: RecordReceiptFromChainInput!) { recordReceiptFromChain(input: $input) {
    matchedBy receipt { id amount currency senderWallet receiverWallet settledAt } } }`
  const named = (input: object) =>
    service.api.graphql(mutation, { key, variables: { input: { chain: 'local', ...input } } })
  const told = ({ errors }: { errors: { extensions: { issues: { message: string }[] } }[] }) =>
    errors[0]?.extensions.issues.map(({ message }) => message)

  test('gets amount, parties and time from its chain, once', async () => {
    const to = shop()
    const mined = await transfer(to, 7_250_000n)
    const block = await node.getBlock(mined.blockNumber)
    const input = { settlementTx: mined.hash, reference: `chain-${to}` }
    const { data } = await named(input)
    const { receipt } = data.recordReceiptFromChain
    expect(receipt).toMatchObject({
      ...{ amount: '7.25', currency: 'TESTUSD', senderWallet: payer.address, receiverWallet: to },
      settledAt: new Date(Number(block?.timestamp) * 1_000).toISOString(),
    })
    const again = await named({ ...input, transferIndex: mined.logs[0].index })
    expect(again.data.recordReceiptFromChain).toMatchObject({ matchedBy: 'SETTLEMENT', receipt: { id: receipt.id } })
    expect(await untilDone(receipt.id)).toMatchObject({ settlement: { status: 'CONFIRMED' } })
  })

  test('is refused with the reason, and nothing is recorded', async () => {
    const reference = 'nothing'
    const missing = 'No node of the chain has this transaction in a block.'
    expect(told(await named({ settlementTx: random32(), reference }))).toEqual([missing])
    expect(told(await named({ settlementTx: 'no hash', reference }))).toEqual([missing])
    expect(told(await named({ settlementTx: random32(), chain: 'solana', reference }))).toEqual([
      'This service has no nodes of this chain.',
    ])
    const mined = await transfer(shop(), 1_000_000n)
    expect(told(await named({ settlementTx: mined.hash, transferIndex: 77, reference }))).toEqual([
      'The transaction has no such transfer of an asset with a label.',
    ])
    const { rowCount } = await service.app.pool.query('select from receipts where reference = $1', [reference])
    expect(rowCount).toBe(0)
  })
})
