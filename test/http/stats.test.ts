// Receipts and revenue added up: exact, of the caller's project only, with the filters of the list.
import { Decimal } from 'decimal.js'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { adminKey, type Service, startService } from '../kit/service.ts'

type Group = {
  key: { status: string | null; currency: string | null }
  count: number
  sums: { currency: string; gross: string }[]
}
type Made = { id: string; chain: string; currency: string; amount: string; status: string; at: string; seconds: number }

let service: Service
let mine: { id: string; key: string }
let other: { id: string; key: string }
let made: Made[]

/** Amounts with as many digits as there may be, which no floating point number holds. */
const amountOf = (n: number) => `${n % 7}1234567890123456789.00000000000000000${1 + (n % 9)}`

beforeAll(async () => {
  service = await startService({ ROLES: 'api' })
  mine = await service.api.project('Mine')
  other = await service.api.project('Other')
  const database = new pg.Client({ connectionString: service.databaseUrl })
  await database.connect()
  const record = async (key: string, n: number): Promise<Made> => {
    const [chain, currency] = [n % 2 ? 'base' : 'polygon', ['USDC', 'EURC', 'DAI'][n % 3] ?? '']
    const [amount, reference] = [amountOf(n), `stat-${n}%_x`]
    const { json } = await service.api.record(key, { chain, currency, amount, reference })
    const status = n % 5 === 4 ? 'pending' : 'anchored'
    // Around midnight in UTC, with the session's time zone elsewhere.
    const at = new Date(Date.UTC(2026, 0, 1 + (n % 4), n % 2 ? 0 : 23, n % 2 ? 0 : 59, n))
    const seconds = 10 + n
    await database.query(`update receipts set created_at = $2, status = $3, anchored_at = $4 where id = $1`, [
      json.receipt_id,
      at,
      status,
      status === 'anchored' ? new Date(at.getTime() + seconds * 1_000) : null,
    ])
    return { id: json.receipt_id, chain, currency, amount, status, at: at.toISOString(), seconds }
  }
  made = []
  for (let n = 0; n < 24; n++) made.push(await record(mine.key, n))
  for (let n = 0; n < 5; n++) await record(other.key, n)
  // A refund is not larger than its payment.
  const [refund, payment] = made.slice(0, 2).toSorted((a, b) => new Decimal(a.amount).cmp(b.amount))
  await database.query('update receipts set refund_of_id = $2 where id = $1', [refund?.id, payment?.id])
  await database.end()
})
afterEach(() => vi.useRealTimers())
afterAll(() => service.stop())

/** Stops the clock, because each minute has its own quota. */
const stopClock = () => vi.useFakeTimers({ toFake: ['Date'] })

const fields = '{ nodes { key { status currency } count sums { currency gross } } }'

async function stats(args: string, key = mine.key): Promise<Group[]> {
  const { data, errors } = await service.api.graphql(`{ receiptStats${args} ${fields} }`, { key })
  expect(errors).toBeUndefined()
  return data.receiptStats.nodes
}

const insertPayments = `
  insert into payments (id, network, asset, payer, nonce, amount, currency, pay_to, endpoint, fingerprint, payload,
    project_id, status, since_block, txid, settled_at)
  select gen_random_uuid(), 'n', 'a', '0x1', decode(md5(i::text), 'hex'), 1, 'X', '0x2', '/fx-lookup', '\\x00', '{}', $1,
    'settled', 0, 't' || i, now() from generate_series(1, $2::int) as i`

const insertMany = `
  insert into receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference)
  select gen_random_uuid(), $1, 't' || i, 'base', 1, 'c' || i % $3::int, 'a', 'b', 'r' || i from generate_series(1, $2::int) as i`

