// Objects are found by their ids alone, and nested both ways, with few statements.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { followField } from '../kit/follower.ts'
import { type Service, startService } from '../kit/service.ts'

const absent = '00000000-0000-4000-8000-000000000000'

let service: Service
let mine: { id: string; key: string }
let other: { id: string; key: string }
let receipt: string

beforeAll(async () => {
  service = await startService()
  mine = await service.api.project('Mine')
  other = await service.api.project('Other')
  const { json } = await service.api.record(mine.key)
  receipt = json.receipt_id
  const recorded = await Promise.all(Array.from({ length: 4 }, () => service.api.record(other.key)))
  await Promise.all(
    [json, ...recorded.map(answer => answer.json)].map(({ receipt_id }) => service.api.anchored(receipt_id)),
  )
})
afterAll(() => service.stop())

const ask = (query: string, key: string | null, variables: Record<string, unknown> = {}) =>
  service.api.graphql(query, { variables, ...(key && { key }) })

/** Returns the result of `run`, and the statements that read receipts meanwhile. */
async function statementsOf<Result>(run: () => Promise<Result>): Promise<[Result, string[]]> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  const result = await run()
  const texts = query.mock.calls.map(([text]) => JSON.stringify(text))
  query.mockRestore()
  // The worker's own statements may run at the same time.
  return [result, texts.filter(text => /from receipts t\d|FROM \W*public\W+(receipts|events|anchor)/.test(text))]
}

