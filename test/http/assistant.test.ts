// The assistant: its answers, who may use it, what its model may read, and its cost limits.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cleanTranscripts } from '../../src/modules/assistant/transcript.ts'
import { type ModelServer, modelSettings, type Script, sayAndCall, serveModel } from '../kit/model-server.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'

let model: ModelServer
let service: Service
let shop: { id: string; key: string }
let other: { id: string; key: string }
let mine: string
let second: string
let theirs: string

const calls =
  (...turns: ReturnType<Script>[]): Script =>
  (_, step) =>
    turns[step] ?? { say: 'Done.' }
const get = (id: string): ReturnType<Script> => ({ call: [['get_receipt', JSON.stringify({ receipt_id: id })]] })
const question = (content = 'What about my receipt?') => [{ role: 'user', content }]
const ask = (body: object = {}, key: string | null = shop.key) =>
  service.api.call('POST', '/v1/ai/assist', { ...(key && { key }), body: { messages: question(), ...body } })
const read = () => model.requests.map(({ body }) => body).join('\n')

beforeAll(async () => {
  model = await serveModel()
  service = await startService({ ...modelSettings(model), AI_TRANSCRIPT_DAYS: '30' })
  shop = await service.api.project('Shop')
  other = await service.api.project('Other')
  const recorded = async (key: string, reference: string) =>
    (await service.api.record(key, { reference })).json.receipt_id
  mine = await recorded(shop.key, 'mine-1')
  second = await recorded(shop.key, 'mine-2')
  theirs = await recorded(other.key, 'theirs-1')
})
beforeEach(() => {
  model.requests.length = 0
  model.script = calls()
})
afterAll(async () => {
  await service?.stop()
  await model?.[Symbol.asyncDispose]()
})

describe('an answer', () => {
  it('uses tools that read with the caller’s rights, and names the receipts', async () => {
    model.script = calls({ call: [['find_receipts', '{}']] }, get(mine), { say: 'It waits.' })
    const { status, json } = await ask()
    expect(status, JSON.stringify(json)).toBe(200)
    expect(json).toEqual({
      reply: 'It waits.',
      used_tools: [
        { tool: 'find_receipts', ok: true, receipt_ids: [second, mine] },
        { tool: 'get_receipt', ok: true, receipt_ids: [mine] },
      ],
    })
    expect(read()).toContain('mine-1')
    expect(read()).not.toContain('theirs')
  })

  it('has no data of another project, whatever the model requests', async () => {
    model.script = calls(get(theirs), { call: [['find_receipts', '{"reference":"theirs"}']] })
    const { json } = await ask({ scope: { allowed_receipt_ids: [theirs] } })
    expect(json.used_tools).toEqual([
      { tool: 'get_receipt', ok: false, receipt_ids: [] },
      { tool: 'find_receipts', ok: true, receipt_ids: [] },
    ])
    expect(read()).toContain('not_found')
    expect(read()).not.toContain('theirs-1')
  })

  it('can use the checks, messages and statements of the caller’s project', async () => {
    await service.api.anchored(mine)
    const make = 'mutation { generateStatement(input: {}) { statement { id } } }'
    const [own, others] = await Promise.all(
      [shop.key, other.key].map(
        async key => (await service.api.graphql(make, { key })).data.generateStatement.statement.id,
      ),
    )
    const one = JSON.stringify({ receipt_id: mine })
    const message = JSON.stringify({ receipt_id: mine, name: 'pain001.xml' })
    model.script = calls(
      {
        call: [
          ['verify_receipt', one],
          ['get_compliance_checks', one],
          ['list_statements', '{}'],
          ['list_messages', one],
        ],
      },
      { call: [['read_message', message]] },
    )
    const { json } = await ask({ scope: { allow_read_artifacts: true } })
    expect(json.used_tools.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, true, true, true, true])
    for (const shown of ['\\"matches_onchain\\":true', 'unavailable', own, 'pain001.xml', '<CstmrCdtTrfInitn>'])
      expect(read()).toContain(shown)
    expect(read()).not.toContain(others)
  })

  it('ends even if the model never stops calling tools', async () => {
    model.script = asked => (asked.tools.length === 0 ? { say: 'x' } : get(mine))
    const { status, json } = await ask()
    expect([status, json.detail]).toEqual([502, 'ai_no_answer'])
    expect(model.requests).toHaveLength(6)
    expect(model.requests.at(-1)?.body).toContain('"tool_choice":"none"')
  })

  it('is the model’s last text, not its text before a tool call', async () => {
    model.script = (_, step) => (step === 0 ? { raw: sayAndCall } : { say: ' ' })
    expect((await ask()).json.detail).toBe('ai_no_answer')
  })

  it('is written by a model that is informed when a call with wrong arguments is refused', async () => {
    model.script = calls({
      call: [
        ['get_receipt', '{"receipt_id":"1 or 1=1"}'],
        ['delete_receipt', '{}'],
        ['find_receipts', '{'],
      ],
    })
    const { status, json } = await ask()
    expect([status, json.reply]).toEqual([200, 'Done.'])
    expect(json.used_tools).toEqual([
      { tool: 'get_receipt', ok: false, receipt_ids: [] },
      { tool: 'find_receipts', ok: false, receipt_ids: [] },
    ])
  })
})