describe('receiptStats', () => {
  it('is one group without `by`, and none without receipts', async () => {
    const [all, ...more] = await stats('')
    expect(all).toMatchObject({ key: { status: null, currency: null }, count: made.length })
    expect(more).toEqual([])
    expect(await stats('(filter: { chains: ["none"] }, by: { status: true })')).toEqual([])
  })

  it('counts what the list with the same filter lists', async () => {
    const filters = [
      '{}',
      '{ statuses: [PENDING, ANCHORED], chains: ["base"] }',
      '{ currencies: ["USDC", "DAI"] }',
      '{ amount: { min: "21234567890123456789.000000000000000003", max: "51234567890123456789" } }',
      '{ createdAt: { since: "2026-01-02", until: "2026-01-03" } }',
      '{ createdAt: { since: "2026-01-02T00:00:01Z", until: "2026-01-03T23:59:10Z" } }',
      '{ anchoredAt: { since: "2026-01-02" } }',
      '{ hasRefund: true }',
      '{ hasRefund: false }',
      '{ reference: { contains: "-1" } }',
      '{ reference: { contains: "%_" } }',
      '{ reference: { startsWith: "_%" } }',
      '{ wallets: ["0x1"], senderWallets: ["0x1"], receiverWallets: ["0x1"] }',
      `{ bundleHash: "0x${'00'.repeat(32)}" }`,
      '{ settlementTx: "0x1" }',
      `{ projectId: "${mine.id}" }`,
      `{ projectId: "${other.id}" }`,
    ]
    for (const filter of filters) {
      const query = `{ receipts(filter: ${filter}) { totalCount } }`
      const { data } = await service.api.graphql(query, { key: mine.key })
      expect([filter, (await stats(`(filter: ${filter})`))[0]?.count ?? 0]).toEqual([filter, data.receipts.totalCount])
    }
    const { data: wallets } = await service.api.graphql('{ receipts(first: 1) { nodes { senderWallet } } }', {
      key: mine.key,
    })
    const wallet = wallets.receipts.nodes[0].senderWallet
    expect(await stats(`(filter: { wallets: ["${wallet}"] })`)).toMatchObject([{ count: 1 }])
  })

  it('leaves out no receipt of a range of anchoring times, newest first', async () => {
    const query = '{ receipts(filter: { anchoredAt: { since: "2026-01-02" } }) { totalCount nodes { anchoredAt } } }'
    const { data } = await service.api.graphql(query, { key: mine.key })
    const times = data.receipts.nodes.map(({ anchoredAt }: { anchoredAt: string }) => anchoredAt)
    expect(times).toHaveLength(Math.min(20, data.receipts.totalCount))
    expect(times).toEqual(times.toSorted().toReversed())
  })

  it('never counts receipts of another project, except for an administrator', async () => {
    expect(await stats('', other.key)).toMatchObject([{ count: 5 }])
    expect(await stats(`(filter: { projectId: "${mine.id}" })`, other.key)).toEqual([])
    expect(await stats('', adminKey)).toMatchObject([{ count: made.length + 5 }])
    expect(await stats(`(filter: { projectId: "${other.id}" })`, adminKey)).toMatchObject([{ count: 5 }])
  })

  it('is a field of the project too', async () => {
    const query = `{ me { project { receiptStats(by: { currency: true }, filter: { chains: ["base"] }) ${fields} } } }`
    const { data } = await service.api.graphql(query, { key: mine.key })
    expect(data.me.project.receiptStats.nodes).toEqual(
      await stats('(by: { currency: true }, filter: { chains: ["base"] })'),
    )
  })

  it('refuses a range that ends before it begins', async () => {
    const range = '{ since: "2026-01-03T00:00:00Z", until: "2026-01-02T00:00:00Z" }'
    const { errors } = await service.api.graphql(`{ receiptStats(filter: { createdAt: ${range} }) { totalCount } }`, {
      key: mine.key,
    })
    expect(errors[0].extensions).toMatchObject({ code: 'validation_failed' })
  })

  it.each(['Europe/Zurich', 'Asia/Kathmandu', 'America/St_Johns'])(
    'costs less than 100 for a month by day in %s, with all sums, and so does the first view of a dashboard',
    async timeZone => {
      const month = `query ($zone: String!) { receiptStats(
        filter: { createdAt: { since: "2026-01-01", until: "2026-01-31" } }
        by: { time: { unit: DAY, timeZone: $zone, fill: true } }, first: 31
      ) { nodes { key { time { date start } } count sums { currency paymentCount gross refunded net denied } } } }`
      const view = `{ eventCursor me { role project { id name } }
        receipts(first: 20) { totalCount pageInfo { endCursor hasNextPage } nodes { id status amount currency reference chain createdAt anchors { chain anchorTx } } }
        byStatus: receiptStats(by: { status: true }) { nodes { key { status } count } } }`
      const { id, key } = await service.api.project('Shop')
      await service.app.pool.query(insertMany, [id, 3_000, 2])
      await service.app.pool.query(
        `update receipts set created_at = timestamptz '2026-01-01' + random() * interval '30 days' where project_id = $1`,
        [id],
      )
      stopClock()
      const left = async () => (await service.api.graphql('{ me { role } }', { key })).extensions.cost.remaining
      for (const query of [month, view]) {
        const before = await left()
        const { data, errors } = await service.api.graphql(query, { key, variables: { zone: timeZone } })
        expect([errors, data.receiptStats?.nodes.length ?? 31]).toEqual([undefined, 31])
        expect(before - (await left())).toBeLessThan(100)
      }
    },
  )

  it('refuses a document that asks for many', async () => {
    const many = Array.from(
      { length: 30 },
      (_, n) => `s${n}: receiptStats(first: 50, by: { sender: true }) ${fields}`,
    ).join(' ')
    const { errors } = await service.api.graphql(`{ ${many} }`, { key: mine.key })
    expect(errors[0].extensions.code).toBe('document_too_costly')
  })

  it.each([5_000, 30_000])(
    'is charged by %d receipts to the caller, who cannot repeat it without limit',
    async many => {
      const limited = await startService({ ROLES: 'api', RATE_LIMITS: 'project=1000' })
      const { id, key } = await limited.api.project('Charged')
      for (let slice = 0; slice < many; slice += 5_000)
        await limited.app.pool.query(insertMany.replaceAll('|| i', `|| ${slice} || '-' || i`), [id, 5_000, 2])
      const answers = []
      stopClock()
      for (let n = 0; n < 10; n++)
        answers.push(await limited.api.graphql('{ receiptStats(by: { sender: true }) { totalCount } }', { key }))
      vi.useRealTimers()
      await limited.stop()
      const codes = answers.map(({ errors }) => errors?.[0].extensions.code)
      expect(codes[0]).toBeUndefined()
      expect(codes).toContain('too_many_requests')
    },
  )

  it.each([
    ['totals of receipts', insertMany, [5_000, 2], '{ receipts(first: 1) { totalCount } }', 0, 0],
    [
      'counts of receipts',
      insertMany,
      [5_000, 2],
      '{ receipts(first: 1, filter: { amount: { min: "0.1" } }) { totalCount } }',
      17,
      22,
    ],
    ['sums from counters', insertMany, [6_000, 2], '{ receiptStats { nodes { count } } }', 0, 0],
    [
      'sums of few receipts',
      insertMany,
      [3_000, 2],
      '{ receiptStats(by: { sender: true }) { nodes { count } } }',
      0,
      30,
    ],
    [
      'sums of many receipts',
      insertMany,
      [6_000, 2],
      '{ receiptStats(by: { sender: true }) { nodes { count } } }',
      0,
      60,
    ],
    [
      'groups that are filled',
      insertMany,
      [1, 1],
      `{ receiptStats(
        first: 1000, by: { time: { unit: HOUR, fill: true } }
        filter: { createdAt: { since: "2026-01-01T00:00:00Z", until: "2026-01-21T19:59:59.999Z" } }
      ) { nodes { count } } }`,
      100,
      100,
    ],
    [
      'many groups',
      insertMany,
      [400, 400],
      '{ receiptStats(by: { currency: true }, first: 1000) { nodes { count } } }',
      0,
      75,
    ],
    ['revenue', insertPayments, [5_000], '{ me { project { revenue { paymentCount } } } }', 0, 100],
  ])(
    '%s are charged by the rows that they read, and the groups that come',
    async (_, insert, values, query, ofNone, ofMany) => {
      stopClock()
      const { id, key } = await service.api.project('Charged')
      const spent = async () => {
        // A new document costs more, because it is read.
        await service.api.graphql(query, { key })
        const before = (await service.api.graphql('{ me { role } }', { key })).extensions.cost.remaining
        const { errors, extensions } = await service.api.graphql(query, { key })
        expect(errors).toBeUndefined()
        const after = (await service.api.graphql('{ me { role } }', { key })).extensions.cost.remaining
        return before - after - 1 - extensions.cost.requested
      }
      expect(await spent()).toBe(ofNone)
      await service.app.pool.query(insert, [id, ...values])
      expect(await spent()).toBe(ofMany)
    },
  )

  it.each([40, 3_000, 3_001])('adds up %d receipts in whatever form they are asked for', async many => {
    const { id, key } = await service.api.project('Forms')
    await service.app.pool.query(insertMany, [id, many, 2])
    await service.app.pool.query(
      `update receipts set anchored_at = created_at + interval '2.5 seconds', status = 'anchored'
       where project_id = $1 and currency = 'c1'`,
      [id],
    )
    const query = `query ($without: Boolean!, $by: [ReceiptGrouping!] = { currency: true }) {
      plain: receiptStats(by: $by) { nodes { key { currency } count } }
      times: receiptStats(by: $by) { ...Times }
      twice: receiptStats { __typename edges { cursor node { __typename all: sums { currency } } } nodes { sums { gross } none: anchoring @skip(if: $without) { p50 } } }
      me { project { receiptStats(by: [{ status: true }], filter: { currencies: ["c1"] }) { totalCount nodes { key { project { id } ...K } ... on ReceiptStats { anchoring { p50 } } } } } }
    } fragment Times on ReceiptStatsConnection { nodes { waits: anchoring { ...Shares } } }
    fragment K on ReceiptGroupKey { is: status time { start } }
    fragment Shares on AnchoringTimes { __typename p95 half: p50 }`
    const { data, errors } = await service.api.graphql(query, { key, variables: { without: true } })
    expect(errors).toBeUndefined()
    const [even, odd] = [Math.floor(many / 2), Math.ceil(many / 2)]
    expect(data).toEqual({
      plain: {
        nodes: [
          { key: { currency: 'c0' }, count: even },
          { key: { currency: 'c1' }, count: odd },
        ],
      },
      times: {
        nodes: [
          { waits: { __typename: 'AnchoringTimes', p95: null, half: null } },
          { waits: { __typename: 'AnchoringTimes', p95: 2.5, half: 2.5 } },
        ],
      },
      twice: {
        __typename: 'ReceiptStatsConnection',
        edges: [
          {
            cursor: Buffer.from('offset:1').toString('base64url'),
            node: { __typename: 'ReceiptStats', all: [{ currency: 'c0' }, { currency: 'c1' }] },
          },
        ],
        nodes: [{ sums: [{ gross: `${even}` }, { gross: `${odd}` }] }],
      },
      me: {
        project: {
          receiptStats: {
            totalCount: 1,
            nodes: [{ key: { project: null, is: 'ANCHORED', time: null }, anchoring: { p50: 2.5 } }],
          },
        },
      },
    })
  })

  it('counts what was recorded before it was asked for, also while others ask the same, and charges each', async () => {
    const { id, key } = await service.api.project('Asked at once')
    const ask = () => service.api.graphql('{ receiptStats { nodes { count anchoring { p50 } } } }', { key })
    for (let recorded = 100; recorded <= 1_000; recorded += 100) {
      const others = Array.from({ length: 8 }, ask)
      await service.app.pool.query(insertMany.replaceAll(`|| i`, `|| ${recorded} || '-' || i`), [id, 100, 2])
      const { data } = await ask()
      expect(data.receiptStats.nodes[0].count).toBe(recorded)
      await Promise.all(others)
    }
    const left = async () => (await service.api.graphql('{ me { role } }', { key })).extensions.cost.remaining
    stopClock()
    const before = await left()
    const answers = await Promise.all(Array.from({ length: 8 }, ask))
    const [{ extensions }] = answers
    expect(answers.map(({ data }) => data.receiptStats.nodes[0].count)).toEqual(Array(8).fill(1_000))
    expect(before - (await left())).toBe(1 + 8 * (extensions.cost.requested + 1_000 / 100))
  })

  it('has each group on one page, in any order', async () => {
    const { id, key } = await service.api.project('Many')
    await service.app.pool.query(insertMany, [id, 1_001, 1_001])
    const seen: string[] = []
    const query = `query ($after: String) { receiptStats(by: { currency: true }, first: 400, after: $after, orderBy: { count: DESC }) {
      totalCount pageInfo { hasNextPage endCursor } nodes { key { currency } } } }`
    for (let after: string | null = null; ; ) {
      const { data, errors } = await service.api.graphql(query, { key, variables: { after } })
      expect(errors).toBeUndefined()
      const { totalCount, pageInfo, nodes } = data.receiptStats
      expect(totalCount).toBe(1_001)
      seen.push(...nodes.map((group: Group) => group.key.currency))
      if (!pageInfo.hasNextPage) break
      after = pageInfo.endCursor
    }
    expect(seen).toHaveLength(1_001)
    expect(new Set(seen).size).toBe(1_001)
  })

  it.each([
    ['more groups than a page has', '(first: 10001)', 'first', 'at most 10000'],
    ['fewer than none', '(first: -1)', 'first', 'negative'],
    ['a cursor of no list', '(after: "x")', 'after', 'cursor'],
    ['many objects', '(first: 51, by: { agent: true })', 'first', 'at most 50', 'key { agent { name } }'],
    ['a key twice', '(by: [{ status: true }, { status: true }])', 'by', 'twice'],
    ['four keys', '(by: [{ status: true }, { chain: true }, { sender: true }, { currency: true }])', 'by', 'three'],
    ['two keys in one', '(by: [{ status: true, chain: true }])', 'by', 'exactly one'],
    ['no key', '(by: [{}])', 'by', 'exactly one'],
    ['two orders', '(orderBy: { key: ASC, count: ASC })', 'orderBy', 'exactly one'],
    ['an unknown zone', '(by: { time: { unit: DAY, timeZone: "Mars/Olympus" } })', 'by', 'time zone'],
    ['an offset as zone', '(by: { time: { unit: DAY, timeZone: "+05:30" } })', 'by', 'time zone'],
    [
      'more filled periods than a page has',
      '(by: { time: { unit: HOUR, fill: true } }, filter: { createdAt: { since: "2000-01-01" } })',
      'by',
      'periods',
    ],
    [
      'periods since the year 1',
      '(by: { time: { unit: HOUR, fill: true } }, filter: { createdAt: { since: "0001-01-01" } })',
      'by',
      'periods',
    ],
  ])('refuses %s, and says so', async (_, args, path, words, fields = 'count') => {
    const { errors } = await service.api.graphql(`{ receiptStats${args} { nodes { ${fields} } } }`, { key: mine.key })
    expect(errors).toMatchObject([{ path: ['receiptStats'], extensions: { code: 'validation_failed' } }])
    expect([errors[0].message, JSON.stringify(errors[0].extensions)].join()).toContain(words)
    expect(JSON.stringify(errors[0].extensions)).toContain(`"${path}"`)
  })
})

