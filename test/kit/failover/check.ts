// Audits the history of a run: nothing that was acknowledged is lost, nothing was done twice, event numbers never went
// back, and no reader missed one.
import type { Entry, Final } from './history.ts'

type Seen = Extract<Entry, { kind: 'event' }>
type Told = Extract<Entry, { kind: 'told' }>

/** Returns the violations, one sentence each. */
export function violationsOf(entries: readonly Entry[], final: Final): string[] {
  const told = entries.filter(entry => entry.kind === 'told')
  const seen = Map.groupBy(
    entries.filter(entry => entry.kind === 'event'),
    ({ reader }) => reader,
  )
  return [
    ...lost(told, final),
    ...doubled(told, final),
    ...[...seen].flatMap(([reader, events]) => [
      ...invented(reader, events, final),
      ...(isStream(reader) ? backwards(reader, events) : []),
      ...missing(reader, events, final),
    ]),
  ]
}

/** A stream gives each event once, in order; a webhook receiver gets each at least once, in any order. */
const isStream = (reader: string) => reader.startsWith('stream')

function* lost(told: readonly Told[], { receipts, charges }: Final): Generator<string> {
  const writes = new Map(receipts.map(({ id, write }) => [id, write]))
  const paid = new Set(charges.map(({ txid }) => txid))
  for (const answer of told) {
    if (answer.what === 'payment') {
      if (!paid.has(answer.txid)) yield `lost: payment ${answer.write} was told ${answer.txid}, which charged nothing`
    } else if (writes.get(answer.receipt) !== answer.write)
      yield `lost: ${answer.write} was told receipt ${answer.receipt}, which is not there`
  }
}

function* doubled(told: readonly Told[], { receipts, charges, anchored }: Final): Generator<string> {
  for (const write of repeated(receipts.map(({ write }) => write))) yield `doubled: ${write} has several receipts`
  for (const write of repeated(charges.map(({ write }) => write))) yield `doubled: ${write} was charged several times`
  for (const hash of repeated(anchored)) yield `doubled: ${hash} was anchored several times`
  const answers = Map.groupBy(told, ({ write }) => write)
  for (const [write, own] of answers) {
    const named = new Set(own.map(answer => (answer.what === 'receipt' ? answer.receipt : answer.txid)))
    if (named.size > 1) yield `doubled: ${write} was told ${[...named].join(' and ')}`
  }
  const there = new Set(anchored)
  for (const { id, bundleHash } of receipts)
    if (bundleHash === null || !there.has(bundleHash)) yield `lost: receipt ${id} is not anchored`
}

function repeated(values: readonly string[]): string[] {
  return [...Map.groupBy(values, value => value)].filter(([, all]) => all.length > 1).map(([value]) => value)
}

const line = ({ event, receipt, type }: Final['events'][number]) => `${event} (${type} of ${receipt})`

/** Events that a reader saw and that are not in the end what they were. */
function* invented(reader: string, seen: readonly Seen[], { events }: Final): Generator<string> {
  const there = new Set(events.map(line))
  for (const event of seen)
    if (!there.has(line(event))) yield `lost: ${reader} saw event ${line(event)}, which is not there`
}

function* backwards(reader: string, seen: readonly Seen[]): Generator<string> {
  for (const [index, { event }] of seen.entries()) {
    const before = seen[index - 1]
    if (before !== undefined && BigInt(event) <= BigInt(before.event))
      yield `gone back: ${reader} saw event ${event} after ${before.event}`
  }
}

/** All readers begin with the project, and are waited for in the end. */
function* missing(reader: string, seen: readonly Seen[], { events }: Final): Generator<string> {
  const own = new Set(seen.map(({ event }) => event))
  for (const event of events) if (!own.has(event.event)) yield `hole: ${reader} never saw event ${line(event)}`
}

export type Outages = { kills: number; medianMs: number; p95Ms: number; longestMs: number; refused: number }

/** For each kill, the time until a write that was asked after it was acknowledged. */
export function outagesOf(entries: readonly Entry[]): Outages {
  const kills = entries.filter(({ kind }) => kind === 'killed').map(({ at }) => at)
  const answers = entries.filter(entry => entry.kind === 'told')
  const times = kills
    .map(killed => Math.min(...answers.filter(({ since }) => since >= killed).map(({ at }) => at - killed)))
    .toSorted((a, b) => a - b)
  const at = (part: number) => times[Math.min(times.length - 1, Math.ceil(part * times.length) - 1)] ?? 0
  return {
    kills: kills.length,
    medianMs: at(0.5),
    p95Ms: at(0.95),
    longestMs: at(1),
    refused: entries.filter(({ kind }) => kind === 'refused').length,
  }
}
