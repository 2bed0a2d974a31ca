// An outage is one line a minute, and says when it is over.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Logger, type LoggerOptions, pino } from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Nodes, openNodes } from '../../src/adapters/nodes.ts'
import { logged, outageIn, Unavailable, watchOutages } from '../../src/adapters/outages.ts'
import { createPublicFetch } from '../../src/adapters/public-fetch.ts'
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
  const cause = new Unavailable('chain base', 'node 1: it answers 401')
  const down = new AppError('chain_unavailable', 'Too few nodes of chain base answered.', { cause })
  log.error({ err: down }, 'a job failed')
  log.error({ err: down }, 'a job failed')
  vi.advanceTimersByTime(180_000)
  expect(lines.map(({ msg, outage }) => [msg, outage])).toEqual([
    ['a job failed', 'chain base'],
    ['an outage goes on', 'chain base'],
    ['an outage is over', 'chain base'],
  ])
})

it('the nodes of a chain name its outage, and say when enough of them answer again', async () => {
  vi.useRealTimers()
  let isDown = true
  const server = createServer(async (req, res) => {
    const { id } = JSON.parse(await text(req))
    if (isDown) res.writeHead(401).end()
    else res.end(JSON.stringify({ jsonrpc: '2.0', id, result: '0x1' }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { log, outages } = open()
  const rpcUrls = [`http://127.0.0.1:${(server.address() as AddressInfo).port}`]
  const nodes = { chainId: 1n, rpcUrls, quorum: 1 }
  const ours = openNodes({ ...nodes, name: 'base', works: () => outages.works('chain base') })
  // A project gives its chain the name of the operator's.
  const theirs = openNodes({ ...nodes, name: 'base', fetchPublic: createPublicFetch({ allowPrivate: true }) })
  const ask = (of: Nodes) =>
    of.agreed(node => node.getBlockNumber()).catch(error => log.warn({ err: error }, 'a job failed'))
  await ask(ours)
  await ask(theirs)
  isDown = false
  expect(await ask(ours)).toBe(1)
  server.close()
  expect(lines.map(({ msg, outage }) => [msg, outage])).toEqual([
    ['a job failed', 'chain base'],
    ['a job failed', 'chains of projects'],
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
  [new AppError('fx_unavailable', undefined, { cause: refused }), 'rates'],
  [new AppError('ai_unavailable', undefined, { cause: refused }), 'model'],
  [new AppError('anchor_lookup_unavailable', undefined, { cause: new AppError('chain_unavailable') }), 'chain'],
  [new AppError('validation_failed', undefined, { cause: refused }), null],
  [new AppError('not_found'), null],
])('%s is an outage of %s', (error, outage) => {
  expect(outageIn(error)).toBe(outage)
})
