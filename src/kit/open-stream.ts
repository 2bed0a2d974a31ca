// An event stream that counts as one of its caller's open streams until it ends, however it ends.
import type { Allowance } from './allowance.ts'

/** Opens a stream. Throws `too_many_requests` when the caller has its maximum of streams. */
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

// Not a generator: a generator that is ended before its first step never runs its `finally`.
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
