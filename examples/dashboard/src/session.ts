// The visitor's session: a token of fifteen minutes that this site's server makes. It is kept in a variable alone,
// because in a store of the browser every script of the origin would find it.

type Answer = { token: string; session: { expiresIn: number }; url: string }
type Session = { token: string; url: string; endsAt: number }

let present: Promise<Session> | null = null

async function newSession(): Promise<Session> {
  const answer = await fetch('/session', { method: 'POST' })
  if (!answer.ok) throw new Error(`The site answered ${answer.status} in place of a session.`)
  const { token, session, url }: Answer = await answer.json()
  // Counted from now, because the clock of a visitor may show any time.
  return { token, url, endsAt: Date.now() + session.expiresIn * 1_000 }
}

async function current(): Promise<Session> {
  present ??= newSession()
  const asked = present
  const session = await asked.catch(error => {
    if (present === asked) present = null
    throw error
  })
  if (session.endsAt > Date.now() + 60_000) return session
  if (present === asked) present = null
  return current()
}

/** `fetch` of a path of the service with the visitor's token; once more with a new token where it is refused. */
export async function authorized(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const attempt = async () => {
    const { token, url } = await current()
    const headers = new Headers(init?.headers)
    headers.set('Authorization', `Bearer ${token}`)
    return fetch(new URL(String(input), `${url}/`), { ...init, headers })
  }
  const used = present
  const answer = await attempt()
  if (answer.status !== 401) return answer
  if (present === used) present = null
  return attempt()
}
