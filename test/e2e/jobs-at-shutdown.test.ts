// Jobs that run when a worker is stopped: they finish, or another worker gets them at once.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Anvil, startAnvil } from '../kit/anvil.ts'
import { allows, configureCompliance, type FakeProvider, startFakeProvider } from '../kit/fake-provider.ts'
import { type Service, startService } from '../kit/service.ts'

let chain: Anvil
let settings: Record<string, string>
let other: Service
let provider: FakeProvider

beforeAll(async () => {
  chain = await startAnvil(31_342)
  provider = await startFakeProvider()
  const COMPLIANCE_PROVIDERS = `slow=http+json:${provider.url}`
  settings = {
    COMPLIANCE_PROVIDERS,
    ANCHOR_CHAIN: chain.caip2,
    ANCHOR_RPC_URL: chain.url,
    ANCHOR_CONTRACT: chain.contract,
  }
  // Has no worker, so that jobs of the stopped worker stay as it left them.
  other = await startService({ ...settings, ROLES: 'api' })
})
afterAll(async () => {
  await other?.stop()
  await chain?.stop()
  await provider?.stop()
})

/** Starts a receipt's screening, which ends when the test releases it. */
async function screening(more: Record<string, string> = {}) {
  const service = await startService({ ...settings, DATABASE_URL: other.databaseUrl, LOG_LEVEL: 'silent', ...more })
  const begun = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  provider.answers(async () => {
    begun.resolve()
    await release.promise
    return { decision: 'allow' }
  })
  await configureCompliance(service.api, { sanctions_provider: 'slow', sanctions_enforce: true })
  const { key } = await service.api.project()
  const { json } = await service.api.record(key)
  await begun.promise
  return { service, id: String(json.receipt_id), release: release.resolve }
}

const held = async () =>
  (await other.app.pool.query('select task_id from graphile_worker._private_jobs where locked_by is not null')).rowCount

it('a running job finishes before the process ends', async () => {
  const { service, id, release } = await screening()
  const stopped = service.stop()
  // By now the worker has received the request to stop.
  setTimeout(release, 500)
  await stopped
  const { rows } = await other.app.pool.query(
    `select decision from compliance_checks where receipt_id = $1 and type = 'sanctions'`,
    [id],
  )
  expect(rows).toEqual([{ decision: 'allow' }])
  expect(await held()).toBe(0)
})

it('a job that takes too long is returned to the queue, and the next worker runs it', async () => {
  const { service, id, release } = await screening({ SHUTDOWN_SECONDS: '1' })
  await service.stop()
  expect(await held()).toBe(0)
  provider.answers(allows)
  const next = await startService({ ...settings, DATABASE_URL: other.databaseUrl, LOG_LEVEL: 'silent' })
  const status = async () => (await other.api.call('GET', `/v1/iso/receipts/${id}`)).json.status
  await expect.poll(status).toBe('awaiting_anchor')
  await next.stop()
  release()
})
