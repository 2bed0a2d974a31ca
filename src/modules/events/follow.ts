// Streams the changes of one receipt from stored rows, so that no change is lost or repeated across reconnects,
// restarts and servers.
import { notFound } from '../../core/errors.ts'
import type { App } from '../../kit/context.ts'
import type { Log, Page } from '../../kit/live/log.ts'
import { type ReceiptEvent, receiptEventColumns } from './receipt-event.ts'

// This stream reports the receipt's state, which neither a refund, a receipt of its own, nor a check of its payment
// changes.
const from = `from events e join receipts r on r.id = e.receipt_id where e.receipt_id = $1
   and e.type not in ('receipt.refunded', 'receipt.settlement_checked')`
const present = {
  name: 'receipt-event-present',
  text: `select ${receiptEventColumns} ${from} order by e.id desc limit 1`,
}
const later = {
  name: 'receipt-events-later',
  text: `select ${receiptEventColumns} ${from} and e.id > $2 order by e.id`,
}

const isLast = (event: ReceiptEvent) => event.status === 'anchored'

/**
 * Without `after` the present state as an event, then each change; with `after` every change since that event. Ends
 * after `anchored`. Errors: `not_found`.
 */
export const receiptLog = (app: App, receiptId: string, after: string | null): Log<ReceiptEvent> => ({
  topic: receiptId,
  begin: () => beginning(app, receiptId, after),
  later: async seen => pageOf(await read(app, later, [receiptId, seen]), seen),
  cursorOf: ({ id }) => id,
  isLast,
})

async function beginning(app: App, receiptId: string, after: string | null): Promise<Page<ReceiptEvent>> {
  // First the latest event, then the missed ones: a change between the two is among the missed.
  const [latest] = await read(app, present, [receiptId])
  // Every receipt has the event of its recording, so a receipt without events does not exist.
  if (latest === undefined) throw notFound('receipt')
  // After a restore from a backup, the client may have seen events that the database has lost: the stream starts again.
  if (after === null || BigInt(after) > BigInt(latest.id)) return pageOf([latest], '0')
  const missed = await read(app, later, [receiptId, after])
  return missed.length > 0 ? pageOf(missed, after) : { rows: [], after, isOver: isLast(latest) }
}

const pageOf = (rows: ReceiptEvent[], after: string): Page<ReceiptEvent> => ({ rows, after: rows.at(-1)?.id ?? after })

async function read(app: App, query: { name: string; text: string }, values: string[]): Promise<ReceiptEvent[]> {
  return (await app.pool.query<ReceiptEvent>({ ...query, values })).rows
}
