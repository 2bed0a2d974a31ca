// Shares reads: calls that ask for the same at the same moment get the result of one read.
import { batchWhileBusy } from './batch-while-busy.ts'

type Call<Result> = { key: string; read(): Promise<Result> }

/**
 * Returns a function that reads once for all waiting calls with the same key. A call never joins a read in progress,
 * because that read may have begun before the change that the caller was told of.
 */
export function shareWhileBusy<Result>(): (call: Call<Result>) => Promise<Result> {
  // Settled, because a batch that fails is carried out again for each member, which would fail as often.
  const settled = batchWhileBusy<Call<Result>, PromiseSettledResult<Result>>(calls => {
    const reads = new Map<string, Promise<Result>>()
    return Promise.allSettled(
      calls.map(({ key, read }) => {
        const shared = reads.get(key) ?? read()
        reads.set(key, shared)
        return shared
      }),
    )
  })
  return async call => {
    const outcome = await settled(call)
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  }
}
