// An EVM chain through ethers: answers the `Chain` port by what enough of its nodes agree on.
import { Interface, type JsonRpcProvider } from 'ethers'
import { z } from 'zod'
import evidenceAnchor from '../../contracts/EvidenceAnchor.json' with { type: 'json' }
import { AppError } from '../core/errors.ts'
import type { AnchorEvent, BlockStanding, Chain, FinalityPolicy, MinedTransaction } from '../ports/chain.ts'
import type { PublicFetch } from '../ports/public-fetch.ts'
import { anchorTopic, decodeAnchorEvents } from './anchor-log.ts'
import { createSender, type SenderConfig } from './ethers-sender.ts'
import { logsOf } from './node-logs.ts'
import { type Decide, majorityOf, openNodes } from './nodes.ts'
import { isFailedCall } from './refusal.ts'

export type ChainConfig = {
  name: string
  /** `eip155:` and the chain id; null takes the chain id of the node. */
  caip2: string | null
  /** In order of preference; at least one. They may carry secrets and stay out of every error. */
  rpcUrls: readonly string[]
  /** How many nodes must agree to be believed; more than half of them unless given. */
  quorum?: number
  contract: string
  finality: FinalityPolicy
  explorerBaseUrl?: string | null
  /** First block worth searching for anchors; 0 unless given. */
  deployedAtBlock?: number
  /** Signs platform anchors; null where this process only reads. */
  sender: SenderConfig | null
  /** For a stranger's node, in place of a plain request. */
  fetchPublic?: PublicFetch
}

const contractSigner = new Interface(['function isValidSignature(bytes32, bytes) view returns (bytes4)'])
const signatureAccepted = '0x1626ba7e'.padEnd(66, '0')
// A stranger chooses the contract: enough for a multisig of many owners, too little to keep a node busy.
const signatureGas = 500_000n

// The year 10000, which is beyond what a date can be written for.
const endOfTime = 253_402_300_800

const caip2Of = z.templateLiteral(['eip155:', z.int().positive()])

