// Verifies control of a wallet and, for an API key that may write, links the wallet to the key's project.
import { z } from 'zod'
import { actorOf, demand, type Principal } from '../../core/principal.ts'
import { evmAddress } from '../../core/text.ts'
import { type VerbTransaction, verb } from '../../kit/verb.ts'
import { linkWallet } from './link.ts'
import { domainOf } from './message.ts'
import { useNonce } from './nonce.ts'
import { messageText, nonceText, type Proof, proveMessage, proveNonce, signatureHex, walletActor } from './proof.ts'

const deprecationReason =
  'Sign an EIP-4361 message and send it as `message`. Deprecated since 2026-11-28, and kept until 2027-11-28 at least.'

const older = ['address', 'nonce'] as const

/** A message, or the older form: address and nonce. */
const verifyWalletInput = z
  .strictObject({
    message: messageText.nullish().describe('The complete EIP-4361 message, exactly as it was signed.'),
    address: evmAddress
      .nullish()
      .meta({ deprecationReason })
      .describe('Older form, without a message: the wallet that signed the nonce.'),
    nonce: nonceText
      .nullish()
      .meta({ deprecationReason })
      .describe('Older form, without a message: the nonce, which is the signed text.'),
    signature: signatureHex,
  })
  .superRefine((fields, { addIssue }) => {
    const has = (field: 'message' | 'address' | 'nonce') => fields[field] !== null && fields[field] !== undefined
    const fault = (field: string, message: string, type: string) =>
      addIssue({ code: 'custom', path: [field], message, params: { type } })
    if (has('message')) {
      for (const field of older.filter(has)) fault(field, 'Not together with a message.', 'extra_forbidden')
    } else if (older.some(has)) {
      for (const field of older.filter(field => !has(field))) fault(field, 'Field required', 'missing')
    } else fault('message', 'Field required, or else address and nonce', 'missing')
  })

/** Errors: `invalid_signature`, `forbidden`, `chain_unavailable`, `too_many_requests`, `validation_failed`. */
export const verifyWallet = verb({
  name: 'wallet.verify',
  access: 'public',
  input: verifyWalletInput,
  async prepare({ message, address, nonce, signature }, context): Promise<Proof> {
    if (context.principal.kind === 'key') demand(context.principal, 'write')
    if (message) return proveMessage(context, { message, signature })
    return proveNonce(context, { address: address ?? '', nonce: nonce ?? '', signature })
  },
  async run(tx, _input, context, proof) {
    await useNonce(tx.sql, proof.nonce)
    const { address, chainId } = proof
    const { principal } = context
    const found = principal.kind === 'key' ? await link(tx, proof, principal) : await belongs(tx, address)
    const entry = { objectType: 'wallet', objectId: address, actor: walletActor({ address }), ...found.entry }
    return { result: { linked: found.linked, address, domain: domainOf(context), chainId }, audit: [entry] }
  },
})

/** `entry`: what the audit row says beside the wallet. */
type Found = { linked: boolean; entry: { action?: string; projectId: string | null; details?: { by: string } } }

async function link(tx: VerbTransaction, { kept }: Proof, principal: Principal & { kind: 'key' }): Promise<Found> {
  const { projectId } = principal
  const isFresh = await linkWallet(tx.sql, projectId, kept)
  const action = isFresh ? 'wallet.link' : 'wallet.verify'
  return { linked: true, entry: { action, projectId, details: { by: actorOf(principal) } } }
}

/** Returns whether the wallet owns a project or is linked to a project. */
async function belongs({ db }: VerbTransaction, address: string): Promise<Found> {
  const owned = await db.project.findFirst({ where: { ownerWallet: address }, select: { id: true } })
  const linked = owned !== null || (await db.linkedWallet.findFirst({ where: { address } })) !== null
  return { linked, entry: { projectId: null } }
}
