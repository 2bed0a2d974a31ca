import type { ExecutionResult } from 'graphql'
import { type Client, createClient, type Sink } from 'graphql-sse'
import { quittance, site } from './settings.ts'

export type Answer = { token: string; session: { id: string; expiresIn: number } }
type Session = { token: string; endsAt: number }

let present: Promise<Session> | null = null

/** Asks for a session. `/session` is the route of your own site that answers with `createSession`'s result. */
export async function askSite(): Promise<Answer> {
  const answer = await fetch(`${site}/session`, { method: 'POST' })
  if (!answer.ok) throw new Error(`The site answered ${answer.status} in place of a session.`)
  return answer.json()
}

// A worker asks otherwise.
let ask = askSite
export function askBy(other: typeof ask): void {
  ask = other
}

function newSession(): Promise<Session> {
  const session = ask().then(({ token, session }) => ({
    token,
    // Counted from now, because the clock of a visitor may show any time.
    endsAt: Date.now() + session.expiresIn * 1_000,
  }))
  session.catch(() => {
    if (present === session) present = null
  })
  return session
}

/** The visitor's token. */
export async function token(): Promise<string> {
  const last = present
  const ends = last && (await last).endsAt
  // Several callers may find it over: the first asks for the next session.
  if (present === null || (present === last && ends !== null && ends < Date.now() + 60_000)) present = newSession()
  return (await present).token
}

const attempt: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers)
  headers.set('Authorization', `Bearer ${await token()}`)
  const used = present
  const answer = await fetch(input, { ...init, headers })
  // The session was revoked: the next attempt asks for another.
  if (answer.status === 401 && present === used) present = null
  return answer
}

/** `fetch`, with the visitor's token. A request that is refused with 401 is repeated once, with a new token. */
export const authorized: typeof fetch = async (input, init) => {
  const answer = await attempt(input, init)
  return answer.status === 401 ? attempt(input, init) : answer
}

const stream = createClient({
  url: `${quittance}/graphql/stream`,
  fetchFn: authorized,
  retryAttempts: Number.POSITIVE_INFINITY,
})

export type Operation = { query: string; variables?: Record<string, unknown> | null }

/** Subscribes. A stream that breaks is opened again, with a fresh token and after the last change that arrived. */
export function subscribe<Data>(
  operation: Operation,
  sink: Sink<ExecutionResult<Data>>,
  client: Pick<Client<boolean>, 'subscribe'> = stream,
): () => void {
  const variables = { ...operation.variables }
  return client.subscribe<Data>(
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
