// Queries the nodes of one chain. To send a transaction, the response of one node is enough; to believe what the chain
// contains, a quorum of nodes must give the same answer.
import {
  type FetchRequest,
  type JsonRpcApiProviderOptions,
  type JsonRpcError,
  type JsonRpcPayload,
  JsonRpcProvider,
  type JsonRpcResult,
  Network,
  type Networkish,
} from 'ethers'
import { AppError } from '../core/errors.ts'
import { inSpan } from '../core/scope.ts'
import type { PublicFetch } from '../ports/public-fetch.ts'
import { patience } from './busy-node.ts'
import { type ChainNode, chainNode } from './chain-node.ts'
import { measured, ofProjects } from './node-metrics.ts'
import { reason, requestTo } from './node-request.ts'
import { Unavailable } from './outages.ts'

export type NodesConfig = {
  /** The chain's name in errors. */
  name: string
  /** The chain id that every node must report; null accepts any. */
  chainId: bigint | null
  /** At least one, in order of preference. URLs may contain secrets, so no error quotes them. */
  rpcUrls: readonly string[]
  /** How many nodes must return the same answer. */
  quorum: number
  /** Sends the requests to a tenant's node, which is not trusted. By default, requests are sent directly. */
  fetchPublic?: PublicFetch
  /** Is called when enough nodes have answered. */
  works?: () => void
  /** How long a node that is too busy is waited for; 0 by default, because another node answers sooner. */
  busyMs?: number
}

type Question<T> = (node: ChainNode) => Promise<T>

/**
 * Decides from the answers so far, while `missing` nodes have not answered yet; returns null if more answers are
 * needed.
 */
export type Decide<T> = (answers: readonly T[], missing: number) => { answer: T } | null

export type Nodes = {
  /** Queries one node after another, and returns the first answer. */
  first<T>(question: Question<T>): Promise<T>
  /** Returns what a quorum of the nodes agrees on: equal answers, unless `decide` says otherwise. */
  agreed<T>(question: Question<T>, decide?: Decide<T>): Promise<T>
  /** Returns all answers; throws when fewer than a quorum arrive. */
  answers<T>(question: Question<T>): Promise<T[]>
  /** Returns a promise for each node's answer. */
  each<T>(question: Question<T>): Promise<T>[]
  readonly quorum: number
  /** Makes every node report its chain id again before its next request. */
  recheck(): void
}

/** Returns more than half, so that two different answers can never both have a quorum. */
export const majorityOf = (count: number): number => Math.floor(count / 2) + 1

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Sends each request at once: ethers starts a timer first, in which further requests could join a batch. */
export class UnbatchedProvider extends JsonRpcProvider {
  #lastId = 0
  readonly #whileBusy: ReturnType<typeof patience>

  constructor(url: string | FetchRequest, network?: Networkish, options?: JsonRpcApiProviderOptions, busyMs = 0) {
    super(url, network, options)
    this.#whileBusy = patience(busyMs)
  }

