// Checks the account that sends the platform's anchors on a chain: the contract accepts its batches, it can pay, and no
// transaction is stuck.
import { formatEther, Interface } from 'ethers'
import evidenceAnchor from '../../../contracts/EvidenceAnchor.json' with { type: 'json' }
import { type ChainConfig, createEthersChain } from '../../adapters/ethers-chain.ts'
import { reason } from '../../adapters/node-request.ts'
import { majorityOf, openNodes } from '../../adapters/nodes.ts'
import { fewest } from '../../modules/transactions/watch-funds.ts'
import type { AnchorAccount } from '../../ports/chain.ts'
import { about, type Finding } from './finding.ts'

const batches = new Interface(evidenceAnchor.abi)
const twoHashes = batches.encodeFunctionData('anchorEvidenceBatch', [[`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`]])

/** If `isReachable` is false, the chain cannot be queried, and no request is sent. */
export async function inspectAnchorAccount(config: ChainConfig, isReachable: boolean): Promise<Finding[]> {
  const { ok, warn, fail } = about(`sender on ${config.name}`)
  const { account } = createEthersChain(config)
  if (account === null) {
    return [warn('ANCHOR_PRIVATE_KEY is not set: a process with the role worker cannot anchor; projects still can.')]
  }
  if (!isReachable) return [warn(`${account.address} cannot be checked, because the chain does not answer.`)]
  const said = async (question: () => Promise<Finding>): Promise<Finding> => {
    try {
      return await question()
    } catch (error) {
      return fail(`${account.address} cannot be checked: ${reason(error)}`)
    }
  }

  async function batch(): Promise<Finding> {
    const refusal = await refusalOfBatch(config, account?.address ?? '')
    if (refusal === null) return ok(`${account?.address}: the contract takes its batches.`)
    return fail(
      `The contract at ${config.contract} refuses a batch: ${refusal}. Name one that has anchorEvidenceBatch.`,
    )
  }

  async function funds({ address, funds: ask }: AnchorAccount): Promise<Finding> {
    const { balance, cost } = await ask()
    const count = cost === 0n ? null : balance / cost
    const text = `${address} has ${formatEther(balance)} (in ether’s unit), enough for ${count ?? 'any number of'} batches of 500.`
    if (count === null || count >= fewest.batches) return ok(text)
    return count === 0n ? fail(`${text} Send it funds.`) : warn(`${text} Send it funds soon.`)
  }

  async function nonces({ address, pendingNonce, minedNonce }: AnchorAccount): Promise<Finding> {
    const [pending, mined] = await Promise.all([pendingNonce(), minedNonce()])
    if (pending <= mined) return ok(`${address}: ${mined} transactions mined, none waiting.`)
    const text = `${address}: ${pending - mined} transactions wait after ${mined} mined.`
    return warn(`${text} If that stays so, the fee is too low (max_fee_gwei), or another program uses the key.`)
  }

  return Promise.all([said(batch), said(() => funds(account)), said(() => nonces(account))])
}

/** Simulates a batch and sends nothing. Returns null when the call would succeed. */
async function refusalOfBatch({ name, caip2, rpcUrls, contract }: ChainConfig, from: string): Promise<string | null> {
  const chainId = caip2 === null ? null : BigInt(caip2.slice('eip155:'.length))
  const nodes = openNodes({ name, chainId, rpcUrls, quorum: majorityOf(rpcUrls.length) })
  return nodes.first(async node => {
    try {
      await node.call({ from, to: contract, data: twoHashes })
      return null
    } catch (error) {
      return reason(error)
    }
  })
}
