// The streams that have read a log to its present end and ask for the same: each new row is read, resolved and encoded
// once, and every member gets the same message.
import { setImmediate } from 'node:timers/promises'
import { AppError } from '../../core/errors.ts'
import type { EventFeed, Topic } from '../../ports/event-feed.ts'
import type { Allowance } from '../allowance.ts'
import type { Context } from '../context.ts'
import type { LiveLog, Page } from './log.ts'
import type { Sink } from './sink.ts'

export type Member<Result> = {
  log: LiveLog<unknown>
  sink: Sink<Result, unknown>
  /** Cursor of the last row that the member has, or has no use for. */
  position: bigint
  run(row: unknown, context: Context): Result | Promise<Result>
  /** Called when it has left. */
  left(why: Left): void
}
/** At the end of the log or of the stream, as a slow reader, or because of an error. */
export type Left = 'over' | 'slow' | { error: unknown }

// Writing to a member takes some twenty microseconds, in which no other request is served.
const writesAtOnce = 200

export type Group<Result> = ReturnType<typeof createGroup<Result>>

/** `emptied` is called when the last stream has let go of the group. */
export function createGroup<Result>(feed: EventFeed, topic: Topic, emptied: () => void) {
  const members = new Set<Member<Result>>()
  let position = -1n
  let holders = 0
  let isStale = false
  let isBusy = false
  const watching = feed.watch(topic, () => {
    isStale = true
    void pump()
  })

  function leave(member: Member<Result>, why: Left): void {
    if (members.delete(member)) member.left(why)
  }

  function charged(member: Member<Result>, cost: number): boolean {
    try {
      member.log.charge(cost)
      return true
    } catch (error) {
      leave(member, { error })
      return false
    }
  }

  async function pump(): Promise<void> {
    if (isBusy) return
    isBusy = true
    for (let [reader] = members; isStale && reader; [reader] = members) {
      isStale = false
      await advance(reader)
    }
    isBusy = false
  }

  /** Reads one page with the rights of this member, which are those of all. */
  async function advance(reader: Member<Result>): Promise<void> {
    try {
      const page = await reader.log.rows.later(String(position))
      for (const member of members) charged(member, page.cost ?? 0)
      await deliver(reader, page)
      position = BigInt(page.after)
      isStale ||= page.isFull ?? false
    } catch (error) {
      // A limit of the reader is no fault of the others. Any other fault would meet all of them.
      const isOwn = error instanceof AppError && error.status < 500
      for (const member of isOwn ? [reader] : members) leave(member, { error })
      isStale = true
    }
  }

  async function deliver(reader: Member<Result>, { rows }: Page<unknown>): Promise<void> {
    const { cursorOf, isLast } = reader.log.rows
    for (const row of rows) {
      // Before the row is resolved: a stream that has not read this row may no longer join.
      position = BigInt(cursorOf(row))
      let spent = reader.log.costOfRow
      const context = {
        ...reader.log.context,
        allowance: shared(reader.log.context.allowance, cost => (spent += cost)),
      }
      await write(await reader.run(row, context), spent, isLast?.(row) ?? false)
    }
  }

  async function write(result: Result, cost: number, isLast: boolean): Promise<void> {
    const messages = new Map<Sink<Result, unknown>['encode'], unknown>()
    const cursor = position
    let written = 0
    for (const member of members) {
      const { sink } = member
      if (member.position >= cursor || !charged(member, cost)) continue
      if (!messages.has(sink.encode)) messages.set(sink.encode, sink.encode(result))
      member.position = cursor
      const isFast = sink.write(messages.get(sink.encode))
      if (isLast) leave(member, 'over')
      else if (!isFast) leave(member, 'slow')
      written += 1
      if (written % writesAtOnce === 0) await setImmediate()
    }
  }

  return {
    /** Keeps the group while a stream reads by itself. The returned function lets it go. */
    hold(): () => void {
      holders += 1
      return () => {
        holders -= 1
        if (holders > 0) return
        watching.stop()
        emptied()
      }
    },
    /** Returns false when the group has read further than the member, which then has to read by itself. */
    join(member: Member<Result>): boolean {
      if (member.position < position) return false
      if (members.size === 0 && !isBusy) position = member.position
      members.add(member)
      void pump()
      return true
    },
    leave: (member: Member<Result>) => leave(member, 'over'),
  }
}

/** The allowance of work for all members: each is charged the cost afterwards, and none can abort it. */
const shared = (
  { subject, isAnonymous, openStream, demand, asksFor, spendSignatures, left }: Allowance,
  spend: Allowance['spend'],
) => ({
  subject,
  isAnonymous,
  isPaid: false,
  spend,
  demand,
  asksFor,
  spendSignatures,
  openStream,
  inTurn: <T>(work: () => T) => work(),
  left,
  signal: null,
})