  override send(method: string, params: unknown[] | Record<string, unknown>): Promise<unknown> {
    const attributes = { 'rpc.system.name': 'jsonrpc', 'rpc.method': method }
    return inSpan(method, 'client', attributes, () => this.#whileBusy(() => this.#sendOnce(method, params)))
  }

  /** As the base class, whose own decoder of UTF-8 takes longer than all else for the answer about a whole block. */
  override async _send(payload: JsonRpcPayload | JsonRpcPayload[]): Promise<JsonRpcResult[]> {
    const request = this._getConnection()
    request.body = JSON.stringify(payload)
    request.setHeader('content-type', 'application/json')
    const response = await request.send()
    response.assertOk()
    const answer = JSON.parse(utf8.decode(response.body ?? undefined))
    return Array.isArray(answer) ? answer : [answer]
  }

  async #sendOnce(method: string, params: unknown[] | Record<string, unknown>): Promise<unknown> {
    const payload = { method, params, id: ++this.#lastId, jsonrpc: '2.0' as const }
    const answers: (JsonRpcResult | JsonRpcError)[] = await this._send(payload)
    // Some nodes write the id as text, and `"error": null` beside a result.
    const answer = answers.find(({ id }) => String(id) === String(payload.id))
    if (answer === undefined) throw new Error('missing response for request')
    if ('error' in answer && answer.error !== null) throw this.getRpcError(payload, answer)
    if (!('result' in answer)) throw new Error('a response without a result')
    return answer.result
  }
}

/** Returns a node that receives no other request before it has confirmed that it serves this chain. */
function createNode(url: string, index: number, { name, chainId, fetchPublic, busyMs = 0 }: NodesConfig) {
  // A network without the plug-ins of ethers, because those of the networks that it knows by id may use a fee oracle at
  // an address that is not configured.
  const network = new Network(name, chainId ?? 0n)
  const options = { staticNetwork: true, cacheTimeout: -1 }
  const request = requestTo(url, fetchPublic)
  const known = fetchPublic === undefined ? { chain: name, node: String(index + 1) } : ofProjects
  request.getUrlFunc = measured(known, request.getUrlFunc)
  const node = chainNode(new UnbatchedProvider(request, network, options, busyMs))
  const checkChainId = async () => {
    const answer = await node.getChainId()
    if (chainId === null || answer === chainId) return
    const message = `A node configured for chain ${name} serves eip155:${answer}, not eip155:${chainId}.`
    throw new AppError('chain_misconfigured', message)
  }
  let chainIdChecked: Promise<void> | null = null
  let failedAt = 0
  const ask = async <T>(question: Question<T>): Promise<T> => {
    try {
      chainIdChecked ??= checkChainId()
      await chainIdChecked.catch(error => {
        chainIdChecked = null
        throw error
      })
      const answer = await question(node)
      failedAt = 0
      return answer
    } catch (error) {
      failedAt = Date.now()
      throw error
    }
  }
  return {
    ask,
    /** When the last request failed; 0 when the last request succeeded. */
    get failedAt() {
      return failedAt
    },
    recheck: () => {
      chainIdChecked = null
    },
  }
}

const alike =
  <T>(quorum: number): Decide<T> =>
  answers => {
    const keys = answers.map(answer => JSON.stringify(answer))
    const agreed = keys.findIndex(key => keys.filter(other => other === key).length >= quorum)
    return agreed < 0 ? null : { answer: answers[agreed] as T }
  }

export function openNodes(config: NodesConfig): Nodes {
  const { name, quorum, works = () => {}, fetchPublic } = config
  // A project may give its chain any name, also that of the operator's.
  const outage = fetchPublic === undefined ? `chain ${name}` : 'chains of projects'
  const nodes = config.rpcUrls.map((url, index) => createNode(url, index, config))

  function unavailable(faults: readonly unknown[]): AppError {
    const misconfigured = faults.find(fault => fault instanceof AppError)
    if (misconfigured !== undefined) return misconfigured
    const cause = new Unavailable(outage, faults.map((fault, at) => `node ${at + 1}: ${reason(fault)}`).join('; '))
    return new AppError('chain_unavailable', `Too few nodes of chain ${name} answered.`, { cause })
  }

  async function first<T>(question: Question<T>): Promise<T> {
    const faults: unknown[] = []
    // Nodes that failed most recently come last, so that a hanging node is waited for once, not at every request.
    for (const node of nodes.toSorted((a, b) => a.failedAt - b.failedAt)) {
      try {
        return await node.ask(question)
      } catch (fault) {
        faults.push(fault)
      }
    }
    throw unavailable(faults)
  }

  // Resolves as soon as the answers suffice: a node that hangs does not hold up those that agree without it.
  const agreed = <T>(question: Question<T>, decide: Decide<T> = alike(quorum)): Promise<T> =>
    new Promise((resolve, reject) => {
      const answers: T[] = []
      const faults: unknown[] = []
      const settle = () => {
        const missing = nodes.length - answers.length - faults.length
        const decided = answers.length >= quorum ? decide(answers, missing) : null
        if (decided !== null) {
          works()
          resolve(decided.answer)
        } else if (missing > 0) return
        else if (answers.length < quorum) reject(unavailable(faults))
        else reject(new AppError('chain_disagreement', `The nodes of chain ${name} contradict each other.`))
      }
      for (const node of nodes) {
        node
          .ask(question)
          .then(
            answer => void answers.push(answer),
            fault => void faults.push(fault),
          )
          .then(settle)
          .catch(reject)
      }
    })

  const each = <T>(question: Question<T>) => nodes.map(node => node.ask(question))

  async function answers<T>(question: Question<T>): Promise<T[]> {
    const settled = await Promise.allSettled(each(question))
    const values = settled.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
    if (values.length >= quorum) {
      works()
      return values
    }
    throw unavailable(settled.flatMap(result => (result.status === 'rejected' ? [result.reason] : [])))
  }

  const recheck = () => {
    for (const node of nodes) node.recheck()
  }
  return { first, agreed, answers, each, quorum, recheck }
}
