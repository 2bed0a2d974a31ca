// The dashboard for Grafana's Infinity data source: each panel's query is answered, and each of its columns has values
// of the type that the panel reads.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { type Service, startService } from '../kit/service.ts'

const dashboard = z
  .object({
    panels: z.array(
      z.object({
        title: z.string(),
        targets: z.tuple([
          z.object({
            type: z.literal('graphql'),
            root_selector: z.string(),
            columns: z.array(z.object({ selector: z.string(), type: z.enum(['string', 'number', 'timestamp']) })),
            url_options: z.object({
              method: z.literal('POST'),
              body_type: z.literal('graphql'),
              body_graphql_query: z.string(),
            }),
          }),
        ]),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(new URL('../../docs/grafana.json', import.meta.url), 'utf8')))

let service: Service
let viewer: string
beforeAll(async () => {
  service = await startService()
  const { key } = await service.api.project()
  viewer = await service.api.key(key, 'viewer')
  for (const currency of ['USDC', 'EURC']) {
    const { json } = await service.api.record(key, { currency })
    await service.api.anchored(json.receipt_id)
  }
})
afterAll(() => service?.stop())

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => (Object(inner) as Record<string, unknown>)[name], value)

const isOf = {
  string: (value: unknown) => typeof value === 'string',
  number: (value: unknown) => value !== null && Number.isFinite(Number(value)),
  timestamp: (value: unknown) => Number.isFinite(Date.parse(String(value))),
}

it.each(dashboard.panels)('$title', async ({ targets: [{ root_selector, columns, url_options }] }) => {
  const values: Record<string, string> = {
    '${__from:date:iso}': new Date(Date.now() - 86_400_000).toISOString(),
    '${__to:date:iso}': new Date().toISOString(),
    '${zone}': 'Asia/Kathmandu',
  }
  const query = Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(name, value),
    url_options.body_graphql_query,
  )
  expect(query).not.toContain('$')
  const body = { query, variables: {} }
  const { json } = await service.api.call('POST', '/graphql', { key: viewer, body })
  expect(json.errors).toBeUndefined()
  const rows = at(json, root_selector)
  expect(rows).not.toEqual([])
  for (const { selector, type } of columns)
    expect([selector, (rows as unknown[]).some(row => isOf[type](at(row, selector)))]).toEqual([selector, true])
})
