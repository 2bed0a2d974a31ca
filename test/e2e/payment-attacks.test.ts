// Projects that try to have a payment confirmed that is not theirs, was counted already, or was made in a token of
// their own, on the chain of the service itself.
import { ContractFactory, JsonRpcProvider, Wallet } from 'ethers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileCases } from '../contracts/compile.ts'
import { createPayer, dollars, type Payer } from '../kit/payer.ts'
import { type Service, startService } from '../kit/service.ts'

let service: Service
let node: JsonRpcProvider
let payer: Payer
let token: string
let own: string
let project: { id: string; key: string }
const shop = Wallet.createRandom().address.toLowerCase()
const units = 12_500_000n

beforeAll(async () => {
  service = await startService({ ANCHOR_CONFIRMATIONS: '1' })
  const options = { staticNetwork: true, cacheTimeout: -1, pollingInterval: 20 }
  node = new JsonRpcProvider(service.localChain ?? '', 31_337, options)
  token = service.app.facilitator?.asset ?? ''
  payer = await createPayer(node, token, 1_000_000_000n)
  project = await service.api.project()
  const { abi, bytecode } = compileCases()('Token')
  const deployed = await new ContractFactory(abi, bytecode, payer.wallet).deploy('TESTUSD', 6)
  await deployed.waitForDeployment()
  own = (await deployed.getAddress()).toLowerCase()
})
afterAll(async () => {
  node?.destroy()
  await service?.stop()
})

const configure = (label: string, contract: string) =>
  service.api.graphql(
    `mutation ($id: ID!, $assets: [SettlementAssetInput!]) { configureProject(input: { projectId: $id,
       anchoring: { executionMode: PLATFORM, chains: [] }, settlement: { assets: $assets } }) { project { id } } }`,
    {
      key: project.key,
      variables: { id: project.id, assets: [{ label, caip19: `eip155:31337/erc20:${contract}`, decimals: 6 }] },
    },
  )

const facts = 'status settlement { status grade differences { field stated found } }'
async function recorded(tip: object, key = project.key) {
  const stated = {
    chain: 'local',
    currency: 'TESTUSD',
    amount: '12.5',
    sender_wallet: payer.address,
    receiver_wallet: shop,
  }
  const { status, json } = await service.api.record(key, { ...stated, ...tip })
  return { status, id: json.receipt_id as string }
}
async function checked(id: string, key = project.key) {
  for (let turn = 0; turn < 300; turn++) {
    const query = `query ($id: ID!) { receipt(id: $id) { ${facts} } }`
    const { data } = await service.api.graphql(query, { key, variables: { id } })
    if (data.receipt.status === 'ANCHORED') return data.receipt.settlement
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error('the receipt was not anchored')
}

test.each(['TESTUSD', 'testusd', 'ＴＥＳＴＵＳＤ', 'TEST\u200bUSD', ' TestUSD'])(
  'the known label %j is refused for a token of the project’s own',
  async label => {
    const { errors } = await configure(label, own)
    expect(errors?.[0]?.message ?? '').not.toBe('')
    expect(JSON.stringify(errors)).toContain(`TESTUSD means eip155:31337/erc20:${token} with 6 decimals`)
  },
)

test('a label that only looks known is confirmed in that token, and verification names its contract', async () => {
  const currency = 'TЕSTUSD'
  expect((await configure(currency, own)).errors).toBeUndefined()
  const mint = compileCases()('Token').abi.encodeFunctionData('mint', [payer.address, units])
  await (await payer.wallet.sendTransaction({ to: own, data: mint })).wait()
  const paid = await dollars(own, payer.wallet).getFunction('transfer')(shop, units)
  await paid.wait()
  const { id } = await recorded({ tip_tx_hash: paid.hash, currency })
  expect(await checked(id)).toMatchObject({ status: 'CONFIRMED', grade: 'PROVED' })
  const { data } = await service.api.graphql(
    'query ($url: URL!) { verifyEvidence(bundleUrl: $url) { checks { code detail } } }',
    { variables: { url: `${service.base}/files/${id}/evidence.zip` } },
  )
  const detail = data.verifyEvidence.checks.find(({ code }: { code: string }) => code === 'payment_unchecked')?.detail
  expect(detail).toContain(`${currency} is on no list: it stands for eip155:31337/erc20:${own} with 6 decimals.`)
  // The same transaction is no payment in the dollar.
  const other = await recorded({ tip_tx_hash: `${paid.hash}#0` })
  expect(await checked(other.id)).toMatchObject({
    status: 'MISMATCH',
    differences: [{ field: 'CURRENCY', found: null }],
  })
})

test('one transfer is recorded once in a project, whole or by its number', async () => {
  const mined = await (await dollars(token, payer.wallet).getFunction('transfer')(shop, units)).wait()
  const index = mined.logs[0].index
  const whole = await recorded({ tip_tx_hash: mined.hash })
  expect(await checked(whole.id)).toMatchObject({ status: 'CONFIRMED' })
  const named = await recorded({ tip_tx_hash: `${mined.hash}#${index}` })
  expect([named.status, named.id ?? null]).toEqual([whole.status, whole.id])
})

test('the payment of another is no payment to who records it', async () => {
  const mined = await (await dollars(token, payer.wallet).getFunction('transfer')(shop, units)).wait()
  const thief = await service.api.project('Thief')
  const mine = Wallet.createRandom().address.toLowerCase()
  const { id } = await recorded(
    { tip_tx_hash: `${mined.hash}#${mined.logs[0].index}`, receiver_wallet: mine },
    thief.key,
  )
  expect(await checked(id, thief.key)).toMatchObject({
    status: 'MISMATCH',
    grade: 'STATED',
    differences: [{ field: 'RECEIVER_WALLET', stated: mine, found: shop }],
  })
  // With the true parties he records a payment that took place; no signature says that the shop is his.
  const told = await recorded({ tip_tx_hash: mined.hash }, thief.key)
  expect(await checked(told.id, thief.key)).toMatchObject({ status: 'CONFIRMED' })
  const bundle = Buffer.from(await (await fetch(`${service.base}/files/${told.id}/evidence.zip`)).arrayBuffer())
  expect(bundle.includes('settlement.json')).toBe(true)
  expect(bundle.includes('control.json')).toBe(false)
})
