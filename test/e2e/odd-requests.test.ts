// Memory use under unexpected requests: REST requests generated from the OpenAPI document, and hostile GraphQL
// documents. ODD=100000 sends that many.

import { request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { schema } from '../../src/graphql/schema.ts'
import { hostileDocuments } from '../kit/hostile-documents.ts'
import { type OddRequest, oddRequests } from '../kit/odd-requests.ts'
import { sized } from '../kit/size.ts'
import { startWatchedService } from '../kit/watched-service.ts'

const count = Number(process.env.ODD ?? sized(300, 12_000))
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 32))

let service: Awaited<ReturnType<typeof startWatchedService>>
let next: () => OddRequest

beforeAll(async () => {
  service = await startWatchedService(50)
  const { receipts, project } = service
  const documents = hostileDocuments(schema, { receipt: receipts[0] ?? '', project }, seed)
  let state = seed
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const rest = oddRequests(random, [...receipts, project])
  next = () => {
    if (random() < 0.85) return rest()
    const { query, variables } = documents.next()
    const body = `{"query":${JSON.stringify(query)}${variables === undefined ? '' : `,"variables":${variables}`}}`
    return { method: 'POST', path: '/graphql', headers: { 'Content-Type': 'application/json' }, body }
  }
})

afterAll(() => service?.stop())

function send({ method, path, headers, body }: OddRequest, index: number): Promise<number> {
  const { base, keys } = service
  const key = keys[index % keys.length]
  return new Promise((resolve, reject) => {
    const asking = request(base + path, { method, headers: { ...headers, ...(key && { 'X-API-Key': key }) } }, res => {
      // A stream stays open; its start is its answer.
      if (res.headers['content-type']?.includes('event-stream')) {
        asking.destroy()
        return resolve(res.statusCode ?? 0)
      }
      res
        .resume()
        .on('end', () => resolve(res.statusCode ?? 0))
        .on('error', reject)
    })
    asking.on('error', reject)
    asking.end(body ?? undefined)
  })
}

it(`memory use levels off over ${count} requests (seed ${seed})`, async () => {
  const sizes: number[] = []
  const statuses = new Map<number, number>()
  const steps = 10
  for (let step = 0; step < steps; step++) {
    for (let done = 0; done < count / steps; done += 8) {
      const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => send(next(), done + index)))
      for (const status of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    const { rss } = await service.watched('/gc')
    sizes.push(rss)
  }
  console.log(
    `RSS ${sizes.map(size => Math.round(size / 1e6)).join(', ')} MB; answers ${JSON.stringify(Object.fromEntries([...statuses].toSorted()))}`,
  )
  expect([...statuses.keys()]).not.toContain(500)
  const [half = 0, last = 0] = [sizes[steps / 2 - 1], sizes.at(-1)]
  expect(last / half).toBeLessThanOrEqual(1.2)
}, 7_200_000)
