// Callers cannot fill the log: beyond a number a minute, refused requests are counted in one line.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Finished } from '../../src/http/finished.ts'
import { requestLog } from '../../src/http/request-log.ts'

const lines: { msg: string; details: Record<string, unknown> }[] = []
const keep = (details: object, msg: string) => void lines.push({ msg, details: { ...details } })
const log = { info: keep, warn: keep } as never

const refused = (change: Partial<Finished>): Finished => ({
  ...{ requestId: 'a', method: 'GET', route: '/a', status: 401, codes: ['unauthenticated'], project: 'anonymous' },
  ...{ network: '192.0.2.1', operation: null, document: null, cost: 0, durationMs: 1, bytes: 1 },
  ...{ isAborted: false, isStream: false, isRelayed: false },
  ...change,
})

beforeEach(() => {
  lines.length = 0
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

it('one network without credentials leaves 60 lines a minute, and one that counts', () => {
  const tell = requestLog(log, { successes: 1, errors: true })
  for (let n = 0; n < 1_000; n++) tell(refused({}))
  tell(refused({ status: 503, codes: ['chain_unavailable'] }))
  tell(refused({ network: '192.0.2.2' }))
  expect(lines).toHaveLength(61)
  vi.advanceTimersByTime(60_000)
  expect(lines.slice(61)).toEqual([
    {
      msg: 'further refused requests',
      details: { requests: { '401 unauthenticated': 940, '503 chain_unavailable': 1 } },
    },
  ])
  tell(refused({}))
  expect(lines).toHaveLength(63)
})

it('many networks together leave 600', () => {
  const tell = requestLog(log, { successes: 1, errors: true })
  for (let n = 0; n < 5_000; n++) tell(refused({ network: `192.0.2.${n}` }))
  expect(lines).toHaveLength(600)
})

it('a project is bounded by itself', () => {
  const tell = requestLog(log, { successes: 1, errors: true })
  for (let n = 0; n < 500; n++) for (const project of ['a', 'b']) tell(refused({ project, status: 429, codes: [] }))
  expect(lines).toHaveLength(600)
})

it('probes that succeed, and successes that are not sampled, leave no line', () => {
  for (const setting of [
    { successes: 1, errors: true },
    { successes: 0, errors: true },
    { successes: 0, errors: false },
  ]) {
    const tell = requestLog(log, setting)
    tell(refused({ route: '/readyz', status: 200, codes: [] }))
    tell(refused({ status: 200, codes: [] }))
    tell(refused({}))
  }
  expect(lines.map(({ details }) => details.status)).toEqual([200, 401, 401])
})
