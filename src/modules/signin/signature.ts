// Whether a wallet signed a text (EIP-191): by its key, or, where the wallet is a contract, by the contract's own word.
import { dataLength, hashMessage, recoverAddress, Signature } from 'ethers'
import { AppError } from '../../core/errors.ts'
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
const contractsAtOnce = 16
let asked = 0

type Claim = { text: string; signature: string; address: string }

/**
 * `chain` is where the wallet may be a contract; null: only a key is accepted.
 * Errors: `invalid_signature`, `chain_unavailable`, `too_many_requests`.
 */
export async function demandSignature({ text, signature, address }: Claim, chain: Chain | null): Promise<void> {
  const hash = hashMessage(text)
  if (signerOf(hash, signature) === address) return
  if (chain !== null && (await isSignedByContract(chain, address, hash, signature))) return
  throw new AppError('invalid_signature', 'The signature is not one that the wallet made for this text.')
}

async function isSignedByContract(chain: Chain, ...claim: Parameters<Chain['isSignedBy']>): Promise<boolean> {
  if (asked >= contractsAtOnce)
    throw new AppError('too_many_requests', 'Too many contract wallets at once.', { retryAfterSeconds: 1 })
  asked += 1
  try {
    return await chain.isSignedBy(...claim)
  } finally {
    asked -= 1
  }
}