export function createEthersChain(config: ChainConfig): Chain {
  const { name, caip2, finality, explorerBaseUrl = null, deployedAtBlock = 0 } = config
  const contract = config.contract.toLowerCase()
  const chainId = caip2 === null ? null : BigInt(caip2Of.parse(caip2).slice('eip155:'.length))
  // One named twice would count twice.
  const rpcUrls = [...new Set(config.rpcUrls)]
  const quorum = config.quorum ?? majorityOf(rpcUrls.length)
  const nodes = openNodes({ ...config, rpcUrls, chainId, quorum })

  const transaction = (txid: string): Promise<MinedTransaction | null> =>
    nodes.agreed(async node => {
      const receipt = await node.getTransactionReceipt(txid)
      // A block can be replaced between the two questions; then the transaction waits again.
      const block = receipt && (await node.getBlock(receipt.blockHash))
      if (!receipt || !block) return null
      const isAsked = receipt.hash.toLowerCase() === txid.toLowerCase() && block.hash === receipt.blockHash
      if (!isAsked || block.number !== receipt.blockNumber || block.timestamp >= endOfTime) {
        throw new Error('the answer is about something else')
      }
      return {
        txid: receipt.hash.toLowerCase(),
        succeeded: receipt.status === 1,
        blockNumber: receipt.blockNumber,
        blockHash: receipt.blockHash.toLowerCase(),
        blockTime: new Date(block.timestamp * 1000),
        events: decodeAnchorEvents(receipt.logs),
      }
    })

  const standing = (blockNumber: number, blockHash: string): Promise<BlockStanding> =>
    nodes.agreed(node => standingBy(node, finality, blockNumber, blockHash.toLowerCase()), enoughSay(quorum))

  async function findAnchor(bundleHash: string): Promise<string[]> {
    const found = await nodes.answers(async node => {
      const to = await node.getBlockNumber()
      const search = async (topics: string[]) => {
        const logs = await logsOf(node, { address: contract, topics }, deployedAtBlock, to)
        // What a node gives need not be what it was asked for.
        const carries = (event: AnchorEvent) => event.contract === contract && event.bundleHash === bundleHash
        return logs.filter(log => decodeAnchorEvents([log]).some(carries))
      }
      const indexed = await search([anchorTopic, bundleHash])
      if (indexed.length > 0 || (await hashIsIndexed(node))) return indexed
      // Where the hash is not indexed, all events have to be read.
      return search([anchorTopic])
    })
    const named = new Map<string, number>()
    for (const logs of found) {
      for (const txid of new Set(logs.map(log => log.transactionHash.toLowerCase()))) {
        named.set(txid, (named.get(txid) ?? 0) + 1)
      }
    }
    return [...named].sort(([, a], [, b]) => b - a).map(([txid]) => txid)
  }

  const hashIsIndexed = async (node: JsonRpcProvider) =>
    (await node.getCode(contract)) === evidenceAnchor.deployedBytecode

  const hasCode = (address: string): Promise<boolean> =>
    nodes.agreed(async node => (await node.getCode(address)) !== '0x')

  const isSignedBy = (address: string, hash: string, signature: string): Promise<boolean> =>
    nodes.agreed(async node => {
      const data = contractSigner.encodeFunctionData('isValidSignature', [hash, signature])
      try {
        return (await node.call({ to: address, data, gasLimit: signatureGas })) === signatureAccepted
      } catch (error) {
        if (isFailedCall(error)) return false
        throw error
      }
    })

  const head = () =>
    nodes.first(async node => {
      const block = await node.getBlock('latest')
      if (!block?.hash) throw new Error('no newest block')
      return { blockNumber: block.number, blockHash: block.hash.toLowerCase() }
    })

  const check = (): Promise<void> =>
    nodes.first(async node => {
      if ((await node.getCode(contract)) !== '0x') return
      throw new AppError('chain_misconfigured', `There is no contract at ${contract} on chain ${name}.`)
    })

  // Signed for no chain in particular, a transaction could be sent on any.
  if (config.sender !== null && chainId === null) throw new Error(`chain ${name} has no id to sign for`)
  const sender =
    config.sender && chainId !== null ? createSender(config.sender, { name, contract, chainId, nodes }) : null
  return {
    name,
    caip2,
    contract,
    finality,
    explorerBaseUrl,
    deployedAtBlock,
    sender,
    transaction,
    findAnchor,
    standing,
    isSignedBy,
    hasCode,
    head,
    check,
  }
}

const levels = ['unknown', 'included', 'safe', 'final'] as const

async function standingBy(
  node: JsonRpcProvider,
  policy: FinalityPolicy,
  blockNumber: number,
  blockHash: string,
): Promise<BlockStanding> {
  const [block, head, safe, finalized] = await Promise.all([
    node.getBlock(blockNumber),
    node.getBlockNumber(),
    typeof policy === 'string' ? node.getBlock('safe') : null,
    policy === 'finalized' ? node.getBlock('finalized') : null,
  ])
  if (block === null || head < blockNumber) return 'unknown'
  if (block.number !== blockNumber) throw new Error('the answer is about another block')
  if (block.hash?.toLowerCase() !== blockHash) return 'vanished'
  if (typeof policy !== 'string') return head - blockNumber + 1 >= policy.confirmations ? 'final' : 'included'
  const isSafe = safe !== null && safe.number >= blockNumber
  if (policy === 'safe') return isSafe ? 'final' : 'included'
  if (finalized !== null && finalized.number >= blockNumber) return 'final'
  return isSafe ? 'safe' : 'included'
}

/** The level that a quorum has reached: nodes that lag behind the others do not contradict them. */
const enoughSay =
  (quorum: number): Decide<BlockStanding> =>
  (answers, missing) => {
    if (answers.filter(answer => answer === 'vanished').length >= quorum) return { answer: 'vanished' }
    const standing = answers.flatMap(answer => (answer === 'vanished' ? [] : levels.indexOf(answer)))
    const reached = (more: number) =>
      levels.findLast((_, level) => standing.filter(at => at >= level).length + more >= quorum)
    const level = reached(0)
    // Those who have not answered may still raise it.
    return level !== undefined && level === reached(missing) ? { answer: level } : null
  }
