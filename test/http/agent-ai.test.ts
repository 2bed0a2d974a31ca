// How agents interpret sentences, and that their API keys for models stay secret and are sent to one URL only.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createVault } from '../../src/adapters/aes-vault.ts'
import { rewrapAgentKeys } from '../../src/modules/agents/ai-config.ts'
import { type ModelServer, modelSettings, serveModel } from '../kit/model-server.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'

const secret = 'sk-of-the-agent-4711'
const wrapping = ['b', 'a'].map(id => ({ id, key: randomBytes(32) }))
const [fresh, old] = wrapping
if (fresh === undefined || old === undefined) throw new Error('two keys')

let model: ModelServer
let service: Service
let shop: { id: string; key: string }
let agent: string
const call = (method: string, at: string, body?: unknown, key = shop.key) =>
  service.api.call(method, `/v1/agents${at}`, { key, ...(body !== undefined && { body }) })
const configure = (body: object, key = shop.key) => call('PUT', `/${agent}/ai-config`, body, key)
const test = (message?: string, key = shop.key) =>
  call('POST', `/${agent}/test-ai`, message === undefined ? {} : { test_message: message }, key)
const custom = () => ({
  ...{ ai_mode: 'custom', ai_provider: 'openai-compatible', ai_model: 'own-model', ai_endpoint: model.url },
  ai_api_key: secret,
})
const stored = async () =>
  (await service.app.pool.query('select * from agent_ai_keys where agent_id = $1', [agent])).rows[0] ?? null

beforeAll(async () => {
  model = await serveModel()
  const secretsKey = `${old.id}:${old.key.toString('base64')}`
  // The model endpoint of these tests is on this machine.
  const own = { SECRETS_KEY: secretsKey, ALLOW_PRIVATE_TARGETS: 'true', ROLES: 'api' }
  service = await startService({ ...modelSettings(model), ...own })
  shop = await service.api.project('Shop')
})
beforeEach(async () => {
  model.requests.length = 0
  model.script = () => ({ say: 'Sure: {"command":"get","arguments":["x"]}' })
  agent = (await call('POST', '', { name: 'Buyer', wallet_address: '0x1' })).json.id
})
afterAll(async () => {
  await service?.stop()
  await model?.[Symbol.asyncDispose]()
})

describe('a sentence is interpreted', () => {
  it('in simple mode by the command language', async () => {
    expect((await test('GET abc')).json).toEqual({
      mode: 'simple',
      test_message: 'GET abc',
      parsed_result: { command: 'get', arguments: ['abc'] },
      ai_provider: null,
      ai_model: null,
    })
    expect((await test('what came in?')).json.parsed_result).toBeNull()
    expect((await test()).json.parsed_result).toEqual({ command: 'list', arguments: [] })
    expect(model.requests).toHaveLength(0)
  })

  it('in shared mode by the service’s model, which runs nothing', async () => {
    expect((await configure({ ai_mode: 'shared', ai_system_prompt: 'Speak\nplainly.' })).json.ai_mode).toBe('shared')
    model.script = () => ({ say: '{"command":"refund","arguments":["x"]}' })
    expect((await test('give it back')).json).toMatchObject({
      mode: 'shared',
      parsed_result: { command: 'refund', arguments: ['x'] },
      ai_model: 'test-model',
    })
    expect(model.requests[0]?.body).toContain('Speak\\\\nplainly.'.replace('\\\\', '\\'))
    const { rows } = await service.app.pool.query('select spent from model_usage where subject = $1', [
      `project:${shop.id}`,
    ])
    expect(Number(rows[0].spent)).toBeGreaterThan(0)
  })

  it.each(['{"command":"drop","arguments":[]}', '{"command":"get","arguments":[1]}', '{"command":', 'null', '[]'])(
    'as null when the model answers %s',
    async say => {
      await configure({ ai_mode: 'shared' })
      model.script = () => ({ say })
      expect((await test('x')).json.parsed_result).toBeNull()
    },
  )

  it('in custom mode by the agent’s own model, with its own key', async () => {
    expect((await configure(custom())).status).toBe(200)
    expect((await test('x')).json).toMatchObject({ ai_provider: 'openai-compatible', ai_model: 'own-model' })
    expect(model.requests.map(({ authorization, chat }) => [authorization, chat.model])).toEqual([
      [`Bearer ${secret}`, 'own-model'],
    ])
    const query = `mutation { testAgentAi(input: { agentId: "${agent}", testMessage: "x" }) { aiProvider } }`
    const { data } = await service.api.graphql(query, { key: shop.key })
    expect(data.testAgentAi).toEqual({ aiProvider: 'OPENAI_COMPATIBLE' })
  })
})

