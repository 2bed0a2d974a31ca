// An EVM chain through ethers: answers the `Chain` port from the first of its nodes that can.
import { FetchRequest, Interface, isError, JsonRpcProvider, Network, Transaction, Wallet } from 'ethers'
import { z } from 'zod'
import { AppError } from '../core/errors.ts'
import type { BlockStanding, Chain, MinedTransaction, SignedTransaction } from '../ports/chain.ts'
import { anchorTopic, decodeAnchorEvents } from './anchor-log.ts'

export type ChainConfig = {
  name: string
  /** `eip155:` and the chain id. */
  caip2: string
  /** In order of preference; at least one. They may carry secrets and stay out of every error. */
  rpcUrls: readonly string[]
  contract: string
  /** Blocks, the transaction's own counted, after which a transaction is final; at least 1. */
  confirmations: number
  /** Signs platform anchors; null where this process only reads. */
  privateKey: string | null
  /** First block worth searching for anchors; 0 when not given. */
  deployedAtBlock?: number
}

const requestTimeoutMs = 10_000
const functions = new Interface(['function anchorEvidence(bytes32)', 'function anchorEvidenceBatch(bytes32[])'])

const contractSigner = new Interface(['function isValidSignature(bytes32, bytes) view returns (bytes4)'])
const signatureAccepted = '0x1626ba7e'.padEnd(66, '0')
// A stranger chooses the contract: enough for a multisig of many owners, too little to keep a node busy.
const signatureGas = 500_000n

const callData = (hashes: readonly string[]) =>
  hashes.length === 1
    ? functions.encodeFunctionData('anchorEvidence', [hashes[0]])
    : functions.encodeFunctionData('anchorEvidenceBatch', [hashes])

/** A node that is asked nothing before it has said that it serves this chain. */
function createNode(url: string, name: string, chainId: bigint) {
  const request = new FetchRequest(url)
  request.timeout = requestTimeoutMs
  // A bare network: the ones ethers knows by id may bring a fee oracle of their own, an address nobody configured.
  const network = new Network(name, chainId)
  const provider = new JsonRpcProvider(request, network, { staticNetwork: true, cacheTimeout: -1, batchMaxCount: 1 })
  const served = async () => {
    const answer = BigInt(z.string().parse(await provider.send('eth_chainId', [])))
    if (answer === chainId) return
    const message = `A node configured for chain ${name} serves eip155:${answer}, not eip155:${chainId}.`
    throw new AppError('chain_unavailable', message)
  }
  let checked: Promise<void> | null = null
  return async <T>(question: (provider: JsonRpcProvider) => Promise<T>): Promise<T> => {
    checked ??= served()
    await checked.catch(error => {
      checked = null
      throw error
    })
    return question(provider)
  }
}

const saying = z.object({ message: z.string() }).optional()
const ethersFault = z
  .object({ shortMessage: z.string(), error: saying, info: z.object({ error: saying }).optional() })
  .partial()
  .catch({})

/** What went wrong, for the log: the node's own words, without the request, which holds URL and payload. */
function reason(thrown: unknown): string {
  const { shortMessage, error, info } = ethersFault.parse(thrown)
  const words = shortMessage ?? (thrown instanceof Error ? thrown.message || thrown.name : String(thrown))
  const answer = error?.message ?? info?.error?.message
  return (answer === undefined ? words : `${words}: ${answer}`).replace(/\w+:\/\/\S+/g, '[url]').slice(0, 500)
}

