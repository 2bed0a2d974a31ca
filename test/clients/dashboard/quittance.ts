import { createClient } from 'graphql-sse'
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

/** The streams of subscriptions. A stream that breaks is opened again, with a fresh token. */
export const stream = createClient({
  url: `${quittance}/graphql/stream`,
  headers: async () => ({ Authorization: `Bearer ${await token()}` }),
  retryAttempts: Number.POSITIVE_INFINITY,
})
