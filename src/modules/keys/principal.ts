// Resolves the credential of a request, an API key or the token of a session, to the principal.
import { AppError, invalidToken } from '../../core/errors.ts'
import type { Principal } from '../../core/principal.ts'
import { hashOf, isWellFormed, looksLikeToken } from '../../core/secrets.ts'
import type { App } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'
import { lookUpKey, lookUpSession } from './look-up.ts'

// A revoked key or session must stop working within a second on every process.
const rememberMs = 900
const rememberAtMost = 10_000

type Known = { principal: Principal | null; until: number }

const known = perApp(() => new Map<string, Known>())

/** Returns the principal. Throws `unauthenticated` for a key or a token that is unknown, revoked or expired. */
export async function principalOf(app: App, credential: string): Promise<Principal> {
  const hash = hashOf(credential)
  const name = hash.toString('hex')
  if (app.adminKeyHashes.has(name)) return { kind: 'admin', keyId: name.slice(0, 8) }
  const principal = isWellFormed(credential) ? await remembered(app, credential, hash) : null
  if (principal !== null) return principal
  if (looksLikeToken(credential)) throw invalidToken('The session’s token is unknown, revoked or expired.')
  throw new AppError('unauthenticated', 'The API key is unknown, revoked or expired.')
}

/** Returns whether the credential of a project's caller is still valid. */
export const isLive = async (app: App, credential: string): Promise<boolean> =>
  (await remembered(app, credential, hashOf(credential))) !== null

async function remembered(app: App, credential: string, hash: Buffer): Promise<Principal | null> {
  const cache = known(app)
  const name = hash.toString('hex')
  const entry = cache.get(name)
  if (entry !== undefined && entry.until > Date.now()) return entry.principal
  const principal = await (looksLikeToken(credential) ? lookUpSession : lookUpKey)(app, hash)
  if (cache.size >= rememberAtMost) cache.clear()
  cache.set(name, { principal, until: Date.now() + rememberMs })
  return principal
}
