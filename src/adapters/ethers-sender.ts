// Signs the anchor transactions of one account on an EVM chain.
import { Interface } from 'ethers'
import type { Sender, SignedTransaction } from '../ports/chain.ts'
import { openWallet, type WalletConfig } from './ethers-wallet.ts'
import type { Nodes } from './nodes.ts'

export type SenderConfig = WalletConfig & { replaceAfterMs: number }

type On = { name: string; contract: string; chainId: bigint; nodes: Nodes }

const functions = new Interface(['function anchorEvidence(bytes32)', 'function anchorEvidenceBatch(bytes32[])'])
const fullBatch = Array.from({ length: 500 }, () => `0x${'ff'.repeat(32)}`)

const callData = (hashes: readonly string[]) =>
  hashes.length === 1
    ? functions.encodeFunctionData('anchorEvidence', [hashes[0]])
    : functions.encodeFunctionData('anchorEvidenceBatch', [hashes])

export function createSender(config: SenderConfig, { name, contract, chainId, nodes }: On): Sender {
  const wallet = openWallet(config, { name, chainId, nodes })
  const { address, pendingNonce, minedNonce, signFiller, signReplacement, broadcast } = wallet

  async function signAnchor(hashes: readonly string[], nonce: number): Promise<SignedTransaction> {
    if (hashes.length === 0) throw new RangeError('nothing to anchor')
    return wallet.signNew(contract, callData(hashes), nonce)
  }

  const funds = async () => {
    const call = { from: address, to: contract, data: callData(fullBatch) }
    const [balance, gas, { perGas }] = await Promise.all([
      wallet.balance(),
      // With a gas price of 0, because a node estimates nothing for an account that cannot pay.
      nodes.first(node => node.estimateGas({ ...call, gasPrice: 0n })).catch(() => 1_500_000n),
      wallet.suggested(),
    ])
    return { balance, fullBatch: gas * perGas }
  }

  return {
    address,
    replaceAfterMs: config.replaceAfterMs,
    pendingNonce,
    minedNonce,
    signAnchor,
    signFiller,
    signReplacement,
    broadcast,
    funds,
  }
}
