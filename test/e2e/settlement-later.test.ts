// Payments whose result changes after they are sealed: blocks become final, a transaction comes late, or is lost.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEther, Wallet } from 'ethers'
import JSZip from 'jszip'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction, sqlOf } from '../../src/kit/transaction.ts'
import { documentOf, type Finding, nothing } from '../../src/modules/settlement/document.ts'
import { type OpenReceipt, readOpen } from '../../src/modules/settlement/open.ts'
import { store } from '../../src/modules/settlement/store.ts'
import { type Anvil, account, startAnvil } from '../kit/anvil.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'

const payer = account(3).address.toLowerCase()
let anvil: Anvil
let service: Service
let folder: string
let key: string

beforeAll(async () => {
  anvil = await startAnvil(4242)
  folder = await mkdtemp(join(tmpdir(), 'quittance-payments-'))
  const file = join(folder, 'payment-chains.json')
  const chain = { name: 'Shop chain', caip2: 'eip155:4242', rpc_urls: [anvil.url], finality: { confirmations: 3 } }
  await writeFile(file, JSON.stringify([chain]))
  service = await startService({ PAYMENT_CHAINS_FILE: file })
  const project = await service.api.project()
  key = project.key
  await configure(project.id, 'RECORD')
})
afterAll(async () => {
  await service.stop()
  await anvil.stop()
  await rm(folder, { recursive: true, force: true })
})

const asset = { label: 'SHOP', caip19: 'eip155:4242/slip44:60', decimals: 18 }
async function configure(id: string, policy: 'RECORD' | 'REQUIRE', projectKey = key) {
  const { errors } = await service.api.graphql(
    `mutation ($id: ID!, $settlement: ProjectSettlementInput!) { configureProject(input: { projectId: $id,
       anchoring: { executionMode: PLATFORM, chains: [] }, settlement: $settlement }) { project { id } } }`,
    { key: projectKey, variables: { id, settlement: { policy, assets: [asset] } } },
  )
  expect(errors).toBeUndefined()
}

const query = `query ($id: ID!) { receipt(id: $id) { status isSettled failureReason settlement { status grade isFinal }
  events(first: 50) { nodes { type } } artifacts(first: 50) { nodes { name } } } }`
async function receiptOf(id: string, projectKey = key) {
  const { data, errors } = await service.api.graphql(query, { key: projectKey, variables: { id } })
  expect(errors).toBeUndefined()
  const { events, artifacts, ...rest } = data.receipt
  const names = artifacts.nodes.map(({ name }: { name: string }) => name)
  return { ...rest, names, types: events.nodes.map(({ type }: { type: string }) => type) }
}
type Found = Awaited<ReturnType<typeof receiptOf>>

/** Makes each check due, until the receipt is as wanted. */
async function until(id: string, wanted: (receipt: Found) => boolean, projectKey = key): Promise<Found> {
  for (let turn = 0; turn < 300; turn++) {
    const receipt = await receiptOf(id, projectKey)
    if (wanted(receipt)) return receipt
    await service.app.pool.query('update settlements set retry_at = now() where receipt_id = $1 and retry_at > now()', [
      id,
    ])
    await sleep(100)
  }
  throw new Error(`it stays ${JSON.stringify(await receiptOf(id, projectKey))}`)
}

const pay = (to: string) => anvil.call(to, '0x', { from: payer, value: `0x${parseEther('1.5').toString(16)}` })
const shop = () => Wallet.createRandom().address.toLowerCase()
async function recorded(hash: string, to: string, projectKey = key) {
  const tip = { tip_tx_hash: hash, chain: 'Shop chain', currency: 'SHOP', amount: '1.5', sender_wallet: payer }
  const { json } = await service.api.record(projectKey, { ...tip, receiver_wallet: to })
  return json.receipt_id as string
}
const mine = (blocks: number) => anvil.rpc('anvil_mine', `0x${blocks.toString(16)}`)
async function file(id: string, name: string): Promise<string> {
  const url = `${service.base}/files/${id}/${name}`
  await expect.poll(async () => (await fetch(url)).status, { timeout: 20_000 }).toBe(200)
  return (await fetch(url)).text()
}
const verified = async (id: string, name: string) =>
  (
    await service.api.graphql(
      'query ($url: URL!) { verifyEvidence(bundleUrl: $url) { errors matchesOnchain checks { code status } } }',
      { variables: { url: `${service.base}/files/${id}/${name}` } },
    )
  ).data.verifyEvidence

