// Reads a growing log: the present rows, then added rows, however many changes one wake-up stands for.
import type { EventFeed, Topic } from '../ports/event-feed.ts'

export type Page<Row> = {
  rows: Row[]
  /** Cursor of the next page; it advances past rows that were left out. */
  after: string
  /** The log contains more rows already. */
  isFull?: boolean
  /** No row will be added. */
  isOver?: boolean
}

type Log<Row> = {
  topic: Topic
  /** Reads the first page. Called after watching began, or a change between the two would be missed. */
  begin(): Promise<Page<Row>>
  later(after: string): Promise<Page<Row>>
  isLast?(row: Row): boolean
}

/** The first page is read when the promise resolves. Ending the generator stops watching, also while it waits. */
export async function tail<Row>(feed: EventFeed, log: Log<Row>): Promise<AsyncGenerator<Row>> {
  const signal = latch()
  const watching = feed.watch(log.topic, signal.open)
  try {
    const events = read(log, await log.begin(), signal, watching)
    // A waiting generator handles `return` only when it resumes.
    const leave = events.return.bind(events)
    events.return = value => {
      watching.stop()
      signal.close()
      return leave(value)
    }
    return events
  } catch (error) {
    watching.stop()
    throw error
  }
}

async function* read<Row>(
  { later, isLast }: Log<Row>,
  first: Page<Row>,
  signal: Latch,
  watching: { stop(): void },
): AsyncGenerator<Row> {
  try {
    for (let page = first; !signal.isClosed(); page = await later(page.after)) {
      for (const row of page.rows) {
        yield row
        if (isLast?.(row)) return
      }
      if (page.isOver) return
      if (!page.isFull) await signal.opened()
    }
  } finally {
    watching.stop()
  }
}

type Latch = ReturnType<typeof latch>

/** Opened any number of times while no reader waits, it lets the next reader through once; closed, it stays open. */
function latch() {
  let isOpen = false
  let closed = false
  let release: (() => void) | null = null
  const open = () => {
    isOpen = true
    release?.()
  }
  return {
    open,
    close: () => {
      closed = true
      open()
    },
    isClosed: () => closed,
    opened: async () => {
      if (!isOpen) await new Promise<void>(resolve => (release = resolve))
      isOpen = closed
      release = null
    },
  }
}
