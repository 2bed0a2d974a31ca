// Verifies payments with the official x402 facilitator. Its chain requests go through this file, because the official
// code cannot distinguish an outage from an answer and has no fixed list of reasons.
import type { FacilitatorEvmSigner } from '@x402/evm'
import { FunctionFragment, Interface } from 'ethers'
import type {
  LocalCheck,
  PaymentPayload,
  PaymentRefusal,
  PaymentRequirement,
  Verification,
} from '../ports/payment-facilitator.ts'
import type { ChainNode } from './chain-node.ts'
import type { Nodes } from './nodes.ts'
import { isFailedCall } from './refusal.ts'

export type VerifierConfig = {
  nodes: Nodes
  /** Lower-case. */
  asset: string
  address: string
  /** The gas limit of each call, because an untrusted contract is executed. */
  mostGas: bigint
  /** Returns the gas of a settlement; null when it would fail. */
  estimate(payload: PaymentPayload): Promise<number | null>
}

/** Reasons that are passed on; any other becomes `unexpected_verify_error`. */
const knownReasons: readonly PaymentRefusal[] = [
  'invalid_exact_evm_scheme',
  'invalid_exact_evm_network_mismatch',
  'invalid_exact_evm_recipient_mismatch',
  'invalid_exact_evm_payload_authorization_value_mismatch',
  'invalid_exact_evm_payload_authorization_valid_after',
  'invalid_exact_evm_payload_authorization_valid_before',
  'invalid_exact_evm_signature',
  'invalid_exact_evm_nonce_already_used',
  'invalid_exact_evm_insufficient_balance',
  'eip6492_factory_not_allowed',
  'invalid_exact_evm_transaction_simulation_failed',
]

/** The answer of a paying contract (ERC-1271) that accepts a signature. */
const accepted = '0x1626ba7e'

const hex = (text: string): `0x${string}` => `0x${text.slice(2)}`

export function createVerifier({ nodes, asset, address, mostGas, estimate }: VerifierConfig) {
  /**
   * Returns a signer for one payment, so that its failed requests are kept apart from those of other payments.
   * `known`: the account that is known to have signed the payment.
   */
  function signerOf(known: string | null) {
    let hasFailed = false
    const ask = async (question: (node: ChainNode) => Promise<string | null>): Promise<string | null> => {
      // After one failed request there is nothing more to learn, and each may take long.
      if (hasFailed) throw new Error('no answer')
      try {
        return await nodes.agreed(question)
      } catch {
        hasFailed = true
        throw new Error('no answer')
      }
    }
    // The official code asks twice.
    const codes = new Map<string, Promise<string | null>>()
    const codeOf = (address: string) => {
      const code = codes.get(address) ?? ask(node => node.getCode(address))
      codes.set(address, code)
      return code
    }
    // The official code recovers the signer of an account without code, which takes milliseconds. If the signer is
    // known, that account is therefore presented as a contract that accepts the signature.
    const isKnownSigner = async (of: string) => of.toLowerCase() === known && (await codeOf(of)) === '0x'
    const signer: FacilitatorEvmSigner = {
      getAddresses: () => [hex(address)],
      // The token's code is not queried: if that request fails, the official code does not catch the rejection and the
      // process ends.
      getCode: async ({ address: of }) =>
        of.toLowerCase() === asset || (await isKnownSigner(of)) ? '0x01' : hex((await codeOf(of)) ?? '0x'),
      readContract: async ({ address: to, abi, functionName, args = [] }) => {
        if (functionName === 'isValidSignature' && (await isKnownSigner(to))) return accepted
        const contract = new Interface(JSON.stringify(abi))
        // Overloads differ in their number of arguments.
        const called = contract.fragments.find(
          fragment =>
            fragment instanceof FunctionFragment &&
            fragment.name === functionName &&
            fragment.inputs.length === args.length,
        )
        if (!(called instanceof FunctionFragment)) throw new Error('no such function')
        const data = contract.encodeFunctionData(called, args)
        const answer = await ask(async node => {
          try {
            return await node.call({ to, data, gasLimit: mostGas })
          } catch (error) {
            if (isFailedCall(error)) return null
            throw error
          }
        })
        if (answer === null) throw new Error('reverted')
        const result = contract.decodeFunctionResult(called, answer)
        return called.outputs.length === 1 ? result[0] : result
      },
      verifyTypedData: neverSettles,
      writeContract: neverSettles,
      sendTransaction: neverSettles,
      waitForTransactionReceipt: neverSettles,
    }
    return { signer, codeOf, hasFailed: () => hasFailed }
  }

  return async (
    payload: PaymentPayload,
    requirement: PaymentRequirement,
    signedBy: LocalCheck['signedBy'],
  ): Promise<Verification> => {
    const payer = payload.authorization.from
    const { signer, codeOf, hasFailed } = signerOf(signedBy === 'payer' ? payer.toLowerCase() : null)
    if (signedBy === 'payer') {
      // An estimate is a simulation. The official code is needed for an account with code, and for the reason of a
      // failure.
      const [code, gas] = await Promise.all([codeOf(payer).catch(() => null), estimate(payload)])
      if (code === null) return 'unavailable'
      if (code === '0x' && gas !== null) return { ok: true, payer, gas }
    }
    // Imported at the first payment, because both are large and would slow the start.
    const [{ x402Facilitator }, { ExactEvmScheme }] = await Promise.all([
      import('@x402/core/facilitator'),
      import('@x402/evm/exact/facilitator'),
    ])
    // A new facilitator for each payment, because one with two networks accepts every network.
    const facilitator = new x402Facilitator().register(requirement.network, new ExactEvmScheme(signer))
    const { signature, authorization } = payload
    const paymentPayload = { x402Version: 2, accepted: requirement, payload: { signature, authorization } }
    const { isValid, invalidReason = '' } = await facilitator
      .verify(paymentPayload, requirement)
      .catch(() => ({ isValid: false, invalidReason: '' }))
    if (hasFailed()) return 'unavailable'
    if (isValid) return { ok: true, payer }
    return { ok: false, reason: knownReasons.find(known => known === invalidReason) ?? 'unexpected_verify_error' }
  }
}

async function neverSettles(): Promise<never> {
  throw new Error('settling is not done here')
}
