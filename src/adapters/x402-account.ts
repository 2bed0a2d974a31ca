// Signs the transactions that settle payments, and estimates their gas. It does not manage nonces.

import { recently } from '../core/recently.ts'
import type { PaymentFacilitator, PaymentPayload } from '../ports/payment-facilitator.ts'
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

// Fees change from block to block, and the margin of ethers covers several blocks.
const feesMs = 1_000

class Refused extends Error {}

export function createSettlementAccount(config: SettlementAccountConfig) {
  const { wallet, nodes, quorum, asset, domain, mostGas } = config
  const { account } = wallet
  const fees = recently(wallet.suggested, feesMs)

  const gasOf = (data: string): Promise<number | null> =>
    nodes.agreed(async node => {
      try {
        return Number(await node.estimateGas({ from: account.address, to: asset, data, gasLimit: mostGas }))
      } catch (error) {
        if (isFailedCall(error)) return null
        throw error
      }
    }, enoughGas(quorum))

  /** Returns the gas of a settlement; null when it would fail, or use more than the service pays. */
  async function estimate(payload: PaymentPayload): Promise<number | null> {
    const gas = await gasOf(await settlementCall(payload, await domain()))
    return gas !== null && gas > mostGas ? null : gas
  }

  const prepareSettlement: PaymentFacilitator['prepareSettlement'] = async (payload, estimated) => {
    const gas = async () => {
      // The node is asked nothing, but it confirms its chain id.
      const needed = estimated === undefined ? await estimate(payload) : await nodes.first(async () => estimated)
      if (needed === null) throw new Refused()
      return lower(withMargin(BigInt(needed)), mostGas)
    }
    try {
      const data = await settlementCall(payload, await domain())
      return await wallet.prepare(asset, data, gas, fees)
    } catch (error) {
      if (error instanceof Refused) return 'refused'
      throw error
    }
  }

  return { estimate, account: { ...account, prepareSettlement, funds: () => wallet.funds(usualGas) } }
}

/** Decides for the highest estimate, which is enough whichever node is right. */
const enoughGas =
  (quorum: number): Decide<number | null> =>
  answers => {
    const estimates = answers.filter(answer => answer !== null)
    if (estimates.length >= quorum) return { answer: Math.max(...estimates) }
    return answers.length - estimates.length >= quorum ? { answer: null } : null
  }
