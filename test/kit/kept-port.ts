// A port for a process that is killed and started again on it.
import { randomInt } from 'node:crypto'
import { freePort } from '../../src/embedded/process.ts'

/** Below those that outgoing connections are given: while the process is gone, one of them could take it. */
export async function keptPort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    if ((await freePort(port)) === port) return port
  }
}
