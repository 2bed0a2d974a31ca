// The audit of runs over failovers finds each kind of violation, and nothing in a history without one.
import { expect, it } from 'vitest'
import { outagesOf, violationsOf } from '../kit/failover/check.ts'
import type { Entry, Final } from '../kit/failover/history.ts'

const told = { at: 9, kind: 'told', since: 5 } as const
const event = { at: 10, kind: 'event', receipt: 'r1' } as const

function sound(): { entries: Entry[]; final: Final } {
  const numbers = ['256', '512']
  const [first, second] = [
    { event: '256', receipt: 'r1', type: 'receipt.pending' },
    { event: '512', receipt: 'r1', type: 'receipt.anchored' },
  ]
  return {
    entries: [
      { at: 1, kind: 'killed', server: 'a' },
      { at: 2, kind: 'asked', what: 'receipt', write: 't1' },
      { at: 3, kind: 'refused', what: 'receipt', write: 't1', why: '503' },
      { ...told, what: 'receipt', write: 't1', receipt: 'r1' },
      { ...told, what: 'receipt', write: 't1', receipt: 'r1' },
      { ...told, what: 'payment', write: 'p1', txid: 'x1' },
      ...['stream 1', 'webhook'].flatMap(reader =>
        numbers.map(number => ({ ...event, reader, event: number, type: number === '256' ? first.type : second.type })),
      ),
      // A webhook may come twice, and late.
      { ...event, reader: 'webhook', event: '256', type: first.type },
    ],
    final: {
      receipts: [{ id: 'r1', write: 't1', bundleHash: 'h1' }],
      events: [first, second],
      charges: [{ txid: 'x1', write: 'p1' }],
      anchored: ['h1'],
    },
  }
}

it('finds nothing in a history that keeps its word', () => {
  const { entries, final } = sound()
  expect(violationsOf(entries, final)).toEqual([])
  expect(outagesOf(entries)).toEqual({ kills: 1, medianMs: 8, p95Ms: 8, longestMs: 8, refused: 1 })
})

const isStream = (entry: Entry, number: string) =>
  entry.kind === 'event' && entry.reader === 'stream 1' && entry.event === number

it.each<[string, (history: ReturnType<typeof sound>) => void, RegExp]>([
  ['an acknowledged receipt that is gone', ({ final }) => void final.receipts.pop(), /^lost: t1 was told receipt r1/],
  [
    'an acknowledged receipt that is another’s now',
    ({ final }) => void Object.assign(final.receipts[0] ?? {}, { write: 't2' }),
    /^lost: t1 was told receipt r1/,
  ],
  ['a payment without a charge', ({ final }) => void final.charges.pop(), /^lost: payment p1/],
  ['a receipt without an anchor', ({ final }) => void final.anchored.pop(), /^lost: receipt r1 is not anchored/],
  [
    'two receipts of one payment',
    ({ final }) => void final.receipts.push({ id: 'r2', write: 't1', bundleHash: 'h1' }),
    /^doubled: t1 has several receipts/,
  ],
  [
    'two answers with different receipts',
    ({ entries }) => void entries.push({ ...told, what: 'receipt', write: 't1', receipt: 'r2' }),
    /^doubled: t1 was told r1 and r2/,
  ],
  [
    'two charges for one payment',
    ({ final }) => void final.charges.push({ txid: 'x2', write: 'p1' }),
    /^doubled: p1 was charged/,
  ],
  ['two anchors of one bundle', ({ final }) => void final.anchored.push('h1'), /^doubled: h1 was anchored/],
  [
    'an event that a reader saw and that is gone',
    ({ entries }) => void entries.push({ ...event, reader: 'webhook', event: '900', type: 'receipt.anchored' }),
    /^lost: webhook saw event 900/,
  ],
  [
    'an event number that was given again to another',
    ({ final }) => void Object.assign(final.events[1] ?? {}, { type: 'receipt.failed' }),
    /^lost: stream 1 saw event 512/,
  ],
  [
    'a number below one that was seen before',
    ({ entries }) => void entries.push({ ...event, reader: 'stream 1', event: '256', type: 'receipt.pending' }),
    /^gone back: stream 1 saw event 256 after 512/,
  ],
  [
    'a hole in a stream',
    ({ entries }) =>
      void entries.splice(
        entries.findIndex(entry => isStream(entry, '256')),
        1,
      ),
    /^hole: stream 1 never saw event 256/,
  ],
  [
    'a webhook that never came',
    ({ entries }) =>
      void entries.splice(
        0,
        entries.length,
        ...entries.filter(entry => !('reader' in entry && entry.reader === 'webhook' && entry.event === '512')),
      ),
    /^hole: webhook never saw event 512/,
  ],
])('finds %s', (_, spoil, violation) => {
  const history = sound()
  spoil(history)
  expect(violationsOf(history.entries, history.final).join('\n')).toMatch(new RegExp(violation.source, 'm'))
})
