// Creates a session with an API key, for a browser that must not have the key.
import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import { demandNoSession, demandProject, isAtMost, type Role, roles } from '../../core/principal.ts'
import { verb } from '../../kit/verb.ts'
import { addSession } from './store.ts'

const createSessionInput = z.strictObject({
  role: z
    .enum(roles)
    .nullish()
    .describe('Role of the session: that of the API key unless given, and never a higher one.'),
})

/** Errors: `forbidden`, `project_key_required`, `too_many_sessions`. */
export const createSession = verb({
  name: 'session.create',
  access: 'read',
  input: createSessionInput,
  async run(tx, { role: requested }, { principal }) {
    demandNoSession(principal, 'create a session')
    demandProject(principal, 'A session')
    const { projectId, keyId, role } = principal
    if (requested && !isAtMost(requested, role)) throw aboveKey(requested, role)
    const { result, entry } = await addSession(tx, { projectId, role: requested ?? role, apiKeyId: keyId })
    return { result, audit: [entry] }
  },
})

const aboveKey = (requested: Role, role: Role) =>
  new AppError('forbidden', `An API key with the role ${role} cannot create a session with the role ${requested}.`)
