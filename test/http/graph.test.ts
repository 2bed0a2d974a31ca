// Objects are found by their ids alone, and nested both ways, with few statements.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
  await service.api.anchored(receipt)
})
afterAll(() => service.stop())

const ask = (query: string, key: string | null, variables: Record<string, unknown> = {}) =>
  service.api.graphql(query, { variables, ...(key && { key }) })

describe('nodes', () => {
  const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id
    ... on Receipt { reference artifacts { receipt { id } } } ... on Project { receipts { nodes { id } } }
    ... on Anchor { receipt { id } } ... on Artifact { receipt { id } } ... on Agent { name } } }`
  let ids: string[]
  beforeAll(async () => {
    const agent = await ask(
      'mutation { createAgent(input: { name: "Buyer", walletAddress: "0x1" }) { agent { id } } }',
      mine.key,
    )
    const one = 'query ($id: ID!) { receipt(id: $id) { anchors { id } artifacts { id } } }'
    const { data } = await ask(one, null, { id: receipt })
    const [{ id: anchor }, { id: artifact }] = [data.receipt.anchors[0], data.receipt.artifacts[0]]
    ids = [artifact, absent, agent.data.createAgent.agent.id, receipt, anchor, mine.id, receipt]
  })

  it('are objects of any type in the order of their ids, with null for an absent one', async () => {
    const { data } = await ask(query, mine.key, { ids })
    expect(
      data.nodes.map((node: { __typename: string; id: string } | null) => node && [node.__typename, node.id]),
    ).toEqual(
      ['Artifact', null, 'Agent', 'Receipt', 'Anchor', 'Project', 'Receipt'].map((type, n) => type && [type, ids[n]]),
    )
    expect(data.nodes[0].receipt).toEqual({ id: receipt })
    expect(data.nodes[3].artifacts[0].receipt).toEqual({ id: receipt })
    expect(data.nodes[5].receipts.nodes).toEqual([{ id: receipt }])
  })

  it('of another project are null as if absent; what belongs to a public receipt is public', async () => {
    for (const key of [other.key, null]) {
      const { data, errors } = await ask(query, key, { ids })
      expect(errors).toBeUndefined()
      const types = data.nodes.map((node: { __typename: string } | null) => node?.__typename ?? null)
      expect(types).toEqual(['Artifact', null, null, 'Receipt', 'Anchor', null, 'Receipt'])
    }
  })

  it('are at most 100', async () => {
    const { errors } = await ask('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', null, {
      ids: Array(101).fill(absent),
    })
    expect(errors[0].extensions.code).toBe('validation_failed')
  })
})
