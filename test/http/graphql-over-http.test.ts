// The audits of the GraphQL over HTTP specification, as its reference implementation publishes them: those that a
// server must pass, should pass and may pass.
import { serverAudits } from 'graphql-http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Service, startService } from '../kit/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ ROLES: 'api' })
})
afterAll(() => service.stop())

const audits = serverAudits({ url: () => `${service.base}/graphql` })

it.each(audits.map(({ name, fn }) => ({ name, fn })))('$name', async ({ fn }) => {
  expect(await fn()).toMatchObject({ status: 'ok' })
})
