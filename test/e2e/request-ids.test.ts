// The id of a request is in every line that it causes: of the request, its jobs, its anchor transaction and its
// deliveries, also where several requests share them.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodePaymentRequiredHeader } from '@x402/core/http'
import { JsonRpcProvider } from 'ethers'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Child, ownSettings, startChild } from '../kit/child.ts'
import { type LogLine, linesOf } from '../kit/log-lines.ts'
import { answerTo, createPayer } from '../kit/payer.ts'
import { startReceiver } from '../kit/receiver.ts'
import { apiOf, freshDatabase, tipOf } from '../kit/service.ts'

let folder: string
let databaseUrl: string
let child: Child
let receiver: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-ids-'))
  databaseUrl = await freshDatabase()
  receiver = await startReceiver()
  child = await startChild(ownSettings(databaseUrl, folder))
})
afterAll(async () => {
  await child.end('SIGTERM')
  await receiver.stop()
  await rm(folder, { recursive: true, force: true })
})

const names = ({ requestId, requestIds = [] }: LogLine) => [requestId, ...(requestIds as string[])]
const about = (id: string) => linesOf(child.said()).filter(line => names(line).includes(id))
const stepsOf = (id: string) =>
  new Set(about(id).map(({ msg, task, type }) => [msg, task, type].filter(Boolean).join(' ')))

it('from the record to the delivery', async () => {
  const api = apiOf(child.url())
  const { key } = await api.project()
  const ids = Array.from({ length: 20 }, (_, n) => `order-${n}`)
  const callback_url = `${receiver.url}/callback?token=canarytoken`
  const recorded = await Promise.all(
    ids.map(id =>
      api.call('POST', '/v1/iso/record-tip', {
        key,
        body: tipOf({ callback_url }),
        headers: { 'X-Request-ID': id },
      }),
    ),
  )
  for (const { json } of recorded) await api.anchored(json.receipt_id)
  for (const id of ids)
    await expect
      .poll(() => [...stepsOf(id)].sort())
      .toEqual(
        expect.arrayContaining([
          'anchor transaction final',
          'anchor transaction sent',
          'delivery receipt.anchored',
          'delivery receipt.pending',
          'job report',
          'job screen',
          'job seal',
          'request',
        ]),
      )
  // A receipt that was written with others still has the id of its own request.
  const pool = new pg.Pool({ connectionString: databaseUrl })
  const { rows } = await pool.query('select id, origin from receipts')
  await pool.end()
  expect(new Map(rows.map(({ id, origin }) => [id, origin]))).toEqual(
    new Map(recorded.map(({ json }, n) => [json.receipt_id, ids[n]])),
  )
  const sent = linesOf(child.said()).filter(({ msg }) => msg === 'anchor transaction sent')
  expect(sent.flatMap(names).filter(Boolean).sort()).toEqual(ids.toSorted())
  for (const id of ids)
    for (const line of about(id)) if (line.msg === 'delivery') expect(names(line).filter(Boolean)).toEqual([id])
  expect(child.said()).not.toContain('canarytoken')
})

it('of a write that enqueues a job without receipts', async () => {
  const api = apiOf(child.url())
  const { key } = await api.project()
  const query = 'mutation { startExport(input: { kind: RECEIPTS, format: CSV }) { export { id } } }'
  const answer = await api.call('POST', '/graphql', { key, body: { query }, headers: { 'X-Request-ID': 'export-1' } })
  expect(answer.json).not.toHaveProperty('errors')
  await expect.poll(() => [...stepsOf('export-1')]).toEqual(expect.arrayContaining(['request', 'job write_export']))
})

it('of a purchase', async () => {
  const api = apiOf(child.url())
  const { key } = await api.project()
  const path = '/v1/x402/premium/generate-statement?date=2025-03-01'
  const unpaid = await fetch(child.url() + path, { method: 'POST', headers: { 'X-API-Key': key } })
  const required = unpaid.headers.get('payment-required')
  const { accepts } = decodePaymentRequiredHeader(required ?? '')
  const chain = linesOf(child.said()).find(line => typeof line.chain === 'string' && 'url' in line)?.chain
  const node = new JsonRpcProvider(String(chain), 31337, { staticNetwork: true, cacheTimeout: -1 })
  const payer = await createPayer(node, accepts[0]?.asset ?? '', 10_000_000n)
  node.destroy()
  const headers = { 'PAYMENT-SIGNATURE': await answerTo(payer, required), 'X-Request-ID': 'purchase-1' }
  expect((await api.call('POST', path, { key, headers })).status).toBe(200)
  await expect.poll(() => [...stepsOf('purchase-1')]).toEqual(expect.arrayContaining(['request', 'settlement sent']))
})