describe('nodes', () => {
  const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id
    ... on Receipt { reference artifacts { nodes { receipt { id } } } } ... on Project { receipts { nodes { id } } }
    ... on Anchor { receipt { id } } ... on Artifact { receipt { id } } ... on Agent { name } } }`
  let ids: string[]
  beforeAll(async () => {
    const agent = await ask(
      'mutation { createAgent(input: { name: "Buyer", walletAddress: "0x1" }) { agent { id } } }',
      mine.key,
    )
    const one = 'query ($id: ID!) { receipt(id: $id) { anchors { id } artifacts { nodes { id } } } }'
    const { data } = await ask(one, null, { id: receipt })
    const [{ id: anchor }, { id: artifact }] = [data.receipt.anchors[0], data.receipt.artifacts.nodes[0]]
    ids = [artifact, absent, 'x', agent.data.createAgent.agent.id, receipt, anchor, mine.id, receipt]
  })

  it('are objects of any type in the order of their ids, with null for an absent one and for a malformed id', async () => {
    const { data } = await ask(query, mine.key, { ids })
    expect(
      data.nodes.map((node: { __typename: string; id: string } | null) => node && [node.__typename, node.id]),
    ).toEqual(
      ['Artifact', null, null, 'Agent', 'Receipt', 'Anchor', 'Project', 'Receipt'].map(
        (type, n) => type && [type, ids[n]],
      ),
    )
    expect(data.nodes[0].receipt).toEqual({ id: receipt })
    expect(data.nodes[4].artifacts.nodes[0].receipt).toEqual({ id: receipt })
    expect(data.nodes[6].receipts.nodes).toEqual([{ id: receipt }])
  })

  it('of another project are null as if absent; what belongs to a public receipt is public', async () => {
    for (const key of [other.key, null]) {
      const { data, errors } = await ask(query, key, { ids })
      expect(errors).toBeUndefined()
      const types = data.nodes.map((node: { __typename: string } | null) => node?.__typename ?? null)
      expect(types).toEqual(['Artifact', null, null, null, 'Receipt', 'Anchor', null, 'Receipt'])
    }
  })

  it('are read by one statement, also for a caller who may read sessions', async () => {
    const one = `query ($id: ID!) { node(id: $id) { ... on Receipt { reference anchors { chain } } } }`
    for (const key of [null, mine.key]) {
      const [{ data }, statements] = await statementsOf(() => ask(one, key, { id: receipt }))
      expect(data.node.anchors).toHaveLength(1)
      expect(statements).toEqual([expect.stringMatching(/from receipts t\d/)])
    }
  })

  it('are at most 100', async () => {
    const { errors } = await ask('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', null, {
      ids: Array(101).fill(absent),
    })
    expect(errors[0].extensions.code).toBe('validation_failed')
  })
})

describe('edges', () => {
  it('lead from the caller to everything of its project, and back', async () => {
    const { data, errors } = await ask(
      `{ me { project {
        id config { anchoring { executionMode } }
        agents { totalCount nodes { name project { id } } }
        apiKeys { totalCount nodes { role project { id } } }
        linkedWallets { totalCount }
        auditTrail(filter: { actions: ["receipt.record"] }) { totalCount nodes { objectId } }
        receipts { nodes { id project { id } payment { id } statements { totalCount } } }
      } } }`,
      mine.key,
    )
    expect(errors).toBeUndefined()
    const project = { id: mine.id }
    expect(data.me.project).toEqual({
      id: mine.id,
      config: { anchoring: { executionMode: 'PLATFORM' } },
      agents: { totalCount: 1, nodes: [{ name: 'Buyer', project }] },
      apiKeys: { totalCount: 1, nodes: [{ role: 'PROJECT_ADMIN', project }] },
      linkedWallets: { totalCount: 0 },
      auditTrail: { totalCount: 1, nodes: [{ objectId: receipt }] },
      receipts: { nodes: [{ id: receipt, project, payment: null, statements: { totalCount: 0 } }] },
    })
  })

  it('lead from a receipt to its events and its transaction, in as many statements for one receipt as for many', async () => {
    const query = `{ receipts { nodes { id events(first: 2) { totalCount pageInfo { hasNextPage endCursor } nodes { type receipt { id } } }
      anchors { chain transaction { chain hash status blockNumber blockTime sender nonce maxFeePerGas } } } } }`
    for (const key of [mine.key, other.key]) await ask(query, key)
    const [{ data }, ofOne] = await statementsOf(() => ask(query, mine.key))
    const [{ data: many }, ofMany] = await statementsOf(() => ask(query, other.key))
    expect(many.receipts.nodes).toHaveLength(4)
    expect(ofMany).toHaveLength(ofOne.length)
    const [{ events, anchors }] = data.receipts.nodes
    expect(events.nodes).toEqual([
      { type: 'RECEIPT_PENDING', receipt: { id: receipt } },
      { type: 'RECEIPT_AWAITING_ANCHOR', receipt: { id: receipt } },
    ])
    expect([events.totalCount, events.pageInfo.hasNextPage]).toEqual([3, true])
    const [{ chain, transaction }] = anchors
    expect(transaction).toMatchObject({ chain, status: 'FINAL' })
    expect(transaction.hash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(Number(transaction.maxFeePerGas)).toBeGreaterThan(0)
    const rest = `query ($id: ID!, $after: String) { receipt(id: $id) { events(after: $after) { nodes { type } } } }`
    const { data: later } = await ask(rest, null, { id: receipt, after: events.pageInfo.endCursor })
    expect(later.receipt.events.nodes).toEqual([{ type: 'RECEIPT_ANCHORED' }])
  })

  it('leave the object when they refuse an argument', async () => {
    const { data, errors } = await ask('{ receipts { nodes { id events(first: 500) { totalCount } } } }', mine.key)
    expect(data.receipts.nodes).toEqual([{ id: receipt, events: null }])
    expect(errors.map(({ path }: { path: unknown }) => path)).toEqual([['receipts', 'nodes', 0, 'events']])
  })

  it('lead to the events of a receipt, each with its own time, which every stream repeats', async () => {
    const { rows } = await service.app.pool.query<{ id: string; at: Date }>(
      'select id, created_at as at from events where receipt_id = $1 order by id',
      [receipt],
    )
    const events = rows.map(({ id, at }) => ({ id, occurredAt: at.toISOString() }))
    const query = 'query ($id: ID!) { receipt(id: $id) { events { nodes { id: cursor occurredAt } } } }'
    expect((await ask(query, null, { id: receipt })).data.receipt.events.nodes).toEqual(events)
    const follow = (field: string, args = '') => followField(service.base, mine.key, field, args, 'occurredAt')
    const streams = [
      follow('receiptEvents', `receiptId: "${receipt}"`),
      follow('receiptChanged'),
      follow('webhookEvents', 'types: [RECEIPT_PENDING, RECEIPT_AWAITING_ANCHOR, RECEIPT_ANCHORED]'),
    ]
    for (const { seen, stop } of streams) {
      await expect.poll(() => seen.map(({ data }) => data)).toEqual(events)
      await stop()
    }
  })

  it('tell in one message that groups changed, and which event was the last', async () => {
    const { data } = await ask(
      `query ($id: ID!) { receipt(id: $id) { events { totalCount nodes { cursor } } } }`,
      mine.key,
      { id: receipt },
    )
    const last = data.receipt.events.nodes.at(-1).cursor
    const follow = (args: string) => followField(service.base, mine.key, 'receiptStatsChanged', args, 'changes')
    const all = follow('')
    await expect.poll(() => all.seen.map(({ data }) => data)).toEqual([{ id: last, changes: 3 }])
    await all.stop()
    const none = follow('filter: { currencies: ["none"] }')
    const other = follow('filter: { statuses: [PENDING] }')
    // A receipt that is pending no longer left a group.
    await expect.poll(() => other.seen.map(({ data }) => data)).toEqual([{ id: last, changes: 3 }])
    expect(none.seen).toEqual([])
    await Promise.all([none.stop(), other.stop()])
    // Any receipt meets an empty condition.
    const any = followField(
      service.base,
      mine.key,
      'receiptChanged',
      'filter: { or: [{}, { isSettled: false }] }',
      'matches',
    )
    await expect.poll(() => any.seen.map(({ data }) => Object(data).matches)).toEqual([true, true, true])
    await any.stop()
  })

  it('lead from a statement to its project, and from the receipt to the statement', async () => {
    const made =
      'mutation { generateStatement(input: {}) { statement { id project { id } pages { nodes { statement { id } } } } } }'
    const { statement } = (await ask(made, mine.key)).data.generateStatement
    expect(statement).toMatchObject({
      project: { id: mine.id },
      pages: { nodes: [{ statement: { id: statement.id } }] },
    })
    const query = 'query ($id: ID!) { receipt(id: $id) { statements { totalCount nodes { id } } } }'
    const { data } = await ask(query, mine.key, { id: receipt })
    expect(data.receipt.statements).toEqual({ totalCount: 1, nodes: [{ id: statement.id }] })
    const record = `mutation { recordReceipt(input: { settlementTx: "0x77", chain: "base", amount: "1", currency: "USDC",
      senderWallet: "a", receiverWallet: "b", reference: "not booked" }) { receipt { statements { totalCount } } } }`
    expect((await ask(record, mine.key)).data.recordReceipt.receipt).toEqual({ statements: { totalCount: 0 } })
  })

  it('are counted where a document asks for one list twice, with differing lists inside', async () => {
    const { data, errors } = await ask(
      `{ me { project { configHistory { totalCount }
        apiKeys(first: 2) { nodes { project { receipts(first: 1) { nodes { reference } } } } }
        apiKeys(first: 2) { totalCount nodes { project { events: receipts(last: 1) { totalCount } } } } } } }`,
      other.key,
    )
    expect(errors).toBeUndefined()
    expect(data.me.project.apiKeys.totalCount).toBe(1)
    expect(data.me.project.apiKeys.nodes[0].project).toMatchObject({ events: { totalCount: 4 } })
  })

  it('refuse a wrong filter alone, and leave the object above', async () => {
    const query = '{ me { project { name receipts(filter: { statuses: [] }) { totalCount } } } }'
    const { data, errors } = await ask(query, mine.key)
    expect(data.me.project).toEqual({ name: 'Mine', receipts: null })
    expect(errors).toMatchObject([
      {
        path: ['me', 'project', 'receipts'],
        extensions: { code: 'validation_failed', issues: [{ path: ['filter', 'statuses'] }] },
      },
    ])
  })

  it('are refetched by the id of their object, as Relay does', async () => {
    const query = `query ($id: ID!, $count: Int, $cursor: String) { node(id: $id) { __typename ...List id } }
      fragment List on Project { receipts(first: $count, after: $cursor) {
        edges { cursor node { id __typename } } pageInfo { endCursor hasNextPage } } id }`
    const { data } = await ask(query, other.key, { id: other.id, count: 3 })
    const { endCursor: cursor, hasNextPage } = data.node.receipts.pageInfo
    expect([data.node.__typename, data.node.receipts.edges.length, hasNextPage]).toEqual(['Project', 3, true])
    const { data: rest } = await ask(query, other.key, { id: other.id, count: 3, cursor })
    expect(rest.node.receipts).toMatchObject({ edges: [{ node: {} }], pageInfo: { hasNextPage: false } })
    expect((await ask(query, mine.key, { id: other.id, count: 3 })).data).toEqual({ node: null })
  })

  it('refuse first together with last', async () => {
    const { errors } = await ask('{ agents(first: 1, last: 1) { nodes { id } } }', mine.key)
    expect(errors[0].extensions.code).toBe('validation_failed')
  })
})

describe('the anchors of an agent', () => {
  it('are paged in both directions, and carry the anchor itself', async () => {
    const made = 'mutation { createAgent(input: { name: "Anchoring", walletAddress: "0x2" }) { agent { id } } }'
    const { id } = (await ask(made, mine.key)).data.createAgent.agent
    const anchor =
      'mutation ($id: ID!, $hash: Hash32!) { anchorForAgent(input: { agentId: $id, bundleHash: $hash }) { anchor { id } } }'
    const ids: string[] = []
    for (const digit of ['1', '2', '3']) {
      const { data } = await ask(anchor, mine.key, { id, hash: `0x${digit.repeat(64)}` })
      ids.unshift(data.anchorForAgent.anchor.id)
    }
    const query = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
      agent(id: $id) { anchors(first: $first, after: $after, last: $last, before: $before) {
        totalCount pageInfo { hasNextPage hasPreviousPage endCursor } nodes { id bundleHash status } } } }`
    const page = async (variables: object, key = mine.key) =>
      (await ask(query, key, { id, ...variables })).data.agent?.anchors
    const first = await page({ first: 2 })
    expect(first).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } })
    expect(first.nodes.map((node: { id: string }) => node.id)).toEqual(ids.slice(0, 2))
    expect((await page({ after: first.pageInfo.endCursor })).nodes).toMatchObject([{ id: ids[2] }])
    expect((await page({ last: 2 })).nodes).toMatchObject([{ id: ids[1] }, { id: ids[2] }])
    expect((await page({ last: 1, before: first.pageInfo.endCursor })).nodes).toMatchObject([{ id: ids[0] }])
    for (const cursor of [absent, 'x']) {
      expect((await ask(query, mine.key, { id, after: cursor })).errors[0].extensions).toMatchObject({
        code: 'validation_failed',
        issues: [{ path: ['after'] }],
      })
    }
    expect(await page({}, other.key)).toBeUndefined()
    const counted = (statuses: string) =>
      ask(
        `query ($id: ID!) { agent(id: $id) { anchors(filter: { statuses: [${statuses}] }) { totalCount } } }`,
        mine.key,
        { id },
      )
    const all = await Promise.all(
      ['WAITING, SENT, INCLUDED, SAFE, FINAL', 'EXTERNAL'].map(async statuses => (await counted(statuses)).data.agent),
    )
    expect(all.map(({ anchors }) => anchors.totalCount)).toEqual([3, 0])
  })

  it('and its payments are one list, whose pages lose and repeat nothing', async () => {
    const wallet = `0x${'9'.repeat(40)}`
    const made = `mutation { createAgent(input: { name: "Active", walletAddress: "${wallet}" }) { agent { id } } }`
    const { id } = (await ask(made, mine.key)).data.createAgent.agent
    const anchor = `mutation ($id: ID!, $hash: Hash32!) { anchorForAgent(input: { agentId: $id, bundleHash: $hash }) { anchor { id } } }`
    const expected: { __typename: string; id: string }[] = []
    const { network, asset } = service.app.facilitator ?? {}
    for (const [n, digit] of ['a', 'b', 'c'].entries()) {
      const { data } = await ask(anchor, mine.key, { id, hash: `0x${digit.repeat(64)}` })
      expected.unshift({ __typename: 'Anchor', id: data.anchorForAgent.anchor.id })
      // The second project's payment of the wallet is none of the agent's.
      for (const [p, project] of [mine.id, other.id].entries()) {
        const { rows } = await service.app.pool.query(
          `insert into payments (id, network, asset, payer, nonce, amount, currency, pay_to, endpoint, fingerprint, payload,
             project_id, status, since_block)
           values (gen_random_uuid(), $1, $2, $3, $4, 1, 'USD', $3, '/x', '', '{}', $5, 'delivered', 0) returning id`,
          [network, asset, wallet, Buffer.from([n, p]), project],
        )
        if (project === mine.id) expected.unshift({ __typename: 'Payment', id: rows[0].id })
      }
    }
    const list = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) { agent(id: $id) {
      activity(first: $first, after: $after, last: $last, before: $before) { totalCount pageInfo { hasNextPage endCursor startCursor }
        nodes { __typename ... on Payment { id payer } ... on Anchor { id status } } }
      stats { paymentCount anchorCount anchoredPaymentCount } } }`
    const page = async (variables: object) => (await ask(list, mine.key, { id, ...variables })).data.agent
    const idsOf = (nodes: { __typename: string; id: string }[]) =>
      nodes.map(({ __typename, id }) => ({ __typename, id }))
    const { activity: whole, stats } = await page({})
    expect([idsOf(whole.nodes), whole.totalCount]).toEqual([expected, 6])
    expect(stats).toEqual({ paymentCount: 3, anchorCount: 3, anchoredPaymentCount: 0 })
    const seen: typeof expected = []
    for (let after: string | null = null, more = true; more; ) {
      const { activity }: { activity: typeof whole } = await page({ first: 2, after })
      seen.push(...idsOf(activity.nodes))
      after = activity.pageInfo.endCursor
      more = activity.pageInfo.hasNextPage
    }
    expect(seen).toEqual(expected)
    const { activity: end } = await page({ last: 2 })
    expect(idsOf(end.nodes)).toEqual(expected.slice(-2))
    expect(idsOf((await page({ last: 3, before: end.pageInfo.startCursor })).activity.nodes)).toEqual(
      expected.slice(1, 4),
    )
    for (const cursor of [absent, 'x', mine.id])
      for (const name of ['after', 'before'])
        expect((await ask(list, mine.key, { id, [name]: cursor })).errors[0].extensions).toMatchObject({
          code: 'validation_failed',
          issues: [{ path: [name] }],
        })
  })
})
