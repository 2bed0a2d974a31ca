// docs/limits.md has the figures of the code.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { connections, readConnections } from '../../src/adapters/pg-pool.ts'
import { errorCodes } from '../../src/core/errors.ts'
import { bodyLimits, documentLimits, keyedBodyLimits } from '../../src/core/request-limits.ts'
import { semaphoreLimits } from '../../src/kit/semaphore-limits.ts'
import { defaultQuotas } from '../../src/limits/policy.ts'
import * as bounds from '../../src/modules/wallet-coverage/bounds.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
const text = read('docs/limits.md')
const cells = text.split('\n').map(line => line.split('|').map(cell => cell.trim()))
/** The cells of the row that begins with these words. */
const row = (begin: string) => cells.find(([, first = '']) => first.startsWith(begin))?.slice(1) ?? []

/** A number that the program keeps to itself, written as `7`, `64 * 1024` or `8 << 20`. */
function constant(path: string, name: string): number {
  const [, written = ''] = new RegExp(`\\b${name}(?: =|:) (\\d[\\d_]*(?: (?:\\*|<<) \\d+)*)`).exec(read(path)) ?? []
  const [first = '', ...factors] = written.replaceAll('_', '').split(/ (?=\*|<<)/)
  return factors.reduce((value, factor) => {
    const by = Number(factor.replace(/\D+/, ''))
    return factor.startsWith('*') ? value * by : value << by
  }, Number(first))
}
const n = (count: number) => count.toLocaleString('en')
const kib = (bytes: number) => `${bytes / 1_024} KiB`
const mib = (bytes: number) => `${bytes / 1_024 ** 2} MiB`
const s = (ms: number) => `${ms / 1_000} s`

const turns: Record<keyof typeof semaphoreLimits, string> = {
  largeReads: 'large reads',
  counts: 'counts',
  sums: 'sums',
  statements: 'statements',
  verifications: 'verifications',
  contractSignatures: 'signatures of contracts',
  screening: 'screening',
  questions: 'questions to the assistant',
  questionsToOwnModels: 'questions to agents',
  strangers: 'documents of callers without credentials',
}

it.each(Object.entries(turns))('the turns of %s', (name, begin) => {
  const { atOnce, eachAtOnce, anonymousAtOnce, waiting, eachWaiting } = semaphoreLimits[name as keyof typeof turns]
  const figures = [n(atOnce), n(eachAtOnce), anonymousAtOnce === 0 ? 'none' : n(anonymousAtOnce)]
  expect(row(begin).slice(1, 6)).toEqual([...figures, n(waiting), n(eachWaiting)])
})

const body = `${kib(bodyLimits.bytes)} and ${n(bodyLimits.values)} values`
const { fields, depth, aliases, tokens, overlaps, cost } = documentLimits
const probes = (name: string) => constant('src/http/probes.ts', name)
const fetched = 'src/modules/verification/verify.ts'
const node = 'src/adapters/node-request.ts'
const compliance = 'src/adapters/http-compliance.ts'

