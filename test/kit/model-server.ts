// A language model for tests: OpenAI's chat API over real HTTP, streamed, with scripted answers.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

const chat = z.object({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).default([]),
})
export type Chat = z.output<typeof chat>

export type Turn =
  | { say: string }
  | { call: [tool: string, args: string][] }
  /** Faults: answers that break the protocol. */
  | { status: number; body: string }
  | { raw: string }
  | { cut: string }
  | { flood: number }
  | { stall: true }

/** Returns the model's turn for the `step`th request of a conversation, counted from 0. */
export type Script = (conversation: Chat, step: number) => Turn

export type ModelServer = AsyncDisposable & {
  url: string
  /** Every request, with its body as received and its Authorization header. */
  requests: { body: string; authorization: string | undefined; chat: Chat }[]
  script: Script
  /** The number of answers that the client aborted before they were complete. */
  left: number
}

const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const end = (finish: string) =>
  `${chunk({}, finish)}data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage })}\n\ndata: [DONE]\n\n`

/** Text, followed by a tool call. */
export const sayAndCall =
  chunk({ content: 'Let me look.' }) +
  chunk({
    tool_calls: [{ index: 0, id: 'call', type: 'function', function: { name: 'find_receipts', arguments: '{}' } }],
  }) +
  end('tool_calls')

function answer(turn: Turn, res: ServerResponse): void {
  if ('status' in turn) return void res.writeHead(turn.status, { 'Content-Type': 'application/json' }).end(turn.body)
  res.writeHead(200, { 'Content-Type': 'text/event-stream' })
  if ('stall' in turn) return void res.write(chunk({ role: 'assistant', content: 'Let me' }))
  if ('raw' in turn) return void res.end(turn.raw)
  if ('cut' in turn) return void res.write(chunk({ content: turn.cut }), () => res.destroy())
  if ('flood' in turn) return void flood(turn.flood, res)
  if ('say' in turn) {
    const half = Math.floor(turn.say.length / 2)
    for (const content of [turn.say.slice(0, half), turn.say.slice(half)]) res.write(chunk({ content }))
    return void res.end(end('stop'))
  }
  turn.call.forEach(([name, args], index) => {
    res.write(
      chunk({ tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: args } }] }),
    )
  })
  res.end(end('tool_calls'))
}

/** Streams this many megabytes, unless the client disconnects. */
function flood(megabytes: number, res: ServerResponse): void {
  const content = 'a lot '.repeat(10_000)
  let left = megabytes * 16
  const more = () => {
    while (left-- > 0 && !res.destroyed) if (!res.write(chunk({ content }))) return void res.once('drain', more)
    res.end(end('stop'))
  }
  more()
}

export async function serveModel(script: Script = () => ({ say: 'Hello.' })): Promise<ModelServer> {
  const server = createServer((req: IncomingMessage, res) => {
    res.on('close', () => {
      if (!res.writableFinished) model.left += 1
    })
    text(req)
      .then(body => {
        const conversation = chat.parse(JSON.parse(body))
        model.requests.push({ body, authorization: req.headers.authorization, chat: conversation })
        const last = conversation.messages.findLastIndex(({ role }) => role === 'user')
        answer(
          model.script(
            conversation,
            conversation.messages.slice(last).filter(({ role }) => role === 'assistant').length,
          ),
          res,
        )
      })
      .catch(error => res.destroy(error))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const model: ModelServer = {
    url: `http://127.0.0.1:${port}/v1`,
    requests: [],
    left: 0,
    script,
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
  return model
}

/** Settings with which a service uses this model. */
export const modelSettings = ({ url }: ModelServer): Record<string, string> => ({
  AI_PROVIDER: 'openai-compatible',
  AI_MODEL: 'test-model',
  AI_BASE_URL: url,
  AI_API_KEY: 'the-service-s-own-key',
  AI_INPUT_PRICE: '3',
  AI_OUTPUT_PRICE: '15',
  AI_DAILY_BUDGET: '1000000',
})
