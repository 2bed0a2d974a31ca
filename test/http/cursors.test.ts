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
  service = await startService({ ROLES: 'api', ALLOW_PRIVATE_TARGETS: 'true' })
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

  const ofAll = ', filter: { currencies: ["USDC", "FLR", "USDC"] }'
  it.each([
    ['AMOUNT', ''],
    ['CREATED_AT', ''],
    ['CREATED_AT', ofAll],
  ])('are all on the pages in the order of %s%s, in both directions', async (field, filter) => {
    for (const direction of ['ASC', 'DESC']) {
      const order = `orderBy: { field: ${field}, direction: ${direction} }${filter}`
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

describe('a cursor', () => {
  const tables = {
    Agent: 'agents',
    ApiKey: 'api_keys',
    LinkedWallet: 'linked_wallets',
    Payment: 'payments',
    Statement: 'statements',
    StatementAccount: 'statement_accounts',
    WebhookEndpoint: 'webhook_endpoints',
    Session: 'sessions',
    AuditEvent: 'audit_events',
  } as const
  type Entry = keyof typeof tables
  const root: [string, Entry][] = [
    ['agents', 'Agent'],
    ['apiKeys', 'ApiKey'],
    ['linkedWallets', 'LinkedWallet'],
    ['payments', 'Payment'],
    ['webhookEndpoints', 'WebhookEndpoint'],
    ['auditTrail', 'AuditEvent'],
  ]
  const nested: [string, Entry][] = [...root, ['statements', 'Statement'], ['sessions', 'Session']]
  const cases = [
    ...root.map(([list, type]) => ({ list, type, isNested: false })),
    ...nested.map(([list, type]) => ({ list, type, isNested: true })),
  ]
  const idOf = async (type: Entry, project: string): Promise<string> => {
    const { rows } = await service.app.pool.query(`select id from ${tables[type]} where project_id = $1`, [project])
    return String(rows[0].id)
  }
  const entryCursor = (type: Entry, id: string) => (type === 'AuditEvent' ? encoded(`GPC:I:${id}`) : cursorOf(id))

  beforeAll(async () => {
    for (const { id, key } of [mine, other]) {
      const endpoint = '{ url: "http://127.0.0.1:9/hook" }'
      const { errors } = await ask(
        `mutation {
          createAgent(input: { name: "Buyer", walletAddress: "0x1" }) { agent { id } }
          createWebhookEndpoint(input: ${endpoint}) { webhookEndpoint { id } }
          generateStatement(input: {}) { statement { id } }
          createSession(input: {}) { token }
        }`,
        key,
      )
      expect(errors).toBeUndefined()
      await service.app.pool.query(
        `with wallet as (insert into linked_wallets (address, project_id) values ('0x' || substr(md5($1), 1, 40), $1::uuid))
         insert into payments (id, network, asset, payer, nonce, amount, currency, pay_to, endpoint, fingerprint, payload,
           project_id, status, since_block, txid, settled_at, delivered_at)
         values (gen_random_uuid(), 'eip155:31337', '0x0', '0x' || repeat('1', 40), decode(md5($1), 'hex'), 1, 'TEST',
           '0x' || repeat('2', 40), '/v1/x402/premium/fx-lookup', '\\x00', '{}', $1::uuid, 'delivered', 0,
           '0x' || repeat('3', 64), now(), now())`,
        [id],
      )
    }
  })

  const read = async ({ list, isNested }: { list: string; isNested: boolean }, args: string) => {
    const query = `${list}(${args}) { nodes { __typename } }`
    const { data, errors } = await ask(isNested ? `{ me { project { id ${query} } } }` : `{ ${query} }`)
    return {
      page: isNested ? data.me.project[list] : data[list],
      errors,
      above: isNested ? data.me.project.id : mine.id,
    }
  }

  it.each(cases)(
    'of another project is refused as an absent and a malformed one: $list, nested: $isNested',
    async of => {
      const { type } = of
      const refused = [
        entryCursor(type, await idOf(type, other.id)),
        entryCursor(type, type === 'AuditEvent' ? '999999999' : absent),
        ...['GPC:S:x', 'GPC:I:99999999999999999999', 'GPC:J:{"a":1}', 'nothing', ''].map(encoded),
        cursorOf(receipts[1] as string),
        'no base64!',
      ]
      for (const args of ['first: 5, after', 'last: 5, before']) {
        const name = args.slice(args.indexOf(',') + 2)
        const own = await read(of, `${args}: "${entryCursor(type, await idOf(type, mine.id))}"`)
        expect(own.errors).toBeUndefined()
        for (const cursor of refused) {
          const { page, errors, above } = await read(of, `${args}: "${cursor}"`)
          expect([cursor, page, above, errors.length]).toEqual([cursor, null, mine.id, 1])
          expect(errors[0].message).toBe(
            'The cursor is of no entry that this caller may read. Read the list from its start.',
          )
          expect(errors[0].extensions).toMatchObject({ code: 'validation_failed', issues: [{ path: [name] }] })
        }
      }
    },
  )

  it('of a number is a place also without an entry', async () => {
    const list = (args: string) => `{ webhookDeliveries(${args}) { nodes { id } } }`
    const [far, foreign] = await Promise.all(
      ['999999999', '1'].map(n => ask(list(`after: "${encoded(`GPC:I:${n}`)}"`))),
    )
    expect([far.errors, foreign.errors]).toEqual([undefined, undefined])
    const { errors } = await ask(list(`after: "${cursorOf(absent)}"`))
    expect(errors[0].extensions.code).toBe('validation_failed')
  })
})
