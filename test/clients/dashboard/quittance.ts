import type { ExecutionResult } from 'graphql'
import { createClient, type Sink } from 'graphql-sse'
import { quittance, site } from './settings.ts'

type Session = { token: string; session: { id: string; expiresAt: string } }

let present: Session | null = null

/** The visitor's token. `/session` is the route of your own site that answers with `newSession()`. */
export async function token(): Promise<string> {
  if (present === null || Date.parse(present.session.expiresAt) < Date.now() + 60_000) {
    const answer = await fetch(`${site}/session`, { method: 'POST' })
    present = (await answer.json()) as Session
  }
  return present.token
}

/** `fetch`, with the visitor's token. */
export const authorized: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers)
  headers.set('Authorization', `Bearer ${await token()}`)
  return fetch(input, { ...init, headers })
}

const stream = createClient({
  url: `${quittance}/graphql/stream`,
  headers: async () => ({ Authorization: `Bearer ${await token()}` }),
  retryAttempts: Number.POSITIVE_INFINITY,
})

type Operation = { query: string; variables?: Record<string, unknown> | null }

/** Subscribes. A stream that breaks is opened again, with a fresh token and after the last change that arrived. */
export function subscribe<Data>(operation: Operation, sink: Sink<ExecutionResult<Data>>): () => void {
  const variables = { ...operation.variables }
  return stream.subscribe<Data>(
    { ...operation, variables },
    {
      next(result) {
        const [change] = Object.values<{ cursor?: string } | null>(result.data ?? {})
        if (change?.cursor) variables.after = change.cursor
        sink.next(result as ExecutionResult<Data>)
      },
      error: error => sink.error(error),
      complete: () => sink.complete(),
    },
  )
}

/** Ends the session. */
export async function signOut(): Promise<void> {
  const query = 'mutation { revokeSession(input: {}) { session { revokedAt } } }'
  await authorized(`${quittance}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  present = null
}
