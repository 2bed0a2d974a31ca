// A user's program with openapi-typescript and openapi-fetch.
import createClient from 'openapi-fetch'
import type { paths } from './schema.ts'

const { BASE = '', KEY = '', TIP = '', ABSENT = '' } = process.env
const tip: paths['/v1/iso/record-tip']['post']['requestBody']['content']['application/json'] = JSON.parse(TIP)
const client = createClient<paths>({ baseUrl: BASE, headers: { 'X-API-Key': KEY } })

const recorded = await client.POST('/v1/iso/record-tip', { body: tip })
if (recorded.error !== undefined) throw new Error(JSON.stringify(recorded.error))
const path = { rid: recorded.data.receipt_id }

async function anchored() {
  for (;;) {
    const { data } = await client.GET('/v1/iso/receipts/{rid}', { params: { path } })
    if (data?.status === 'anchored') return data
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}
const { bundle_hash, bundle_url } = await anchored()

const list = await client.GET('/v1/receipts', { params: { query: { reference: tip.reference, since: '2020-01-01' } } })
const verified = await client.POST('/v1/iso/verify', { body: { bundle_url } })
const zip = await client.GET('/files/{rid}/{name}', {
  params: { path: { ...path, name: 'evidence.zip' } },
  parseAs: 'arrayBuffer',
})
const audit = await client.GET('/v1/audit/events', { params: { query: { object_id: path.rid } } })

const wrong = await client.POST('/v1/iso/record-tip', { body: { ...tip, amount: 'many' } })
const absent = await client.GET('/v1/iso/receipts/{rid}', { params: { path: { rid: ABSENT } } })
const issues = wrong.error && typeof wrong.error.detail !== 'string' ? wrong.error.detail : []

console.log(
  JSON.stringify({
    bundle_hash,
    listed: list.data?.items.map(({ id, amount }) => [id === path.rid, amount]),
    verified: verified.data && [verified.data.matches_onchain, verified.data.bundle_hash, verified.data.errors],
    zip: zip.data && Buffer.from(zip.data).toString('base64'),
    audit: audit.data?.map(({ id, action }) => [/^[1-9]\d*$/.test(id), action]).at(-1),
    issues: issues.map(({ loc, type }) => [loc.join('.'), type]),
    absent: absent.error && 'message' in absent.error && [absent.error.detail, absent.error.request_id.length],
  }),
)
