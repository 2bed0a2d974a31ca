// Waits for what another process does, by asking for it.
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError } from '../command.ts'

const everyMs = 300
// A busy machine takes some seconds for what an idle one does in one.
const patienceMs = 120_000

/** The first answer that is good. Throws CommandError, in the words of `inVain`, when none is within two minutes. */
export async function until<T>(look: () => Promise<T>, isGood: (found: T) => boolean, inVain: (found: T) => string) {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const found = await look()
    if (isGood(found)) return found
    if (performance.now() > deadline) throw new CommandError(inVain(found))
    await sleep(everyMs)
  }
}
