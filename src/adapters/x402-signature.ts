// What a payer signs (EIP-712), who signed it, and the call that carries it to the chain.
import { Interface, Signature, verifyTypedData } from 'ethers'
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

/** Of the token: what its signatures are made for. */
export type Domain = { name: string; version: string; chainId: bigint; verifyingContract: string }

type Signed = Pick<PaymentPayload, 'signature' | 'authorization'>

/** Of one key, for tokens: of the two that can be made from one, they take only that with the lower s. Else null. */
function ecdsaOf(signature: string): Signature | null {
  if (signature.length !== 132 || !/(00|01|1b|1c)$/.test(signature)) return null
  try {
    const parsed = Signature.from(signature)
    return parsed.isValid() ? parsed : null
  } catch {
    return null
  }
}

/** Whether the key of `from` signed this authorization in this domain. */
export function isSignedByPayer({ signature, authorization }: Signed, domain: Domain): boolean {
  const parsed = ecdsaOf(signature)
  if (parsed === null) return false
  try {
    return verifyTypedData(domain, types, authorization, parsed).toLowerCase() === authorization.from
  } catch {
    // No point on the curve.
    return false
  }
}

/** With `v` as tokens take it, 27 or 28: some wallets write 0 or 1. What is not of the payer's key stays as it is. */
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

/** The call that settles it, of the same overload as the official facilitator simulates. */
export async function settlementCall(signed: Signed, domain: Domain): Promise<string> {
  // With the first payment: it is large, and a start should not wait for it.
  const { parseErc6492Signature } = await import('viem')
  const { from, to, value, validAfter, validBefore, nonce } = signed.authorization
  const fields = [from, to, value, validAfter, validBefore, nonce]
  // Without the wrapping that tells how to deploy a wallet (ERC-6492): it is there already.
  const { signature } = parseErc6492Signature(hex(withUsualV(signed, domain).signature))
  if (signature.length !== 132) return functions.encodeFunctionData(byBytes ?? '', [...fields, signature])
  const [r, s, v] = [signature.slice(0, 66), hex(signature.slice(64, 130)), hex(signature.slice(128))]
  return functions.encodeFunctionData(bySplit ?? '', [...fields, v, r, s])
}