describe('the caller', () => {
  it('needs a key, and may be a viewer', async () => {
    expect((await ask({}, null)).status).toBe(401)
    expect((await ask({}, await service.api.key(shop.key, 'viewer'))).status).toBe(200)
  })

  it('as an administrator sees only the receipts that the request names', async () => {
    model.script = calls(get(mine), get(theirs), { call: [['find_receipts', '{}']] })
    expect(
      (await ask({}, adminKey)).json.used_tools.map(({ receipt_ids }: { receipt_ids: string[] }) => receipt_ids),
    ).toEqual([[], [], []])
    expect(read()).not.toContain('list_statements')
    const named = await ask({ scope: { allowed_receipt_ids: [theirs] } }, adminKey)
    expect(named.json.used_tools.map(({ receipt_ids }: { receipt_ids: string[] }) => receipt_ids)).toEqual([
      [],
      [theirs],
      [theirs],
    ])
  })

  it.each([
    ['no messages', { messages: [] }],
    ['a system message', { messages: [{ role: 'system', content: 'x' }] }],
    ['a tool message', { messages: [{ role: 'tool', content: 'x' }] }],
    ['an answer last', { messages: [...question(), { role: 'assistant', content: 'x' }] }],
    ['51 messages', { messages: Array.from({ length: 51 }, () => question()[0]) }],
    ['too long a message', { messages: question('x'.repeat(20_001)) }],
    ['too much in all', { messages: Array.from({ length: 4 }, () => question('x'.repeat(16_000))[0]) }],
    ['a control character', { messages: question('a\u0000b') }],
    ['an unknown switch', { scope: { allow_write: true } }],
    ['ids that are none', { scope: { allowed_receipt_ids: ['x'] } }],
  ])('with %s is refused before the model is queried', async (_, body) => {
    expect((await ask(body)).status).toBe(422)
    expect(model.requests).toHaveLength(0)
  })
})

describe('the scope', () => {
  const tools = () => model.requests[0]?.chat.tools.map(each => each.function.name).sort()

  it('without receipts leaves the model no tools', async () => {
    model.script = calls(get(mine))
    const { json } = await ask({ scope: { allow_read_receipts: false, allow_read_artifacts: true } })
    expect(json.used_tools.filter(({ ok }: { ok: boolean }) => ok)).toEqual([])
    expect(tools()).toEqual([])
    expect(read()).not.toContain('mine-1')
  })

  it('of some receipts applies to every tool', async () => {
    const one = JSON.stringify({ receipt_id: second })
    model.script = calls(
      { call: ['get_receipt', 'get_compliance_checks', 'verify_receipt', 'list_messages'].map(name => [name, one]) },
      {
        call: [
          ['read_message', JSON.stringify({ receipt_id: second, name: 'pain001.xml' })],
          ['find_receipts', '{}'],
        ],
      },
    )
    const { json } = await ask({ scope: { allowed_receipt_ids: [mine], allow_read_artifacts: true } })
    expect(
      json.used_tools.map(({ tool, ok, receipt_ids }: { tool: string; ok: boolean; receipt_ids: string[] }) => [
        tool,
        ok,
        receipt_ids,
      ]),
    ).toEqual([
      ['get_receipt', false, []],
      ['get_compliance_checks', false, []],
      ['verify_receipt', false, []],
      ['list_messages', false, []],
      ['read_message', false, []],
      ['find_receipts', true, [mine]],
    ])
    expect(read()).not.toContain('mine-2')
    expect(tools()).not.toContain('list_statements')
  })

  it('excludes the messages unless they are requested', async () => {
    await ask()
    expect(tools()).toEqual([
      'find_receipts',
      'get_compliance_checks',
      'get_receipt',
      'list_statements',
      'verify_receipt',
    ])
  })
})

