// The findings of the doctor, one line each.

/** FAIL: it will not work. warn: it works, but needs attention. */
export type Finding = { status: 'ok' | 'warn' | 'FAIL'; what: string; text: string }

/** Returns constructors for the findings about one part. */
export const about = (what: string) => ({
  ok: (text: string): Finding => ({ status: 'ok', what, text }),
  warn: (text: string): Finding => ({ status: 'warn', what, text }),
  fail: (text: string): Finding => ({ status: 'FAIL', what, text }),
})

export const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  // An error for several addresses has no message of its own.
  const words = error instanceof AggregateError && error.message === '' ? error.errors.map(wordsOf).join('; ') : ''
  return words || error.message || error.name
}