describe('revenue of a project', () => {
  it('is from its own payments only, and adds up to that of the service', async () => {
    const { facilitator } = service.app
    if (facilitator === null) throw new Error('no payments')
    const { network, asset } = facilitator
    const pay = (projectId: string | null, n: number) =>
      service.app.pool.query(
        `insert into payments (id, network, asset, payer, nonce, amount, currency, pay_to, endpoint, fingerprint, payload,
           project_id, status, since_block, txid, settled_at)
         values (gen_random_uuid(), $1, $2, '0x1', decode(md5($3::text), 'hex'), 1.000000000000000001 * $3::int, 'X', '0x2',
           '/v1/x402/premium/fx-lookup', '\\x00', '{}', $4, 'settled', 0, '0x3', now())`,
        [network, asset, n, projectId],
      )
    await pay(mine.id, 1)
    await pay(mine.id, 2)
    await pay(other.id, 3)
    await pay(null, 4)
    const asked = '{ totalRevenue paymentCount days byEndpoint { revenue } byDay { date } }'
    const today = new Date().toISOString().slice(0, 10)
    const ofProject = async (key: string, args = '') =>
      (await service.api.graphql(`{ me { project { revenue${args} ${asked} } } }`, { key })).data.me.project.revenue
    expect(await ofProject(mine.key)).toMatchObject({ totalRevenue: '3.000000000000000003', paymentCount: 2, days: 7 })
    expect(await ofProject(other.key)).toMatchObject({ paymentCount: 1 })
    const { data } = await service.api.graphql(`{ revenue(days: 3) ${asked} }`, { key: adminKey })
    expect(data.revenue).toMatchObject({ totalRevenue: '10.00000000000000001', paymentCount: 4 })
    expect(data.revenue.byDay).toHaveLength(3)

    const only = await ofProject(mine.key, `(range: { since: "${today}", until: "${today}" })`)
    expect(only).toMatchObject({ paymentCount: 2, days: 1, byDay: [{ date: today }] })
    expect(await ofProject(mine.key, '(range: { since: "2026-02-27", until: "2026-03-02" })')).toMatchObject({
      paymentCount: 0,
      byDay: ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'].map(date => ({ date })),
    })
    expect(await ofProject(mine.key, '(range: { until: "2026-03-02" })')).toMatchObject({ days: 7 })
    for (const [range, path] of [
      ['{ since: "2026-03-02", until: "2026-03-01" }', ['range', 'until']],
      ['{ since: "2020-01-01" }', ['range']],
      ['{ since: "2999-01-01" }', ['range']],
    ]) {
      const { errors } = await service.api.graphql(`{ me { project { revenue(range: ${range}) ${asked} } } }`, {
        key: mine.key,
      })
      expect(errors).toMatchObject([{ extensions: { code: 'validation_failed', issues: [{ path }] } }])
    }
  })

  it('is what groups of payments add up to, in any zone and by any key', async () => {
    const insert = `insert into payments (id, network, asset, payer, nonce, amount, currency, pay_to, endpoint, fingerprint, payload,
        project_id, status, since_block, verified_at, settled_at)
      values (gen_random_uuid(), $1, 'a', $2, decode(md5($3::text), 'hex'), $4, $5, '0x2', $6, '\\x00', '{}', $7, $8::payment_status, 0, $9, $10)`
    const { id, key } = await service.api.project('Buyer')
    const { data: made } = await service.api.graphql(
      `mutation { createAgent(input: { name: "Bot", walletAddress: "0x${'a'.repeat(40)}" }) { agent { id } } }`,
      { key },
    )
    const pay = (n: number, status: string, at: string) =>
      service.app.pool.query(insert, [
        ...[n % 2 ? 'eip155:8453' : 'eip155:14', `0x${(n % 3 ? 'a' : 'b').repeat(40)}`, `${n}-${id}`, `${n}.5`],
        ...[n % 4 ? 'USDC' : 'EURC', `/v1/x402/premium/${n % 2 ? 'refund' : 'fx-lookup'}`, id, status, at],
        status === 'settled' || status === 'delivered' ? at : null,
      ])
    await pay(1, 'settled', '2026-03-29T00:30:00Z')
    await pay(2, 'delivered', '2026-03-29T22:30:00Z')
    await pay(3, 'failed', '2026-03-29T22:30:00Z')
    await pay(4, 'settled', '2026-03-30T21:59:00Z')
    const ask = async (args: string, fields: string) => {
      const { data, errors } = await service.api.graphql(`{ paymentStats${args} { totalCount nodes { ${fields} } } }`, {
        key,
      })
      expect(errors).toBeUndefined()
      return data.paymentStats
    }
    const all = 'count sums { currency count settledCount settled min max average }'
    expect((await ask('', all)).nodes).toEqual([
      {
        count: 4,
        sums: [
          { currency: 'EURC', count: 1, settledCount: 1, settled: '4.5', min: '4.5', max: '4.5', average: '4.5' },
          { currency: 'USDC', count: 3, settledCount: 2, settled: '4', min: '1.5', max: '2.5', average: '2' },
        ],
      },
    ])
    const byDay = '(by: { time: { unit: DAY, timeZone: "Europe/Berlin", of: SETTLED_AT, fill: true } })'
    expect((await ask(byDay, 'key { time { date start } } count')).nodes).toEqual([
      { key: { time: { date: '2026-03-29', start: '2026-03-28T23:00:00.000Z' } }, count: 1 },
      { key: { time: { date: '2026-03-30', start: '2026-03-29T22:00:00.000Z' } }, count: 2 },
    ])
    const keys = 'key { status network endpoint payer agent { id } project { id } } count'
    const grouped = await ask(
      '(by: [{ endpoint: true }, { agent: true }, { project: true }], orderBy: { count: DESC })',
      keys,
    )
    const base = { status: null, network: null, payer: null, project: { id } }
    const [agent, endpoint] = [{ id: made.createAgent.agent.id }, '/v1/x402/premium/']
    expect(grouped.nodes).toEqual([
      { key: { ...base, endpoint: `${endpoint}fx-lookup`, agent }, count: 2 },
      { key: { ...base, endpoint: `${endpoint}refund`, agent: null }, count: 1 },
      { key: { ...base, endpoint: `${endpoint}refund`, agent }, count: 1 },
    ])
    expect(await ask('(by: { status: true }, filter: { statuses: [FAILED] })', 'key { status }')).toEqual({
      totalCount: 1,
      nodes: [{ key: { status: 'FAILED' } }],
    })
  })
})

