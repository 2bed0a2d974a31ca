// What the doctor says: one line each.

/** FAIL: it will not work. warn: it works, but look at it. */
export type Finding = { status: 'ok' | 'warn' | 'FAIL'; what: string; text: string }

/** The three things to say of one part. */
export const about = (what: string) => ({
  ok: (text: string): Finding => ({ status: 'ok', what, text }),
  warn: (text: string): Finding => ({ status: 'warn', what, text }),
  fail: (text: string): Finding => ({ status: 'FAIL', what, text }),
})

export const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  // A refused connection to several addresses has no words of its own.
  const words = error instanceof AggregateError && error.message === '' ? error.errors.map(wordsOf).join('; ') : ''
  return words || error.message || error.name
}
