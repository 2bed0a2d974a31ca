// Confirming an anchor transaction: its hashes are anchored only by a final block, and it is given up only when it can
// never be mined, because its hashes are then anchored by another transaction. The chain is scripted.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { confirm } from '../../src/modules/anchoring/confirm.ts'
import type { BlockStatus, MinedTransaction } from '../../src/ports/chain.ts'
import { hash, startScripted } from '../kit/scripted-chain.ts'

let world: Awaited<ReturnType<typeof startScripted>>
beforeAll(async () => {
  world = await startScripted()
})
afterAll(() => world.service.stop())

/** The nonce of the newest transaction. */
let nonce = 0
beforeEach(() => {
  Object.assign(world.script, { mined: null, blockStatus: () => 'final', minedNonce: () => nonce })
})

async function sending(signer?: string) {
  nonce += 1
  const { id, mined, outcome } = await world.sent(nonce, signer)
  /** Runs the pending confirm job with the payload that its last run left. */
  const look = async () => {
    const [job] = await world.sql(
      `with job as (delete from graphile_worker._private_jobs where key = $1 returning payload) select payload from job`,
      [`confirm:${id}`],
    )
    await confirm.run(world.service.app, job?.payload ?? { transaction: id })
  }
  return { mined, look, outcome }
}

const waiting = { transaction: 'signed', anchor: 'sent', receipt: 'awaiting_anchor' }
const anchored = { transaction: 'confirmed', anchor: 'confirmed', receipt: 'anchored' }
const givenUp = { transaction: 'overtaken', anchor: 'waiting', receipt: 'awaiting_anchor' }

it('a transaction that is mined between two queries is not given up, because its hashes would be anchored twice', async () => {
  const { mined, look, outcome } = await sending()
  world.script.minedNonce = () => nonce + 1
  await look()
  world.script.minedNonce = () => {
    world.script.mined = mined
    return nonce + 1
  }
  await look()
  expect(await outcome()).toEqual(waiting)
  await look()
  expect(await outcome()).toEqual(anchored)
})

it('a transaction whose nonce is unused stays pending, however old it is', async () => {
  const { look, outcome } = await sending()
  for (let time = 0; time < 3; time++) await look()
  expect(await outcome()).toEqual(waiting)
})

it('a transaction whose nonce another one used is given up at the second check, and its hashes wait for the next', async () => {
  const { look, outcome } = await sending()
  world.script.minedNonce = () => nonce + 1
  await look()
  expect(await outcome()).toEqual(waiting)
  await look()
  expect(await outcome()).toEqual(givenUp)
})

it.each<BlockStatus>(['unknown', 'included', 'safe', 'vanished'])(
  'a transaction whose nonce another one used stays pending while the block that shows it is %s',
  async blockStatus => {
    const { look, outcome } = await sending()
    Object.assign(world.script, { minedNonce: () => nonce + 1, blockStatus: () => blockStatus })
    for (let time = 0; time < 3; time++) await look()
    expect(await outcome()).toEqual(waiting)
  },
)

it('a transaction of a former key is not given up because of nonces that the current key used', async () => {
  const { look, outcome } = await sending(`0x${'fe'.repeat(20)}`)
  world.script.minedNonce = () => nonce + 1
  for (let time = 0; time < 3; time++) await look()
  expect(await outcome()).toEqual(waiting)
})

it('a transaction whose block has vanished is broadcast again', async () => {
  const { mined, look } = await sending()
  Object.assign(world.script, { mined, blockStatus: () => 'vanished' })
  await world.sql(`delete from graphile_worker._private_jobs where key = 'anchor:local'`)
  await look()
  expect(await world.sql(`select from graphile_worker._private_jobs where key = 'anchor:local'`)).toHaveLength(1)
})

it.each<BlockStatus>(['unknown', 'included', 'safe', 'vanished'])(
  'a transaction in a block that is %s anchors nothing yet',
  async blockStatus => {
    const { mined, look, outcome } = await sending()
    Object.assign(world.script, { mined, blockStatus: () => blockStatus })
    await look()
    expect(await outcome()).toEqual(waiting)
    world.script.blockStatus = () => 'final'
    await look()
    expect(await outcome()).toEqual(anchored)
  },
)

it('a transaction that reverted anchors nothing, and its hashes wait for the next', async () => {
  const { mined, look, outcome } = await sending()
  world.script.mined = { ...mined, succeeded: false }
  await look()
  expect(await outcome()).toEqual({ ...givenUp, transaction: 'reverted' })
})

it.each<[string, (mined: MinedTransaction) => MinedTransaction['events']]>([
  ['no event', () => []],
  ['an event of another hash', ({ events }) => events.map(event => ({ ...event, bundleHash: hash() }))],
  [
    'an event of another contract',
    ({ events }) => events.map(event => ({ ...event, contract: `0x${'12'.repeat(20)}` })),
  ],
])('a transaction that is mined with %s anchors nothing, and its hashes wait for the next', async (_, events) => {
  const { mined, look, outcome } = await sending()
  world.script.mined = { ...mined, events: events(mined) }
  await look()
  expect(await outcome()).toEqual({ ...givenUp, transaction: 'confirmed' })
})

it('a project cannot confirm its receipt with a transaction in a block that has vanished', async () => {
  const { api } = world.service
  const project = await api.project('Tenant')
  const anchoring = { execution_mode: 'tenant', chains: [] }
  await api.call('PUT', `/v1/projects/${project.id}/config`, { key: project.key, body: { anchoring } })
  const { receipt, bundleHash } = await world.sealed(project.key)
  const mined = world.minedWith(bundleHash)
  const tell = () =>
    api.call('POST', '/v1/iso/confirm-anchor', {
      key: project.key,
      body: { receipt_id: receipt, ledger_txid: mined.txid },
    })
  Object.assign(world.script, { mined, blockStatus: () => 'vanished' })
  const refused = await tell()
  expect([refused.status, refused.json.detail]).toEqual([409, 'tx_not_mined'])
  world.script.blockStatus = () => 'included'
  expect((await tell()).status).toBe(200)
})
