// A language model on loopback, because the service has no other model in this run: it searches receipts and reports
// one if it has tools, and otherwise answers with a command.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

export type Model = { url: string; stop(): void }

const chat = z.object({ messages: z.array(z.object({ role: z.string() })), tools: z.array(z.unknown()).default([]) })

const find = { name: 'find_receipts', arguments: '{"status":"anchored","limit":1}' }

/** Returns one chunk of a stream, with the reason why the stream ends. */
function answerTo({ messages, tools }: z.output<typeof chat>): { delta: object; finish_reason: string } {
  if (tools.length === 0) return { delta: { content: '{"command":"list","arguments":[]}' }, finish_reason: 'stop' }
  if (messages.at(-1)?.role === 'tool')
    return { delta: { content: 'The newest anchored receipt is that of order 1042.' }, finish_reason: 'stop' }
  const call = { index: 0, id: 'call_1', type: 'function', function: find }
  return { delta: { tool_calls: [call] }, finish_reason: 'tool_calls' }
}

export async function startModel(): Promise<Model> {
  const server = createServer(async (request, response) => {
    const part = { index: 0, ...answerTo(chat.parse(JSON.parse(await text(request)))) }
    const usage = { prompt_tokens: 400, completion_tokens: 20, total_tokens: 420 }
    const shared = { id: 'chat_1', object: 'chat.completion.chunk', created: 1, model: 'example-model' }
    const events = [JSON.stringify({ ...shared, choices: [part], usage }), '[DONE]']
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.end(events.map(event => `data: ${event}\n\n`).join(''))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
