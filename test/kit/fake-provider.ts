// A provider of compliance decisions over real HTTP that returns the answers a test sets.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { apiOf } from './service.ts'
import { adminKey } from './service.ts'

type Question = {
  check: string
  kind: string
  id: string
  tx_hash: string | null
  chain: string
  amount: string
  currency: string
  sender: { wallet: string; name: string | null }
  receiver: { wallet: string; name: string | null }
}

/** An object: JSON with 200 · a string: that text with 200 · a number: that status without a body. */
type Reply = object | string | number
type Answerer = (question: Question) => Reply | Promise<Reply>

export const allows: Answerer = () => ({ decision: 'allow' })
export const denies: Answerer = () => ({ decision: 'deny', reason: 'on a list' })
export const isDown: Answerer = () => 503

export type FakeProvider = Awaited<ReturnType<typeof startFakeProvider>>

export async function startFakeProvider(first: Answerer = allows) {
  let answerer = first
  const questions: Question[] = []
  const headers: IncomingHttpHeaders[] = []
  let open = 0
  let mostOpen = 0
  const server = createServer(async (req, res) => {
    open += 1
    mostOpen = Math.max(mostOpen, open)
    res.on('close', () => {
      open -= 1
    })
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const question: Question = JSON.parse(Buffer.concat(chunks).toString())
    questions.push(question)
    headers.push(req.headers)
    const reply = await answerer(question)
    if (typeof reply === 'number') res.writeHead(reply).end()
    else res.writeHead(200).end(typeof reply === 'string' ? reply : JSON.stringify(reply))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/screen`,
    questions,
    headers,
    mostOpen: () => mostOpen,
    answers(next: Answerer) {
      answerer = next
    },
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** Replaces the organisation's configuration with this one. */
export async function configureCompliance(api: ReturnType<typeof apiOf>, compliance: object, more: object = {}) {
  const { status, text } = await api.call('PUT', '/v1/config', { key: adminKey, body: { compliance, ...more } })
  if (status !== 200) throw new Error(`the configuration was refused: ${text}`)
}
