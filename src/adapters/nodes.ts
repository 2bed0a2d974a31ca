// The nodes of one chain: one that answers is enough to send, several that agree are needed to believe.
import { FetchRequest, JsonRpcProvider, Network } from 'ethers'
import { z } from 'zod'
import { AppError } from '../core/errors.ts'
import type { PublicFetch } from '../ports/public-fetch.ts'

export type NodesConfig = {
  /** For errors. */
  name: string
  /** What every node must say of itself; null takes what it says. */
  chainId: bigint | null
  /** In order of preference; at least one. They may carry secrets and stay out of every error. */
  rpcUrls: readonly string[]
  /** How many must answer alike to be believed. */
  quorum: number
  /** For a stranger's node, in place of a plain request. */
  fetchPublic?: PublicFetch
}

type Question<T> = (node: JsonRpcProvider) => Promise<T>

/** Judges the answers that are in; null while more are needed. `all`: no more will come. */
export type Decide<T> = (answers: readonly T[], all: boolean) => { answer: T } | null

export type Nodes = {
  /** From the first node that answers. */
  first<T>(question: Question<T>): Promise<T>
  /** What a quorum of the nodes say, exactly alike unless `decide` says otherwise. */
  agreed<T>(question: Question<T>, decide?: Decide<T>): Promise<T>
  /** Every answer; at least a quorum of them. */
  answers<T>(question: Question<T>): Promise<T[]>
  /** Of each node, its answer or why there is none. */
  each<T>(question: Question<T>): Promise<PromiseSettledResult<T>[]>
  readonly quorum: number
  /** Every node has to say anew which chain it serves. */
  recheck(): void
}

const requestTimeoutMs = 10_000
const mostBytes = 8 << 20

/** More than half, so that no two answers can both be agreed on. */
export const majorityOf = (count: number): number => Math.floor(count / 2) + 1

function requestTo(url: string, fetchPublic?: PublicFetch): FetchRequest {
  const request = new FetchRequest(url)
  request.timeout = requestTimeoutMs
  // Another node is asked sooner than one that is busy would answer.
  request.setThrottleParams({ maxAttempts: 1 })
  if (fetchPublic !== undefined) {
    request.getUrlFunc = async ({ url: address, body }) => {
      const json: unknown = JSON.parse(Buffer.from(body ?? []).toString('utf8'))
      const bytes = await fetchPublic(address, { maxBytes: mostBytes, timeoutMs: requestTimeoutMs, json })
      if (bytes === null) throw new Error('no answer')
      return { statusCode: 200, statusMessage: 'OK', headers: {}, body: bytes }
    }
  }
  return request
}

/** A node that is asked nothing before it has said that it serves this chain. */
function createNode(url: string, { name, chainId, fetchPublic }: NodesConfig) {
  // A bare network: the ones ethers knows by id may bring a fee oracle of their own, an address nobody configured.
  const network = new Network(name, chainId ?? 0n)
  const options = { staticNetwork: true, cacheTimeout: -1, batchMaxCount: 1 }
  const provider = new JsonRpcProvider(requestTo(url, fetchPublic), network, options)
  const served = async () => {
    const answer = BigInt(z.string().parse(await provider.send('eth_chainId', [])))
    if (chainId === null || answer === chainId) return
    const message = `A node configured for chain ${name} serves eip155:${answer}, not eip155:${chainId}.`
    throw new AppError('chain_misconfigured', message)
  }
  let checked: Promise<void> | null = null
  const ask = async <T>(question: Question<T>): Promise<T> => {
    checked ??= served()
    await checked.catch(error => {
      checked = null
      throw error
    })
    return question(provider)
  }
  return {
    ask,
    recheck: () => {
      checked = null
    },
  }
}

const saying = z.object({ message: z.string() }).optional()
const ethersFault = z
  .object({ shortMessage: z.string(), error: saying, info: z.object({ error: saying }).optional() })
  .partial()
  .catch({})

/** What went wrong, for the log: the node's own words, without the request, which holds URL and payload. */
export function reason(thrown: unknown): string {
  const { shortMessage, error, info } = ethersFault.parse(thrown)
  const words = shortMessage ?? (thrown instanceof Error ? thrown.message || thrown.name : String(thrown))
  const answer = error?.message ?? info?.error?.message
  return (answer === undefined ? words : `${words}: ${answer}`).replace(/\w+:\/\/\S+/g, '[url]').slice(0, 500)
}

const alike =
  <T>(quorum: number): Decide<T> =>
  answers => {
    const keys = answers.map(answer => JSON.stringify(answer))
    const agreed = keys.findIndex(key => keys.filter(other => other === key).length >= quorum)
    return agreed < 0 ? null : { answer: answers[agreed] as T }
  }

export function openNodes(config: NodesConfig): Nodes {
  const { name, quorum } = config
  const nodes = config.rpcUrls.map(url => createNode(url, config))

  function unavailable(faults: readonly unknown[]): AppError {
    const plain = faults.find(fault => fault instanceof AppError)
    if (plain !== undefined) return plain
    const cause = new Error(faults.map((fault, at) => `node ${at + 1}: ${reason(fault)}`).join('; '))
    return new AppError('chain_unavailable', `Chain ${name} could not be asked.`, { cause })
  }

  async function first<T>(question: Question<T>): Promise<T> {
    const faults: unknown[] = []
    for (const node of nodes) {
      try {
        return await node.ask(question)
      } catch (fault) {
        faults.push(fault)
      }
    }
    throw unavailable(faults)
  }

  // Settled as soon as it can be: a node that hangs does not hold up those that agree without it.
  const agreed = <T>(question: Question<T>, decide: Decide<T> = alike(quorum)): Promise<T> =>
    new Promise((resolve, reject) => {
      const answers: T[] = []
      const faults: unknown[] = []
      const settle = () => {
        const all = answers.length + faults.length === nodes.length
        const decided = answers.length >= quorum ? decide(answers, all) : null
        if (decided !== null) resolve(decided.answer)
        else if (!all) return
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

  const each = <T>(question: Question<T>) => Promise.allSettled(nodes.map(node => node.ask(question)))

  async function answers<T>(question: Question<T>): Promise<T[]> {
    const settled = await each(question)
    const given = settled.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
    if (given.length >= quorum) return given
    throw unavailable(settled.flatMap(result => (result.status === 'rejected' ? [result.reason] : [])))
  }

  const recheck = () => {
    for (const node of nodes) node.recheck()
  }
  return { first, agreed, answers, each, quorum, recheck }
}
