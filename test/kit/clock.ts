// Moves this process's clock forward, so that no test has to wait for a timeout of many seconds.
import { vi } from 'vitest'

/** Runs `run` while Date.now() is ahead by `ms`. Timers that already run are not shortened. */
export async function ahead<T>(ms: number, run: () => Promise<T>): Promise<T> {
  const { now } = Date
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + ms)
  try {
    return await run()
  } finally {
    clock.mockRestore()
  }
}
