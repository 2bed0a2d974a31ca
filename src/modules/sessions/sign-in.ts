// Creates a session for the wallet that owns a project, so that its owner needs no API key in a browser.
import { z } from 'zod'
import { roles } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import { verb } from '../../kit/verb.ts'
import { useNonce } from '../signin/nonce.ts'
import { ownedProject } from '../signin/owned-project.ts'
import { proveMessage, signedMessage, walletActor } from '../signin/proof.ts'
import { addSession } from './store.ts'

const signInInput = z.strictObject({
  ...signedMessage,
  projectId: uuid.nullish().describe('The project; needed when the wallet owns several.'),
  role: z
    .enum(roles)
    .nullish()
    .meta({ default: 'project_admin' })
    .describe('Role of the session; PROJECT_ADMIN unless given.'),
})

/**
 * Errors: `invalid_signature`, `not_found`, `too_many_sessions`, `chain_unavailable`, `too_many_requests`,
 * `validation_failed`.
 */
export const signIn = verb({
  name: 'session.sign_in',
  access: 'public',
  input: signInInput,
  prepare: (input, context) => proveMessage(context, input),
  async run(tx, { projectId: requested, role }, _context, { address, nonce }) {
    await useNonce(tx.sql, nonce)
    const projectId = await ownedProject(tx, address, requested ?? null)
    const session = { projectId, role: role ?? 'project_admin', wallet: address } as const
    const { result, entry } = await addSession(tx, session)
    return { result, audit: [{ ...entry, actor: walletActor({ address }) }] }
  },
})
