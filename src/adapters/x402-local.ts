// Checks a payment without a request to a node, in a few milliseconds of CPU time.
import { isDeepStrictEqual } from 'node:util'
import type { LocalCheck, PaymentPayload, PaymentRefusal, PaymentRequirement } from '../ports/payment-facilitator.ts'
import { isSignedByPayer } from './x402-signature.ts'

// A settlement must be mined before the authorization expires. The official facilitator also requires 6 seconds.
const leastSecondsLeft = 6
// Some official clients sign for an hour whatever is requested, and clocks differ. A longer validity is refused for the
// payer's sake: anyone who sees the header may use the authorization until it expires.
const mostSecondsLeft = 3_700

const reasonsThatHold = (found: Partial<Record<PaymentRefusal, boolean>>): PaymentRefusal[] => {
  const reasons: PaymentRefusal[] = []
  let reason: PaymentRefusal
  for (reason in found) if (found[reason] === true) reasons.push(reason)
  return reasons
}

const domainOf = ({ network, asset, extra: { name, version } }: PaymentRequirement) => ({
  name,
  version,
  chainId: BigInt(network.slice('eip155:'.length)),
  verifyingContract: asset,
})

export function checkLocally(payload: PaymentPayload, requirement: PaymentRequirement, now: Date): LocalCheck {
  const { accepted, authorization } = payload
  const { scheme, network, asset, payTo, amount } = requirement
  const canonical = { ...requirement, asset: asset.toLowerCase(), payTo: payTo.toLowerCase() }
  const reasons = reasonsThatHold({
    invalid_exact_evm_scheme: accepted.scheme !== scheme,
    invalid_exact_evm_network_mismatch: accepted.network !== network,
    invalid_exact_evm_asset_mismatch: accepted.asset !== canonical.asset,
    invalid_exact_evm_recipient_mismatch: authorization.to !== canonical.payTo,
    invalid_exact_evm_payload_authorization_value_mismatch: authorization.value !== amount,
    invalid_payment_requirements: !isDeepStrictEqual(accepted, canonical),
  })
  const seconds = BigInt(Math.floor(now.getTime() / 1000))
  const [after, before] = [BigInt(authorization.validAfter), BigInt(authorization.validBefore)]
  const timeReasons = reasonsThatHold({
    // The token requires `validAfter` to be earlier than the block.
    invalid_exact_evm_payload_authorization_valid_after: after >= seconds,
    invalid_exact_evm_payload_authorization_valid_before: before < seconds + BigInt(leastSecondsLeft),
    invalid_exact_evm_payload_authorization_valid_too_long: before > seconds + BigInt(mostSecondsLeft),
  })
  const isSigned = isSignedByPayer(payload, domainOf(canonical))
  return { reasons, timeReasons, signedBy: isSigned ? 'payer' : 'unknown' }
}
