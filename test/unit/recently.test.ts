// An answer that many share, of a question that is never asked twice at the same time.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { recently } from '../../src/core/recently.ts'

it('a question that takes longer than its answer is kept is not asked beside itself', async () => {
  let asked = 0
  const { promise, resolve } = Promise.withResolvers<number>()
  const ask = recently(() => {
    asked++
    return promise
  }, 1)
  const first = ask()
  await sleep(20)
  const second = ask()
  expect(asked).toBe(1)
  resolve(7)
  expect(await Promise.all([first, second])).toEqual([7, 7])
  await ask()
  expect(asked).toBe(2)
})

it('an answer is kept for its time, and an error is not', async () => {
  let asked = 0
  const ask = recently(async () => {
    if (++asked === 1) throw new Error('down')
    return asked
  }, 60_000)
  await expect(ask()).rejects.toThrow('down')
  expect([await ask(), await ask()]).toEqual([2, 2])
})
