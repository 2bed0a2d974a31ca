// A payment to a wallet that is linked to the project: its bundle has the wallet's own signature. The service, the
// command and a program in Python verify it, and unlinking does not take it back.
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BaseWallet, JsonRpcProvider } from 'ethers'
import JSZip from 'jszip'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqlOf } from '../../src/kit/transaction.ts'
import { readFacts } from '../../src/modules/artifacts/read-facts.ts'
import { messageArtifact } from '../../src/modules/artifacts/store.ts'
import { controlFile } from '../../src/modules/control/file.ts'
import { buildBundle, settlementFile } from '../../src/modules/evidence/bundle.ts'
import { asRecorded, inLife } from '../../src/modules/iso20022/facts.ts'
import { sealedMessage } from '../../src/modules/iso20022/messages/sealed.ts'
import { until } from '../kit/child.ts'
import { runCommand } from '../kit/command.ts'
import { holdScreening } from '../kit/held-screening.ts'
import { lacksPython, secondControl } from '../kit/second-control.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'
import { deployWallets, messageText, newWallet } from '../kit/sign-in.ts'

let service: Service
let folder: string
let project: { id: string; key: string }
let vault: string
const shop = newWallet()
const own = 'eip155:31337'

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-control-'))
  service = await startService()
  vault = (await deployWallets(service.localChain ?? '', shop.address)).OwnerWallet
  project = await service.api.project('Shop')
  await link(shop.address)
  await link(vault)
}, 60_000)
afterAll(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function link(address: string, by: BaseWallet = shop, key = project.key): Promise<string> {
  const { nonce, domain } = (await service.api.call('GET', '/v1/auth/nonce')).json
  const message = messageText({ domain, uri: `${service.base}/sign-in`, address, nonce })
  const body = { message, signature: await by.signMessage(message) }
  expect((await service.api.call('POST', '/v1/auth/siwe-verify', { key, body })).json).toMatchObject({ linked: true })
  return message
}
const unlink = (address: string) =>
  service.api.call('DELETE', `/v1/auth/linked-wallets/${address}`, { key: project.key })

async function record(tip: object): Promise<string> {
  const { status, json } = await service.api.record(project.key, { chain: own, ...tip })
  expect(status).toBe(200)
  return json.receipt_id
}
/** Returns the receipt's bundle, once it is anchored. */
async function bundleOf(id: string): Promise<Buffer> {
  await service.api.anchored(id)
  return Buffer.from(await (await fetch(`${service.base}/files/${id}/evidence.zip`)).arrayBuffer())
}
const paid = async (wallet: string, more: object = {}) => bundleOf(await record({ receiver_wallet: wallet, ...more }))

/** Returns the content of control.json; null without it. */
async function controlIn(bundle: Buffer) {
  const text = await (await JSZip.loadAsync(bundle)).file('control.json')?.async('string')
  return text === undefined ? null : JSON.parse(text)
}
/** As the task that sealed it, from what the database has now. */
async function builtAgain(id: string): Promise<Buffer> {
  const [facts] = await readFacts(service.app, sqlOf(service.app.pool), [id])
  if (facts === undefined) throw new Error('no such receipt')
  const { organisation, receiverProof } = facts
  const { rows } = await service.app.pool.query('select document from settlements where receipt_id = $1', [id])
  const [sealed] = rows.map(({ document }) => document)
  const { settlement } = facts.receipt
  // A check that is repeated changes the time of the newest one, and not what was sealed.
  const asSealed = settlement && { ...settlement, checkedAt: new Date(sealed.checked_at) }
  const receipt = asRecorded({ ...facts.receipt, settlement: asSealed })
  const occasion = inLife(receipt, receipt.createdAt, receipt.refundReason)
  const message = messageArtifact(sealedMessage(receipt), { receipt, organisation, anchor: null, occasion })
  const control = receiverProof === null ? [] : [controlFile(receipt.project.id, receiverProof)]
  const optional = [...control, ...rows.map(({ document }) => settlementFile(document))]
  return (await buildBundle(receipt, message, service.app.signer, optional)).bytes
}

/** The answers of the service, of the command without a node and with one. */
async function verified(bundle: Buffer, id: string) {
  const [zip, keys] = [join(folder, `${id}.zip`), join(folder, 'keys.json')]
  await writeFile(zip, bundle)
  await writeFile(keys, (await service.api.call('GET', '/.well-known/evidence-keys.json')).text)
  const command = async (...more: string[]) => {
    const { code, out } = await runCommand(['verify', zip, '--keys', keys, '--json', ...more])
    const told = JSON.parse(out)
    expect([code, told.errors]).toEqual([0, []])
    return told.checks.find((check: { id: string }) => check.id === 'control_invalid').status
  }
  const bundle_url = `${service.base}/files/${id}/evidence.zip`
  const { json } = await service.api.call('POST', '/v1/iso/verify', { body: { bundle_url } })
  expect(json).toMatchObject({ matches_onchain: true, errors: [] })
  const asked = 'query ($url: URL!) { verifyEvidence(bundleUrl: $url) { checks { code status } } }'
  const { data } = await service.api.graphql(asked, { variables: { url: bundle_url } })
  const { status } = data.verifyEvidence.checks.find(({ code }: { code: string }) => code === 'control_invalid')
  const [alone, withNode] = await Promise.all([command(), command('--rpc', service.localChain ?? '')])
  return { service: status.toLowerCase(), alone, withNode }
}

describe('a payment to a linked wallet', () => {
  it('of a key has its signature, which all verifiers find to be the wallet’s', async () => {
    const id = await record({ receiver_wallet: shop.address })
    const bundle = await bundleOf(id)
    const { rows } = await service.app.pool.query(
      'select message, signature, created_at from wallet_proofs where address = $1',
      [shop.address.toLowerCase()],
    )
    expect(await controlIn(bundle)).toEqual({
      version: 1,
      wallet: shop.address.toLowerCase(),
      project: { id: project.id },
      message: rows[0].message,
      signature: rows[0].signature,
      method: 'eip191',
      chain: null,
      block_number: null,
      block_hash: null,
      linked_at: rows[0].created_at.toISOString(),
    })
    expect(await verified(bundle, id)).toEqual({ service: 'passed', alone: 'passed', withNode: 'passed' })
    if (lacksPython === null)
      expect(secondControl([bundle])).toEqual([{ listed: true, receiver: true, project: true, signed: true }])
    expect((await builtAgain(id)).equals(bundle)).toBe(true)
  })

  it('passes the steps of docs/verify.md that are about its files, pasted into a shell', async () => {
    const lacks = ['unzip', 'sha256sum'].filter(program => spawnSync(program, ['--help']).error !== undefined)
    if (lacks.length > 0) return console.warn(`Skipped: steps of docs/verify.md; missing: ${lacks.join(', ')}.`)
    const page = await readFile(new URL('../../docs/verify.md', import.meta.url), 'utf8')
    const steps = page.split(/^## /m).filter(section => /^[239]\. /.test(section))
    const script = steps.map(section => /^```sh\n(.*?)^```$/ms.exec(section)?.[1] ?? 'false').join('\n')
    const paste = async (bundle: Buffer) => {
      const place = await mkdtemp(join(folder, 'paste-'))
      await writeFile(join(place, 'evidence.zip'), bundle)
      const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', script], { cwd: place, encoding: 'utf8' })
      return { status, stderr, out: stdout.split('\n') }
    }
    const [linked, stranger] = await Promise.all([paid(shop.address), paid(newWallet().address)])
    const { message } = await controlIn(linked)
    const [proved, plain] = [await paste(linked), await paste(stranger)]
    expect([proved.status, proved.stderr, plain.status, plain.stderr]).toEqual([0, '', 0, ''])
    expect(proved.out).toEqual(
      expect.arrayContaining(['control.json: OK', '1', '"method":"eip191"', ...message.split('\n')]),
    )
    expect(plain.out.at(-2)).toBe('tip.json: OK')
  })

  it('of a contract has the block at which it accepted the signature, which a node is asked about', async () => {
    const id = await record({ receiver_wallet: vault })
    const bundle = await bundleOf(id)
    const stated = await controlIn(bundle)
    expect(stated).toMatchObject({ method: 'eip1271', chain: own, wallet: vault.toLowerCase() })
    const node = new JsonRpcProvider(service.localChain ?? '', 31337, { staticNetwork: true, cacheTimeout: -1 })
    expect((await node.getBlock(stated.block_number))?.hash).toBe(stated.block_hash)
    node.destroy()
    expect(await verified(bundle, id)).toEqual({ service: 'passed', alone: 'skipped', withNode: 'passed' })
    expect((await builtAgain(id)).equals(bundle)).toBe(true)
  })

  it('of a contract on another chain has none, because another contract may be there', async () => {
    const bundles = await Promise.all([vault, shop.address].map(wallet => paid(wallet, { chain: 'base' })))
    expect((await Promise.all(bundles.map(controlIn))).map(one => one?.method)).toEqual([undefined, 'eip191'])
  })

  it('as the receiver of a refund has it too', async () => {
    const original = await record({ sender_wallet: shop.address })
    expect(await controlIn(await bundleOf(original))).toBeNull()
    const body = { original_receipt_id: original }
    const { json } = await service.api.call('POST', '/v1/iso/refund', { key: project.key, body })
    const refund = await bundleOf(json.refund_receipt_id)
    expect(Object.keys((await JSZip.loadAsync(refund)).files)).toContain('pacs004.xml')
    expect(await controlIn(refund)).toMatchObject({ wallet: shop.address.toLowerCase() })
    expect((await verified(refund, json.refund_receipt_id)).alone).toBe('passed')
  })
})

it('a payment to a wallet that is not linked, or to another project, has none', async () => {
  const id = await record({ receiver_wallet: newWallet().address })
  const bundle = await bundleOf(id)
  expect(Object.keys((await JSZip.loadAsync(bundle)).files)).toHaveLength(7)
  expect(await verified(bundle, id)).toEqual({ service: 'skipped', alone: 'skipped', withNode: 'skipped' })
  const rival = await service.api.project('Rival')
  const { json } = await service.api.record(rival.key, { chain: own, receiver_wallet: shop.address })
  expect(await controlIn(await bundleOf(json.receipt_id))).toBeNull()
})

const proofs = async (wallet: BaseWallet) =>
  (
    await service.app.pool.query<{ message: string }>(
      'select message from wallet_proofs where address = $1 order by created_at, id',
      [wallet.address.toLowerCase()],
    )
  ).rows.map(({ message }) => message)

describe('unlinking', () => {
  it('after the receipt is sealed changes nothing of its bundle, also when the wallet signs anew', async () => {
    const till = newWallet()
    const first = await link(till.address, till)
    const id = await record({ receiver_wallet: till.address })
    const bundle = await bundleOf(id)
    expect((await unlink(till.address)).status).toBe(200)
    expect(await proofs(till)).toEqual([first])
    expect((await builtAgain(id)).equals(bundle)).toBe(true)
    expect(await controlIn(await paid(till.address))).toBeNull()
    const second = await link(till.address, till)
    expect((await controlIn(await paid(till.address))).message).toBe(second)
    expect((await builtAgain(id)).equals(bundle)).toBe(true)
    expect(await proofs(till)).toEqual([first, second])
    expect((await verified(bundle, id)).alone).toBe('passed')
  })

  it('after the payment is recorded, and before it is sealed, leaves its bundle without the signature', async () => {
    const till = newWallet()
    await link(till.address, till)
    const release = await holdScreening(service.databaseUrl)
    let id = ''
    try {
      id = await record({ receiver_wallet: till.address })
      expect((await unlink(till.address)).status).toBe(200)
      expect(await proofs(till)).toEqual([])
    } finally {
      await release()
    }
    const bundle = await bundleOf(id)
    expect(await controlIn(bundle)).toBeNull()
    expect((await builtAgain(id)).equals(bundle)).toBe(true)
  })

  it('while the receipt is sealed waits for it, and keeps the signature', async () => {
    const till = newWallet()
    const message = await link(till.address, till)
    const sealing = new pg.Client({ connectionString: service.databaseUrl })
    await sealing.connect()
    try {
      await sealing.query('begin')
      const { rows } = await sealing.query('select id from wallet_proofs where message = $1 for share', [message])
      const unlinked = unlink(till.address)
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%wallet_proofs%'`
      const waits = async () => ((await service.app.pool.query(waiting)).rowCount ?? 0) > 0
      await until('the unlinking waits', waits, () => '', 10_000)
      const to = 'update receipts set receiver_proof_id = $1 where id = (select min(id::text)::uuid from receipts)'
      await sealing.query(to, [rows[0].id])
      await sealing.query('commit')
      expect((await unlinked).status).toBe(200)
      expect(await proofs(till)).toEqual([message])
      const from = 'update receipts set receiver_proof_id = null where receiver_proof_id = $1'
      await sealing.query(from, [rows[0].id])
    } finally {
      await sealing.end()
    }
  })
})

it('an erasure takes the signature away with the last bundle that states it, and keeps that of a linked wallet', async () => {
  const till = newWallet()
  await link(till.address, till)
  const ids = [await record({ receiver_wallet: till.address }), await record({ receiver_wallet: till.address })]
  const kept = await Promise.all(ids.map(bundleOf))
  const erase = async (id: string) => {
    const text = 'mutation ($id: ID!) { eraseReceipt(input: { receiptId: $id }) { files } }'
    expect((await service.api.graphql(text, { key: adminKey, variables: { id } })).errors).toBeUndefined()
  }
  await erase(ids[0] ?? '')
  expect(await proofs(till)).toHaveLength(1)
  await unlink(till.address)
  expect(await proofs(till)).toHaveLength(1)
  await erase(ids[1] ?? '')
  expect(await proofs(till)).toEqual([])
  const linked = await link(till.address, till)
  const last = await record({ receiver_wallet: till.address })
  await bundleOf(last)
  await erase(last)
  expect(await proofs(till)).toEqual([linked])
  // Bundles that somebody kept still verify.
  if (lacksPython === null) expect(secondControl(kept).map(one => one?.signed)).toEqual([true, true])
})
