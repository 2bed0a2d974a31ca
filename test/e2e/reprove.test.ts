// Re-proving a final anchor on a chain whose nodes are down, lag behind, or have changed their answers. The chain is
// scripted.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import { confirm } from '../../src/modules/anchoring/confirm.ts'
import { reprove } from '../../src/modules/verification/reprove.ts'
import type { BlockStatus } from '../../src/ports/chain.ts'
import { hash, startScripted } from '../kit/scripted-chain.ts'

let world: Awaited<ReturnType<typeof startScripted>>
beforeAll(async () => {
  world = await startScripted()
})
afterAll(() => world.service.stop())
beforeEach(() => {
  world.script.blockStatus = () => 'final'
})

let nonce = 0
/** Creates an anchored receipt. */
async function anchored() {
  nonce += 1
  const { app } = world.service
  const { id, mined, outcome } = await world.sent(nonce)
  world.script.mined = mined
  await confirm.run(app, { transaction: id })
  expect(await outcome()).toMatchObject({ receipt: 'anchored' })
  const again = () => reprove.run(app, { transaction: id })
  const failure = async () =>
    (await world.sql('select proof_failure as failure from anchor_transactions where id = $1', [id]))[0].failure
  return { mined, again, outcome, failure }
}

/** Returns each answer in turn, and then the last answer again. */
const inTurn = (...answers: (() => BlockStatus)[]) => {
  const left = answers.values()
  let answer = answers[0]
  return () => {
    answer = left.next().value ?? answer
    return answer?.() ?? 'final'
  }
}
const away = () => {
  throw new AppError('chain_unavailable')
}

it('an unchanged anchor is proved without an alarm', async () => {
  const { again, outcome, failure } = await anchored()
  await again()
  expect([await outcome(), await failure()]).toMatchObject([{ receipt: 'anchored' }, null])
})

it.each<[string, () => BlockStatus]>([
  ['are away', away],
  ['lag behind, so that its block is not final for them', () => 'included'],
])('nodes that %s during the check raise no alarm: the anchor is checked again later', async (_, later) => {
  const { again, outcome, failure } = await anchored()
  world.script.blockStatus = inTurn(() => 'final', later)
  await expect(again()).rejects.toThrow('it cannot be judged now')
  expect([await outcome(), await failure()]).toMatchObject([{ receipt: 'anchored' }, null])
})

it('an anchor whose events are gone raises an alarm', async () => {
  const { mined, again, failure } = await anchored()
  world.script.mined = { ...mined, events: [] }
  await again()
  expect(await failure()).toContain('wrong_contract')
})

it('a block that vanished returns its receipt to awaiting_anchor', async () => {
  const { again, outcome } = await anchored()
  world.script.blockStatus = () => 'vanished'
  await again()
  expect(await outcome()).toEqual({ transaction: 'signed', anchor: 'sent', receipt: 'awaiting_anchor' })
})

it('a transaction that moved to another block returns its receipt to awaiting_anchor, even before the new chain is as high', async () => {
  const { mined, again, outcome } = await anchored()
  world.script.mined = { ...mined, blockNumber: mined.blockNumber - 5, blockHash: hash() }
  world.script.blockStatus = () => 'unknown'
  await again()
  expect(await outcome()).toEqual({ transaction: 'signed', anchor: 'sent', receipt: 'awaiting_anchor' })
})
