// The lines of a service's log.

// Each field is as the service writes it.
export type LogLine = Record<string, unknown> & { level: number; time: number; msg: string }

/** Parses everything that a process wrote; throws for a line that is no JSON. The last line may be incomplete. */
export const linesOf = (said: string): LogLine[] =>
  said
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line))
