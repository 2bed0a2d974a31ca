// In an update null clears what may be unset and is refused elsewhere, an empty text is null, and what is absent stays:
// over every transport.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import openapi from '../../rest/openapi.json' with { type: 'json' }
import { adminKey, type Service, startService } from '../kit/service.ts'

let service: Service
let key: string
let id: string
beforeAll(async () => {
  service = await startService({
    ROLES: 'api',
    SECRETS_KEY: `a:${Buffer.alloc(32, 'random-bytes').toString('base64')}`,
  })
  key = (await service.api.project('Shop')).key
})
afterAll(() => service?.stop())

const whole = {
  name: 'Buyer',
  wallet_address: `0x${'11'.repeat(20)}`,
  xmtp_address: 'buyer.eth',
  pricing_rules: { max_per_call: '1', max_per_day: '5' },
}
beforeEach(async () => {
  const { json } = await service.api.call('POST', '/v1/agents', { key, body: whole })
  id = json.id
})

const put = (path: string, body: object) => service.api.call('PUT', `/v1/agents/${id}${path}`, { key, body })
const agent = async () =>
  (
    await service.api.graphql(
      `{ agent(id: "${id}") { name xmtpAddress pricingRules { maxPerCall maxPerDay } rules anchorWallet autoAnchorEnabled
         aiMode aiProvider aiModel aiEndpoint aiSystemPrompt hasAiApiKey } }`,
      { key },
    )
  ).data.agent
const mutate = (name: string, input: string, variables: object = {}, declared = '') =>
  service.api.graphql(
    `mutation ${declared} { ${name}(input: { id: "${id}" ${input} }) { agent { name xmtpAddress } } }`,
    { key, variables: { ...variables } },
  )

describe('an agent over REST', () => {
  it.each([null, ''])('%j clears what may be unset', async none => {
    expect((await put('', { xmtp_address: none })).json.xmtp_address).toBeNull()
    if (none === null) expect((await put('', { pricing_rules: none })).json.pricing_rules).toBeNull()
    await put('/anchoring-config', { anchor_wallet: `0x${'22'.repeat(20)}` })
    expect((await put('/anchoring-config', { anchor_wallet_address: none })).json.anchor_wallet).toBeNull()
    const custom = { ai_mode: 'custom', ai_provider: 'custom', ai_model: 'm', ai_endpoint: 'https://model.example' }
    await put('/ai-config', { ...custom, ai_system_prompt: 'Be kind.', ai_api_key: 'sk-1' })
    expect(await agent()).toMatchObject({ aiProvider: 'OPENAI_COMPATIBLE', hasAiApiKey: true })
    expect((await put('/ai-config', { ai_system_prompt: none })).status).toBe(200)
    expect(await agent()).toMatchObject({ aiSystemPrompt: null, hasAiApiKey: true, aiModel: 'm' })
    await put('/ai-config', { ai_api_key: none })
    expect(await agent()).toMatchObject({ hasAiApiKey: false, aiEndpoint: 'https://model.example' })
    expect((await put('/ai-config', { ai_endpoint: none })).json.detail).toEqual([
      { loc: ['body', 'ai_endpoint'], msg: 'Required in mode custom.', type: 'missing' },
    ])
    const simple = { ai_mode: 'simple', ai_provider: none, ai_model: none, ai_endpoint: none }
    expect((await put('/ai-config', simple)).status).toBe(200)
    expect(await agent()).toMatchObject({ aiMode: 'SIMPLE', aiProvider: null, aiModel: null, aiEndpoint: null })
  })

  it.each([
    ['', 'name'],
    ['', 'status'],
    ['', 'wallet_address'],
    ['/ai-config', 'ai_mode'],
    ['/anchoring-config', 'auto_anchor_enabled'],
    ['/anchoring-config', 'anchor_on_payment'],
  ])('%s %s cannot be unset', async (path, member) => {
    for (const none of [null, '']) {
      const { status, json } = await put(path, { [member]: none, xmtp_address: undefined })
      expect([status, json.detail[0].loc]).toEqual([422, ['body', member]])
    }
    expect(await agent()).toMatchObject({ name: 'Buyer', xmtpAddress: 'buyer.eth' })
  })

  it('what is absent stays', async () => {
    await put('', { name: 'Other' })
    expect(await agent()).toMatchObject({
      name: 'Other',
      xmtpAddress: 'buyer.eth',
      pricingRules: { maxPerCall: '1', maxPerDay: '5' },
    })
    expect((await put('', {})).status).toBe(422)
  })

  it('the OpenAPI document says which members take null', () => {
    const { properties } = openapi.components.schemas.AgentUpdateRequest
    const takesNull = (member: { type?: string | string[] }) => [member.type].flat().includes('null')
    expect(
      Object.entries(properties)
        .filter(([, member]) => takesNull(member))
        .map(([name]) => name),
    ).toEqual(['xmtp_address', 'pricing_rules'])
  })
})

