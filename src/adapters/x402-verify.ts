// Verification by the official facilitator of x402, which asks the chain through us: it cannot tell an outage from an
// answer, and it knows no fixed list of what it may say.
import type { FacilitatorEvmSigner } from '@x402/evm'
import { FunctionFragment, Interface, type JsonRpcProvider } from 'ethers'
import type { PaymentPayload, PaymentRefusal, PaymentRequirement, Verification } from '../ports/payment-facilitator.ts'
import type { Nodes } from './nodes.ts'
import { isFailedCall } from './refusal.ts'

export type VerifierConfig = {
  nodes: Nodes
  /** Lower-case. */
  asset: string
  address: string
  /** No question may cost a node more gas: a stranger's contract is run. */
  mostGas: bigint
}

const refusals: Record<string, PaymentRefusal | undefined> = {
  invalid_exact_evm_scheme: 'invalid_exact_evm_scheme',
  invalid_exact_evm_network_mismatch: 'invalid_exact_evm_network_mismatch',
  invalid_exact_evm_recipient_mismatch: 'invalid_exact_evm_recipient_mismatch',
  invalid_exact_evm_payload_authorization_value_mismatch: 'invalid_exact_evm_payload_authorization_value_mismatch',
  invalid_exact_evm_payload_authorization_valid_after: 'invalid_exact_evm_payload_authorization_valid_after',
  invalid_exact_evm_payload_authorization_valid_before: 'invalid_exact_evm_payload_authorization_valid_before',
  invalid_exact_evm_signature: 'invalid_exact_evm_signature',
  invalid_exact_evm_nonce_already_used: 'invalid_exact_evm_nonce_already_used',
  invalid_exact_evm_insufficient_balance: 'invalid_exact_evm_insufficient_balance',
  eip6492_factory_not_allowed: 'eip6492_factory_not_allowed',
  invalid_exact_evm_transaction_simulation_failed: 'invalid_exact_evm_transaction_simulation_failed',
}

const hex = (text: string): `0x${string}` => `0x${text.slice(2)}`

export function createVerifier({ nodes, asset, address, mostGas }: VerifierConfig) {
  /** For one payment, so that what its questions met is told apart from those of others. */
  function signerOf() {
    let isOut = false
    const ask = async (question: (node: JsonRpcProvider) => Promise<string | null>): Promise<string | null> => {
      // After the first one there is nothing more to learn, and each may take long.
      if (isOut) throw new Error('no answer')
      try {
        return await nodes.agreed(question)
      } catch {
        isOut = true
        throw new Error('no answer')
      }
    }
    const signer: FacilitatorEvmSigner = {
      getAddresses: () => [hex(address)],
      // Of the token a constant: where this question fails, the official code lets a rejected promise go, which ends us.
      getCode: async ({ address: of }) =>
        of.toLowerCase() === asset ? '0x01' : hex((await ask(node => node.getCode(of))) ?? '0x'),
      readContract: async ({ address: to, abi, functionName, args = [] }) => {
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
      verifyTypedData: notOurs,
      writeContract: notOurs,
      sendTransaction: notOurs,
      waitForTransactionReceipt: notOurs,
    }
    return { signer, isOut: () => isOut }
  }

  return async (payload: PaymentPayload, requirement: PaymentRequirement): Promise<Verification> => {
    const { signer, isOut } = signerOf()
    // With the first payment: both are large, and a start should not wait for them.
    const [{ x402Facilitator }, { ExactEvmScheme }] = await Promise.all([
      import('@x402/core/facilitator'),
      import('@x402/evm/exact/facilitator'),
    ])
    // One registration a network: of two, it would make a wildcard.
    const facilitator = new x402Facilitator().register(requirement.network, new ExactEvmScheme(signer))
    const { signature, authorization } = payload
    const given = { x402Version: 2, accepted: requirement, payload: { signature, authorization } }
    const { isValid, invalidReason = '' } = await facilitator
      .verify(given, requirement)
      .catch(() => ({ isValid: false, invalidReason: '' }))
    if (isOut()) return 'unavailable'
    if (isValid) return { ok: true, payer: authorization.from }
    return { ok: false, reason: refusals[invalidReason] ?? 'unexpected_verify_error' }
  }
}

async function notOurs(): Promise<never> {
  throw new Error('settling is not done here')
}
