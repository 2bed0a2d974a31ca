// Prints how the TypeScript client reacts to faults, in the same words as sdk_faults.py.
import { Quittance, QuittanceError, verifyWebhook } from '../../../sdk/typescript/dist/index.js'

const { BASE = '', TIP = '', RECEIPT = '', WEBHOOKS = '', REFUSALS = '' } = process.env
const client = new Quittance({ baseUrl: `${BASE}/under/`, apiKey: 'key' })
const hurried = new Quittance({ baseUrl: BASE, retries: 1 })
const quick = new Quittance({ baseUrl: BASE, retries: 1, timeoutMs: 300 })
const named = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    (error: Error) => (error instanceof QuittanceError ? error.code : error.name),
  )

const familyOf = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    (error: Error) => `${error.name}${error instanceof QuittanceError ? '' : '?'}`,
  )

const recorded = await client.recordTip(JSON.parse(TIP))
const cut = await client.receipts({ reference: 'a b&c' })
const running = await client.refund({ original_receipt_id: RECEIPT })
const events: unknown[] = []
for await (const { id, data } of client.events(RECEIPT)) events.push([id, data.status])
const seen: unknown[] = []
for await (const event of client.events(RECEIPT, { lastEventId: '3' })) seen.push(event.id)
const headers: unknown[] = []
await client.createApiKey(
  { label: 'x' },
  { idempotencyKey: 'mine', onHeaders: told => headers.push(told.get('X-API-Key')) },
)

const report = {
  recorded: recorded.status,
  cut: cut.total,
  running: running.status,
  events,
  seen,
  headers,
  deleted: await named(client.deleteAgent(RECEIPT)),
  gateway: await named(hurried.me()),
  silent: await named(quick.organisation()),
  patient: await named(client.projects()),
  redirected: await named(client.apiKeys()),
  moved: await named(client.events('moved').next()),
  captive: await named(client.events('captive').next()),
  failed: await named(client.waitForAnchored('failing')),
  late: await named(client.waitForAnchored('late', { timeoutMs: 300 })),
  mismatch: await named(client.downloadBundle('mismatch')),
  float: await named(client.recordTip({ ...JSON.parse(TIP), amount: 12.5 })),
  dots: await named((async () => client.receipt('..'))()),
  families: await Promise.all(REFUSALS.split(',').map(status => familyOf(client.agent(status)))),
  once: await named(client.ping({ retries: 0 })),
  hasty: await named(hurried.organisation({ timeoutMs: 100, retries: 0 })),
  everyEvent: await Array.fromAsync(client.allAuditEvents({ limit: 2 }), ({ id }) => id),
  everyEndpoint: await Array.fromAsync(client.allWebhookEndpoints(), ({ id }) => id),
  rotated: (await client.rotateWebhookSecret('e', { overlap_hours: 1 })).secret,
  nothing: await familyOf(client.webhookEndpoint('none')),
  invalid: await client.createWebhookEndpoint({ url: 'x' }).catch(error => [error.name, error.issues[0].loc]),
  hidden: await named(client.statementAccounts()),
  denied: await familyOf(client.generateStatement()),
  webhooks: [] as unknown[],
}
for (const { secret, headers, body } of JSON.parse(WEBHOOKS)) {
  const told = await verifyWebhook({ secret, headers, body }).then(
    event => event.type,
    (error: Error) => error.name,
  )
  report.webhooks.push(told)
}
console.log(JSON.stringify(report))
