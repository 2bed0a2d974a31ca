// Creates a project_admin key for the wallet that owns a project, which restores access when every key is lost.
import { z } from 'zod'
import { invalid, notFound } from '../../core/errors.ts'
import { text, uuid } from '../../core/text.ts'
import { type VerbTransaction, verb } from '../../kit/verb.ts'
import { addKey, demandRoom, mostKeysMinted } from '../keys/manage.ts'
import { useNonce } from './nonce.ts'
import { proveMessage, signedMessage, walletActor } from './proof.ts'

const mintApiKeyInput = z.strictObject({
  ...signedMessage,
  label: text().nullish().meta({ default: 'minted key' }).describe('Purpose of the key.'),
  projectId: uuid.nullish().describe('The project; needed when the wallet owns several.'),
})

/** Errors: `invalid_signature`, `not_found`, `too_many_keys`, `chain_unavailable`, `too_many_requests`, `validation_failed`. */
export const mintApiKey = verb({
  name: 'api_key.mint',
  access: 'public',
  input: mintApiKeyInput,
  prepare: (input, context) => proveMessage(context, input),
  async run(tx, { label, projectId: asked }, _context, { address, nonce }) {
    await useNonce(tx.sql, nonce)
    const projectId = await ownedProject(tx, address, asked ?? null)
    await demandRoom(tx, projectId, mostKeysMinted)
    const key = { projectId, label: label ?? 'minted key', role: 'project_admin' as const, expiresAt: null }
    const { result, entry } = await addKey(tx, key)
    return { result, audit: [{ ...entry, actor: walletActor({ address }) }] }
  },
})

/** Returns the wallet's project. Throws `not_found` alike for another owner's project and for a missing project. */
async function ownedProject(tx: VerbTransaction, address: string, asked: string | null): Promise<string> {
  const where = { ownerWallet: address, ...(asked !== null && { id: asked }) }
  const [project, another] = await tx.db.project.findMany({ where, select: { id: true }, take: 2 })
  if (project === undefined) throw notFound('project of this wallet')
  if (another === undefined) return project.id
  const message = 'Field required: the wallet owns several projects'
  throw invalid([{ path: ['input', 'projectId'], message, type: 'missing' }])
}
