// The audits of the GraphQL over HTTP specification, as its reference implementation publishes them: those that a
// server must pass, should pass and may pass.
import { serverAudits } from 'graphql-http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

const post = (body: unknown, accept: string) =>
  service.api.call('POST', '/graphql', { body, headers: { Accept: accept } })

// The audits about variables send one that the document does not use, so that validation fails before it is read.
describe('an operation that is not executed has status 400 only under application/graphql-response+json', () => {
  const byId = 'query ($id: ID!) { receipt(id: $id) { id } }'
  it.each<[string, unknown, string]>([
    ['a missing variable', { query: byId }, 'invalid_graphql'],
    ['a variable that is null', { query: byId, variables: { id: null } }, 'invalid_graphql'],
    ['a variable of another type', { query: byId, variables: { id: {} } }, 'invalid_graphql'],
    [
      'too high a cost',
      {
        query: `{ ${Array.from({ length: 50 }, (_, n) => `a${n}: verifyEvidence(bundleHash: "0x${'1'.repeat(64)}") { errors }`).join(' ')} }`,
      },
      'document_too_costly',
    ],
  ])('%s', async (_, body, code) => {
    for (const [accept, status] of [
      ['application/graphql-response+json', 400],
      ['application/json', 200],
    ] as const) {
      const { status: answered, json } = await post(body, accept)
      expect([accept, answered, json.errors[0].extensions]).toEqual([accept, status, expect.objectContaining({ code })])
      expect(json).not.toHaveProperty('data')
    }
  })
})

describe('the error of a wrong variable names the variable and the path in it', () => {
  const record = 'mutation ($i: RecordReceiptInput!) { __typename recordReceipt(input: $i) { receipt { id } } }'
  const list = 'query ($f: ReceiptFilter) { __typename receipts(filter: $f) { totalCount } }'
  const decimal = 'Send a decimal as a string, for instance "1.5".'
  it.each<[string, Record<string, unknown>, string]>([
    [record, { i: { amount: 1.5 } }, ' at "i.amount"; '],
    [list, { f: { amount: { min: 5 } } }, ' at "f.amount.min"; '],
  ])('%s', async (query, variables, path) => {
    const { json } = await post({ query, variables }, 'application/json')
    const messages: string[] = json.errors.map(({ message }: { message: string }) => message)
    expect(messages).toContainEqual(expect.stringContaining(path))
    expect(messages).toContainEqual(expect.stringContaining(decimal))
  })
})
