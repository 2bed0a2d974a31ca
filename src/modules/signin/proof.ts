// Proof that the caller controls a wallet: a nonce issued by this service, signed by the wallet and not used before.
// The proof is checked before the transaction, in which the nonce is then deleted.
import { z } from 'zod'
import type { Context } from '../../kit/context.ts'
import type { Checked, KeptProof } from '../control/proof.ts'
import { readMessage } from './message.ts'
import { demandNonce } from './nonce.ts'
import { demandSignature } from './signature.ts'

// Parsing a long message costs milliseconds, and any caller may send a message.
const longestMessage = 4_096

export const messageText = z
  .string()
  .min(1, 'Must not be empty.')
  .max(longestMessage, `Must be at most ${longestMessage} characters.`)
  .meta({ graphql: 'String' })

// A contract wallet that approved the message on chain accepts an empty signature.
export const signatureHex = z
  .string()
  .regex(/^0x([0-9a-f]{2}){0,4096}$/i, 'Must be 0x and up to 4,096 bytes in hex.')
  .meta({ graphql: 'String', maxLength: 8_194, pattern: '^0x([0-9a-fA-F]{2})*$' })
  .describe(
    'The wallet’s signature (EIP-191 personal_sign): 65 bytes, 64 (EIP-2098), what an ERC-1271 wallet accepts, or would accept once it is deployed (ERC-6492).',
  )

export const signedMessage = {
  message: messageText.describe('The complete EIP-4361 message, exactly as it was signed.'),
  signature: signatureHex,
}

export const nonceText = z
  .string()
  .regex(/^[0-9a-f]{32}$/, 'Must be a nonce of this service: 32 hex digits.')
  .meta({ graphql: 'String' })

/** `address` in lower-case; `chainId` is null where the signed text names no chain. */
export type Proof = { address: string; nonce: string; chainId: number | null; kept: KeptProof }

export const walletActor = ({ address }: Pick<Proof, 'address'>): string => `wallet:${address}`

/** Errors: `invalid_signature`, `chain_unavailable`, `too_many_requests`. */
export async function proveMessage(
  context: Context,
  { message, signature }: { message: string; signature: string },
): Promise<Proof> {
  const { address, nonce, chainId } = readMessage(message, context)
  await demandNonce(context, nonce)
  const kept = await checked(context, { kind: 'eip4361', address, message, signature }, chainId)
  return { address, nonce, chainId, kept }
}

/** Checks the older form, a signature over the nonce alone. It names no chain, so only an EOA is accepted. */
export async function proveNonce(
  context: Context,
  { address, nonce, signature }: { address: string; nonce: string; signature: string },
): Promise<Proof> {
  await demandNonce(context, nonce)
  const kept = await checked(context, { kind: 'nonce', address, message: nonce, signature }, null)
  return { address, nonce, chainId: null, kept }
}

type Claim = Omit<KeptProof, keyof Checked>

async function checked(context: Context, claim: Claim, chainId: number | null): Promise<KeptProof> {
  const { address, message: text, signature } = claim
  const how = await demandSignature(context, { text, signature, address }, chainId)
  return { ...claim, ...how, signature: signature.toLowerCase() }
}
