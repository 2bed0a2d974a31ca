// The contract: every operation of the OpenAPI document is called with its example and with one fault each, and every
// answer must match the document. The examples are sent with curl.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Gateway, startGateway } from '../../rest/examples/gateway.ts'
import { type Model, startModel } from '../../rest/examples/model.ts'
import { byFetch, nameOf, type Recorder, recorder, type Send, type Sent, urlOf } from '../../rest/examples/record.ts'
import { runScenario } from '../../rest/examples/scenario.ts'
import { settings, textOf } from '../../rest/examples/settings.ts'
import { accountOf, paymentFor } from '../../rest/examples/wallets.ts'
import openapi from '../../rest/openapi.json' with { type: 'json' }
import { badRequests } from '../kit/bad-requests.ts'
import { byCurl } from '../kit/curl.ts'
import { differences } from '../kit/openapi.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'
import { some } from '../kit/size.ts'

const lines = (file: string) =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split('\n')

const withoutNames = (operation: string) => operation.replace(/\{\w+\}/g, '{}')
const described = Object.entries(openapi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    operationId: nameOf(operation),
    route: `${method.toUpperCase()} ${path}`,
  })),
)

it('describes all 68 operations of the specification', () => {
  const specified = lines('operations.txt')
  expect(specified).toHaveLength(68)
  const there = new Set(described.map(({ route }) => withoutNames(route)))
  expect(specified.filter(route => !there.has(withoutNames(route)))).toEqual([])
})

let service: Service
let gateway: Gateway
let model: Model
let story: Recorder
/** The valid request of each operation, with the values of this run. */
const good = new Map<string, Sent>()
const wrong: string[] = []

beforeAll(async () => {
  gateway = await startGateway()
  model = await startModel()
  service = await startService(settings(gateway, model))
  const { base } = service
  const hasCurl = spawnSync('curl', ['--version']).status === 0
  if (!hasCurl) console.log('There is no curl here: the examples are sent by fetch.')
  const { json: document } = await service.api.call('GET', '/openapi.json')
  const send: Send = async sent => {
    const answer = await (hasCurl ? byCurl(base, document, story.stable) : byFetch(base))(sent)
    wrong.push(...(differences(sent.method.toUpperCase(), urlOf('', sent), answer) ?? [`${sent.template} is unknown`]))
    if (sent.example !== null) good.set(sent.operationId, sent)
    return answer
  }
  story = recorder(base, send)
  await runScenario({ base, rpcUrl: service.localChain ?? '', adminKey, gateway, call: story.call })
}, 240_000)
afterAll(async () => {
  await service?.stop()
  gateway?.stop()
  model?.stop()
})

describe('the examples', () => {
  it('cover every operation, and are answered as documented', () => {
    expect(described.map(({ operationId }) => operationId).filter(id => !good.has(id))).toEqual([])
    expect(wrong).toEqual([])
  })

  it('are the same in every run; if this fails, the answers have changed and npm run examples stores them', () => {
    expect(textOf(story.examples())).toBe(readFileSync(new URL('../../rest/examples.json', import.meta.url), 'utf8'))
  })

  it('contain no key and nothing of this machine', () => {
    const text = textOf(story.examples())
    expect(text).not.toMatch(/qtk_[\w-]{51}|admin_[0-9a-f]{48}|127\.0\.0\.1|localhost/)
    expect(text).not.toContain(adminKey)
  })
})

describe('a request with one fault', () => {
  it.each(described)(
    'to $operationId is answered as documented, and refused where the document forbids it',
    async ({ operationId }) => {
      const sent = await renewed(operationId)
      const faults: string[] = []
      const send = async ({ what, method, path, headers, body, isRefused }: ReturnType<typeof badRequests>[number]) => {
        const response = await fetch(service.base + path, { method, headers, body, redirect: 'manual' })
        const answer = { status: response.status, headers: response.headers, text: await response.text() }
        // A path with an empty part is a different path.
        const told = differences(method, path, answer) ?? (answer.status === 404 ? [] : ['is unknown'])
        if (isRefused && answer.status < 400) told.push(`${answer.status}, and the document forbids it`)
        if (answer.status >= 500 && answer.status !== 503) told.push(`${answer.status}: ${answer.text}`)
        faults.push(...told.map(line => `${what}: ${line}`))
      }
      const all = badRequests(sent)
      // Each operation gets other cases; an odd step, because every second case requests problem+json.
      const first = described.findIndex(one => one.operationId === operationId) % all.length
      const cases = some([...all.slice(first), ...all.slice(0, first)], 20)
      for (let done = 0; done < cases.length; done += 8) await Promise.all(cases.slice(done, done + 8).map(send))
      expect(faults).toEqual([])
    },
  )
})

/** The valid request again, with an agent that is not deleted, and with an unused payment where one is needed. */
async function renewed(operationId: string): Promise<Sent> {
  const sent = good.get(operationId)
  if (sent === undefined) throw new Error(`${operationId} has no example`)
  const agent =
    sent.path?.agent_id === undefined ? {} : { path: { ...sent.path, agent_id: await freshAgent(sent.key) } }
  if (sent.payment === undefined) return { ...sent, ...agent }
  const { payment: _, ...unpaid } = sent
  const { headers } = await byFetch(service.base)({ ...unpaid, example: null })
  return { ...sent, payment: await paymentFor(accountOf('buyer'), headers.get('PAYMENT-REQUIRED')) }
}

async function freshAgent(key = ''): Promise<string> {
  const body = { name: 'Another', wallet_address: '0x1' }
  return (await service.api.call('POST', '/v1/agents', { key, body })).json.id
}
