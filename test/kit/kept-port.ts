// Chooses a port for a process that is killed and started again on the same port.
import { randomInt } from 'node:crypto'
import { freePort } from '../../src/embedded/process.ts'

// Below the range of outgoing connections: while the process is down, one of them could get its port. Each worker of a
// run has a thousand ports of its own, because another worker could get it as well.
const first = 20_000 + 1_000 * (Number(process.env.VITEST_POOL_ID ?? 0) % 12)
const taken = new Set<number>()

export async function keptPort(): Promise<number> {
  for (;;) {
    const port = first + randomInt(1_000)
    if (taken.has(port) || (await freePort(port)) !== port) continue
    taken.add(port)
    return port
  }
}
