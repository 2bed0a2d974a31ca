// Files over HTTP: parts of them, members of bundles, and what a browser does with them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha256 } from '../../src/core/hash.ts'
import { layouts } from '../../src/modules/evidence/bundle.ts'
import { readZip } from '../../src/modules/evidence/zip.ts'
import { type Service, startService } from '../kit/service.ts'

let service: Service
let key: string
let receipt: string
let bundle: Buffer
beforeAll(async () => {
  service = await startService()
  key = (await service.api.project('Shop')).key
  receipt = (await service.api.record(key)).json.receipt_id
  await service.api.anchored(receipt)
  bundle = (await get('evidence.zip')).body
})
afterAll(() => service?.stop())

async function get(name: string, headers: Record<string, string> = {}, method = 'GET') {
  const sent = { 'Accept-Encoding': 'identity', ...headers }
  const response = await fetch(`${service.base}/files/${receipt}/${name}`, { method, headers: sent })
  return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) }
}

describe('a part of a file', () => {
  it.each([
    ['bytes=0-99', 0, 99],
    ['bytes=100-', 100, null],
    ['bytes=-50', -50, null],
    ['bytes=10-999999999', 10, null],
  ])('%s', async (range, first, last) => {
    const { status, headers, body } = await get('evidence.zip', { Range: range })
    const start = first < 0 ? bundle.length + first : first
    const end = last ?? bundle.length - 1
    expect(status).toBe(206)
    expect(headers.get('content-range')).toBe(`bytes ${start}-${end}/${bundle.length}`)
    expect(Number(headers.get('content-length'))).toBe(body.length)
    expect(body).toEqual(bundle.subarray(start, end + 1))
  })

  it.each(['bytes=0-1,5-6', 'bytes=a-b', 'pages=1-2', 'bytes', `bytes=${'1'.repeat(4_000)}-`.slice(0, 40)])(
    '%s is answered with all of it, or is no part of it',
    async range => {
      const { status, body } = await get('evidence.zip', { Range: range })
      expect(status === 200 ? body : status).toEqual(status === 200 ? bundle : 416)
    },
  )

  it('beyond the end is 416 with the size', async () => {
    const { status, headers, body } = await get('evidence.zip', { Range: `bytes=${bundle.length}-` })
    expect([status, headers.get('content-range')]).toEqual([416, `bytes */${bundle.length}`])
    expect(JSON.parse(body.toString()).detail).toBe('range_not_satisfiable')
  })

  it('is of the file that the caller has begun with, else the whole', async () => {
    const { headers } = await get('pain001.xml')
    const etag = String(headers.get('etag'))
    expect((await get('pain001.xml', { Range: 'bytes=5-9', 'If-Range': etag })).status).toBe(206)
    for (const other of ['"other"', `W/${etag}`, new Date().toUTCString()])
      expect((await get('pain001.xml', { Range: 'bytes=5-9', 'If-Range': other })).status).toBe(200)
  })

  it('a download that broke off continues to the same bytes', async () => {
    const half = Math.floor(bundle.length / 2)
    const parts = await Promise.all([
      get('evidence.zip', { Range: `bytes=0-${half}` }),
      get('evidence.zip', { Range: `bytes=${half + 1}-` }),
    ])
    expect(sha256(Buffer.concat(parts.map(({ body }) => body)))).toBe(sha256(bundle))
  })

  it('HEAD says that parts can be had', async () => {
    const { status, headers } = await get('evidence.zip', { Range: 'bytes=0-1' }, 'HEAD')
    expect([status, headers.get('accept-ranges'), headers.get('content-length')]).toEqual([
      200,
      'bytes',
      String(bundle.length),
    ])
  })
})

describe('the members of a bundle', () => {
  it('are served as they are in it', async () => {
    const zip = await readZip(bundle, layouts)
    if (!zip.ok) throw new Error(zip.reason)
    expect(zip.files.size).toBe(6)
    for (const [name, bytes] of zip.files) {
      const { status, headers, body } = await get(name)
      expect([name, status, body.equals(bytes), headers.get('etag')]).toEqual([name, 200, true, `"${sha256(bytes)}"`])
    }
    expect((await get('manifest.json')).headers.get('content-type')).toBe('application/json')
  })

  it.each(['other.json', '__proto__.json', 'evidence.zip.json', '..%2Fmanifest.json'])('%s is none', async name => {
    expect((await get(name)).status).toBe(404)
  })
})

it('a ZIP is saved, and a message is shown', async () => {
  expect((await get('evidence.zip')).headers.get('content-disposition')).toBe('attachment; filename="evidence.zip"')
  expect((await get('pain001.xml')).headers.get('content-disposition')).toBe('inline; filename="pain001.xml"')
})

it('a viewer may download what it may read', async () => {
  const viewer = await service.api.key(key, 'viewer')
  const { json } = await service.api.call('POST', '/v1/agents', { key, body: { name: 'A', wallet_address: '0xabc' } })
  for (const [method, path, body] of [
    ['GET', `/files/${receipt}/evidence.zip`],
    ['POST', '/v1/sdk/build', { lang: 'python' }],
    ['POST', `/v1/agents/${json.id}/download-template`, {}],
  ] as const)
    expect([path, (await service.api.call(method, path, { key: viewer, ...(body && { body }) })).status]).toEqual([
      path,
      200,
    ])
})
