// Signs the anchor transactions of one account on an EVM chain.
import { Interface } from 'ethers'
import type { AnchorAccount, SignedTransaction } from '../ports/chain.ts'
import { openWallet, type WalletConfig } from './ethers-wallet.ts'
import type { Nodes } from './nodes.ts'

type On = { name: string; contract: string; chainId: bigint; nodes: Nodes }

const functions = new Interface(['function anchorEvidence(bytes32)', 'function anchorEvidenceBatch(bytes32[])'])
const fullBatch = Array.from({ length: 500 }, () => `0x${'ff'.repeat(32)}`)

const callData = (hashes: readonly string[]) =>
  hashes.length === 1
    ? functions.encodeFunctionData('anchorEvidence', [hashes[0]])
    : functions.encodeFunctionData('anchorEvidenceBatch', [hashes])

export function createAnchorAccount(config: WalletConfig, { name, contract, chainId, nodes }: On): AnchorAccount {
  const { account, funds, signNew } = openWallet(config, { name, chainId, nodes })

  async function signAnchor(hashes: readonly string[], nonce: number): Promise<SignedTransaction> {
    if (hashes.length === 0) throw new RangeError('nothing to anchor')
    return signNew(contract, callData(hashes), nonce)
  }

  const gasOfFullBatch = () => {
    // With a gas price of 0, because a node estimates nothing for an account that cannot pay.
    const call = { from: account.address, to: contract, data: callData(fullBatch), gasPrice: 0n }
    return nodes.first(node => node.estimateGas(call)).catch(() => 1_500_000n)
  }

  return { ...account, signAnchor, funds: () => funds(gasOfFullBatch()) }
}
