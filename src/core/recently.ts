// Shares the answer of a question that many callers ask at almost the same time.

/** Returns a function that calls `ask` at most once in `ms` milliseconds, unless it fails. */
export function recently<T>(ask: () => Promise<T>, ms: number): () => Promise<T> {
  let last: { until: number; answer: Promise<T> } | null = null
  return () => {
    if (last !== null && performance.now() < last.until) return last.answer
    const answer = ask()
    const entry = { until: performance.now() + ms, answer }
    last = entry
    answer.catch(() => {
      if (last === entry) last = null
    })
    return answer
  }
}
