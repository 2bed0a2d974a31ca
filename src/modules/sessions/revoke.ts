// Revokes a session: its own, to sign out; one that the same API key made; any of the project with manage access.
import { z } from 'zod'
import { invalid, notFound } from '../../core/errors.ts'
import { demand, ownedBy, type Principal } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import type { Session } from '../../generated/prisma/client.ts'
import { verb } from '../../kit/verb.ts'

const revokeSessionInput = z.strictObject({
  id: uuid.nullish().describe('The session’s UUID; unless given, the session that calls.'),
})

/** Revoking twice is harmless. Errors: `forbidden`, `not_found`, `validation_failed`. */
export const revokeSession = verb({
  name: 'session.revoke',
  access: 'read',
  input: revokeSessionInput,
  async run(tx, { id: requested }, { principal }) {
    const id = requested ?? ownSession(principal)
    // An expired session is no session, whether or not it has been deleted already.
    const where = { id, ...ownedBy(principal), expiresAt: { gt: new Date() } }
    const found = await tx.db.session.findFirst({ where })
    if (found === null) throw notFound('session')
    if (!isOwn(principal, found)) demand(principal, 'manage')
    if (found.revokedAt !== null) return { result: found, audit: 'unchanged' }
    const result = await tx.db.session.update({ where: { id }, data: { revokedAt: new Date() } })
    return { result, audit: [{ objectType: 'session', objectId: id, projectId: found.projectId }] }
  },
})

/** Whether the session is the caller itself, or was made with the caller's API key. */
const isOwn = (principal: Principal, { id, apiKeyId }: Pick<Session, 'id' | 'apiKeyId'>): boolean =>
  'sessionId' in principal ? principal.sessionId === id : 'keyId' in principal && principal.keyId === apiKeyId

function ownSession(principal: Principal): string {
  if ('sessionId' in principal) return principal.sessionId
  throw invalid([
    {
      path: ['input', 'id'],
      message: 'Name a session by its `id`: an API key is no session, so it cannot revoke itself here.',
      type: 'missing',
    },
  ])
}
