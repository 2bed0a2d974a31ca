// A process is killed while a compliance provider is queried, and while receipts wait for a provider that is down: the
// next process repeats the queries.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Anvil, startAnvil } from '../kit/anvil.ts'
import { apiSettings, type Child, startChild } from '../kit/child.ts'
import { allows, configureCompliance, type FakeProvider, isDown, startFakeProvider } from '../kit/fake-provider.ts'
import { apiOf, freshDatabase, type Service, startService } from '../kit/service.ts'
import { onlyInFull } from '../kit/size.ts'

// Longer than the longest delay between two attempts.
const pauses = { timeout: 30_000 }

let folder: string
let chain: Anvil
let acme: FakeProvider
let settings: Record<string, string>
let child: Child
let next: Service | undefined
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-compliance-kill-'))
  chain = await startAnvil(31_377)
  acme = await startFakeProvider()
  settings = {
    ...apiSettings(await freshDatabase(), folder, chain),
    ROLES: 'api,worker',
    COMPLIANCE_PROVIDERS: `acme=http+json:${acme.url}`,
  }
  child = await startChild(settings)
})
afterAll(async () => {
  await child?.end('SIGKILL')
  await next?.stop()
  await chain?.stop()
  await acme?.stop()
  await rm(folder, { recursive: true, force: true })
})

onlyInFull('no receipt under an enforced check is lost, or continues without the provider’s answer', async () => {
  const first = apiOf(child.url())
  await configureCompliance(first, { sanctions_provider: 'acme', sanctions_enforce: true })
  const { key } = await first.project()
  const record = async (currency: string): Promise<string> => (await first.record(key, { currency })).json.receipt_id
  acme.answers(isDown)
  const waiting = await record('WAITS')
  await expect.poll(() => acme.questions.length).toBeGreaterThan(1)
  const asked = Promise.withResolvers<void>()
  const never = Promise.withResolvers<never>()
  acme.answers(({ currency }) => {
    if (currency !== 'ASKED') return 503
    asked.resolve()
    return never.promise
  })
  const inFlight = await record('ASKED')
  await asked.promise
  await child.end('SIGKILL')
  acme.answers(isDown)
  const before = acme.questions.length
  next = await startService({ ...settings, LOG_LEVEL: 'silent' })
  const { api } = next
  const statusOf = async (id: string): Promise<string> => (await api.call('GET', `/v1/iso/receipts/${id}`)).json.status
  const askedAgain = () => new Set(acme.questions.slice(before).map(({ id }) => id))
  await expect.poll(askedAgain, pauses).toEqual(new Set([waiting, inFlight]))
  expect([await statusOf(waiting), await statusOf(inFlight)]).toEqual(['pending', 'pending'])
  acme.answers(allows)
  for (const id of [waiting, inFlight]) await expect.poll(() => statusOf(id), pauses).toBe('awaiting_anchor')
})