it.each([
  ['REST', [body]],
  [
    '`POST /graphql`',
    [
      `${body}, with a key or session ${kib(keyedBodyLimits.bytes)} and ${n(keyedBodyLimits.values)} values`,
      `${fields} fields, ${depth} levels, ${aliases} aliases, ${n(tokens)} tokens, ${n(overlaps)} overlaps`,
      `at most ${n(cost)}`,
    ],
  ],
  [
    'event streams',
    [
      `${defaultQuotas['streams-of-project']} open or reserved of a project`,
      `${defaultQuotas['streams-of-address']} of an address`,
    ],
  ],
  [
    '`/mcp`',
    [
      body,
      `${constant('src/http/mcp.ts', 'messageCost')} for a message`,
      `${constant('src/http/mcp.ts', 'listCost')} for a list`,
    ],
  ],
  ['verification of', [`${mib(constant(fetched, 'maxBytes'))}, ${s(constant(fetched, 'timeoutMs'))}`]],
  ['`/.well-known/x402`', [`| ${constant('src/http/discovery.ts', 'offersCost')} |`]],
  [
    '`/exports/',
    [
      `${constant('src/http/exports.ts', 'cost')}, and one open stream`,
      `after ${s(constant('src/http/exports.ts', 'unreadMs'))}`,
    ],
  ],
  ['sign-in', [`${defaultQuotas['sign-in']} signatures a minute`]],
  ['wrong keys', [`${defaultQuotas['failed-keys']} a minute`]],
  [
    '`PROBE_PORT`',
    [
      `${kib(probes('maxHeaderSize'))} within ${s(probes('requestMs'))}`,
      `${probes('mostConnections')} connections`,
      probes('sharedMs') === 1_000 ? 'shared for a second' : '',
    ],
  ],
  [
    '`/livez` and',
    [constant('src/modules/health/read.ts', 'sharedMs') === 500 ? 'shared for half a second' : 'another time'],
  ],
  ['documents of callers', [`${n(defaultQuotas.strangers)} ms`]],
  ['large reads', ['a cost of 15 or more']],
  ['nodes of chains', [`${s(constant(node, 'requestTimeoutMs'))} and ${mib(constant(node, 'mostBytes'))}`]],
  [
    'webhooks',
    [
      `${s(constant('src/modules/webhooks/send.ts', 'timeoutMs'))} for an attempt`,
      `${constant('src/modules/webhooks/dispatch.ts', 'places')} attempts at once`,
    ],
  ],
  [
    'compliance providers',
    [
      `${s(constant(compliance, 'timeoutMs'))} and ${kib(constant(compliance, 'maxBytes'))}`,
      `${constant('src/modules/compliance/ask.ts', 'mostAtOnce')} queries at once`,
    ],
  ],
  [
    'rate providers',
    [
      s(constant('src/adapters/http-rates.ts', 'timeoutMs')),
      kib(constant('src/adapters/http-rates.ts', 'maxBytes')),
      `of the ECB ${kib(constant('src/adapters/ecb-rates.ts', 'maxBytes'))}`,
    ],
  ],
  [
    'files that callers name',
    [`${s(constant('src/adapters/arweave-store.ts', 'timeoutMs'))} and ${mib(constant(fetched, 'maxBytes'))}`],
  ],
])('the row of %s', (begin, figures) => {
  const line = `| ${row(begin).join(' | ')} |`
  expect(figures.filter(figure => !line.includes(figure))).toEqual([])
})

it('the connections and the jobs of a process', () => {
  expect(text).toContain(
    `${connections} connections to the database for requests and jobs, ${readConnections} for reads`,
  )
  expect(text).toContain(`runs ${constant('src/worker/worker.ts', 'concurrency')} jobs at once`)
})

it('the bounds of comparisons of wallets', () => {
  const { mostKept, keptDays, mostRows, mostDays, mostBlocks, mostTransfers, mostFailures } = bounds
  const range = `${mostDays} days, ${n(mostBlocks)} blocks and ${n(mostTransfers)} transfers`
  expect(text).toContain(range)
  expect(text).toContain(`lists ${n(mostRows)} rows of each status, and the ${mostKept} newest`)
  expect(text).toContain(`kept for ${keptDays} days`)
  const page = read('docs/wallet-coverage.md')
  const figures = [
    `${mostDays} days and ${n(mostBlocks)} blocks`,
    `| ${n(mostTransfers)} |`,
    `the first ${n(mostRows)} missing and the first ${n(mostRows)} unknown`,
    `| ${mostFailures}; then`,
    `the ${mostKept} newest of a project, for ${keptDays} days`,
  ]
  expect(figures.filter(figure => !page.includes(figure))).toEqual([])
})

it('the codes exist, with their statuses', () => {
  // In the result of a verification, and no answer.
  const known: Record<string, number | null> = { bundle_unavailable: null }
  for (const [code, { status }] of Object.entries(errorCodes)) known[code] = status
  for (const [, code = '', status] of text.matchAll(/`([a-z]+(?:_[a-z]+)+|unauthenticated)`(?: \((\d{3})\))?/g)) {
    expect(Object.keys(known)).toContain(code)
    if (status !== undefined) expect([code, known[code]]).toEqual([code, Number(status)])
  }
})
