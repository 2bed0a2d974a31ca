// Recovers the key that made a signature.
import { dataLength, recoverAddress, Signature } from 'ethers'

const recoveryBytes = ['00', '01', '1b', '1c']

/**
 * Returns the lower-case address that made an ECDSA signature of 65 bytes (v 0, 1, 27 or 28) or 64 (EIP-2098). Returns
 * null for anything else, and for a high s: the second form of the same signature, which anyone can derive.
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
