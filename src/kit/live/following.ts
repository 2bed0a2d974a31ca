// One stream over a log: reads by itself what it has missed, then joins the group. A slow reader leaves the group, and
// continues after its last row once it has caught up. A stream whose caller has used its limit up waits for the next
// window: a stream that ended here would be taken for one without further rows.
import { appErrorIn } from '../app-error-in.ts'
import type { Context } from '../context.ts'
import type { Group, Left, Member } from './group.ts'
import type { LiveLog, Page } from './log.ts'
import type { LiveStream } from './sink.ts'

type Followed<Result> = {
  log: LiveLog<unknown>
  group: Group<Result>
  /** Charged already, with its first row. */
  first: Page<unknown>
  run(row: unknown, context: Context): Result | Promise<Result>
  /** Called when the stream has ended. */
  ended(): void
}

// Streams of one caller would otherwise all read at the beginning of the window.
const spreadMs = 2_000

export function following<Result>({ log, group, first, run, ended }: Followed<Result>): LiveStream<Result> {
  const { cursorOf, isLast, later } = log.rows
  let unread: Page<unknown> | null = first
  let member: Member<Result> | null = null
  let isStopped = false
  let isPrepaid = true
  let wake = () => {}

  /** Returns the first page and forgets it, because its rows would stay in memory as long as the stream. */
  function takeFirst(): Page<unknown> {
    const page = unread ?? { rows: [], after: '0' }
    unread = null
    return page
  }

  function stop(): void {
    if (isStopped) return
    isStopped = true
    wake()
    log.close()
    if (member) group.leave(member)
    ended()
  }

  /** Waits until the caller's limit is renewed or the stream ends. Throws any error that no wait mends. */
  async function hold(error: unknown): Promise<void> {
    const refusal = appErrorIn(error)
    if (refusal?.code !== 'too_many_requests') throw error
    if (isStopped) return
    const ms = (refusal.retryAfterSeconds ?? 1) * 1_000 + Math.random() * spreadMs
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms).unref()
    wake = resolve
    await promise
    clearTimeout(timer)
  }

  async function charge(cost: number): Promise<void> {
    while (!isStopped) {
      try {
        return log.charge(cost)
      } catch (error) {
        await hold(error)
      }
    }
  }

  /** Returns null when the stream has ended meanwhile. */
  async function readLater(after: bigint): Promise<Page<unknown> | null> {
    while (!isStopped) {
      try {
        return await later(String(after))
      } catch (error) {
        await hold(error)
      }
    }
    return null
  }

  async function readAlone(page: Page<unknown>, self: Member<Result>): Promise<'over' | 'full' | 'current'> {
    if (!isPrepaid) await charge(page.cost ?? 0)
    for (const row of page.rows) {
      if (!isPrepaid) await charge(log.costOfRow)
      isPrepaid = false
      if (isStopped) return 'over'
      // A copy, because what resolvers keep for a context would stay as long as the stream.
      const message = self.sink.encode(await run(row, { ...log.context }))
      if (isStopped) return 'over'
      self.position = BigInt(cursorOf(row))
      if (!self.sink.write(message)) await self.sink.drained()
      if (isStopped || isLast?.(row)) return 'over'
    }
    isPrepaid = false
    self.position = BigInt(page.after)
    if (page.isOver) return 'over'
    return page.isFull ? 'full' : 'current'
  }

  /** Resolves when this stream can no longer be a member: because it ended, or its reader is slow. */
  async function readTogether(self: Member<Result>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<Left>()
    self.left = resolve
    if (!group.join(self)) return
    const why = await promise
    if (typeof why === 'object') await hold(why.error)
    else if (why === 'over') stop()
    else await self.sink.drained()
  }

  return {
    async follow(sink) {
      const self: Member<Result> = { log, sink, position: 0n, run, left: () => undefined }
      member = self
      try {
        let state = await readAlone(takeFirst(), self)
        while (state !== 'over') {
          if (state === 'current') await readTogether(self)
          const page = await readLater(self.position)
          if (page === null) return
          state = await readAlone(page, self)
        }
      } finally {
        stop()
      }
    },
    stop,
  }
}
