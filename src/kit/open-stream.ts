// An event stream that counts as one of its caller's open streams until it ends, however it ends. Each event is charged
// like the operation, because the whole selection is resolved for each.
import { meter } from './allowance.ts'
import type { Context } from './context.ts'

/**
 * Opens a stream. Throws `too_many_requests` when the caller has its maximum of streams, and ends with it when the
 * events cost more than is left of the caller's limit.
 */
export async function openStream<Event>(
  { allowance, costs }: Context,
  begin: () => Promise<AsyncGenerator<Event>>,
): Promise<AsyncIterableIterator<Event>> {
  const release = allowance.openStream()
  const charge = meter(allowance)
  const cost = [...costs.values()].reduce((sum, each) => sum + each, 0)
  try {
    return releasing(await begin(), release, () => charge(cost))
  } catch (error) {
    release()
    throw error
  }
}

// Not a generator: a generator that is ended before its first step never runs its `finally`.
function releasing<Event>(
  events: AsyncGenerator<Event>,
  release: () => void,
  charge: () => void,
): AsyncIterableIterator<Event> {
  const ended = async (result: Promise<IteratorResult<Event>>): Promise<IteratorResult<Event>> => {
    try {
      const step = await result
      if (step.done) release()
      else charge()
      return step
    } catch (error) {
      release()
      void events.return(undefined)
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