describe('an agent over GraphQL', () => {
  it('null clears, as a literal and as a variable; a variable that is not sent does not', async () => {
    expect(
      (await mutate('updateAgent', 'name: "A" xmtpAddress: $x', {}, '($x: String)')).data.updateAgent.agent,
    ).toEqual({
      name: 'A',
      xmtpAddress: 'buyer.eth',
    })
    expect(
      (await mutate('updateAgent', 'xmtpAddress: $x', { x: null }, '($x: String)')).data.updateAgent.agent,
    ).toEqual({
      name: 'A',
      xmtpAddress: null,
    })
    await put('', { xmtp_address: 'buyer.eth' })
    expect((await mutate('updateAgent', 'xmtpAddress: null')).data.updateAgent.agent.xmtpAddress).toBeNull()
    await put('', { xmtp_address: 'buyer.eth' })
    expect((await mutate('updateAgent', 'xmtpAddress: ""')).data.updateAgent.agent.xmtpAddress).toBeNull()
  })

  it('an input that is one variable is taken as it was sent', async () => {
    const query = 'mutation ($input: UpdateAgentInput!) { updateAgent(input: $input) { agent { name xmtpAddress } } }'
    const sent = (input: object) => service.api.graphql(query, { key, variables: { input: { id, ...input } } })
    expect((await sent({ name: 'B' })).data.updateAgent.agent).toEqual({ name: 'B', xmtpAddress: 'buyer.eth' })
    expect((await sent({ xmtpAddress: null })).data.updateAgent.agent).toEqual({ name: 'B', xmtpAddress: null })
    expect((await sent({ name: null })).errors[0].extensions.issues).toMatchObject([{ path: ['input', 'name'] }])
  })

  it('what cannot be unset is refused', async () => {
    for (const input of ['name: null', 'walletAddress: null', 'status: null', 'name: ""'])
      expect((await mutate('updateAgent', input)).errors[0].extensions.code).toBe('validation_failed')
  })
})

describe('a webhook endpoint', () => {
  it('loses its description, gets all events again, and keeps its URL', async () => {
    const { data } = await service.api.graphql(
      `mutation { createWebhookEndpoint(input: { url: "https://a.example/hook" description: "A" eventTypes: [RECEIPT_ANCHORED] }) { webhookEndpoint { id } } }`,
      { key },
    )
    const endpoint = data.createWebhookEndpoint.webhookEndpoint.id
    const update = (input: string) =>
      service.api.graphql(
        `mutation { updateWebhookEndpoint(input: { id: "${endpoint}" ${input} }) { webhookEndpoint { url description eventTypes } } }`,
        { key },
      )
    expect((await update('description: null')).data.updateWebhookEndpoint.webhookEndpoint).toEqual({
      url: 'https://a.example/hook',
      description: '',
      eventTypes: ['RECEIPT_ANCHORED'],
    })
    expect(
      (await update('eventTypes: null')).data.updateWebhookEndpoint.webhookEndpoint.eventTypes.length,
    ).toBeGreaterThan(5)
    expect((await update('url: null')).errors[0].extensions.code).toBe('validation_failed')
  })
})

