// The limits of every semaphore, in each process. docs/limits.md shows them to operators.
import type { SemaphoreLimits } from './semaphore.ts'

export const semaphoreLimits = {
  // One of each caller, so that the aliases of one document do not occupy every database connection.
  largeReads: { atOnce: 2, eachAtOnce: 1, anonymousAtOnce: 1, waiting: 1_000, eachWaiting: 200 },
  // One of each caller, so that each count is charged before the next begins.
  counts: { atOnce: 4, eachAtOnce: 1, anonymousAtOnce: 2, waiting: 1_000, eachWaiting: 200 },
  // A statement reads for up to ten seconds, so fewer callers may wait. Only callers with a key may add up.
  sums: { atOnce: 2, eachAtOnce: 1, anonymousAtOnce: 0, waiting: 256, eachWaiting: 32 },
  // A large statement occupies the one thread that writes pages for seconds.
  statements: { atOnce: 1, eachAtOnce: 1, anonymousAtOnce: 1, waiting: 64, eachWaiting: 16 },
  // Each may keep a download in memory and wait for a chain. Half is kept for callers with a key. A bulk request runs
  // or queues four of its entries, so that a smaller request of the same caller soon gets a slot.
  verifications: { atOnce: 16, eachAtOnce: 4, anonymousAtOnce: 8, waiting: 256, eachWaiting: 16 },
  // Each waits for a node, and the caller chooses the contract that it calls. A quarter is kept for callers with a key.
  contractSignatures: { atOnce: 16, eachAtOnce: 2, anonymousAtOnce: 12, waiting: 64, eachWaiting: 4 },
  // Providers of compliance checks bill each query. Payers have no key, so only a quarter is kept for callers with one.
  screening: { atOnce: 16, eachAtOnce: 4, anonymousAtOnce: 12, waiting: 128, eachWaiting: 16 },
  // Each waits for the operator's model, for a whole conversation. Only callers with a key may ask.
  questions: { atOnce: 16, eachAtOnce: 4, anonymousAtOnce: 0, waiting: 64, eachWaiting: 8 },
  // An agent's own model may be made to hang, so it has other slots than the operator's, and fewer for each caller.
  questionsToOwnModels: { atOnce: 64, eachAtOnce: 2, anonymousAtOnce: 0, waiting: 64, eachWaiting: 4 },
  // The turns of all callers without credentials. An open page of a browser asks for several documents at once.
  strangers: { atOnce: 1, eachAtOnce: 1, anonymousAtOnce: 1, waiting: 16, eachWaiting: 4 },
} satisfies Record<string, SemaphoreLimits>
