// A port for a process that is killed and started again on it.
import { randomInt } from 'node:crypto'
import { freePort } from '../../src/embedded/process.ts'

// Below those that outgoing connections are given: while the process is gone, one of them could take it. Each worker of a
// run has a thousand of its own, because another could take it as well.
const first = 20_000 + 1_000 * (Number(process.env.VITEST_POOL_ID) % 12)
const given = new Set<number>()

export async function keptPort(): Promise<number> {
  for (;;) {
    const port = first + randomInt(1_000)
    if (given.has(port) || (await freePort(port)) !== port) continue
    given.add(port)
    return port
  }
}
