// The typed data that a payer signs (EIP-712), the check of its signer, and the contract call that settles it.
import { dataSlice, getBytes, Interface, keccak256, Signature, TypedDataEncoder } from 'ethers'
import { recover } from 'tiny-secp256k1'
import type { PaymentPayload } from '../ports/payment-facilitator.ts'

const types = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
}

/** The token's EIP-712 domain, for which signatures are made. */
export type Domain = { name: string; version: string; chainId: bigint; verifyingContract: string }

type Signed = Pick<PaymentPayload, 'signature' | 'authorization'>

/**
 * Parses the signature of one key. Null unless it is valid with the lower s: tokens reject its twin with the higher s.
 */
function ecdsaOf(signature: string): Signature | null {
  if (signature.length !== 132 || !/(00|01|1b|1c)$/.test(signature)) return null
  try {
    const parsed = Signature.from(signature)
    return parsed.isValid() ? parsed : null
  } catch {
    return null
  }
}

/** Returns whether the key of `from` signed this authorization in this domain. */
export function isSignedByPayer({ signature, authorization }: Signed, domain: Domain): boolean {
  const parsed = ecdsaOf(signature)
  if (parsed === null) return false
  const { r, s, yParity } = parsed
  const digest = getBytes(TypedDataEncoder.hash(domain, types, authorization))
  try {
    // In WebAssembly, because ethers takes seven times as long.
    const key = recover(digest, getBytes(`${r}${s.slice(2)}`), yParity, false)
    return key !== null && dataSlice(keccak256(key.subarray(1)), 12) === authorization.from
  } catch {
    // The signature has no point on the curve.
    return false
  }
}

/**
 * Returns the signature with `v` as tokens require it, 27 or 28: some wallets write 0 or 1. A signature by another key
 * stays unchanged.
 */
export const withUsualV = <S extends Signed>(signed: S, domain: Domain): S =>
  /0[01]$/.test(signed.signature) && isSignedByPayer(signed, domain)
    ? { ...signed, signature: ecdsaOf(signed.signature)?.serialized ?? signed.signature }
    : signed

const functions = new Interface([
  'function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, uint8, bytes32, bytes32)',
  'function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, bytes)',
])
const [bySplit, byBytes] = functions.fragments.map(fragment => fragment.format('sighash'))

const hex = (text: string): `0x${string}` => `0x${text.slice(2)}`

/** Returns the calldata that settles it, with the overload that the official facilitator simulates. */
export async function settlementCall(signed: Signed, domain: Domain): Promise<string> {
  // Imported at the first payment, because it is large and would slow the start.
  const { parseErc6492Signature } = await import('viem')
  const { from, to, value, validAfter, validBefore, nonce } = signed.authorization
  const fields = [from, to, value, validAfter, validBefore, nonce]
  // Without the wrapper that says how to deploy the wallet (ERC-6492), because the wallet is deployed already.
  const { signature } = parseErc6492Signature(hex(withUsualV(signed, domain).signature))
  if (signature.length !== 132) return functions.encodeFunctionData(byBytes ?? '', [...fields, signature])
  const [r, s, v] = [signature.slice(0, 66), hex(signature.slice(64, 130)), hex(signature.slice(128))]
  return functions.encodeFunctionData(bySplit ?? '', [...fields, v, r, s])
}
