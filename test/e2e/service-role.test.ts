// The whole service with a role that may read and write rows, and own or change no table.
import { wrapFetchWithPayment } from '@x402/fetch'
import { JsonRpcProvider } from 'ethers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate } from '../../src/adapters/migrate.ts'
import { openPool } from '../../src/adapters/pg-pool.ts'
import { regularTasks } from '../../src/worker/regular.ts'
import { clientOf, createPayer } from '../kit/payer.ts'
import { startReceiver } from '../kit/receiver.ts'
import { adminKey, freshDatabase, type Service, startService } from '../kit/service.ts'

const role = `service_role_${process.pid}`
let owned: ReturnType<typeof openPool>
let service: Service
let project: { id: string; key: string }

beforeAll(async () => {
  const databaseUrl = await freshDatabase()
  owned = openPool(databaseUrl, 2, console)
  await owned.query(`create role ${role} login password 'secret'`)
  await migrate(owned, { grantTo: role })
  const DATABASE_URL = Object.assign(new URL(databaseUrl), { username: role, password: 'secret' }).toString()
  service = await startService({ DATABASE_URL, ALLOW_PRIVATE_TARGETS: 'true' })
  project = await service.api.project()
})
afterAll(async () => {
  await service?.stop()
  await owned?.query(`drop owned by ${role}; drop role ${role}`)
  await owned?.end()
})

async function ask(query: string, key = project.key) {
  const { data, errors } = await service.api.graphql(query, { key })
  expect(errors).toBeUndefined()
  return data
}

it('a receipt is recorded, followed, delivered, anchored, refunded, verified and exported', async () => {
  const receiver = await startReceiver()
  await ask(`mutation { createWebhookEndpoint(input: { url: "${receiver.url}/endpoint" }) { webhookEndpoint { id } } }`)
  const { json } = await service.api.record(project.key, { callback_url: `${receiver.url}/callback` })
  const stream = await fetch(`${service.base}/v1/iso/events/${json.receipt_id}`, {
    headers: { 'X-API-Key': project.key, Accept: 'text/event-stream' },
  })
  expect(stream.status).toBe(200)
  await service.api.anchored(json.receipt_id)
  const life = ['receipt.pending', 'receipt.awaiting_anchor', 'receipt.anchored']
  for (const path of ['/callback', '/endpoint']) await expect.poll(() => receiver.types(path)).toEqual(life)
  await receiver.stop()
  let told = ''
  for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    told += chunk
    if (told.includes('anchored')) break
  }
  const refund = { key: project.key, body: { original_receipt_id: json.receipt_id } }
  expect((await service.api.call('POST', '/v1/iso/refund', refund)).status).toBeLessThan(300)
  const { receipt } = await ask(`{ receipt(id: "${json.receipt_id}") { bundleHash } }`)
  const verified = await service.api.call('POST', '/v1/iso/verify', { body: { bundle_hash: receipt.bundleHash } })
  expect(verified.text).toMatch(/"matches_onchain":true/)
  const { startExport } = await ask(
    'mutation { startExport(input: { format: CSV, kind: RECEIPTS }) { export { id } } }',
  )
  const state = () => ask(`{ export(id: "${startExport.export.id}") { status downloadUrl } }`)
  await expect.poll(async () => (await state()).export.status).toBe('FINISHED')
  expect(await (await fetch((await state()).export.downloadUrl)).text()).toContain(json.receipt_id)
})

it('a statement is paid for, and the payment is settled and listed', async () => {
  const { facilitator, paymentsTo: payTo } = service.app
  if (facilitator === null) throw new Error('no facilitator')
  const node = new JsonRpcProvider(service.localChain ?? '', 31337, { staticNetwork: true, cacheTimeout: -1 })
  const payer = await createPayer(node, facilitator.asset, 10_000_000n)
  const requirement = await facilitator.requirement({ amount: '0.005', payTo, maxTimeoutSeconds: 120 })
  const buy = wrapFetchWithPayment(fetch, clientOf(payer, requirement))
  const bought = await buy(`${service.base}/v1/x402/premium/generate-statement?date=2025-03-01`, {
    method: 'POST',
    headers: { 'X-API-Key': project.key },
  })
  expect(bought.status, await bought.text()).toBe(200)
  node.destroy()
  await expect
    .poll(async () => (await ask('{ payments { nodes { status } } }', adminKey)).payments.nodes)
    .toEqual([{ status: 'DELIVERED' }])
})

it('keys, sessions, agents and configurations are made and ended', async () => {
  const key = await service.api.key(project.key, 'viewer')
  const { apiKeys } = await ask('{ apiKeys { nodes { id role } } }')
  const viewer = apiKeys.nodes.find((one: { role: string }) => one.role === 'VIEWER')
  await ask(`mutation { revokeApiKey(input: { id: "${viewer.id}" }) { apiKey { id } } }`)
  expect((await service.api.call('GET', '/v1/iso/receipts', { key })).status).toBe(401)
  const agent = { name: 'Buyer', wallet_address: `0x${'ab'.repeat(20)}` }
  const made = await service.api.call('POST', '/v1/agents', { key: project.key, body: agent })
  expect(made.status, made.text).toBeLessThan(300)
  expect((await service.api.call('DELETE', `/v1/agents/${made.json.id}`, { key: project.key })).status).toBeLessThan(
    300,
  )
  const config = { org: { name: 'Acme' } }
  expect((await service.api.call('PUT', '/v1/config', { key: adminKey, body: config })).status).toBe(200)
})

it('each periodic task runs', async () => {
  for (const { name, run } of regularTasks) await expect(run(service.app), name).resolves.toBeUndefined()
})

it('the auditor’s command and the metrics read it', async () => {
  const { auditChain } = await ask('{ auditChain { rows fault } }')
  expect(auditChain).toMatchObject({ rows: expect.any(Number), fault: null })
  expect((await service.api.call('GET', '/metrics', { key: adminKey })).text).toContain('quittance_')
})
