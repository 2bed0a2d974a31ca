// Only one caller at a time queries a store that is down.
import { expect, it } from 'vitest'
import { oneByOneWhileDown } from '../../src/adapters/one-by-one-while-down.ts'

const refusal = () => new Error('refused')
const down = async () => {
  throw new Error('down')
}

/** A store that has failed once, a first caller that is querying it, and two others that arrive meanwhile. */
async function failedOnce() {
  const attempt = oneByOneWhileDown()
  await attempt(down, refusal).catch(() => {})
  const { promise, resolve: answer } = Promise.withResolvers<'up' | 'down'>()
  let asked = 0
  const first = attempt(async () => {
    asked += 1
    if ((await promise) === 'down') await down()
  }, refusal)
  const other = () =>
    attempt(async () => {
      asked += 1
    }, refusal)
  return { answer, asked: () => asked, first, others: [other(), other()] }
}

it('lets the others continue once the store has answered the first caller', async () => {
  const { answer, asked, first, others } = await failedOnce()
  expect(asked()).toBe(1)
  answer('up')
  await Promise.all([first, ...others])
  expect(asked()).toBe(3)
})

it('refuses the others when the first query fails', async () => {
  const { answer, asked, first, others } = await failedOnce()
  answer('down')
  const outcomes = await Promise.allSettled([first, ...others])
  expect(outcomes.map(outcome => outcome.status === 'rejected' && outcome.reason.message)).toEqual([
    'down',
    'refused',
    'refused',
  ])
  expect(asked()).toBe(1)
})

it('refuses the others when the first query gets no answer', async () => {
  const { answer, first, others } = await failedOnce()
  const outcomes = await Promise.allSettled(others)
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  answer('up')
  await first
})
