// Batches concurrent calls: a call that comes alone starts at once, and calls that come meanwhile are the next batch.

// A statement of this many rows takes a few milliseconds; with more, the first row would only wait for the last.
const most = 128

/** `run` returns its results in the order of its members. When a batch fails, each member is retried alone once. */
export function batchWhileBusy<Member, Result>(run: (members: Member[]) => Promise<Result[]>) {
  type Waiting = { member: Member; resolve(result: Result): void; reject(error: unknown): void }
  const waiting: Waiting[] = []
  let busy = false

  async function drain(): Promise<void> {
    busy = true
    while (waiting.length > 0) {
      const group = waiting.splice(0, most)
      await settle(group)
    }
    busy = false
  }

  async function settle(group: Waiting[]): Promise<void> {
    try {
      const results = await run(group.map(entry => entry.member))
      group.forEach((entry, index) => {
        entry.resolve(results[index] as Result)
      })
    } catch (error) {
      if (group.length === 1) group[0]?.reject(error)
      else for (const entry of group) await settle([entry])
    }
  }

  return (member: Member): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ member, resolve, reject })
      if (!busy) void drain()
    })
}
