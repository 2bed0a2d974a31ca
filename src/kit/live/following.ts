// One stream over a log: reads by itself what it has missed, then joins the group. A slow reader leaves the group, and
// continues after its last row once it has caught up.
import type { Context } from '../context.ts'
import type { Group, Left, Member } from './group.ts'
import type { LiveLog, Page } from './log.ts'
import type { LiveStream } from './sink.ts'

type Followed<Result> = {
  log: LiveLog<unknown>
  group: Group<Result>
  first: Page<unknown>
  run(row: unknown, context: Context): Result | Promise<Result>
  /** Called when the stream has ended. */
  ended(): void
}

export function following<Result>({ log, group, first, run, ended }: Followed<Result>): LiveStream<Result> {
  const { cursorOf, isLast, later } = log.rows
  let unread: Page<unknown> | null = first
  let member: Member<Result> | null = null
  let isStopped = false

  /** Returns the first page and forgets it, because its rows would stay in memory as long as the stream. */
  function takeFirst(): Page<unknown> {
    const page = unread ?? { rows: [], after: '0' }
    unread = null
    return page
  }

  function stop(): void {
    if (isStopped) return
    isStopped = true
    log.close()
    if (member) group.leave(member)
    ended()
  }

  async function readAlone(page: Page<unknown>, self: Member<Result>): Promise<'over' | 'full' | 'current'> {
    log.charge(page.cost ?? 0)
    for (const row of page.rows) {
      log.charge(log.costOfRow)
      // A copy, because what resolvers keep for a context would stay as long as the stream.
      const message = self.sink.encode(await run(row, { ...log.context }))
      if (isStopped) return 'over'
      self.position = BigInt(cursorOf(row))
      if (!self.sink.write(message)) await self.sink.drained()
      if (isStopped || isLast?.(row)) return 'over'
    }
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
    if (typeof why === 'object') throw why.error
    if (why === 'over') stop()
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
          if (isStopped) return
          state = await readAlone(await later(String(self.position)), self)
        }
      } finally {
        stop()
      }
    },
    stop,
  }
}
