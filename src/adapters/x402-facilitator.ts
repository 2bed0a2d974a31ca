// Implements the `PaymentFacilitator` port for the x402 scheme "exact" (EIP-3009) on one EVM network, with ethers and
// the official packages.
import { z } from 'zod'
import { isChainFault } from '../core/errors.ts'
import { recently } from '../core/recently.ts'
import type { PaymentFacilitator } from '../ports/payment-facilitator.ts'
import { openWallet, type WalletConfig } from './ethers-wallet.ts'
import { type Decide, majorityOf, openNodes } from './nodes.ts'
import { createSettlementAccount } from './x402-account.ts'
import { codecFor } from './x402-codec.ts'
import { checkLocally } from './x402-local.ts'
import { createSettlements } from './x402-settlement.ts'
import { withUsualV } from './x402-signature.ts'
import { openToken } from './x402-token.ts'
import { createVerifier } from './x402-verify.ts'

export type X402Config = WalletConfig & {
  /** `eip155:` and the chain id. */
  network: string
  /** At least one, in order of preference. URLs may contain secrets, so no error quotes them. */
  rpcUrls: readonly string[]
  /** How many nodes must agree on an answer; more than half of them by default. */
  quorum?: number
  /** The token's address. */
  asset: string
  /** Number of blocks, including its own, after which a settlement is final. */
  confirmations: number
  /**
   * A settlement that needs more gas is not sent, because a payer that is a contract runs code of its own at our cost.
   */
  mostGas?: bigint
}

/** A settlement costs less gas than an anchor, and a client waits for it. */
export const settlementCosts = { maxFeePerGas: 300n * 10n ** 9n, replaceAfterMs: 15_000 }

// Enough for a contract that checks a passkey's signature in Solidity.
const defaultMostGas = 500_000n

const headMs = 1_000

const caip2 = z.templateLiteral(['eip155:', z.string().regex(/^[1-9]\d{0,14}$/)])

/** Sends no request, so that the service can start while the nodes are down. */
export function createX402Facilitator(config: X402Config): PaymentFacilitator {
  const { mostGas = defaultMostGas, confirmations } = config
  const network = caip2.parse(config.network)
  const chainId = BigInt(network.slice('eip155:'.length))
  const asset = config.asset.toLowerCase()
  // A node named twice would count twice.
  const rpcUrls = [...new Set(config.rpcUrls)]
  const quorum = config.quorum ?? majorityOf(rpcUrls.length)
  const nodes = openNodes({ name: network, chainId, rpcUrls, quorum })
  const wallet = openWallet(config, { name: network, chainId, nodes })
  const { token, balanceOf, read, requirement } = openToken({ nodes, network, chainId, asset })
  const domain = async () => {
    const { name, version } = await token()
    return { name, version, chainId, verifyingContract: asset }
  }
  const { estimate, account } = createSettlementAccount({ wallet, nodes, quorum, asset, domain, mostGas })
  const verifier = createVerifier({ nodes, asset, address: account.address, mostGas, estimate })

  const verify: PaymentFacilitator['verify'] = async (payload, required, signedBy = 'unknown') => {
    try {
      // The token is read first, because the official code takes it for granted.
      await token()
      return await verifier(withUsualV(payload, await domain()), required, signedBy)
    } catch (error) {
      if (isChainFault(error)) return 'unavailable'
      throw error
    }
  }

  const check = async () => {
    nodes.recheck()
    await read()
  }

  return {
    network,
    asset,
    confirmations,
    token,
    balanceOf,
    check,
    requirement,
    ...codecFor(network),
    checkLocally,
    verify,
    // The lowest head: a lagging node, like a head of a moment ago, only makes a search longer.
    head: recently(() => nodes.agreed(node => node.getBlockNumber(), least), headMs),
    ...account,
    ...createSettlements(nodes, asset),
  }
}

const least: Decide<number> = answers => ({ answer: Math.min(...answers) })
