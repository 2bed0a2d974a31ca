// Checks whether a wallet signed a text (EIP-191): by its key, or, for a contract wallet, by ERC-1271 and ERC-6492.
import { dataLength, hashMessage, recoverAddress, Signature } from 'ethers'
import { AppError } from '../../core/errors.ts'
import type { Context } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'
import { createSemaphore } from '../../kit/semaphore.ts'
import { semaphoreLimits } from '../../kit/semaphore-limits.ts'

const recoveryBytes = ['00', '01', '1b', '1c']

/**
 * Returns the lower-case address that made an ECDSA signature of 65 bytes (v 0, 1, 27 or 28) or 64 (EIP-2098). Returns
 * null for anything else, and for a high s: the second form of the same signature, which anyone can derive.
 */
function signerOf(hash: string, signature: string): string | null {
  const length = dataLength(signature)
  const form = length === 64 || (length === 65 && recoveryBytes.includes(signature.slice(-2).toLowerCase()))
  if (!form) return null
  try {
    const read = Signature.from(signature)
    return read.isValid() ? recoverAddress(hash, read).toLowerCase() : null
  } catch {
    return null
  }
}

const contractSemaphore = perApp(() => createSemaphore(semaphoreLimits.contractSignatures))

type Claim = { text: string; signature: string; address: string }

/** Returns the ids of the chains on which contract wallets can be checked. */
export const chainIdsOf = ({ chains }: Pick<Context, 'chains'>): number[] =>
  chains.flatMap(({ caip2 }) => (caip2?.startsWith('eip155:') ? [Number(caip2.slice('eip155:'.length))] : []))

/**
 * Throws unless the wallet signed the text. A key's signature is valid on every chain; a contract wallet is checked on
 * `chainId`, and only a key is accepted if that is null. Errors: `invalid_signature`, `chain_unavailable`,
 * `too_many_requests`.
 */
export async function demandSignature(
  context: Context,
  { text, signature, address }: Claim,
  chainId: number | null,
): Promise<void> {
  const hash = hashMessage(text)
  if (signerOf(hash, signature) === address) return
  const chain = context.chains.find(({ caip2 }) => caip2 === `eip155:${chainId}`)
  if (chain === undefined && chainId !== null) throw notServed(chainId, chainIdsOf(context))
  const isContracts =
    chain !== undefined &&
    (await contractSemaphore(context).run(context.allowance, () => chain.isSignedBy(address, hash, signature)))
  if (isContracts) return
  throw new AppError('invalid_signature', 'The signature is not one that the wallet made for this text.')
}

const notServed = (chainId: number, chain_ids: number[]) =>
  new AppError(
    'invalid_signature',
    `The wallet’s key did not make this signature. A contract wallet signs in with the Chain ID of a chain of this service (${chain_ids.join(', ')}), and ${chainId} is not one of these.`,
    { body: { chain_ids } },
  )
