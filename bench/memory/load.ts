// The mixed load of bench/memory.ts: each kind of request at a steady pace, with a part that is never the same twice.
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { record, tip } from '../kit.ts'

type Kind = { perSecond: number; run(): Promise<unknown> }

/** The parts of the requests. */
export type Target = { url: string; keys: string[]; receipts: string[] }

const json = { 'Content-Type': 'application/json' }
const keptReceipts = 500
const any = <Item>(items: Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item
const unique = () => randomBytes(8).toString('hex')

/** Every kind of request; each returns when its response was read, and throws when the response is another kind. */
function kindsOf({ url, keys, receipts }: Target): Record<string, Kind> {
  // Each request comes from an address of its own.
  const address = () => ({ 'X-Forwarded-For': `198.18.${randomBytes(2).join('.')}` })
  async function ask(path: string, init: RequestInit, wanted: (status: number) => boolean): Promise<string> {
    const headers = { ...address(), ...init.headers }
    const response = await fetch(url + path, { ...init, headers })
    const text = await response.text()
    if (!wanted(response.status)) throw new Error(`${path}: ${response.status} ${text.slice(0, 200)}`)
    return text
  }
  const isRight = (status: number) => status < 300
  const isWrong = (status: number) => status >= 400 && status < 500
  const post = (body: string, headers = {}) => ({ method: 'POST', headers: { ...json, ...headers }, body })
  const as = () => ({ 'X-API-Key': any(keys) })
  const get = (path: string) => ask(path, { headers: as() }, isRight)

  async function graphql(query: string, variables = {}): Promise<void> {
    const text = await ask('/graphql', post(JSON.stringify({ query, variables }), as()), isRight)
    if (/"errors"/.test(text)) throw new Error(text.slice(0, 300))
  }

  // Opened, read for a while, and cut off by the client.
  async function stream(path: string, headers = {}): Promise<void> {
    const end = new AbortController()
    const response = await fetch(url + path, { headers: { ...address(), ...headers }, signal: end.signal })
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    const reading = response.text().catch(() => undefined)
    await sleep(Math.random() * 4_000)
    end.abort()
    await reading
  }

  const wrong: (() => Promise<unknown>)[] = [
    () => ask('/graphql', post('{"query": "{ receipts'), isWrong),
    () => ask('/graphql', post(JSON.stringify({ query: `{ no${unique()} }` }), as()), status => status < 500),
    () => ask('/graphql', post(JSON.stringify({ query: '{ me { role } }' }), { 'X-API-Key': unique() }), isWrong),
    () => ask(`/v1/iso/receipts/${randomUUID()}`, { headers: as() }, isWrong),
    () => ask(`/${unique()}`, {}, isWrong),
    () => ask('/v1/iso/record-tip', post(tip(), { 'X-API-Key': unique() }), isWrong),
    () => ask('/v1/iso/record-tip', post('{}', as()), isWrong),
    () => ask('/v1/iso/record-tip', post(JSON.stringify({ reference: 'x'.repeat(200_000) }), as()), isWrong),
  ]

  return {
    record: {
      perSecond: 8,
      run: async () => {
        receipts.push(await record(url, any(keys)))
        if (receipts.length > keptReceipts) receipts.shift()
      },
    },
    'record with Idempotency-Key': {
      perSecond: 2,
      run: () => ask('/v1/iso/record-tip', post(tip(), { ...as(), 'Idempotency-Key': randomUUID() }), isRight),
    },
    read: { perSecond: 40, run: () => get(`/v1/iso/receipts/${any(receipts)}`) },
    list: { perSecond: 4, run: () => get(`/v1/receipts?page_size=50&reference=${unique()}`) },
    page: { perSecond: 2, run: () => ask(`/receipt/${any(receipts)}`, { headers: { Accept: 'text/html' } }, isRight) },
    'nested documents, each with another text': {
      perSecond: 12,
      run: () =>
        graphql(`query q${unique()} { a${unique()}: receipts(first: 10) { nodes { id status artifacts { nodes { type url sha256 } }
          anchors { anchorTx blockNumber } project { name } } } }`),
    },
    'nested documents, each with other variables': {
      perSecond: 8,
      run: () =>
        graphql(
          `query ($reference: String) { receipts(first: 10, filter: { reference: { contains: $reference } }) { totalCount nodes { id
            events { nodes { type } } payment { id } } } }`,
          { reference: unique() },
        ),
    },
    'stream of a receipt': { perSecond: 3, run: () => stream(`/v1/iso/events/${any(receipts)}`) },
    'stream of a project, each with another text': {
      perSecond: 3,
      run: () => {
        const query = `subscription { receiptChanged { c${unique()}: cursor receipt { id status } } }`
        const headers = { ...as(), Accept: 'text/event-stream' }
        return stream(`/graphql/stream?query=${encodeURIComponent(query)}`, headers)
      },
    },
    wrong: { perSecond: 8, run: () => any(wrong)() },
  }
}

export type Tally = Record<string, { sent: number; failed: number; fault: string }>

/** Sends every kind at its pace until the time is over. */
export async function loadFor(ms: number, target: Target): Promise<Tally> {
  const end = performance.now() + ms
  const tally: Tally = {}
  const pending = new Set<Promise<void>>()
  const pace = async (name: string, { perSecond, run }: Kind) => {
    const count = { sent: 0, failed: 0, fault: '' }
    tally[name] = count
    for (let next = performance.now(); next < end; next += 1_000 / perSecond) {
      await sleep(Math.max(0, next - performance.now()))
      count.sent++
      const sent: Promise<void> = run().then(
        () => void pending.delete(sent),
        (error: Error) => {
          pending.delete(sent)
          count.failed++
          count.fault = error.message
        },
      )
      pending.add(sent)
    }
  }
  await Promise.all(Object.entries(kindsOf(target)).map(([name, kind]) => pace(name, kind)))
  await Promise.all(pending)
  return tally
}
