// Implements the `Chain` port for an EVM chain with ethers: an answer counts when enough of the nodes agree on it.
import { Interface } from 'ethers'
import { encodeDeployData, erc6492SignatureValidatorAbi, erc6492SignatureValidatorByteCode } from 'viem'
import { isErc6492Signature } from 'viem/utils'
import { z } from 'zod'
import { AppError } from '../core/errors.ts'
import type { Block, BlockStatus, Chain, FinalityPolicy, MinedTransaction } from '../ports/chain.ts'
import type { PublicFetch } from '../ports/public-fetch.ts'
import { decodeAnchorEvents } from './anchor-log.ts'
import { logsWithHash } from './anchor-search.ts'
import type { ChainNode } from './chain-node.ts'
import { createAnchorAccount } from './ethers-anchor-account.ts'
import type { WalletConfig } from './ethers-wallet.ts'
import { briefly, type SearchBounds } from './node-logs.ts'
import { type Decide, majorityOf, openNodes } from './nodes.ts'
import { isFailedCall } from './refusal.ts'

export type ChainConfig = {
  name: string
  /** `eip155:` and the chain id; null accepts the chain id that the node reports. */
  caip2: string | null
  /** At least one, in order of preference. URLs may contain secrets, so no error quotes them. */
  rpcUrls: readonly string[]
  /** How many nodes must agree on an answer; more than half of them by default. */
  quorum?: number
  contract: string
  finality: FinalityPolicy
  explorerBaseUrl?: string | null
  /** The first block to search for anchors; 0 by default. */
  deployedAtBlock?: number
  /** The account that signs platform anchors; null when this process only reads. */
  account: WalletConfig | null
  /** Is called when enough nodes have answered. */
  works?: () => void
  /** Sends the requests to an untrusted tenant's node; plain requests by default. */
  fetchPublic?: PublicFetch
  /** How long a node that is too busy is waited for; 0 by default. */
  busyMs?: number
  /** When a search for an anchor is given up. */
  search?: SearchBounds
}

const contractSigner = new Interface(['function isValidSignature(bytes32, bytes) view returns (bytes4)'])
const signatureAccepted = '0x1626ba7e'.padEnd(66, '0')
// The gas limit of a call to a contract that the caller chooses: enough for a multisig with many owners, too little to
// keep a node busy.
const signatureGas = 500_000n
// The call also makes the wallet that is not deployed yet.
const deploymentGas = 4_000_000n
// A contract that is made within the call only: it deploys the wallet as the signature says, and asks it.
const validator = { abi: erc6492SignatureValidatorAbi, bytecode: erc6492SignatureValidatorByteCode } as const
const asHex = (text: string): `0x${string}` => `0x${text.slice(2)}`

// The start of the year 10000 in Unix seconds: later times have no date with a four-digit year.
const endOfTime = 253_402_300_800

const caip2Of = z.templateLiteral(['eip155:', z.int().positive()])

