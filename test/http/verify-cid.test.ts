// Verifying a bundle by its id in a content store: its bytes count only if they match the id.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CID } from 'multiformats/cid'
import * as raw from 'multiformats/codecs/raw'
import { sha256 } from 'multiformats/hashes/sha2'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Service, startService } from '../kit/service.ts'

let gateway: Server
let service: Service
let receipt: Record<string, string>
let bundle: Buffer
let cid: string
const files = new Map<string, Buffer | number>()

const cidOf = async (bytes: Uint8Array) => CID.createV1(raw.code, await sha256.digest(bytes)).toString()
const verify = (body: object) => service.api.call('POST', '/v1/iso/verify-cid', { body })

beforeAll(async () => {
  gateway = createServer((request, response) => {
    const held = files.get(new URL(request.url ?? '/', 'http://x').pathname.split('/')[2] ?? '') ?? 404
    if (typeof held === 'number') response.writeHead(held).end()
    else response.end(held)
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => gateway.once('listening', resolve))
  const { port } = gateway.address() as AddressInfo
  // Even the service's own gateway is fetched through the guarded client.
  service = await startService({ IPFS_GATEWAY: `http://127.0.0.1:${port}/` })
  const { key } = await service.api.project()
  receipt = await service.api.anchored((await service.api.record(key)).json.receipt_id)
  bundle = Buffer.from(await (await fetch(receipt.bundle_url ?? '')).arrayBuffer())
  cid = await cidOf(bundle)
  files.set(cid, bundle)
})
afterAll(async () => {
  await service.stop()
  gateway.close()
})

it.each([undefined, 'ipfs', 'auto'])('proves an anchored bundle (store: %s)', async store => {
  for (const receipt_id of [undefined, receipt.id]) {
    const { status, json } = await verify({ cid, store, receipt_id })
    expect([status, json]).toEqual([
      200,
      {
        matches_onchain: true,
        bundle_hash: receipt.bundle_hash,
        ledger_txid: receipt.ledger_txid,
        flare_txid: receipt.ledger_txid,
        anchored_at: receipt.anchored_at,
        errors: [],
      },
    ])
  }
})

it('refuses another file under the id, even another genuine bundle', async () => {
  const other = await cidOf(Buffer.from('something else'))
  files.set(other, bundle)
  const { json } = await verify({ cid: other })
  expect(json).toMatchObject({ matches_onchain: false, bundle_hash: null, errors: ['cid_mismatch'] })
})

it('reports that a genuine bundle is not that of the named receipt', async () => {
  const { key } = await service.api.project('Another')
  const another = await service.api.anchored((await service.api.record(key)).json.receipt_id)
  const { json } = await verify({ cid, receipt_id: another.id })
  expect(json).toMatchObject({ matches_onchain: false, errors: ['bundle_hash_mismatch'] })
})

it('has a different error for a file that is no bundle, a missing file, and a store that does not answer', async () => {
  const text = Buffer.from('no bundle')
  files.set(await cidOf(text), text)
  expect((await verify({ cid: await cidOf(text) })).json.errors).toEqual(['bundle_malformed', 'anchor_not_found'])
  const absent = await verify({ cid: await cidOf(Buffer.from('absent')) })
  expect([absent.status, absent.json.detail]).toEqual([404, 'cid_not_found'])
  const broken = await cidOf(Buffer.from('broken'))
  files.set(broken, 500)
  const silent = await verify({ cid: broken })
  expect([silent.status, silent.json.detail, silent.headers.get('retry-after')]).toEqual([
    503,
    'cid_store_unavailable',
    '5',
  ])
  const unconfigured = await verify({ cid: 'A'.repeat(43), store: 'arweave' })
  expect([unconfigured.status, unconfigured.json.detail]).toEqual([503, 'cid_store_unavailable'])
})

it.each([
  ['a text that is no id', () => ({ cid: 'nonsense' }), ['body', 'cid']],
  ['no id', () => ({}), ['body', 'cid']],
  ['an unknown store', () => ({ cid, store: 'ftp' }), ['body', 'store']],
  ['a malformed receipt', () => ({ cid, receipt_id: 'x' }), ['body', 'receipt_id']],
])('refuses %s with its place', async (_, body, loc) => {
  const { status, json } = await verify(body())
  expect([status, json.detail[0].loc]).toEqual([422, loc])
})

it('answers 404 for a receipt that does not exist', async () => {
  const { status, json } = await verify({ cid, receipt_id: '00000000-0000-4000-8000-000000000000' })
  expect([status, json.detail]).toEqual([404, 'not_found'])
})
