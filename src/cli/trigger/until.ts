// Waits for the work of another process by polling.
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError } from '../command.ts'

const everyMs = 300
// A busy machine takes some seconds for what an idle machine does in one.
const patienceMs = 120_000

/**
 * Returns the first good result of `look`. Throws CommandError with the message of `inVain` when there is none within
 * two minutes.
 */
export async function until<T>(look: () => Promise<T>, isGood: (found: T) => boolean, inVain: (found: T) => string) {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const found = await look()
    if (isGood(found)) return found
    if (performance.now() > deadline) throw new CommandError(inVain(found))
    await sleep(everyMs)
  }
}
