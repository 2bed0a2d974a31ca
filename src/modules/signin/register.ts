// Registers a project with a wallet's signature: the project, its owner's wallet and its first key, in one transaction.
import { z } from 'zod'
import { demandNoSession } from '../../core/principal.ts'
import { text } from '../../core/text.ts'
import { verb } from '../../kit/verb.ts'
import { addProject } from '../keys/create-project.ts'
import { linkWallet } from './link.ts'
import { useNonce } from './nonce.ts'
import { proveMessage, signedMessage, walletActor } from './proof.ts'

const registerProjectInput = z.strictObject({
  name: text().describe('Name of the project.'),
  ...signedMessage,
})

/**
 * Errors: `forbidden` for a session, `invalid_signature`, `chain_unavailable`, `too_many_requests`,
 * `validation_failed`.
 */
export const registerProject = verb({
  name: 'project.register',
  access: 'public',
  input: registerProjectInput,
  prepare(input, context) {
    demandNoSession(context.principal, 'create an API key')
    return proveMessage(context, input)
  },
  async run(tx, { name }, _context, { address, nonce, kept }) {
    await useNonce(tx.sql, nonce)
    const { result, audit } = await addProject(tx, { name, ownerWallet: address })
    await linkWallet(tx.sql, result.project.id, kept)
    const actor = walletActor({ address })
    return { result, audit: audit.map(entry => ({ ...entry, actor })) }
  },
})