describe('a price', () => {
  const path = '/v1/x402/premium/fx-lookup'
  const set = (change: object) =>
    service.api.call('POST', '/v1/x402/pricing', { key: adminKey, body: [{ path, ...change }] })
  const listed = async () =>
    (await service.api.call('GET', '/v1/x402/pricing')).json.find((entry: { path: string }) => entry.path === path)

  it('is the service’s own again after null', async () => {
    const before = await listed()
    await set({ price: '7', recipient: `0x${'ab'.repeat(20)}`, enabled: false })
    expect(await listed()).toEqual({ ...before, price: '7', recipient: `0x${'ab'.repeat(20)}`, enabled: false })
    await set({ price: null, enabled: null })
    expect(await listed()).toEqual({ ...before, recipient: `0x${'ab'.repeat(20)}` })
    await set({ recipient: '' })
    expect(await listed()).toEqual(before)
  })
})

describe('what a GET answers can be sent back', () => {
  it('an agent, also when it was changed meanwhile', async () => {
    const read = (await service.api.call('GET', `/v1/agents/${id}`, { key })).json
    expect((await put('', { ...read, name: 'First' })).json.name).toBe('First')
    expect((await put('', { ...read, name: 'Second' })).json).toMatchObject({
      name: 'Second',
      created_at: read.created_at,
    })
  })

  it('its anchoring, a project’s configuration, the organisation’s, and the prices', async () => {
    const there = async (path: string, by = key, method = 'PUT') => {
      const { json } = await service.api.call('GET', path, { key: by })
      const { status, text } = await service.api.call(method, path, { key: by, body: json })
      expect([path, status, status === 200 ? '' : text]).toEqual([path, 200, ''])
    }
    const { data } = await service.api.graphql('{ me { project { id } } }', { key })
    await there(`/v1/agents/${id}/anchoring-config`)
    await there(`/v1/projects/${data.me.project.id}/config`)
    await there('/v1/config', adminKey)
    await there('/v1/x402/pricing', adminKey, 'POST')
  })

  it('a member that the PUT does not change is refused when it differs, and nothing is changed', async () => {
    const read = (await service.api.call('GET', `/v1/agents/${id}`, { key })).json
    const other = '00000000-0000-4000-8000-000000000000'
    for (const changed of [
      { id: other },
      { project_id: other },
      { created_at: '2020-01-01T00:00:00.000Z' },
      { ai_mode: 'shared' },
    ]) {
      const { status, json } = await put('', { ...read, ...changed, name: 'Changed' })
      expect([status, json.detail[0].loc]).toEqual([422, ['body', ...Object.keys(changed)]])
    }
    expect((await agent()).name).toBe('Buyer')
    const price = (await service.api.call('GET', '/v1/x402/pricing')).json[0]
    const body = [{ ...price, network: 'eip155:1' }]
    const { status, json } = await service.api.call('POST', '/v1/x402/pricing', { key: adminKey, body })
    expect([status, json.detail[0].loc]).toEqual([422, ['body', 0, 'network']])
  })

  it('of another tenant’s agent nothing is told', async () => {
    const { key: stranger } = await service.api.project('Stranger')
    const body = { name: 'Mine', id, ai_mode: 'simple' }
    expect((await service.api.call('PUT', `/v1/agents/${id}`, { key: stranger, body })).status).toBe(404)
  })
})

describe('callback_url', () => {
  const local = [
    'http://127.0.0.1:9/hook',
    'http://localhost/hook',
    'http://a.localhost:80/',
    'http://10.0.0.1/',
    'http://[::1]/',
    'https://a.example:0/',
  ]

  it.each(local)('%s could never be delivered to, and is refused as for endpoints', async url => {
    const { status, json } = await service.api.record(key, { callback_url: url })
    expect([status, json.detail[0].loc]).toEqual([422, ['body', 'callback_url']])
    const query = `mutation { createWebhookEndpoint(input: { url: "${url}" }) { webhookEndpoint { id } } }`
    expect((await service.api.graphql(query, { key })).errors[0].extensions.code).toBe('validation_failed')
  })

  it('with a password is refused, and the password is in no answer', async () => {
    const { status, text } = await service.api.record(key, { callback_url: 'https://shop:hunter2@a.example/hook' })
    expect(status).toBe(422)
    expect(text).not.toContain('hunter2')
  })
})
