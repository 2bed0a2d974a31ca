// Batches concurrent calls: a call that comes alone starts at once, and calls that come meanwhile are the next batch.
import { currentScope, inScope, type Scope } from '../core/scope.ts'

/** A batch belongs to the requests of all its members, whichever of them began it. */
function scopeOf(group: readonly { scope: Scope | undefined }[]): Scope {
  const [first, ...others] = group
  if (others.length === 0 && first?.scope) return first.scope
  return { origins: [...new Set(group.flatMap(({ scope }) => scope?.origins ?? []))], request: null, span: null }
}

// A statement of this many rows takes a few milliseconds; with more, the first row would only wait for the last.
const most = 128

/** `run` returns its results in the order of its members. When a batch fails, each member is retried alone once. */
export function batchWhileBusy<Member, Result>(run: (members: Member[]) => Promise<Result[]>) {
  type Waiting = {
    member: Member
    scope: Scope | undefined
    resolve(result: Result): void
    reject(error: unknown): void
  }
  const waiting: Waiting[] = []
  let busy = false

  /** Starts the next batch, if calls wait. */
  function start(): void {
    const group = waiting.splice(0, most)
    busy = group.length > 0
    if (busy) void carryOut(group)
  }

  async function carryOut(group: Waiting[]): Promise<void> {
    const answer = await settle(group)
    start()
    // Later, because what the callers do with their results would delay the statement of the next batch: the pool sends
    // it in a tick of its own.
    process.nextTick(answer)
  }

  /** Returns what tells the members their results; members that run alone are told at once. */
  async function settle(group: Waiting[]): Promise<() => void> {
    try {
      const results = await inScope(scopeOf(group), () => run(group.map(entry => entry.member)))
      return () => {
        group.forEach((entry, index) => {
          entry.resolve(results[index] as Result)
        })
      }
    } catch (error) {
      if (group.length === 1) return () => group[0]?.reject(error)
      for (const entry of group) {
        const answer = await settle([entry])
        answer()
      }
      return () => undefined
    }
  }

  return (member: Member): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ member, scope: currentScope(), resolve, reject })
      if (!busy) start()
    })
}
