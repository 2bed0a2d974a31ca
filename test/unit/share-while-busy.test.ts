import { expect, it } from 'vitest'
import { shareWhileBusy } from '../../src/kit/share-while-busy.ts'

it('calls that wait together are one read by key, and a read that fails fails them all at once', async () => {
  const share = shareWhileBusy<string>()
  const reads: string[] = []
  const ask = (key: string) =>
    share({
      key,
      read: async () => {
        reads.push(key)
        if (key === 'bad') throw new Error('too slow')
        return key
      },
    })
  const first = ask('first')
  const others = ['bad', 'good', 'bad', 'good', 'bad'].map(ask)
  expect(await first).toBe('first')
  const outcomes = await Promise.allSettled(others)
  const [failed, succeeded] = [
    { status: 'rejected', reason: new Error('too slow') },
    { status: 'fulfilled', value: 'good' },
  ]
  expect(outcomes).toEqual([failed, succeeded, failed, succeeded, failed])
  expect(reads).toEqual(['first', 'bad', 'good'])
})
