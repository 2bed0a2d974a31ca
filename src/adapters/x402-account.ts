// Signs the transactions that settle payments. It does not manage nonces.
import type { PaymentFacilitator } from '../ports/payment-facilitator.ts'
import { lower, type openWallet, withMargin } from './ethers-wallet.ts'
import type { Decide, Nodes } from './nodes.ts'
import { isFailedCall } from './refusal.ts'
import { type Domain, settlementCall } from './x402-signature.ts'

type SettlementAccountConfig = {
  wallet: ReturnType<typeof openWallet>
  nodes: Nodes
  quorum: number
  /** Lower-case. */
  asset: string
  domain(): Promise<Domain>
  mostGas: bigint
}

// The gas of a settlement with tokens in use, rounded up.
const usualGas = 120_000n

class Refused extends Error {}

export function createSettlementAccount(config: SettlementAccountConfig) {
  const { wallet, nodes, quorum, asset, domain, mostGas } = config

  /** Returns the gas of the call; null when the call would fail or use more than a node may spend on it. */
  const gasOf = (data: string): Promise<number | null> =>
    nodes.agreed(async node => {
      try {
        return Number(await node.estimateGas({ from: wallet.account.address, to: asset, data, gasLimit: mostGas }))
      } catch (error) {
        if (isFailedCall(error)) return null
        throw error
      }
    }, enoughGas(quorum))

  const prepareSettlement: PaymentFacilitator['prepareSettlement'] = async payload => {
    const data = await settlementCall(payload, await domain())
    const gas = async () => {
      const estimate = await gasOf(data)
      if (estimate === null || estimate > mostGas) throw new Refused()
      return lower(withMargin(BigInt(estimate)), mostGas)
    }
    try {
      return await wallet.prepare(asset, data, gas)
    } catch (error) {
      if (error instanceof Refused) return 'refused'
      throw error
    }
  }

  return { ...wallet.account, prepareSettlement, funds: () => wallet.funds(usualGas) }
}

/** Decides for the highest estimate, which is enough whichever node is right. */
const enoughGas =
  (quorum: number): Decide<number | null> =>
  answers => {
    const estimates = answers.filter(answer => answer !== null)
    if (estimates.length >= quorum) return { answer: Math.max(...estimates) }
    return answers.length - estimates.length >= quorum ? { answer: null } : null
  }
