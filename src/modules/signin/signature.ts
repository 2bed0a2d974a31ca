// Whether a wallet signed a text (EIP-191): by its key, or, where the wallet is a contract, by the contract's own word.
import { dataLength, hashMessage, recoverAddress, Signature } from 'ethers'
import { AppError } from '../../core/errors.ts'
import type { Context } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'
import { createTurns } from '../../kit/turns.ts'
import type { Chain } from '../../ports/chain.ts'

const recoveryBytes = ['00', '01', '1b', '1c']

/**
 * Lower-case address that made an ECDSA signature of 65 bytes (v 0, 1, 27 or 28) or 64 (EIP-2098). Null for anything else,
 * and for a high s: the second form of the same signature, which anyone can make.
 */
export function signerOf(hash: string, signature: string): string | null {
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

// A stranger chooses the contract, and its answer holds a connection to our node.
const contractTurns = perApp(() =>
  createTurns({ atOnce: 16, eachAtOnce: 2, anonymousAtOnce: 12, waiting: 64, eachWaiting: 4 }),
)

type Claim = { text: string; signature: string; address: string }

/**
 * `chain` is where the wallet may be a contract; null: only a key is accepted.
 * Errors: `invalid_signature`, `chain_unavailable`, `too_many_requests`.
 */
export async function demandSignature(
  context: Context,
  { text, signature, address }: Claim,
  chain: Chain | null,
): Promise<void> {
  const hash = hashMessage(text)
  if (signerOf(hash, signature) === address) return
  const isContracts =
    chain !== null &&
    (await contractTurns(context).run(context.allowance, () => chain.isSignedBy(address, hash, signature)))
  if (isContracts) return
  throw new AppError('invalid_signature', 'The signature is not one that the wallet made for this text.')
}