test('a payment in a block that is not final is confirmed later, in a bundle with an anchor of its own', async () => {
  const to = shop()
  const id = await recorded(await pay(to), to)
  const early = await until(id, ({ status }) => status === 'ANCHORED')
  expect(early).toMatchObject({
    isSettled: true,
    settlement: { status: 'NOT_FINAL', grade: 'OBSERVED', isFinal: false },
  })
  expect(await file(id, 'pain002.xml')).toContain('Seen on its chain, in a block not final yet.')
  await mine(3)
  const late = await until(id, ({ names }) => names.includes('settlement.zip'))
  expect(late).toMatchObject({
    status: 'ANCHORED',
    settlement: { status: 'CONFIRMED', grade: 'PROVED', isFinal: true },
  })
  // It was booked, and stays so: a second notification would be a second entry.
  expect(late.names.filter((name: string) => name.startsWith('camt054'))).toEqual(['camt054.xml'])
  expect(late.types.filter((type: string) => type === 'RECEIPT_SETTLEMENT_CHECKED')).toHaveLength(2)
  for (let turn = 0; turn < 200; turn++) {
    const { errors, matchesOnchain, checks } = await verified(id, 'settlement.zip')
    if (!matchesOnchain) {
      await sleep(100)
      continue
    }
    expect(errors).toEqual([])
    expect(checks).toContainEqual({ code: 'payment_unchecked', status: 'PASSED' })
    // The first bundle still says what was known then.
    const zip = await JSZip.loadAsync(await (await fetch(`${service.base}/files/${id}/evidence.zip`)).arrayBuffer())
    expect(JSON.parse((await zip.file('settlement.json')?.async('string')) ?? '')).toMatchObject({
      status: 'not_final',
    })
    return
  }
  throw new Error('the later bundle was not anchored')
})

test('a project that anchors by itself anchors the later result, too', async () => {
  const project = await service.api.project('Tenant')
  const { errors } = await service.api.graphql(
    `mutation ($id: ID!, $settlement: ProjectSettlementInput!) { configureProject(input: { projectId: $id,
       anchoring: { executionMode: TENANT, chains: [] }, settlement: $settlement }) { project { id } } }`,
    { key: project.key, variables: { id: project.id, settlement: { policy: 'RECORD', assets: [asset] } } },
  )
  expect(errors).toBeUndefined()
  const call = (query: string, variables: object = {}, key = project.key) =>
    service.api.graphql(query, { key, variables: { ...variables } })
  const sent = async (bundleHash: string) => {
    const { data } = await call(
      'mutation ($hash: Hash32!) { debugAnchor(input: { bundleHash: $hash }) { anchorTx } }',
      { hash: bundleHash },
      adminKey,
    )
    return data.debugAnchor.anchorTx
  }
  const confirm = (verb: string, tx: string) =>
    call(`mutation ($id: ID!, $tx: Hash32!) { ${verb}(input: { receiptId: $id, anchorTx: $tx }) { receipt { id } } }`, {
      id,
      tx,
    })

  const to = shop()
  const id = await recorded(await pay(to), to, project.key)
  await until(id, ({ status }) => status === 'AWAITING_ANCHOR', project.key)
  const nothing = await confirm('confirmSettlementAnchor', `0x${'00'.repeat(32)}`)
  expect(nothing.errors[0].extensions.code).toBe('invalid_status_transition')
  const { data: own } = await call('query ($id: ID!) { receipt(id: $id) { bundleHash } }', { id })
  expect((await confirm('confirmAnchor', await sent(own.receipt.bundleHash))).errors).toBeUndefined()
  await until(id, ({ status }) => status === 'ANCHORED', project.key)
  await mine(3)
  await until(id, ({ names }) => names.includes('settlement.zip'), project.key)

  const anchors = async () =>
    (
      await call('query ($id: ID!) { receipt(id: $id) { settlement { anchors { bundleHash status anchorTx } } } }', {
        id,
      })
    ).data.receipt.settlement.anchors
  const [anchor] = await anchors()
  expect(anchor).toMatchObject({ status: 'EXTERNAL', anchorTx: null })
  const wrong = await confirm('confirmSettlementAnchor', await sent(own.receipt.bundleHash))
  expect(wrong.errors[0].extensions.code).toBe('tx_does_not_match_bundle_hash')
  const anchorTx = await sent(anchor.bundleHash)
  expect((await confirm('confirmSettlementAnchor', anchorTx)).errors).toBeUndefined()
  await expect.poll(anchors, { timeout: 20_000 }).toEqual([{ ...anchor, status: 'FINAL', anchorTx }])
  expect(await verified(id, 'settlement.zip')).toMatchObject({ errors: [], matchesOnchain: true })
  const stranger = await service.api.project('Stranger')
  const theirs = await call(
    'mutation ($id: ID!, $tx: Hash32!) { confirmSettlementAnchor(input: { receiptId: $id, anchorTx: $tx }) { receipt { id } } }',
    { id, tx: anchorTx },
    stranger.key,
  )
  expect(theirs.errors[0].extensions.code).toBe('not_found')
})

