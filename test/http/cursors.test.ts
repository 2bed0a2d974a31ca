// Pages keep their place: no row is missed or repeated when the row of the cursor changes, and a cursor does not tell
// another project's entry from one that never was.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminKey, type Service, startService, tipOf } from '../kit/service.ts'

const absent = '00000000-0000-4000-8000-000000000000'
const encoded = (text: string) => Buffer.from(text).toString('base64')
const cursorOf = (id: string) => encoded(`GPC:S:${id}`)

let service: Service
let mine: { id: string; key: string }
let other: { id: string; key: string }
/** By their number, from 1. The even ones are in FLR, the odd ones in USDC. */
const receipts: string[] = ['']

beforeAll(async () => {
  service = await startService({ ROLES: 'api,worker' })
  mine = await service.api.project('Mine')
  other = await service.api.project('Other')
  for (let number = 1; number <= 7; number++) {
    const { json } = await service.api.record(mine.key, {
      ...tipOf(),
      reference: `order-${number}`,
      currency: number % 2 ? 'USDC' : 'FLR',
    })
    receipts.push(json.receipt_id)
  }
  await service.api.record(other.key)
})
afterAll(() => service.stop())

const ask = (query: string, key: string | null = mine.key, variables: Record<string, unknown> = {}) =>
  service.api.graphql(query, { variables, ...(key && { key }) })

type Page = { nodes: { reference: string }[]; pageInfo: Record<string, unknown> }
const numbersIn = ({ nodes }: Page) => nodes.map(({ reference }) => Number(reference.slice('order-'.length)))
const pageFields = '{ nodes { reference } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }'

const lists: [string, (args: string) => Promise<Page>][] = [
  ['of the caller', async args => (await ask(`{ receipts(${args}) ${pageFields} }`)).data.receipts],
  [
    'of one project',
    async args => (await ask(`{ me { project { receipts(${args}) ${pageFields} } } }`)).data.me.project.receipts,
  ],
  [
    'of each of several projects',
    async args => {
      const { data } = await ask(`{ projects { nodes { id receipts(${args}) ${pageFields} } } }`, adminKey)
      return data.projects.nodes.find(({ id }: { id: string }) => id === mine.id).receipts
    },
  ],
]

describe.each(lists)('the receipts %s', (_, page) => {
  const inFlr = 'filter: { currencies: ["FLR"] }'

  it('continue after a row that does not match the filter', async () => {
    const rest = await page(`first: 2, after: "${cursorOf(receipts[5] as string)}", ${inFlr}`)
    expect(numbersIn(rest)).toEqual([4, 2])
    expect(rest.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true })
    const one = await page(`first: 1, after: "${cursorOf(receipts[5] as string)}", ${inFlr}`)
    expect([numbersIn(one), one.pageInfo.hasNextPage]).toEqual([[4], true])
  })

  it('end before a row that does not match the filter', async () => {
    const rest = await page(`last: 2, before: "${cursorOf(receipts[3] as string)}", ${inFlr}`)
    expect(numbersIn(rest)).toEqual([6, 4])
    expect(rest.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false })
    const one = await page(`last: 1, before: "${cursorOf(receipts[3] as string)}", ${inFlr}`)
    expect([numbersIn(one), one.pageInfo.hasPreviousPage]).toEqual([[4], true])
  })

  it.each(['AMOUNT', 'CREATED_AT'])('are all on the pages in the order of %s, in both directions', async field => {
    for (const direction of ['ASC', 'DESC']) {
      const order = `orderBy: { field: ${field}, direction: ${direction} }`
      const all = numbersIn(await page(order))
      expect(all).toHaveLength(7)
      const [forwards, backwards]: [number[], number[]] = [[], []]
      let [end, start] = ['null', 'null']
      for (let turn = 0; turn < 3; turn++) {
        const next = await page(`first: 3, after: ${end}, ${order}`)
        const previous = await page(`last: 3, before: ${start}, ${order}`)
        forwards.push(...numbersIn(next))
        backwards.unshift(...numbersIn(previous))
        end = `"${next.pageInfo.endCursor}"`
        start = `"${previous.pageInfo.startCursor}"`
      }
      expect([forwards, backwards]).toEqual([all, all])
    }
  })
})

describe('a page after a row whose status changed', () => {
  const matching = 'filter: { statuses: [PENDING] }'

  it.each(lists)('misses no receipt %s', async (_, page) => {
    await service.app.pool.query(`update receipts set status = 'pending' where project_id = $1`, [mine.id])
    const first = await page(`first: 2, ${matching}`)
    expect(numbersIn(first)).toEqual([7, 6])
    const changed = receipts[6]
    await service.app.pool.query(`update receipts set status = 'failed' where id = $1`, [changed])
    expect(numbersIn(await page(`first: 2, after: "${first.pageInfo.endCursor}", ${matching}`))).toEqual([5, 4])
    expect(numbersIn(await page(`last: 2, before: "${first.pageInfo.endCursor}", ${matching}`))).toEqual([7])
  })
})
