// Reorganisations of a chain for payments: blocks are taken back, and others come in their place.
import { Contract, type ContractTransactionReceipt, Wallet } from 'ethers'
import aggregator3 from '../../contracts/Aggregator3.json' with { type: 'json' }
import { multicall3, type PaidChain } from './paid-chain.ts'
import { argumentsOf, dollars, inside, random32 } from './payer.ts'

const byBytes = 'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)'

// Mined before other transactions of its block; its own gas limit, because an estimate includes pending transactions.
const dear = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 9n * 10n ** 11n, gasLimit: 400_000 }

export function reorganiser({ rpc, node, asset }: PaidChain) {
  const mine = (blocks: number) => rpc('anvil_mine', `0x${blocks.toString(16)}`)

  /** Runs `lost`, and takes its blocks and transactions back; returns what `lost` returned. */
  async function takenBack<T>(lost: () => Promise<T>): Promise<T> {
    const snapshot = await rpc('evm_snapshot')
    const result = await lost()
    await rpc('evm_revert', snapshot)
    return result
  }

  async function stranger(): Promise<Wallet> {
    const wallet = new Wallet(random32(), node)
    await rpc('anvil_setBalance', wallet.address, '0x56bc75e2d63100000')
    return wallet
  }

  /** Settles the payments of these headers in one transaction of a stranger, which is mined before cheaper ones. */
  async function settledByStranger(headers: string[]): Promise<ContractTransactionReceipt> {
    const wallet = await stranger()
    const { interface: token } = dollars(asset, node)
    const calls = headers.map(header => {
      const { authorization, signature } = inside(header)
      const callData = token.encodeFunctionData(byBytes, [...argumentsOf(authorization), signature])
      return { target: asset, allowFailure: false, callData }
    })
    const sent = await new Contract(multicall3, aggregator3.abi, wallet).getFunction('aggregate3')(calls, dear)
    await rpc('evm_mine')
    return sent.wait()
  }

  return { mine, takenBack, stranger, settledByStranger }
}