test('a transaction that comes after the receipt is booked when it is confirmed', async () => {
  const to = shop()
  await anvil.rpc('evm_setAutomine', false)
  const hash: string = await anvil.rpc('eth_sendTransaction', { from: payer, to, value: '0x14d1120d7b160000' })
  const id = await recorded(hash, to)
  const early = await until(id, ({ names }) => names.includes('camt054.xml'))
  expect(early).toMatchObject({ isSettled: false, settlement: { status: 'NOT_FOUND' } })
  expect(await file(id, 'camt054.xml')).toContain('<Cd>PDNG</Cd>')
  await anvil.rpc('evm_setAutomine', true)
  await mine(4)
  const late = await until(id, ({ names }) => names.includes('camt054-checked.xml'))
  expect(late).toMatchObject({ isSettled: true, settlement: { status: 'CONFIRMED' } })
  expect(await file(id, 'camt054-checked.xml')).toContain('<Cd>BOOK</Cd>')
  expect(await file(id, 'pain002-checked.xml')).toContain('<TxSts>ACSC</TxSts>')
})

test('a payment that a reorganisation removes is no entry any more', async () => {
  const to = shop()
  const snapshot = await anvil.rpc('evm_snapshot')
  const id = await recorded(await pay(to), to)
  const early = await until(id, ({ names }) => names.includes('camt054.xml'))
  expect(early).toMatchObject({ settlement: { status: 'NOT_FINAL' } })
  await anvil.rpc('evm_revert', snapshot)
  await mine(4)
  const late = await until(id, ({ settlement }) => settlement.status === 'NOT_FOUND')
  expect(late).toMatchObject({ isSettled: false })
  const after = await until(id, ({ names }) => names.includes('camt054-checked.xml'))
  expect(after.names).not.toContain('camt054.xml')
  expect(await file(id, 'camt054-checked.xml')).toContain('<Cd>PDNG</Cd>')
  const { rows } = await service.app.pool.query('select booked_at from receipts where id = $1', [id])
  expect(rows).toEqual([{ booked_at: null }])
})

/** Stores a check that found nothing. */
function storeFound(receipt: OpenReceipt, status: 'not_found' | 'unavailable') {
  const finding: Finding = { ...nothing, status }
  const chain = { caip2: 'eip155:4242', nodes: 1, quorum: 1, finality: { confirmations: 3 } }
  const checked = [{ receipt, finding, document: documentOf(chain, finding, new Date()) }]
  return inTransaction(service.app, tx => store(tx, checked))
}

