// Hostile GraphQL documents at both endpoints: none blocks the process or makes it grow, and each gets an answer with a
// code. HOSTILE=100000 sends that many.

import { request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { errorCodes } from '../../src/core/errors.ts'
import { schema } from '../../src/graphql/schema.ts'
import { type Hostile, hostileDocuments } from '../kit/hostile-documents.ts'
import { sized } from '../kit/size.ts'
import { startWatchedService } from '../kit/watched-service.ts'

const count = Number(process.env.HOSTILE ?? sized(100, 5_000))
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 32))
const longestHeldMs = 200
const mostGrowth = 1.3

let service: Awaited<ReturnType<typeof startWatchedService>>
let documents: ReturnType<typeof hostileDocuments>

beforeAll(async () => {
  service = await startWatchedService(sized(60, 250))
  documents = hostileDocuments(schema, { receipt: service.receipts[0] ?? '', project: service.project }, seed)
})
afterAll(() => service?.stop())

type Answer = { status: number; text: string }

function send(document: Hostile, index: number): Promise<Answer> {
  const { kind: _, variables, ...rest } = document
  const body = JSON.stringify(rest).replace(/\}$/, variables === undefined ? '}' : `,"variables":${variables}}`)
  const { base, keys } = service
  const key = keys[index % keys.length]
  const stream = index % 3 === 0
  const search = new URLSearchParams({ query: document.query, ...(variables !== undefined && { variables }) })
    .toString()
    .replaceAll('%2C', ',')
  const isGet = index % 5 === 0 && search.length < 15_000
  const path = `${stream ? '/graphql/stream' : '/graphql'}${isGet ? `?${search}` : ''}`
  const headers = {
    ...(key !== undefined && { 'X-API-Key': key }),
    ...(!isGet && { 'Content-Type': 'application/json' }),
    Accept: stream ? 'text/event-stream' : 'application/json',
  }
  return new Promise((resolve, reject) => {
    const asking = request(base + path, { method: isGet ? 'GET' : 'POST', headers }, res => {
      let text = ''
      res.setEncoding('utf8')
      const done = () => resolve({ status: res.statusCode ?? 0, text })
      res.on('data', chunk => {
        text += chunk
        // A stream stays open; its first message is its answer.
        if (stream && /^data: /m.test(text) && /\n\n$/.test(text)) {
          done()
          asking.destroy()
        }
      })
      res.on('end', done).on('error', reject)
    })
    asking.on('error', reject)
    asking.end(isGet ? undefined : body)
  })
}

/** Returns the fault of an answer; null when it has none. */
function fault({ status, text }: Answer): string | null {
  const json = text.startsWith('{') ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? '')
  if (json === '') return `${status} without an answer: ${text.slice(0, 200)}`
  const { data, errors = [], detail } = JSON.parse(json)
  const codes = errors.map(({ extensions }: { extensions?: { code?: string } }) => extensions?.code)
  const strange = codes.find((code: string | undefined) => code === undefined || !(code in errorCodes))
  if (strange !== undefined || codes.includes('internal_error')) return `${status} with ${codes}: ${json.slice(0, 300)}`
  if (data === undefined && codes.length === 0 && detail === undefined) return `${status}: ${json.slice(0, 200)}`
  return null
}

it(`each of ${count} is answered with a code, holds the process for less than ${longestHeldMs} ms, and leaves nothing behind (seed ${seed})`, async () => {
  // Every process has these after a while: caches that are filled and code that is compiled.
  for (let index = 0; index < sized(200, 500); index++) await send(documents.next(), index)
  const { rss: before } = await service.watched('/gc')
  const faults: string[] = []
  let longest = { heldMs: 0, what: '' }
  let largest = { length: 0, what: '' }
  for (let index = 0; index < count; index++) {
    const document = documents.next()
    const what = `${document.kind}: ${document.query.slice(0, 200)}`
    const answer = await send(document, index)
    const wrong = fault(answer)
    if (wrong !== null) faults.push(`${what} -> ${wrong}`)
    const { heldMs } = await service.watched()
    if (heldMs > longest.heldMs) longest = { heldMs, what }
    if (answer.text.length > largest.length) largest = { length: answer.text.length, what }
  }
  const { rss: after } = await service.watched('/gc')
  console.log(
    `longest ${longest.heldMs.toFixed(0)} ms (${longest.what}); largest answer ${largest.length} bytes (${largest.what}); RSS ${(before / 1e6).toFixed(0)} to ${(after / 1e6).toFixed(0)} MB`,
  )
  expect(faults).toEqual([])
  expect(longest).toMatchObject({ heldMs: expect.toSatisfy((ms: number) => ms < longestHeldMs) })
  expect(after / before).toBeLessThanOrEqual(mostGrowth)
}, 3_600_000)