describe('the API key of an agent', () => {
  it('is in no answer, audit row or plain-text column', async () => {
    const answers = [
      await configure(custom()),
      await call('GET', `/${agent}`),
      await test('x'),
      await service.api.call('GET', `/v1/audit/events?object_id=${agent}`, { key: shop.key }),
    ]
    for (const { text } of answers) expect(text).not.toContain(secret)
    const { data } = await service.api.graphql(`{ agent(id: "${agent}") { hasAiApiKey aiEndpoint } }`, {
      key: shop.key,
    })
    expect(data.agent).toEqual({ hasAiApiKey: true, aiEndpoint: model.url })
    const { ciphertext, wrapped_key } = await stored()
    expect(Buffer.concat([ciphertext, wrapped_key]).includes(secret)).toBe(false)
  })

  it.each([
    ['the endpoint', { ai_endpoint: 'https://elsewhere.example/v1' }],
    ['the provider', { ai_provider: 'openai' }],
    ['the mode', { ai_mode: 'simple' }],
  ])('is deleted when %s changes, so that no caller can have it sent to another server', async (_, change) => {
    await configure(custom())
    expect((await configure({ ai_model: 'another' })).status).toBe(200)
    expect(await stored()).not.toBeNull()
    expect((await configure(change)).status).toBe(200)
    expect(await stored()).toBeNull()
  })

  it('is deleted with the agent', async () => {
    await configure(custom())
    await call('DELETE', `/${agent}`)
    expect(await stored()).toBeNull()
  })

  it('decrypts for this agent alone, and not after any byte has changed', async () => {
    await configure(custom())
    const first = agent
    const row = await stored()
    agent = (await call('POST', '', { name: 'Other', wallet_address: '0x2' })).json.id
    await configure(custom())
    await service.app.pool.query('update agent_ai_keys set wrapped_key = $2, ciphertext = $3 where agent_id = $1', [
      agent,
      row.wrapped_key,
      row.ciphertext,
    ])
    expect([(await test('x')).json.detail, model.requests.length]).toEqual(['secrets_disabled', 0])
    agent = first
    expect((await test('x')).status).toBe(200)
    await service.app.pool.query(
      'update agent_ai_keys set ciphertext = set_byte(ciphertext, 30, get_byte(ciphertext, 30) # 1) where agent_id = $1',
      [agent],
    )
    expect((await test('x')).json.detail).toBe('secrets_disabled')
  })

  it('is wrapped again with a new key, after which the old one is not needed', async () => {
    await configure(custom())
    const [before, both] = [await stored(), createVault([fresh, old])]
    await rewrapAgentKeys({ ...service.app, vault: both })
    const after = await stored()
    expect([before.wrapped_by, after.wrapped_by]).toEqual(['a', 'b'])
    expect(after.ciphertext).toEqual(before.ciphertext)
    const sealed = { wrappedBy: after.wrapped_by, wrappedKey: after.wrapped_key, ciphertext: after.ciphertext }
    expect(createVault([fresh]).open(`agent-ai-key:${agent}`, sealed)).toBe(secret)
    expect(() => createVault([old]).open(`agent-ai-key:${agent}`, sealed)).toThrow('SECRETS_KEY has no key b')
  })
})

describe('a configuration', () => {
  it.each([
    ['nothing', {}, 'input'],
    ['custom without a provider', { ai_mode: 'custom' }, 'ai_provider'],
    ['no endpoint', { ...{ ai_mode: 'custom', ai_provider: 'openai-compatible', ai_model: 'x' } }, 'ai_endpoint'],
    ['a key that no model has', { ai_api_key: secret }, 'ai_api_key'],
    ['a key that is no header', { ai_api_key: 'a\nb' }, 'ai_api_key'],
    ['an endpoint in the clear', { ai_endpoint: 'http://models.example/v1' }, 'ai_endpoint'],
    ['a secret in the endpoint', { ai_endpoint: 'https://models.example/v1?key=x' }, 'ai_endpoint'],
    ['an unknown provider', { ai_provider: 'x' }, 'ai_provider'],
    ['an unknown mode', { ai_mode: 'x' }, 'ai_mode'],
    ['a private key', { private_key: 'x' }, 'private_key'],
  ])('with %s is refused', async (_, body, member) => {
    const { status, json } = await configure(body)
    expect(status).toBe(422)
    if (member !== 'input') expect(json.detail[0].loc.at(-1)).toBe(member)
  })

  it('is invisible to other projects, and a viewer cannot change it', async () => {
    const other = await service.api.project('Other')
    const viewer = await service.api.key(shop.key, 'viewer')
    const statuses = async (ask: (key: string) => Promise<{ status: number }>) =>
      Promise.all([other.key, viewer, adminKey].map(async key => (await ask(key)).status))
    expect(await statuses(key => configure({ ai_mode: 'simple' }, key))).toEqual([404, 403, 200])
    expect(await statuses(key => test('list', key))).toEqual([404, 403, 200])
  })
})