describe('a check that began before another one was stored', () => {
  let id: string
  let begun: OpenReceipt
  beforeAll(async () => {
    const to = shop()
    id = await recorded(await pay(to), to)
    await until(id, ({ status }) => status === 'ANCHORED')
    begun = (await readOpen(service.app, sqlOf(service.app.pool), [id]))[0] as OpenReceipt
    await mine(3)
    await until(id, ({ names }) => names.includes('settlement.zip'))
  })

  test.each(['not_found', 'unavailable'] as const)('changes nothing with %s', async status => {
    expect(begun.before?.status).toBe('not_final')
    expect(await storeFound(begun, status)).toEqual([])
    expect((await receiptOf(id)).settlement).toEqual({ status: 'CONFIRMED', grade: 'PROVED', isFinal: true })
  })
})

test('a payment is asked about again, however often no node answered', async () => {
  const to = shop()
  const id = await recorded(await pay(to), to)
  await until(id, ({ status }) => status === 'ANCHORED')
  const { pool } = service.app
  await pool.query(`update settlements set attempts = 32, retry_at = now() + interval '1 hour' where receipt_id = $1`, [
    id,
  ])
  const [receipt] = await readOpen(service.app, sqlOf(pool), [id])
  expect(await storeFound(receipt as OpenReceipt, 'unavailable')).toEqual([])
  await mine(3)
  const late = await until(id, ({ names }) => names.includes('settlement.zip'))
  expect(late).toMatchObject({ settlement: { status: 'CONFIRMED' } })
})

describe('under the policy `require`', () => {
  let strict: { id: string; key: string }
  beforeAll(async () => {
    strict = await service.api.project('Strict')
    await configure(strict.id, 'REQUIRE', strict.key)
  })

  test('a receipt waits until its block is final', async () => {
    const to = shop()
    const id = await recorded(await pay(to), to, strict.key)
    await until(id, ({ settlement }) => settlement?.status === 'NOT_FINAL', strict.key)
    expect(await receiptOf(id, strict.key)).toMatchObject({ status: 'PENDING' })
    await mine(3)
    const done = await until(id, ({ status }) => status === 'ANCHORED', strict.key)
    expect(done).toMatchObject({ settlement: { status: 'CONFIRMED', grade: 'PROVED' } })
    expect(done.names).not.toContain('settlement.zip')
  })

  test('a transaction that nobody knows fails after the grace period, and a retry checks again', async () => {
    const to = shop()
    await anvil.rpc('evm_setAutomine', false)
    const hash: string = await anvil.rpc('eth_sendTransaction', { from: payer, to, value: '0x14d1120d7b160000' })
    const id = await recorded(hash, to, strict.key)
    await until(id, ({ settlement }) => settlement?.status === 'NOT_FOUND', strict.key)
    expect(await receiptOf(id, strict.key)).toMatchObject({ status: 'PENDING' })
    await service.app.pool.query("update receipts set created_at = now() - interval '2 hours' where id = $1", [id])
    const failed = await until(id, ({ status }) => status === 'FAILED', strict.key)
    expect(failed.failureReason).toBe('settlement_not_found')
    await anvil.rpc('evm_setAutomine', true)
    await mine(4)
    const retried = await service.api.graphql(
      'mutation ($id: ID!) { retryReceipt(input: { receiptId: $id }) { receipt { status } } }',
      { key: strict.key, variables: { id } },
    )
    expect(retried.errors).toBeUndefined()
    expect(await until(id, ({ status }) => status === 'ANCHORED', strict.key)).toMatchObject({ isSettled: true })
  })

  test('a chain that the service cannot query fails', async () => {
    const { json } = await service.api.record(strict.key, { chain: 'solana' })
    const failed = await until(json.receipt_id, ({ status }) => status === 'FAILED', strict.key)
    expect(failed.failureReason).toBe('settlement_unsupported_chain')
  })
})
