// Clients that record receipts and pay, and repeat each request until it is acknowledged; and readers of what happens.
import { setTimeout as sleep } from 'node:timers/promises'
import { followField } from '../follower.ts'
import { answerTo, inside, type Payer, random32 } from '../payer.ts'
import { startReceiver } from '../receiver.ts'
import { type apiOf, tipOf } from '../service.ts'
import type { History } from './history.ts'

type Api = ReturnType<typeof apiOf>
type Answer = Awaited<ReturnType<Api['call']>>

const pauseMs = 400
const retryMs = 250
const answerMs = 30_000

const fxPath = '/v1/x402/premium/fx-lookup'
const fxQuestion = { base_ccy: 'USD', quote_ccy: 'USD' }

export type Load = {
  /** The payment that each signed authorization belongs to, by its nonce. */
  authorizations: ReadonlyMap<string, string>
  /** Lets the clients end what they have begun. */
  stop(): Promise<void>
}

/** Takes the processes in turn. `payers`: one client pays with each. */
export function startLoad(apis: readonly Api[], key: string, payers: readonly Payer[], history: History): Load {
  const authorizations = new Map<string, string>()
  let isEnding = false
  let turn = 0
  const next = () => {
    const api = apis[turn++ % apis.length]
    if (api === undefined) throw new Error('no process')
    return api
  }

  /** Repeats until `told` accepts an answer. */
  async function insist(
    what: 'receipt' | 'payment',
    write: string,
    ask: (api: Api) => Promise<Answer>,
    told: (answer: Answer, since: number) => boolean,
  ): Promise<void> {
    history.note({ kind: 'asked', what, write })
    for (;;) {
      const since = history.now()
      const answer = await Promise.race([ask(next()), sleep(answerMs, undefined, { ref: false })]).catch(
        () => undefined,
      )
      if (answer !== undefined && told(answer, since)) return
      const why = answer === undefined ? 'no answer' : `${answer.status} ${answer.text.slice(0, 200)}`
      history.note({ kind: 'refused', what, write, why })
      await sleep(retryMs)
    }
  }

  async function record(client: number): Promise<void> {
    for (let number = 0; !isEnding; number++) {
      const tip = tipOf()
      const write = tip.tip_tx_hash
      // Half of the clients name their requests; an answer that was lost leaves the name taken, so they go on without.
      let name: string | null = client % 2 === 0 ? `${client}-${number}-${write}` : null
      await insist(
        'receipt',
        write,
        api =>
          api.call('POST', '/v1/iso/record-tip', {
            key,
            body: tip,
            ...(name !== null && { headers: { 'Idempotency-Key': name } }),
          }),
        ({ status, json }, since) => {
          if (status === 409) name = null
          if (status !== 200 && status !== 201) return false
          history.note({ kind: 'told', what: 'receipt', write, receipt: json.receipt_id, since })
          return true
        },
      )
      await sleep(pauseMs)
    }
  }

  async function pay(payer: Payer): Promise<void> {
    while (!isEnding) {
      const write = `pay_${random32().slice(2)}`
      let required: string | null = null
      let header: string | null = null
      await insist(
        'payment',
        write,
        async api => {
          if (required === null) {
            const offer = await api.call('POST', fxPath, { body: fxQuestion })
            required = offer.headers.get('payment-required')
            if (required === null) return offer
          }
          if (header === null) {
            header = await answerTo(payer, required, write)
            authorizations.set(inside(header).authorization.nonce.toLowerCase(), write)
          }
          return api.call('POST', fxPath, { body: fxQuestion, headers: { 'PAYMENT-SIGNATURE': header } })
        },
        ({ status, headers }, since) => {
          if (status !== 200) {
            // Some clients repeat what they signed, others sign again for the same purchase.
            if (status === 402 || Math.random() < 0.3) header = null
            return false
          }
          const { transaction } = JSON.parse(atob(headers.get('payment-response') ?? ''))
          history.note({ kind: 'told', what: 'payment', write, txid: transaction, since })
          return true
        },
      )
      await sleep(pauseMs)
    }
  }

  const clients = [...[0, 1, 2].map(record), ...payers.map(pay)]
  return {
    authorizations,
    async stop() {
      isEnding = true
      await Promise.all(clients)
    },
  }
}

export type Readers = { stop(): Promise<void>; seen(): ReadonlyMap<string, number> }

/** A stream at each process and a webhook receiver, which note each event as they see it. */
export async function startReaders(apis: readonly Api[], key: string, history: History): Promise<Readers> {
  const receiver = await startReceiver()
  const [api] = apis
  if (api === undefined) throw new Error('no process')
  const create = `mutation ($url: URL!) { createWebhookEndpoint(input: { url: $url }) { webhookEndpoint { id } } }`
  const made = await api.graphql(create, { key, variables: { url: `${receiver.url}/hook` } })
  if (made.errors !== undefined) throw new Error(JSON.stringify(made.errors))
  const streams = apis.map(({ base }) => followField(base, key, 'receiptChanged', '', 'type receipt { id }'))
  const taken = new Map<string, number>()
  const takeNew = <T>(
    reader: string,
    all: readonly T[],
    read: (one: T) => { event: string; receipt: string; type: string } | null,
  ) => {
    for (const one of all.slice(taken.get(reader) ?? 0)) {
      const event = read(one)
      if (event !== null) history.note({ kind: 'event', reader, ...event })
    }
    taken.set(reader, all.length)
  }
  const take = () => {
    for (const [index, { seen }] of streams.entries())
      takeNew(`stream ${index + 1}`, seen, ({ id, data }) => ({
        event: id,
        receipt: (data.receipt as { id: string }).id,
        type: `receipt.${String(data.type)
          .toLowerCase()
          .replace(/^receipt_/, '')}`,
      }))
    takeNew('webhook', receiver.received, ({ id, body }) =>
      typeof body.data.receipt_id === 'string'
        ? { event: id.replace('evt_', ''), receipt: body.data.receipt_id, type: body.type }
        : null,
    )
  }
  const timer = setInterval(take, 100)
  return {
    seen: () => taken,
    async stop() {
      clearInterval(timer)
      await Promise.all(streams.map(stream => stream.stop()))
      take()
      await receiver.stop()
    },
  }
}
