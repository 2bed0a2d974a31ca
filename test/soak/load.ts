// Clients of two projects that use every door at once, each as its documents ask: they repeat what was not answered,
// with the same key, and continue streams where they ended.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorCode, errorCodes } from '../../src/core/errors.ts'
import { followField } from '../kit/follower.ts'
import { eras } from '../kit/mcp.ts'
import type { PaidChain } from '../kit/paid-chain.ts'
import { answerTo, createPayer } from '../kit/payer.ts'
import type { startReceiver } from '../kit/receiver.ts'
import { type apiOf, tipOf } from '../kit/service.ts'
import type { Random } from './random.ts'

type Api = ReturnType<typeof apiOf>
type Surroundings = { chain: PaidChain; receiver: Awaited<ReturnType<typeof startReceiver>>; random: Random }

const fxPath = '/v1/x402/premium/fx-lookup'
const fxQuestion = { base_ccy: 'USD', quote_ccy: 'USD' }
// A client that finds the service away waits a little.
const pauseMs = 100
// Longer than a failover and the restart of each process after it.
const patienceMs = 120_000

class NotAnswered extends Error {}

export async function startLoad(api: Api, { chain, receiver, random }: Surroundings) {
  const shops = [await api.project('One'), await api.project('Two')] as const
  const accepted = new Map<string, string>()
  const faults = new Set<string>()
  const counts: Record<string, number> = {}
  let isRunning = true
  const count = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1
  }

  /** Repeats a request until its answer is good, or a refusal that does not ask for another try. */
  async function answered(...request: Parameters<Api['call']>) {
    let last = 'no connection'
    for (const until = Date.now() + patienceMs; Date.now() < until; await sleep(pauseMs)) {
      const answer = await api.call(...request).catch(() => null)
      if (answer === null) continue
      last = `${answer.status} ${answer.text.slice(0, 500)}`
      const ofFields: { extensions: { code: ErrorCode } }[] = answer.json?.errors ?? []
      const statuses = [answer.status, ...ofFields.map(({ extensions }) => errorCodes[extensions.code].status)]
      if (!statuses.some(status => status >= 500 || status === 429 || status === 409)) return answer
    }
    const [method, path, { body }] = [request[0], request[1], request[2] ?? {}]
    throw new NotAnswered(`${method} ${path} ${JSON.stringify(body)} was not answered for two minutes: ${last}`)
  }
  const asked = async (key: string, query: string) => {
    const { status, json, text } = await answered('POST', '/graphql', { key, body: { query } })
    if (!json?.data || json.errors) throw new NotAnswered(`${query} was answered with ${status} ${text}`)
    return json.data
  }
  const other = (key: string) => (key === shops[0].key ? shops[1] : shops[0])
  const anyReceipt = () => [...accepted][random.below(accepted.size)]

  for (const { key } of shops) {
    const input = `url: "${receiver.url}/${key.slice(-6)}", eventTypes: [RECEIPT_ANCHORED]`
    await asked(key, `mutation { createWebhookEndpoint(input: { ${input} }) { webhookEndpoint { id } } }`)
  }
  const streams = shops.map(({ key }) =>
    followField(api.base, key, 'receiptChanged', '', 'receipt { id project { id } }'),
  )

  const clients: Record<string, () => Promise<void>> = {
    async record() {
      const { key, id } = random.of(shops)
      const headers = { 'Idempotency-Key': randomUUID() }
      const { status, json, text } = await answered('POST', '/v1/iso/record-tip', { key, body: tipOf(), headers })
      if (status === 200) accepted.set(json.receipt_id, id)
      else faults.add(`a record was answered with ${status} ${text}`)
    },
    async list() {
      const { key, id } = random.of(shops)
      const { receipts } = await asked(key, '{ receipts(first: 20) { nodes { id project { id } } } }')
      for (const { project } of receipts.nodes)
        if (project.id !== id) faults.add('a list had a receipt of another project')
    },
    async trespass() {
      const [receipt, owner] = anyReceipt() ?? []
      if (receipt === undefined || owner === undefined) return
      const { key } = shops.find(({ id }) => id !== owner) ?? shops[0]
      const { receipts } = await asked(key, '{ receipts(first: 50) { nodes { id } } }')
      if (receipts.nodes.some(({ id }: { id: string }) => id === receipt)) faults.add(`${receipt} was seen by another`)
      const query = `mutation { retryReceipt(input: { receiptId: "${receipt}" }) { receipt { id } } }`
      const { json } = await answered('POST', '/graphql', { key, body: { query } })
      if (!json.errors) faults.add(`${receipt} was changed by another`)
    },
    async verify() {
      const [receipt] = anyReceipt() ?? []
      if (receipt === undefined) return
      const { json } = await answered('GET', `/v1/iso/receipts/${receipt}`)
      if (json.status !== 'anchored') return
      const { json: verdict } = await answered('POST', '/v1/iso/verify', { body: { bundle_url: json.bundle_url } })
      if (verdict.matches_onchain === false)
        faults.add(`the evidence of ${receipt} was not verified: ${verdict.errors}`)
    },
    async pay() {
      const challenge = await answered('POST', fxPath, { body: fxQuestion })
      const headers = { 'PAYMENT-SIGNATURE': await answerTo(payer, challenge.headers.get('payment-required')) }
      // A client that has no answer sends the same payment again.
      const { status, text } = await answered('POST', fxPath, { body: fxQuestion, headers })
      if (status !== 200) faults.add(`a payment was answered with ${status} ${text}`)
    },
    async export() {
      const { key } = random.of(shops)
      const { startExport } = await asked(
        key,
        'mutation { startExport(input: { kind: RECEIPTS, format: CSV }) { export { id } } }',
      )
      let url: string | null = null
      while (url === null && isRunning) {
        url = (await asked(key, `{ export(id: "${startExport.export.id}") { downloadUrl } }`)).export.downloadUrl
        await sleep(pauseMs)
      }
      if (url === null) return
      const { pathname, search } = new URL(url)
      const { text } = await answered('GET', pathname + search)
      const foreign = text.split('\n').filter(line => line.includes(other(key).id))
      if (foreign.length > 0) faults.add('an export had a receipt of another project')
    },
    async statement() {
      const { key, id } = random.of(shops)
      const statement = 'statement { id project { id } }'
      const made = await asked(key, `mutation { generateStatement(input: {}) { ${statement} } }`)
      if (made.generateStatement.statement.project.id !== id) faults.add('a statement was of another project')
    },
    async mcp() {
      const caller = await eras['2025-11-25'](api.base, { 'X-API-Key': random.of(shops).key })
      await caller.list()
      await caller.close()
    },
  }
  const payer = await createPayer(chain.node, chain.asset, 1_000_000_000n)
  const doors = ['record', 'record', 'record', 'list', 'trespass', 'verify', 'pay', 'pay', 'export', 'statement', 'mcp']
  const running = doors.map(async door => {
    while (isRunning) {
      await clients[door]?.().then(
        () => count(door),
        // Clients of libraries report what went wrong, and ask again.
        error => {
          if (error instanceof NotAnswered) faults.add(error.message)
          // Clients of libraries report what went wrong, and ask again.
          else count(`${door}, again`)
        },
      )
      await sleep(door.startsWith('record') ? 20 : 200)
    }
  })

  return {
    progress: () => `${accepted.size} receipts, ${counts.pay ?? 0} payments`,
    /** Ends the clients. The streams and the webhooks get until the last receipt is anchored. */
    async end() {
      isRunning = false
      await Promise.all(running)
      const until = Date.now() + 180_000
      const idsOf = (seen: readonly { data: Record<string, unknown> }[]) =>
        new Set(seen.map(({ data }) => (data.receipt as { id: string }).id))
      const missing = () => {
        const streamed = streams.map(({ seen }) => idsOf(seen))
        const sent = new Set(
          receiver.received.map(({ body }) => JSON.stringify(body)).flatMap(text => text.match(/[0-9a-f-]{36}/g) ?? []),
        )
        return [...accepted].flatMap(([id, project]) => [
          ...(streamed[project === shops[0].id ? 0 : 1]?.has(id) ? [] : [`${id} was in no stream`]),
          ...(sent.has(id) ? [] : [`${id} was in no webhook`]),
        ])
      }
      while (missing().length > 0 && Date.now() < until) await sleep(500)
      for (const one of missing()) faults.add(one)
      for (const [index, { seen }] of streams.entries())
        if (seen.some(({ data }) => (data.receipt as { project: { id: string } }).project.id !== shops[index]?.id))
          faults.add('a stream had a receipt of another project')
      for (const stream of streams) await stream.stop()
      counts.webhooks = receiver.received.length
      counts.events = streams.reduce((sum, { seen }) => sum + seen.length, 0)
      return { accepted: accepted.keys(), faults: [...faults], counts }
    },
  }
}
