// Moves the clock of this process on, so that nobody has to wait for a patience of many seconds to end.
import { vi } from 'vitest'

/** Runs with a clock that is ahead by so much. What sleeps already sleeps as long as it would have. */
export async function ahead<T>(ms: number, run: () => Promise<T>): Promise<T> {
  const { now } = Date
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + ms)
  try {
    return await run()
  } finally {
    clock.mockRestore()
  }
}
