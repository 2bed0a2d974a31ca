// The code that a user of CommonJS writes, Jest among them: webhooks, statements and all pages, against a real service.
const { NotFoundError, PermissionDeniedError, Quittance, ValidationFailedError } = require('quittance-client')
const { paidFetch } = require('quittance-client/paid-fetch')

const { KEY, VIEWER, TIP, ABSENT, HOOK } = process.env
const client = new Quittance({ apiKey: KEY })
const failure = call => call.catch(error => error)

async function main() {
  const tip = JSON.parse(TIP)
  const ids = []
  for (const number of [1, 2, 3]) {
    const { receipt_id } = await client.recordTip({
      ...tip,
      tip_tx_hash: `${tip.tip_tx_hash}${number}`,
      reference: `all-${number}`,
    })
    ids.unshift(receipt_id)
  }
  const listed = await Array.fromAsync(client.allReceipts({ page_size: 2 }), ({ id }) => id)
  const events = await Array.fromAsync(
    client.allAuditEvents({ action: 'receipt.record', limit: 1 }),
    one => one.object_id,
  )

  const made = await client.createWebhookEndpoint({ url: HOOK, event_types: ['RECEIPT_ANCHORED'] })
  const other = await client.createWebhookEndpoint({ url: HOOK })
  const rotated = await client.rotateWebhookSecret(made.id, { overlap_hours: 1 })
  const secret = await client.webhookSecret(made.id)
  const changed = await client.updateWebhookEndpoint(made.id, { description: 'Books' })
  const test = await client.testWebhookEndpoint(made.id)
  const deliveries = await Array.fromAsync(client.allWebhookDeliveries({ endpoint: made.id, limit: 1 }), one => one.id)
  const disabled = await client.disableWebhookEndpoint(made.id)
  const enabled = await client.enableWebhookEndpoint(made.id)
  const replayed = await client.replayWebhookDelivery(test.id)
  const endpoints = await Array.fromAsync(client.allWebhookEndpoints({ limit: 1 }), ({ id }) => id)
  const deleted = await client.deleteWebhookEndpoint(made.id)
  const statement = await client.generateStatement()
  const statements = await Array.fromAsync(client.allStatements({ limit: 1 }), ({ id }) => id)
  const viewer = new Quittance({ apiKey: VIEWER })

  console.log(
    JSON.stringify({
      listed: ids.every((id, index) => listed[index] === id),
      events: ids.every((id, index) => events[index] === id),
      rotated: [made.secret !== rotated.secret, rotated.secret === secret.secret],
      changed: [changed.description, changed.event_types],
      delivered: [test.type, deliveries.includes(test.id), replayed.id === test.id],
      enabled: [disabled.is_enabled, enabled.is_enabled],
      endpoints: [endpoints.join() === [other.id, made.id].join(), deleted.deleted_id === made.id],
      statement: [statements.includes(statement.id), (await client.statement(statement.id)).url === statement.url],
      absent: (await failure(client.statement(ABSENT))) instanceof NotFoundError,
      invalid: (await failure(client.createWebhookEndpoint({ url: 'ftp://x' }))) instanceof ValidationFailedError,
      denied: (await failure(viewer.rotateWebhookSecret(other.id))) instanceof PermissionDeniedError,
      pays: typeof paidFetch,
    }),
  )
}

main()