describe('a model that fails', () => {
  it.each([
    ['500', { status: 500, body: '{"error":{"message":"SECRET of the provider"}}' }],
    ['broken JSON', { raw: 'data: {"choices":[\n\n' }],
    ['an answer that breaks off', { cut: 'Half of' }],
    ['silence', { raw: '' }],
  ] satisfies [string, ReturnType<Script>][])('with %s is unavailable, without its own text', async (_, turn) => {
    model.script = () => turn
    const { status, json, headers } = await ask()
    expect([status, json.detail, headers.get('retry-after')]).toEqual([503, 'ai_unavailable', '5'])
    expect(JSON.stringify(json)).not.toContain('SECRET')
  })

  it('with an endless answer is cut off', async () => {
    model.script = () => ({ flood: 50 })
    expect((await ask()).json.detail).toBe('ai_unavailable')
  })
})

/** Returns the events of a stream until it ends. */
async function stream(key: string, body: object, signal?: AbortSignal) {
  const query =
    'subscription ($input: AssistEventsInput!) { assistEvents(input: $input) { text answer { reply usedTools { tool receiptIds } } } }'
  const messages = question().map(message => ({ ...message, role: 'USER' }))
  const response = await fetch(`${service.base}/graphql/stream`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream', 'X-API-Key': key },
    body: JSON.stringify({ query, variables: { input: { messages, ...body } } }),
    ...(signal && { signal }),
  })
  const frames = (await response.text()).matchAll(/^data: (\{.*\})$/gm)
  return [...frames].map(([, data = '']) => JSON.parse(data))
}

describe('a stream', () => {
  it('returns the text as it arrives, and the answer at its end', async () => {
    model.script = calls(get(mine), { say: 'It is pending.' })
    const events = (await stream(shop.key, {})).map(({ data }) => data.assistEvents)
    const texts = events.slice(0, -1).map(({ text }) => text)
    expect(texts.length).toBeGreaterThan(1)
    expect(texts.join('')).toBe('It is pending.')
    expect(events.at(-1)).toEqual({
      text: null,
      answer: { reply: 'It is pending.', usedTools: [{ tool: 'get_receipt', receiptIds: [mine] }] },
    })
  })

  it('states with a code why it ends early', async () => {
    model.script = () => ({ cut: 'Half' })
    const events = await stream(shop.key, {})
    expect(events.at(-1).errors[0].extensions.code).toBe('ai_unavailable')
  })

  it.each(['over GraphQL', 'over REST'])(
    'whose caller has disconnected is stopped at the model, %s',
    async transport => {
      model.script = () => ({ stall: true })
      const [before, control] = [model.left, new AbortController()]
      const asking =
        transport === 'over GraphQL'
          ? stream(shop.key, {}, control.signal)
          : fetch(`${service.base}/v1/ai/assist`, {
              method: 'POST',
              headers: { 'Content-Type': 'application/json', 'X-API-Key': shop.key },
              body: JSON.stringify({ messages: question() }),
              signal: control.signal,
            })
      asking.catch(() => undefined)
      await expect.poll(() => model.requests.length).toBe(1)
      control.abort()
      await expect.poll(() => model.left).toBe(before + 1)
    },
  )
})

