// A stream of events that holds a place of its caller until it ends, however it ends.
import type { Allowance } from './allowance.ts'

/** Throws `too_many_requests` when the caller has as many streams as it may have. */
export async function openStream<Event>(
  { openStream: take }: Allowance,
  begin: () => Promise<AsyncGenerator<Event>>,
): Promise<AsyncIterableIterator<Event>> {
  const release = take()
  try {
    return releasing(await begin(), release)
  } catch (error) {
    release()
    throw error
  }
}

// No generator: one that is ended before its first step would never come to its `finally`.
function releasing<Event>(events: AsyncGenerator<Event>, release: () => void): AsyncIterableIterator<Event> {
  const ended = async (result: Promise<IteratorResult<Event>>): Promise<IteratorResult<Event>> => {
    try {
      const step = await result
      if (step.done) release()
      return step
    } catch (error) {
      release()
      throw error
    }
  }
  return {
    next: () => ended(events.next()),
    return: () => {
      release()
      return events.return(undefined)
    },
    throw: error => ended(events.throw(error)),
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
