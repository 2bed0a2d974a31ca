// A log that grows, as a subscription follows it: the rows since a cursor, then every row that is added.
import type { Topic } from '../../ports/event-feed.ts'
import { meter } from '../allowance.ts'
import type { Context } from '../context.ts'

export type Page<Row> = {
  rows: Row[]
  /** Cursor of the next page; it advances past rows that were left out. */
  after: string
  /** The log contains more rows already. */
  isFull?: boolean
  /** No row will be added. */
  isOver?: boolean
  /** The cost of reading the page, for each of its readers. */
  cost?: number
}

export type Log<Row> = {
  /** Watched from before `begin` is called, or a change between the two would be missed. */
  topic: Topic
  begin(): Promise<Page<Row>>
  /** Returns the same rows to every subscriber with the same operation, variables and access. */
  later(after: string): Promise<Page<Row>>
  /** Cursors are integers that increase with every row. */
  cursorOf(row: Row): string
  isLast?(row: Row): boolean
}

/** The log of one stream, which counts as one of its caller's open streams until it is closed. */
export class LiveLog<Row> implements AsyncIterable<Row> {
  readonly rows: Log<Row>
  readonly context: Context
  /** Each row is charged like the operation, because the whole selection is resolved for each. */
  readonly costOfRow: number
  /** Throws `too_many_requests` when less is left of the caller's limit. */
  readonly charge: (cost: number) => void
  readonly close: () => void

  /** Throws `too_many_requests` when the caller has its maximum of streams. */
  constructor(context: Context, rows: Log<Row>) {
    this.rows = rows
    this.context = context
    this.costOfRow = [...context.costs.values()].reduce((sum, each) => sum + each, 0)
    this.charge = meter(context.allowance)
    this.close = context.allowance.openStream()
  }

  /** For graphql-js, which refuses a subscription that resolves to no iterable. */
  [Symbol.asyncIterator](): AsyncIterator<Row> {
    throw new Error('a log is followed by a group')
  }
}