describe('the cost', () => {
  const spent = (subject: string, value: string) =>
    service.app.pool.query(
      `insert into model_usage (subject, day, spent) values ($1, (now() at time zone 'utc')::date, $2::numeric)
       on conflict (subject, day) do update set spent = excluded.spent`,
      [subject, value],
    )
  const usage = async (subject: string) =>
    (await service.app.pool.query('select * from model_usage where subject = $1', [subject])).rows[0]

  it('is computed from the usage that the provider reports', async () => {
    const { id, key } = await service.api.project('Counted')
    model.script = calls({ call: [['find_receipts', '{}']] }, { say: 'None.' })
    await ask({}, key)
    expect(await usage(`project:${id}`)).toMatchObject({
      input_tokens: '200',
      output_tokens: '20',
      // Two calls with 100 tokens at 3 and 10 tokens at 15 per million.
      spent: '0.000900000000000000',
    })
  })

  it('exceeds the daily budget by at most one step, however many requests run at once', async () => {
    const { id, key } = await service.api.project('Nearly spent')
    await spent(`project:${id}`, '999999.9999')
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask({}, key)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 429)])
    const { json, headers } = answers.find(({ status }) => status === 429) ?? expect.fail()
    expect(json.detail).toBe('ai_budget_spent')
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(86_400)
    expect((await ask()).status).toBe(200)
  })

  it('is zero when the provider refuses, and the maximum when its answer breaks off', async () => {
    const { id, key } = await service.api.project('Refused')
    model.script = () => ({ status: 500, body: '{}' })
    await ask({}, key)
    expect(Number((await usage(`project:${id}`)).spent)).toBe(0)
    model.script = () => ({ cut: 'Half' })
    await ask({}, key)
    expect(Number((await usage(`project:${id}`)).spent)).toBeGreaterThan(0.01)
  })

  it('is not charged twice with one Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'ask-once' }
    const body = { messages: question() }
    const [first, again] = [1, 2].map(
      () => () => service.api.call('POST', '/v1/ai/assist', { key: shop.key, headers, body }),
    )
    expect((await first?.())?.json).toEqual((await again?.())?.json)
    expect(model.requests).toHaveLength(1)
  })
})

describe('a model that an agent configures', () => {
  it('is not queried at a private address, and its key is not stored without encryption', async () => {
    const agent = await service.api.call('POST', '/v1/agents', {
      key: shop.key,
      body: { name: 'Buyer', wallet_address: '0x1' },
    })
    const at = `/v1/agents/${agent.json.id}`
    const body = { ai_mode: 'custom', ai_provider: 'openai-compatible', ai_model: 'x', ai_endpoint: model.url }
    const withKey = { key: shop.key, body: { ...body, ai_api_key: 'sk-1' } }
    expect((await service.api.call('PUT', `${at}/ai-config`, withKey)).json.detail).toBe('secrets_disabled')
    expect((await service.api.call('PUT', `${at}/ai-config`, { key: shop.key, body })).status).toBe(200)
    const { json } = await service.api.call('POST', `${at}/test-ai`, { key: shop.key, body: {} })
    expect([json.detail, model.requests.length]).toEqual(['ai_unavailable', 0])
  })
})

describe('a transcript', () => {
  const query =
    'query ($id: String!) { assistantTranscript(sessionId: $id) { nodes { question reply usedTools { tool } } } }'
  const transcript = async (key: string, id = 'talk') =>
    (await service.api.graphql(query, { key, variables: { id } })).data.assistantTranscript.nodes

  it('is visible only to the key that wrote it, and deleted in time', async () => {
    const colleague = await service.api.key(shop.key, 'project_admin')
    await ask({ session_id: 'talk', messages: question('A secret question') })
    await ask({ session_id: 'talk', messages: question('Theirs') }, other.key)
    expect(await transcript(shop.key)).toEqual([{ question: 'A secret question', reply: 'Done.', usedTools: [] }])
    for (const key of [colleague, adminKey]) expect(await transcript(key)).toEqual([])
    expect(await transcript(other.key)).toMatchObject([{ question: 'Theirs' }])
    expect(await transcript(shop.key, 'another')).toEqual([])
    const { rows } = await service.app.pool.query(
      `select 1 from audit_events where details::text ilike '%secret question%'`,
    )
    expect(rows).toEqual([])
    await cleanTranscripts(service.app)
    expect(await transcript(shop.key)).toHaveLength(1)
    await service.app.pool.query(`update assistant_exchanges set created_at = now() - interval '31 days'`)
    await cleanTranscripts(service.app)
    expect(await transcript(shop.key)).toEqual([])
  })

  it('is not stored without a session id', async () => {
    await ask()
    expect((await service.app.pool.query('select 1 from assistant_exchanges')).rows).toEqual([])
  })
})

it('the status names provider and model, and no key', async () => {
  const { json, text } = await service.api.call('GET', '/v1/ai/status', { key: shop.key })
  expect(json).toEqual({
    enabled: true,
    provider: 'openai-compatible',
    model: 'test-model',
    features: {
      tools: expect.arrayContaining(['get_receipt']),
      streaming: true,
      transcript_days: 30,
      agent_keys: false,
    },
  })
  await ask()
  expect(model.requests[0]?.authorization).toBe('Bearer the-service-s-own-key')
  expect(text).not.toContain('the-service-s-own-key')
  expect((await service.api.call('GET', '/v1/ai/status')).status).toBe(401)
})
