// One search box finds what a text names, and nothing of another project.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { adminKey, type Service, startService } from '../kit/service.ts'

let service: Service
let mine: { id: string; key: string }
let other: { id: string; key: string }
const wallet = (letter: string) => `0x${letter.repeat(40)}`
const hash = (letter: string) => `0x${letter.repeat(64)}`
let receipts: string[]
let agent: string

beforeAll(async () => {
  service = await startService({ ROLES: 'api' })
  mine = await service.api.project('Bäckerei Mine')
  other = await service.api.project('Other')
  const record = async (key: string, body: object) => (await service.api.record(key, body)).json.receipt_id as string
  receipts = [
    await record(mine.key, {
      tip_tx_hash: hash('1'),
      sender_wallet: wallet('a'),
      receiver_wallet: wallet('b'),
      reference: 'INV-1',
    }),
    await record(mine.key, {
      tip_tx_hash: `${hash('2')}#3`,
      sender_wallet: wallet('b'),
      receiver_wallet: wallet('c'),
      reference: 'inv-12',
    }),
    await record(mine.key, {
      tip_tx_hash: hash('3'),
      sender_wallet: wallet('d'),
      receiver_wallet: wallet('d'),
      reference: 'Счёт №7',
    }),
  ]
  await record(other.key, {
    tip_tx_hash: hash('1'),
    sender_wallet: wallet('a'),
    receiver_wallet: wallet('b'),
    reference: 'INV-1',
  })
  await service.app.pool.query(
    `update receipts set status = 'anchored', bundle_hash = $2, ledger_txid = $3, anchored_at = now() where id = $1`,
    [receipts[0], hash('b'), hash('c')],
  )
  const { data } = await service.api.graphql(
    `mutation { createAgent(input: { name: "Invoice bot", walletAddress: "${wallet('e')}" }) { agent { id } } }`,
    { key: mine.key },
  )
  agent = data.createAgent.agent.id
})
afterAll(() => service.stop())

async function search(text: string, key = mine.key, first = 10): Promise<[string, string, string][]> {
  const query = `query ($text: String!, $first: Int) { search(text: $text, first: $first) { match node { id __typename ... on Receipt { reference project { id } } } } }`
  const { data, errors } = await service.api.graphql(query, { key, variables: { text, first } })
  expect(errors).toBeUndefined()
  return data.search.map(({ match, node }: { match: string; node: { id: string; __typename: string } }) => [
    match,
    node.__typename,
    node.id,
  ])
}

const receipt = (match: string, index: number) => [match, 'Receipt', receipts[index]]

it('finds by id, hash, wallet, reference and name, exact matches first', async () => {
  const [one = '', two = '', three = ''] = receipts
  expect(await search(one)).toEqual([receipt('ID', 0)])
  expect(await search(two.toUpperCase())).toEqual([receipt('ID', 1)])
  expect(await search(hash('1'))).toEqual([receipt('SETTLEMENT_TX', 0)])
  expect(await search(hash('2'))).toEqual([receipt('SETTLEMENT_TX', 1)])
  expect(await search(`${hash('2')}#3`)).toEqual([receipt('SETTLEMENT_TX', 1)])
  expect(await search(`${hash('2')}#4`)).toEqual([])
  expect(await search(hash('c').toUpperCase().replace('X', 'x'))).toEqual([receipt('ANCHOR_TX', 0)])
  expect(await search(hash('b'))).toEqual([receipt('BUNDLE_HASH', 0)])
  expect(await search('INV-1')).toEqual([receipt('REFERENCE', 0), receipt('PART_OF_REFERENCE', 1)])
  expect(await search('inv-1')).toEqual([receipt('PART_OF_REFERENCE', 1), receipt('PART_OF_REFERENCE', 0)])
  expect(await search('СЧЁТ')).toEqual([['PART_OF_REFERENCE', 'Receipt', three]])
  expect(await search(wallet('b').toUpperCase().replace('X', 'x'))).toEqual([
    receipt('WALLET', 1),
    receipt('WALLET', 0),
  ])
  expect(await search(wallet('d'))).toEqual([receipt('WALLET', 2)])
  expect(await search(wallet('e'))).toEqual([['WALLET', 'Agent', agent]])
  expect(await search(agent)).toEqual([['ID', 'Agent', agent]])
  expect(await search('invoice')).toEqual([['NAME', 'Agent', agent]])
  expect(await search('BÄCKER')).toEqual([['NAME', 'Project', mine.id]])
  expect(await search(mine.id)).toEqual([['ID', 'Project', mine.id]])
  for (const text of ['%', '-1', '_NV-1', "'", '\\', 'nothing of the kind'])
    expect([text, await search(text)]).toEqual([text, []])
  expect(await search('inv', mine.key, 1)).toHaveLength(1)
  expect(await search('inv', mine.key, 0)).toEqual([])
})

it('finds nothing of another project, except for an administrator', async () => {
  for (const text of [
    ...receipts,
    hash('2'),
    hash('b'),
    hash('c'),
    wallet('c'),
    agent,
    mine.id,
    'Счёт',
    'Bäckerei',
    'Invoice',
  ])
    expect([text, await search(text, other.key)]).toEqual([text, []])
  expect(await search('INV-1', other.key)).toHaveLength(1)
  expect(await search('INV-1', adminKey)).toHaveLength(3)
  expect(await search(hash('1'), adminKey)).toHaveLength(2)
  expect(await search(wallet('a'), adminKey)).toHaveLength(2)
})

it.each([
  ['a blank text', '(text: " ")'],
  ['more objects than it lists', '(text: "a", first: 51)'],
])('%s is refused', async (_, args) => {
  const { errors } = await service.api.graphql(`{ search${args} { match } }`, { key: mine.key })
  expect(errors).toMatchObject([{ path: ['search'], extensions: { code: 'validation_failed' } }])
})
