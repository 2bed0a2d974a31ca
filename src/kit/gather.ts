// Work that arrives together is done together: one that comes alone starts at once, those that come meanwhile go next.

// A statement of this many rows takes a few milliseconds; more would only make the first wait for the last.
const most = 128

/** `run` answers in the order of its members. When a shared run fails, each member is tried alone once. */
export function gather<Member, Result>(run: (members: Member[]) => Promise<Result[]>) {
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
