// Each model provider is queried at its own URL with the key in its own header, and its text and usage are parsed.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { createModel } from '../../src/adapters/ai-sdk-model.ts'
import type { Conversation, ModelProvider, Usage } from '../../src/ports/model.ts'

const events = (...list: object[]) => list.map(event => `data: ${JSON.stringify(event)}\n\n`).join('')

const openai = `${events(
  { id: 'x', choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: null }] },
  { id: 'x', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  { id: 'x', choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } },
)}data: [DONE]\n\n`

const message = { id: 'x', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null }
const anthropic = events(
  { type: 'message_start', message: { ...message, usage: { input_tokens: 7, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
  { type: 'message_stop' },
)

const google = events({
  candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10 },
})

const conversation = (more: Partial<Conversation> = {}): Conversation => ({
  ...{ instructions: 'Be short.', messages: [{ role: 'user', content: 'Hello' }], tools: [] },
  ...{ maxSteps: 2, maxOutputTokens: 100, signal: new AbortController().signal },
  before: async () => undefined,
  after: async () => undefined,
  ...more,
})

async function all<T>(parts: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const part of parts) list.push(part)
  return list
}

async function served(answer: string, status = 200) {
  const asked: { path: string; headers: object; body: string }[] = []
  const server = createServer((req, res) => {
    let body = ''
    req.on('data', chunk => (body += chunk))
    req.on('end', () => {
      asked.push({ path: req.url ?? '', headers: req.headers, body })
      res.writeHead(status, { 'Content-Type': 'text/event-stream', Location: '/elsewhere' }).end(answer)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { asked, baseUrl: `http://127.0.0.1:${port}/base`, [Symbol.asyncDispose]: async () => void server.close() }
}

it.each<[ModelProvider, string, string, object]>([
  ['openai-compatible', openai, '/base/chat/completions', { authorization: 'Bearer the-key' }],
  ['openai', openai, '/base/chat/completions', { authorization: 'Bearer the-key' }],
  ['anthropic', anthropic, '/base/messages', { 'x-api-key': 'the-key' }],
  ['google', google, '/base/models/m:streamGenerateContent?alt=sse', { 'x-goog-api-key': 'the-key' }],
])('%s', async (provider, answer, path, headers) => {
  await using server = await served(answer)
  const used: (Usage | null)[] = []
  const model = createModel({ provider, name: 'm', baseUrl: server.baseUrl, apiKey: 'the-key' }, true)
  const parts = await all(model.converse(conversation({ after: async usage => void used.push(usage) })))
  expect(parts).toEqual(['', 'Hi'].map(text => ({ kind: 'text', step: 0, text })))
  expect(used).toEqual([{ inputTokens: 7, outputTokens: 3 }])
  expect(server.asked).toMatchObject([{ path, headers }])
  for (const words of ['Hello', 'Be short.', '100']) expect(server.asked[0]?.body).toContain(words)
})

it('a redirect is not followed, so that the key is sent to no other server', async () => {
  await using server = await served('', 307)
  const model = createModel({ provider: 'openai', name: 'm', baseUrl: server.baseUrl, apiKey: 'the-key' }, true)
  const asking = all(model.converse(conversation()))
  await expect(asking).rejects.toMatchObject({ code: 'ai_unavailable' })
  expect(server.asked).toHaveLength(1)
})

it('a private address that a project configured is never queried', async () => {
  await using server = await served(openai)
  for (const host of ['127.0.0.1', 'localhost']) {
    const baseUrl = server.baseUrl.replace('127.0.0.1', host)
    const model = createModel({ provider: 'openai-compatible', name: 'm', baseUrl, apiKey: null }, false)
    await expect(all(model.converse(conversation()))).rejects.toMatchObject({ code: 'ai_unavailable' })
  }
  expect(server.asked).toEqual([])
})
