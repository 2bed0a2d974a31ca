// Reads a log as it grows: what there is, then what is added, however many changes a wake stands for.
import type { EventFeed, Topic } from '../ports/event-feed.ts'

export type Page<Row> = {
  rows: Row[]
  /** Where the next page begins; it moves on past rows that were left out. */
  after: string
  /** More stands in the log already. */
  isFull?: boolean
  /** Nothing will be added. */
  isOver?: boolean
}

type Log<Row> = {
  topic: Topic
  /** What comes first. Read after watching began, or a change between the two would be missed. */
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
    // A generator that waits hears of its end only when it goes on.
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

/** Opened any number of times while nobody waits, it lets the next one through once; closed, it stays open. */
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
