// Creates a project_admin key for the wallet that owns a project, which restores access when every key is lost.
import { z } from 'zod'
import { demandNoSession } from '../../core/principal.ts'
import { text, uuid } from '../../core/text.ts'
import { verb } from '../../kit/verb.ts'
import { addKey, demandRoom, mostKeysMinted } from '../keys/manage.ts'
import { useNonce } from './nonce.ts'
import { ownedProject } from './owned-project.ts'
import { proveMessage, signedMessage, walletActor } from './proof.ts'

const mintApiKeyInput = z.strictObject({
  ...signedMessage,
  label: text().nullish().meta({ default: 'minted key' }).describe('Purpose of the key.'),
  projectId: uuid.nullish().describe('The project; needed when the wallet owns several.'),
})

/**
 * Errors: `forbidden` for a session, `invalid_signature`, `not_found`, `too_many_keys`, `chain_unavailable`,
 * `too_many_requests`, `validation_failed`.
 */
export const mintApiKey = verb({
  name: 'api_key.mint',
  access: 'public',
  input: mintApiKeyInput,
  prepare(input, context) {
    demandNoSession(context.principal, 'create an API key')
    return proveMessage(context, input)
  },
  async run(tx, { label, projectId: requested }, _context, { address, nonce }) {
    await useNonce(tx.sql, nonce)
    const projectId = await ownedProject(tx, address, requested ?? null)
    await demandRoom(tx, projectId, mostKeysMinted)
    const key = { projectId, label: label ?? 'minted key', role: 'project_admin' as const, expiresAt: null }
    const { result, entry } = await addKey(tx, key)
    return { result, audit: [{ ...entry, actor: walletActor({ address }) }] }
  },
})
