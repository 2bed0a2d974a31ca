// An outage is one line a minute, and says when it is over.
import { type Logger, type LoggerOptions, pino } from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { logged, outageIn, watchOutages } from '../../src/adapters/outages.ts'
import { AppError } from '../../src/core/errors.ts'

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
let lines: Record<string, unknown>[]

function open() {
  const outages = watchOutages(() => log)
  const hooks: LoggerOptions['hooks'] = {
    logMethod(args, method) {
      logged.call(this, args, method, outages)
    },
  }
  const log: Logger = pino({ base: null, hooks }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { log, outages }
}

beforeEach(() => {
  lines = []
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

it('of many errors the first has a line, the others are counted each minute, and the end has one', () => {
  const { log, outages } = open()
  for (let second = 0; second < 150; second++) {
    log.warn({ err: refused }, 'the event feed cannot reconnect yet')
    log.error({ err: new Error('gone', { cause: refused }) }, 'a resolver failed')
    vi.advanceTimersByTime(1_000)
  }
  outages.works('database')
  outages.works('database')
  expect(lines).toMatchObject([
    { msg: 'the event feed cannot reconnect yet', outage: 'database', err: { code: 'ECONNREFUSED' } },
    { msg: 'an outage goes on', outage: 'database', sinceLine: 119 },
    { msg: 'an outage goes on', outage: 'database', sinceLine: 120 },
    { msg: 'an outage is over', outage: 'database', failures: 300 },
  ])
})

it('a database that comes and goes leaves two lines a minute at most', () => {
  const { log, outages } = open()
  for (let second = 0; second < 120; second++) {
    log.warn({ err: refused }, 'a database connection was lost')
    outages.works('database')
    vi.advanceTimersByTime(1_000)
  }
  expect(lines).toHaveLength(4)
})

it('what does not say that it works again is over after a minute without errors', () => {
  const { log } = open()
  const down = new AppError('chain_unavailable', 'Too few nodes of chain base answered.', { cause: refused })
  log.error({ err: down }, 'a job failed')
  log.error({ err: down }, 'a job failed')
  vi.advanceTimersByTime(180_000)
  expect(lines.map(({ msg, outage }) => [msg, outage])).toEqual([
    ['a job failed', 'chain base'],
    ['an outage goes on', 'chain base'],
    ['an outage is over', 'chain base'],
  ])
})

it('an error that is no outage keeps its line each time', () => {
  const { log } = open()
  for (const error of [new Error('a mistake'), Object.assign(new Error('deadlock'), { code: '40P01' }), 'text', null])
    log.error({ err: error }, 'a resolver failed')
  log.info({ code: 'ECONNREFUSED' }, 'no error')
  expect(lines).toHaveLength(5)
})

it.each([
  [Object.assign(new Error('terminating connection'), { code: '57P01' }), 'database'],
  [new Error('Connection terminated unexpectedly'), 'database'],
  [new Error('timeout exceeded when trying to connect'), 'database'],
  [new AppError('database_unavailable'), 'database'],
  [new AppError('file_store_unavailable'), 'object store'],
  [new AppError('not_found'), null],
])('%s is an outage of %s', (error, outage) => {
  expect(outageIn(error)).toBe(outage)
})