export function createEthersChain(config: ChainConfig): Chain {
  const { name, caip2, confirmations, deployedAtBlock = 0 } = config
  const contract = config.contract.toLowerCase()
  const chainId = BigInt(z.templateLiteral(['eip155:', z.int().positive()]).parse(caip2).slice('eip155:'.length))
  const nodes = config.rpcUrls.map(url => createNode(url, name, chainId))
  const wallet = config.privateKey === null ? null : new Wallet(config.privateKey)

  async function ask<T>(question: (provider: JsonRpcProvider) => Promise<T>): Promise<T> {
    const faults: unknown[] = []
    for (const node of nodes) {
      try {
        return await node(question)
      } catch (fault) {
        faults.push(fault)
      }
    }
    const plain = faults.find(fault => fault instanceof AppError)
    if (plain !== undefined) throw plain
    const cause = new Error(faults.map((fault, at) => `node ${at + 1}: ${reason(fault)}`).join('; '))
    throw new AppError('chain_unavailable', `Chain ${name} could not be asked.`, { cause })
  }

  function signing(): Wallet {
    if (wallet === null) throw new Error(`no private key is configured for chain ${name}`)
    return wallet
  }

  async function signAnchor(hashes: readonly string[], nonce: number): Promise<SignedTransaction> {
    if (hashes.length === 0) throw new RangeError('nothing to anchor')
    const call = { from: signing().address, to: contract, data: callData(hashes) }
    const [estimate, fees] = await ask(node => Promise.all([node.estimateGas(call), node.getFeeData()]))
    // Estimated, not computed: roll-ups bill calldata in gas of their own, and a call that would revert shows here.
    // A fifth more, for what such a chain bills may rise until the transaction is mined.
    const gasLimit = (estimate * 6n) / 5n
    const { maxFeePerGas, maxPriorityFeePerGas, gasPrice } = fees
    const fee = maxFeePerGas === null ? { type: 0, gasPrice } : { type: 2, maxFeePerGas, maxPriorityFeePerGas }
    const raw = await signing().signTransaction({ ...call, ...fee, chainId, nonce, gasLimit })
    return { txid: Transaction.from(raw).hash ?? '', raw, nonce }
  }

  async function broadcast(raw: string): Promise<void> {
    const { hash } = Transaction.from(raw)
    await ask(async node => {
      try {
        await node.send('eth_sendRawTransaction', [raw])
      } catch (refusal) {
        // "already known" and "nonce too low" are worded differently by every node, and the second is also said when
        // another transaction took the nonce. Only whether the node has this very transaction decides.
        if (hash !== null && (await node.getTransaction(hash)) !== null) return
        throw new Error(`refused, and the node does not know the transaction: ${reason(refusal)}`)
      }
    })
  }

  const transaction = (txid: string): Promise<MinedTransaction | null> =>
    ask(async node => {
      const receipt = await node.getTransactionReceipt(txid)
      // A block can be replaced between the two questions; then the transaction waits again.
      const block = receipt && (await node.getBlock(receipt.blockHash))
      if (!receipt || !block) return null
      return {
        txid: receipt.hash.toLowerCase(),
        succeeded: receipt.status === 1,
        blockNumber: receipt.blockNumber,
        blockHash: receipt.blockHash.toLowerCase(),
        blockTime: new Date(block.timestamp * 1000),
        events: decodeAnchorEvents(receipt.logs),
      }
    })

  async function standing(blockNumber: number, blockHash: string): Promise<BlockStanding> {
    const [block, head] = await ask(node => Promise.all([node.getBlock(blockNumber), node.getBlockNumber()]))
    if (block?.hash?.toLowerCase() !== blockHash.toLowerCase()) return 'vanished'
    return head - blockNumber + 1 >= confirmations ? 'final' : 'included'
  }

  async function findAnchor(bundleHash: string): Promise<string[]> {
    const filter = { address: contract, topics: [anchorTopic, bundleHash], fromBlock: deployedAtBlock }
    const logs = await ask(node => node.getLogs(filter))
    return [...new Set(logs.map(log => log.transactionHash.toLowerCase()))]
  }

  const hasCode = (address: string): Promise<boolean> => ask(async node => (await node.getCode(address)) !== '0x')

  const isSignedBy = (address: string, hash: string, signature: string): Promise<boolean> =>
    ask(async node => {
      const data = contractSigner.encodeFunctionData('isValidSignature', [hash, signature])
      try {
        return (await node.call({ to: address, data, gasLimit: signatureGas })) === signatureAccepted
      } catch (error) {
        // It reverted or ran out of gas, which is an answer.
        if (isError(error, 'CALL_EXCEPTION')) return false
        throw error
      }
    })

  const check = (): Promise<void> =>
    ask(async node => {
      if ((await node.getCode(contract)) !== '0x') return
      throw new AppError('chain_unavailable', `There is no contract at ${contract} on chain ${name}.`)
    })

  const pendingNonce = async () => {
    const { address } = signing()
    return ask(node => node.getTransactionCount(address, 'pending'))
  }

  const signer = wallet?.address.toLowerCase() ?? null
  return {
    name,
    caip2,
    contract,
    signer,
    pendingNonce,
    signAnchor,
    broadcast,
    transaction,
    findAnchor,
    standing,
    isSignedBy,
    hasCode,
    check,
  }
}
