// Shares the answer of a question that many callers ask at almost the same time.

/**
 * Returns a function that calls `ask` at most once in `ms` milliseconds, unless it fails, and never while an earlier
 * answer is still awaited: what is slow is not asked ever more often.
 */
export function recently<T>(ask: () => Promise<T>, ms: number): () => Promise<T> {
  let last: { until: number; answer: Promise<T> } | null = null
  return () => {
    if (last !== null && performance.now() < last.until) return last.answer
    const until = performance.now() + ms
    const entry = { until: Number.POSITIVE_INFINITY, answer: ask() }
    last = entry
    entry.answer.then(
      () => {
        entry.until = until
      },
      () => {
        last = null
      },
    )
    return entry.answer
  }
}