export function createEthersChain(config: ChainConfig): Chain {
  const { name, caip2, finality, explorerBaseUrl = null, deployedAtBlock = 0, search = briefly } = config
  const contract = config.contract.toLowerCase()
  const chainId = caip2 === null ? null : BigInt(caip2Of.parse(caip2).slice('eip155:'.length))
  // A node named twice would count twice.
  const rpcUrls = [...new Set(config.rpcUrls)]
  const quorum = config.quorum ?? majorityOf(rpcUrls.length)
  const nodes = openNodes({ ...config, rpcUrls, chainId, quorum })

  const transaction = (txid: string): Promise<MinedTransaction | null> =>
    nodes.agreed(async node => {
      const receipt = await node.getTransactionReceipt(txid)
      // A reorg can replace the block between the two requests; the transaction then counts as not mined.
      const block = receipt && (await node.getBlock(receipt.blockHash))
      if (!receipt || !block) return null
      const isRequested = receipt.hash.toLowerCase() === txid.toLowerCase() && block.hash === receipt.blockHash
      if (!isRequested || block.number !== receipt.blockNumber || block.timestamp >= endOfTime) {
        throw new Error('the response is about another transaction or block')
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

  const blockStatus = (blockNumber: number, blockHash: string): Promise<BlockStatus> =>
    nodes.agreed(node => blockStatusBy(node, finality, blockNumber, blockHash.toLowerCase()), enoughSay(quorum))

  async function findAnchor(bundleHash: string, since: Date | null = null): Promise<string[]> {
    const wanted = { contract, bundleHash, from: deployedAtBlock, since }
    const found = await nodes.answers(node => logsWithHash(node, wanted, search))
    const named = new Map<string, number>()
    for (const logs of found) {
      for (const txid of new Set(logs.map(log => log.transactionHash.toLowerCase()))) {
        named.set(txid, (named.get(txid) ?? 0) + 1)
      }
    }
    return [...named].sort(([, a], [, b]) => b - a).map(([txid]) => txid)
  }

  const hasCode = (address: string): Promise<boolean> =>
    nodes.agreed(async node => (await node.getCode(address)) !== '0x')

  const isSignedBy = (address: string, hash: string, signature: string, block: Block): Promise<boolean> =>
    nodes.agreed(async node => {
      const isAccepted = await acceptsAt(node, block.blockNumber, { address, hash, signature })
      // The call names the block by its number, because few nodes take its hash. A reorg may have replaced it.
      const now = await node.getBlock(block.blockNumber)
      if (now?.hash !== block.blockHash) throw new Error('it has another block at this height')
      return isAccepted
    })

  async function commonHead(): Promise<Block> {
    const blockNumber = await nodes.agreed(node => node.getBlockNumber(), reachedBy(quorum))
    return nodes.agreed(async node => {
      const block = await node.getBlock(blockNumber)
      if (block?.number !== blockNumber) throw new Error('it does not have the block')
      return { blockNumber, blockHash: block.hash }
    })
  }

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

  // A transaction signed without a chain id could be sent on any chain.
  if (config.account !== null && chainId === null) throw new Error(`chain ${name} has no id to sign for`)
  const account =
    config.account && chainId !== null ? createAnchorAccount(config.account, { name, contract, chainId, nodes }) : null
  return {
    name,
    caip2,
    contract,
    finality,
    explorerBaseUrl,
    deployedAtBlock,
    account,
    transaction,
    findAnchor,
    blockStatus,
    isSignedBy,
    hasCode,
    head,
    commonHead,
    check,
  }
}

type Signed = { address: string; hash: string; signature: string }

async function acceptsAt(node: ChainNode, blockTag: number, { address, hash, signature }: Signed): Promise<boolean> {
  try {
    if (isErc6492Signature(asHex(signature))) {
      const data = encodeDeployData({ ...validator, args: [asHex(address), asHex(hash), asHex(signature)] })
      return (await node.call({ data, gasLimit: deploymentGas, blockTag })) === '0x01'
    }
    const data = contractSigner.encodeFunctionData('isValidSignature', [hash, signature])
    return (await node.call({ to: address, data, gasLimit: signatureGas, blockTag })) === signatureAccepted
  } catch (error) {
    if (isFailedCall(error)) return false
    throw error
  }
}

// Nodes that are so close are up to date. One that names an old block must not decide for the others.
const lag = 16

/** Decides for the highest block that a quorum has, when a node that has not answered could not raise it by much. */
const reachedBy =
  (quorum: number): Decide<number> =>
  (answers, missing) => {
    const [highest = 0, ...rest] = answers.toSorted((a, b) => b - a)
    const reached = [highest, ...rest][quorum - 1] ?? 0
    return missing === 0 || highest - reached <= lag ? { answer: reached } : null
  }

const levels = ['unknown', 'included', 'safe', 'final'] as const

async function blockStatusBy(
  node: ChainNode,
  policy: FinalityPolicy,
  blockNumber: number,
  blockHash: string,
): Promise<BlockStatus> {
  const [block, head, safe, finalized] = await Promise.all([
    node.getBlock(blockNumber),
    node.getBlockNumber(),
    typeof policy === 'string' ? node.getBlock('safe') : null,
    policy === 'finalized' ? node.getBlock('finalized') : null,
  ])
  if (block === null || head < blockNumber) return 'unknown'
  if (block.number !== blockNumber) throw new Error('the response is about another block')
  if (block.hash?.toLowerCase() !== blockHash) return 'vanished'
  if (typeof policy !== 'string') return head - blockNumber + 1 >= policy.confirmations ? 'final' : 'included'
  const isSafe = safe !== null && safe.number >= blockNumber
  if (policy === 'safe') return isSafe ? 'final' : 'included'
  if (finalized !== null && finalized.number >= blockNumber) return 'final'
  return isSafe ? 'safe' : 'included'
}

/** Decides for the level that a quorum has reached: nodes that lag behind the others do not contradict them. */
const enoughSay =
  (quorum: number): Decide<BlockStatus> =>
  (answers, missing) => {
    if (answers.filter(answer => answer === 'vanished').length >= quorum) return { answer: 'vanished' }
    const blockStatus = answers.flatMap(answer => (answer === 'vanished' ? [] : levels.indexOf(answer)))
    const reached = (more: number) =>
      levels.findLast((_, level) => blockStatus.filter(at => at >= level).length + more >= quorum)
    const level = reached(0)
    // Nodes that have not answered yet may still raise the level.
    return level !== undefined && level === reached(missing) ? { answer: level } : null
  }
