// Compiled under every resolution of modules, never run.
import { type PermissionDeniedError, Quittance, RateLimitError, type WebhookEvent } from 'quittance-client'
import { paidFetch } from 'quittance-client/paid-fetch'

const client = new Quittance({ baseUrl: 'https://quittance.example', pay: paidFetch({ sign: async () => '' }) })

export async function typed(error: unknown): Promise<string[]> {
  const ids: string[] = []
  for await (const { id, status } of client.allReceipts({ status: 'anchored', page_size: 50 })) ids.push(id, status)
  for await (const { attempts } of client.allWebhookDeliveries({ statuses: ['FAILED'] }, { timeoutMs: 5, retries: 0 }))
    for (const { status_code } of attempts) ids.push((status_code ?? 0).toFixed())
  const { secret } = await client.rotateWebhookSecret('id', { overlap_hours: 1 })
  const { pages, closing } = await client.generateStatement({ date: '2026-01-31' })
  if (error instanceof RateLimitError) ids.push(String(error.retryAfterMs))
  // @ts-expect-error The iterator sets the page.
  client.allReceipts({ page: 2 })
  // @ts-expect-error There is no such event.
  await client.createWebhookEndpoint({ url: 'https://a.example', event_types: ['receipt.anchored'] })
  return [...ids, secret ?? '', closing ?? '', ...pages.nodes.map(({ url }) => url)]
}

export type Known = [PermissionDeniedError, WebhookEvent['type']]