describe('statements of a project', () => {
  const list = async (args: string) => {
    const query = `{ me { project { statements${args} { nodes { type from date } } } } }`
    const { data, errors } = await service.api.graphql(query, { key: mine.key })
    return errors ?? data.me.project.statements.nodes
  }

  it('are filtered by type, window and time, and ordered', async () => {
    const generate = (input: string) =>
      service.api.graphql(`mutation { generateStatement(input: ${input}) { statement { id } } }`, { key: mine.key })
    await generate('{ date: "2026-01-03" }')
    await generate('{ date: "2026-01-01", window: "09:00-17:00" }')
    await generate('{ date: "2026-01-02" }')
    const dates = async (args: string) => (await list(args)).map(({ date }: { date: string }) => date)
    expect(await dates('')).toEqual(['2026-01-02', '2026-01-01', '2026-01-03'])
    expect(await dates('(filter: { types: [CAMT_052] })')).toEqual(['2026-01-01'])
    expect(await dates('(orderBy: { field: FROM, direction: ASC })')).toEqual([
      '2026-01-01',
      '2026-01-02',
      '2026-01-03',
    ])
    expect(await dates('(filter: { from: { since: "2026-01-02" } })')).toEqual(['2026-01-03', '2026-01-02'])
    expect(await dates('(filter: { createdAt: { until: "2026-01-31" } })')).toEqual([])
    const range = '{ since: "2026-01-03T00:00:00Z", until: "2026-01-02T00:00:00Z" }'
    expect(await list(`(filter: { from: ${range} })`)).toMatchObject([{ extensions: { code: 'validation_failed' } }])
  })
})

it('the audit trail is listed from either end', async () => {
  const seqs = async (direction: string) => {
    const order = `{ field: CREATED_AT, direction: ${direction} }`
    const { data } = await service.api.graphql(`{ auditTrail(first: 200, orderBy: ${order}) { nodes { seq } } }`, {
      key: mine.key,
    })
    return data.auditTrail.nodes.map(({ seq }: { seq: string }) => Number(seq))
  }
  const oldest = await seqs('ASC')
  expect(oldest).toEqual(oldest.toSorted((a: number, b: number) => a - b))
  expect(await seqs('DESC')).toEqual(oldest.toReversed())
})
