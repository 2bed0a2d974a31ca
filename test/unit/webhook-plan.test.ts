// When a delivery is retried: the retry schedule, its jitter, and the receiver's Retry-After.
import { describe, expect, it } from 'vitest'
import { waitAfter } from '../../src/modules/webhooks/plan.ts'

const seconds = (attempts: number, retryAfter: string | null = null, now?: number) =>
  (waitAfter(attempts, retryAfter, now) ?? Number.NaN) / 1_000

describe('the delay after an attempt', () => {
  it.each([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((wait, index) => [index + 1, wait]))(
    'number %i is %i s plus a random part of at most a tenth',
    (attempts, wait) => {
      const waits = Array.from({ length: 200 }, () => seconds(attempts))
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(wait)
      expect(Math.max(...waits)).toBeLessThanOrEqual(wait * 1.1)
      expect(new Set(waits).size).toBeGreaterThan(50)
    },
  )

  it('is none after the last attempt', () => {
    expect(waitAfter(10, null)).toBeNull()
    expect(waitAfter(10, '1')).toBeNull()
  })

  const now = Date.parse('2026-01-01T00:00:00Z')
  it.each([
    ['seconds', '100', 100],
    ['a date', 'Thu, 01 Jan 2026 00:03:20 GMT', 200],
    ['a date that is over', 'Wed, 31 Dec 2025 00:00:00 GMT', 5],
    ['less than the plan', '1', 5],
    ['more than a day', '999999999', 86_400],
    ['more digits than a number has', '9'.repeat(400), 5],
    ['nonsense', '-5, soon', 5],
    ['nothing', '', 5],
  ])('is that of Retry-After where it is longer, up to a day: %s', (_, header, wait) => {
    expect(seconds(1, header, now)).toBeGreaterThanOrEqual(wait)
    expect(seconds(1, header, now)).toBeLessThanOrEqual(wait * 1.1)
  })
})
