// A fault names what is wrong as the REST request named it, and not as the GraphQL schema does.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Service, startService } from '../kit/service.ts'

let service: Service
let key: string
beforeAll(async () => {
  service = await startService({ ROLES: 'api' })
  key = (await service.api.project()).key
})
afterAll(() => service?.stop())

it.each([
  ['/v1/audit/events', 'date_from', 'date_to'],
  ['/v1/receipts', 'since', 'until'],
])('GET %s calls its range %s and %s', async (path, from, to) => {
  const { status, json } = await service.api.call('GET', `${path}?${from}=2026-02-01&${to}=2026-01-01`, { key })
  const fault = { loc: ['query', to], msg: `Must not be before \`${from}\`.`, type: 'value_error' }
  expect([status, json.detail]).toEqual([422, [fault]])
})
