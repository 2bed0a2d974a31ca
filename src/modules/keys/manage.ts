// Creates and revokes API keys. The raw key appears once, in the response to its creation.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { AppError, invalid, notFound } from '../../core/errors.ts'
import { demandNoSession, ownedBy, roles } from '../../core/principal.ts'
import { hashOf, makeKey } from '../../core/secrets.ts'
import { text, uuid } from '../../core/text.ts'
import type { Context } from '../../kit/context.ts'
import { type VerbTransaction, verb } from '../../kit/verb.ts'

const createApiKeyInput = z.strictObject({
  projectId: uuid.nullish().describe('The project; needed from a service administrator, else that of the API key.'),
  label: text().describe('Purpose of the key.'),
  role: z
    .enum(roles)
    .nullish()
    .meta({ default: 'project' })
    .describe('PROJECT_ADMIN, PROJECT or VIEWER; PROJECT unless given.'),
  expiresAt: z.iso
    .datetime({ offset: true, error: 'Must be an RFC 3339 timestamp.' })
    .nullish()
    .meta({ graphql: 'DateTime' })
    .describe('When the key expires; never unless given.'),
})

// RFC 3339 has four digits for a year.
const farthest = new Date('9999-12-31T23:59:59.999Z')

/** Errors: `forbidden` for a session, `not_found`, `too_many_keys`, `validation_failed`. */
export const createApiKey = verb({
  name: 'api_key.create',
  access: 'manage',
  input: createApiKeyInput,
  async run(tx, input, context) {
    demandNoSession(context.principal, 'create an API key')
    const projectId = await manageableProject(tx, context, input.projectId ?? null)
    const expiresAt = input.expiresAt ? new Date(input.expiresAt) : null
    if (expiresAt !== null && !(expiresAt.getTime() > Date.now() && expiresAt < farthest)) {
      throw invalid([
        {
          path: ['input', 'expiresAt'],
          message: 'Must be in the future, and before the year 10000.',
          type: 'value_error',
        },
      ])
    }
    await demandRoom(tx, projectId, mostKeys)
    const key = { projectId, label: input.label, role: input.role ?? 'project', expiresAt }
    const { result, entry } = await addKey(tx, key)
    return { result, audit: [entry] }
  },
})

// Live keys per project. The owner's wallet may create more, so that a project full of lost keys can be recovered.
const mostKeys = 100
export const mostKeysMinted = 200

/** Throws `too_many_keys` when the project has at least `most` live keys. */
export async function demandRoom({ sql, db }: VerbTransaction, projectId: string, most: number): Promise<void> {
  // Locks the project, so that two concurrent creations cannot both see room for one more key.
  await sql('select id from projects where id = $1::uuid for no key update', [projectId])
  const isLive = [{ expiresAt: null }, { expiresAt: { gt: new Date() } }]
  const live = await db.apiKey.count({ where: { projectId, revokedAt: null, OR: isLive } })
  if (live >= most)
    throw new AppError('too_many_keys', `The project has ${live} live API keys. Revoke one that is not used.`)
}

type NewKey = { projectId: string; label: string; role: (typeof roles)[number]; expiresAt: Date | null }

/** Creates a key; also a new project's first key, in the project's transaction, and a key that a wallet mints. */
export async function addKey(tx: VerbTransaction, key: NewKey) {
  const raw = makeKey()
  const apiKey = await tx.db.apiKey.create({
    data: { id: randomUUID(), keyHash: new Uint8Array(hashOf(raw)), ...key },
  })
  const { projectId, label, role } = key
  const entry = { objectType: 'api_key', objectId: apiKey.id, projectId, details: { label, role } }
  return { result: { ...apiKey, key: raw }, entry }
}

const revokeApiKeyInput = z.strictObject({ id: uuid.describe('The key’s UUID.') })

/** Revoking twice is harmless. Errors: `not_found`, `last_admin_key`. */
export const revokeApiKey = verb({
  name: 'api_key.revoke',
  access: 'manage',
  input: revokeApiKeyInput,
  async run(tx, { id }, { principal }) {
    const found = await tx.db.apiKey.findFirst({ where: { id, ...ownedBy(principal) } })
    if (found === null) throw notFound('key')
    // Locks the project, so that two concurrent revocations cannot each count the other's key as the remaining key.
    await tx.sql('select id from projects where id = $1::uuid for no key update', [found.projectId])
    const apiKey = await tx.db.apiKey.findUniqueOrThrow({ where: { id } })
    if (apiKey.revokedAt !== null) return { result: apiKey, audit: 'unchanged' }
    if (principal.kind !== 'admin' && apiKey.role === 'project_admin') {
      const live = { projectId: apiKey.projectId, role: 'project_admin' as const, revokedAt: null, id: { not: id } }
      // A key that will expire does not count, because the project would have no admin key after it expires.
      const others = await tx.db.apiKey.count({ where: { ...live, expiresAt: null } })
      if (others === 0) throw new AppError('last_admin_key')
    }
    const result = await tx.db.apiKey.update({ where: { id }, data: { revokedAt: new Date() } })
    return { result, audit: [{ objectType: 'api_key', objectId: id, projectId: apiKey.projectId }] }
  },
})

async function manageableProject(
  tx: VerbTransaction,
  { principal }: Context,
  requested: string | null,
): Promise<string> {
  if (principal.kind === 'key') {
    if (requested !== null && requested !== principal.projectId) throw notFound('project')
    return principal.projectId
  }
  if (requested === null) throw invalid([{ path: ['input', 'projectId'], message: 'Field required', type: 'missing' }])
  if ((await tx.db.project.count({ where: { id: requested } })) === 0) throw notFound('project')
  return requested
}
