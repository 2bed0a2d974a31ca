// Following a transaction: what it carries is anchored only by a final block, and the transaction is given up only when it can
// never be mined, because what it carries goes out in another then. The chain is scripted.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { confirm } from '../../src/modules/anchoring/confirm.ts'
import type { BlockStanding, MinedTransaction } from '../../src/ports/chain.ts'
import { hash, startScripted } from '../kit/scripted-chain.ts'

let world: Awaited<ReturnType<typeof startScripted>>
beforeAll(async () => {
  world = await startScripted()
})
afterAll(() => world.service.stop())

/** The nonce of the newest transaction. */
let nonce = 0
beforeEach(() => {
  Object.assign(world.script, { mined: null, standing: () => 'final', minedNonce: () => nonce })
})

async function sending(signer?: string) {
  nonce += 1
  const { id, mined, outcome } = await world.sent(nonce, signer)
  /** As the job does that is waiting for it, with what the last look left it. */
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

it('one that is mined between two questions is not given up: what it carries would be anchored twice', async () => {
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

it('one whose nonce is not used is waited for, however old it is', async () => {
  const { look, outcome } = await sending()
  for (let time = 0; time < 3; time++) await look()
  expect(await outcome()).toEqual(waiting)
})

it('one whose nonce another has is given up at the second look, and what it carries waits for the next', async () => {
  const { look, outcome } = await sending()
  world.script.minedNonce = () => nonce + 1
  await look()
  expect(await outcome()).toEqual(waiting)
  await look()
  expect(await outcome()).toEqual(givenUp)
})

it.each<BlockStanding>(['unknown', 'included', 'safe', 'vanished'])(
  'one whose nonce another has is waited for while the block in which that was seen is %s',
  async standing => {
    const { look, outcome } = await sending()
    Object.assign(world.script, { minedNonce: () => nonce + 1, standing: () => standing })
    for (let time = 0; time < 3; time++) await look()
    expect(await outcome()).toEqual(waiting)
  },
)

it('one that a former key sent is not given up by what the present key has mined', async () => {
  const { look, outcome } = await sending(`0x${'fe'.repeat(20)}`)
  world.script.minedNonce = () => nonce + 1
  for (let time = 0; time < 3; time++) await look()
  expect(await outcome()).toEqual(waiting)
})

it('one whose block has vanished is handed to the nodes again', async () => {
  const { mined, look } = await sending()
  Object.assign(world.script, { mined, standing: () => 'vanished' })
  await world.sql(`delete from graphile_worker._private_jobs where key = 'anchor:local'`)
  await look()
  expect(await world.sql(`select from graphile_worker._private_jobs where key = 'anchor:local'`)).toHaveLength(1)
})

it.each<BlockStanding>(['unknown', 'included', 'safe', 'vanished'])(
  'one that is mined in a block that is %s anchors nothing yet',
  async standing => {
    const { mined, look, outcome } = await sending()
    Object.assign(world.script, { mined, standing: () => standing })
    await look()
    expect(await outcome()).toEqual(waiting)
    world.script.standing = () => 'final'
    await look()
    expect(await outcome()).toEqual(anchored)
  },
)

it('one that is mined and failed anchors nothing, and what it carries waits for the next', async () => {
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
])('one that is mined with %s anchors nothing, and what it was to carry waits for the next', async (_, events) => {
  const { mined, look, outcome } = await sending()
  world.script.mined = { ...mined, events: events(mined) }
  await look()
  expect(await outcome()).toEqual({ ...givenUp, transaction: 'confirmed' })
})

it('a project is not believed that its receipt is anchored in a block that has vanished', async () => {
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
  Object.assign(world.script, { mined, standing: () => 'vanished' })
  const refused = await tell()
  expect([refused.status, refused.json.detail]).toEqual([409, 'tx_not_mined'])
  world.script.standing = () => 'included'
  expect((await tell()).status).toBe(200)
})
