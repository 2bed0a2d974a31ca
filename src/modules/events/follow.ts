// The changes of one receipt, from the stored rows: nothing is lost or repeated across reconnects, restarts and servers.
import { notFound } from '../../core/errors.ts'
import type { ReceiptStatus } from '../../core/states.ts'
import type { App } from '../../kit/context.ts'

export type ReceiptEvent = {
  id: string
  receiptId: string
  status: ReceiptStatus
  bundleHash: string | null
  ledgerTxid: string | null
  /** Of the receipt, not of the event. */
  createdAt: Date
  anchoredAt: Date | null
  refundOfId: string | null
}

const columns = `e.id, e.receipt_id as "receiptId", e.status, e.bundle_hash as "bundleHash", e.ledger_txid as "ledgerTxid",
  r.created_at as "createdAt", e.anchored_at as "anchoredAt", r.refund_of_id as "refundOfId"`
const from = 'from receipt_events e join receipts r on r.id = e.receipt_id where e.receipt_id = $1'
const present = { name: 'receipt-event-present', text: `select ${columns} ${from} order by e.id desc limit 1` }
const later = { name: 'receipt-events-later', text: `select ${columns} ${from} and e.id > $2 order by e.id` }

/**
 * Without `after`: the present state as an event, then each change. With `after`: every change since that event.
 * Ends after `anchored`. The first read is done when the promise resolves. Throws `not_found`.
 */
export async function follow(app: App, receiptId: string, after: string | null): Promise<AsyncGenerator<ReceiptEvent>> {
  const signal = latch()
  // Watching starts before the first read, or a change between the two would be missed.
  const watching = app.feed.watch(receiptId, signal.open)
  try {
    return changes(app, receiptId, await beginning(app, receiptId, after), signal, watching)
  } catch (error) {
    watching.stop()
    throw error
  }
}

type Start = { rows: ReceiptEvent[]; after: string; ended: boolean }

async function beginning(app: App, receiptId: string, after: string | null): Promise<Start> {
  const missed = after === null ? [] : await read(app, later, [receiptId, after])
  if (after !== null && missed.length > 0) return { rows: missed, after, ended: false }
  const [latest] = await read(app, present, [receiptId])
  // Every receipt has the event of its recording.
  if (latest === undefined) throw notFound('receipt')
  // A client may have seen more than a database that was restored from a backup: it begins anew.
  if (after === null || BigInt(after) > BigInt(latest.id)) return { rows: [latest], after: '0', ended: false }
  return { rows: [], after, ended: latest.status === 'anchored' }
}

async function* changes(app: App, receiptId: string, start: Start, signal: Latch, watching: { stop(): void }) {
  let { rows, after } = start
  try {
    if (start.ended) return
    while (true) {
      for (const row of rows) {
        yield row
        after = row.id
        if (row.status === 'anchored') return
      }
      await signal.opened()
      rows = await read(app, later, [receiptId, after])
    }
  } finally {
    watching.stop()
  }
}

async function read(app: App, query: { name: string; text: string }, values: string[]): Promise<ReceiptEvent[]> {
  return (await app.pool.query<ReceiptEvent>({ ...query, values })).rows
}

type Latch = ReturnType<typeof latch>

/** Opened any number of times while nobody waits, it lets the next one through once. */
function latch() {
  let isOpen = false
  let release: (() => void) | null = null
  return {
    open: () => {
      isOpen = true
      release?.()
    },
    opened: async () => {
      if (!isOpen) await new Promise<void>(resolve => (release = resolve))
      isOpen = false
      release = null
    },
  }
}
