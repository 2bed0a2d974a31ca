// A user's program with the client of @hey-api/openapi-ts.
import { createClient, createConfig } from './hey/client/index.ts'
import { auditEvents, file, getReceipt, postRecordTip, postVerify, receipts } from './hey/sdk.gen.ts'
import type { TipRecordRequest } from './hey/types.gen.ts'

const { BASE = '', KEY = '', TIP = '', ABSENT = '' } = process.env
const tip: TipRecordRequest = JSON.parse(TIP)
const client = createClient(createConfig({ baseUrl: BASE, auth: () => KEY }))

const recorded = await postRecordTip({ client, body: tip, throwOnError: true })
const path = { rid: recorded.data.receipt_id }

async function anchored() {
  for (;;) {
    const { data } = await getReceipt({ client, path })
    if (data?.status === 'anchored') return data
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}
const { bundle_hash, bundle_url } = await anchored()

const list = await receipts({ client, query: { reference: tip.reference, since: '2020-01-01' }, throwOnError: true })
const verified = await postVerify({ client, body: { bundle_url }, throwOnError: true })
const zip = await file({ client, path: { ...path, name: 'evidence.zip' }, throwOnError: true })
const audit = await auditEvents({ client, query: { object_id: path.rid }, throwOnError: true })

const wrong = await postRecordTip({ client, body: { ...tip, amount: 'many' } })
const absent = await getReceipt({ client, path: { rid: ABSENT } })
const issues = wrong.error && typeof wrong.error.detail !== 'string' ? wrong.error.detail : []

console.log(
  JSON.stringify({
    bundle_hash,
    listed: list.data.items.map(({ id, amount }) => [id === path.rid, amount]),
    verified: [verified.data.matches_onchain, verified.data.bundle_hash, verified.data.errors],
    zip: Buffer.from(await zip.data.arrayBuffer()).toString('base64'),
    audit: audit.data.map(({ id, action }) => [/^[1-9]\d*$/.test(id), action]).at(-1),
    issues: issues.map(({ loc, type }) => [loc.join('.'), type]),
    absent: absent.error && 'message' in absent.error && [absent.error.detail, absent.error.request_id.length],
  }),
)
