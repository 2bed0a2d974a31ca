// Finds the transactions that anchored a hash, on one node.
import evidenceAnchor from '../../contracts/EvidenceAnchor.json' with { type: 'json' }
import { anchorTopic, decodeAnchorEvents } from './anchor-log.ts'
import type { ChainNode, NodeLog } from './chain-node.ts'
import { logsOf, openSearch, type SearchBounds } from './node-logs.ts'

type AnchorFilter = {
  contract: string
  bundleHash: string
  /** The first block to search. */
  from: number
  /** The hash did not exist before this time; null if that is not known. */
  since: Date | null
}

// The service's clock may be ahead of the chain's.
const clockSkewMs = 15 * 60_000

/** Returns the logs that carry the hash, oldest first: all of them, or those near the earliest if `since` is given. */
export async function logsWithHash(node: ChainNode, filter: AnchorFilter, bounds: SearchBounds): Promise<NodeLog[]> {
  const { contract, bundleHash, from, since } = filter
  const head = await node.getBlockNumber()
  const search = openSearch(node, bounds)
  // A node may return logs that do not match the filter.
  const carries = (log: NodeLog) =>
    decodeAnchorEvents([log]).some(event => event.contract === contract && event.bundleHash === bundleHash)
  const all = async (topics: string[]) =>
    (await logsOf(node, { address: contract, topics }, from, head, bounds)).filter(carries)
  const first = async (topics: string[], start: number, end: number) => {
    for await (const logs of search({ address: contract, topics }, start, end)) {
      const found = logs.filter(carries)
      if (found.length > 0) return found
    }
    return []
  }
  if (since !== null) {
    // A contract that is not ours may not index the hash, so that all its events must be read.
    const topics = (await isOurs(node, contract)) ? [anchorTopic, bundleHash] : [anchorTopic]
    const at = await blockAt(node, since, from, head)
    const found = await first(topics, at, head)
    if (found.length > 0 || at === from) return found
    return first(topics, await blockAt(node, new Date(since.getTime() - clockSkewMs), from, at), at - 1)
  }
  const indexed = await all([anchorTopic, bundleHash])
  return indexed.length > 0 || (await isOurs(node, contract)) ? indexed : all([anchorTopic])
}

const isOurs = async (node: ChainNode, contract: string) =>
  (await node.getCode(contract)) === evidenceAnchor.deployedBytecode

const closeEnoughMs = 60_000
const mostGuesses = 48

/** Returns a block of `from` to `to` that is not younger than `time`, and little older where the chain has such one. */
export async function blockAt(
  node: { getBlock(number: number): Promise<{ timestamp: number } | null> },
  time: Date,
  from: number,
  to: number,
): Promise<number> {
  const timeOf = async (number: number) => {
    const block = await node.getBlock(number)
    if (block === null) throw new Error(`the node has no block ${number}`)
    return block.timestamp * 1_000
  }
  const target = time.getTime()
  let [low, high] = [from, to]
  let [lowTime, highTime] = await Promise.all([timeOf(low), timeOf(high)])
  if (lowTime >= target) return low
  if (highTime <= target) return high
  for (let guesses = 0; guesses < mostGuesses && target - lowTime > closeEnoughMs && high - low > 1; guesses++) {
    // Blocks mostly come at regular times. Where they do not, every other guess halves the range.
    const share = guesses % 2 === 0 ? (target - closeEnoughMs / 2 - lowTime) / (highTime - lowTime) : 1 / 2
    const guess = Math.min(high - 1, Math.max(low + 1, low + Math.floor((high - low) * share)))
    const guessTime = await timeOf(guess)
    if (guessTime <= target) [low, lowTime] = [guess, guessTime]
    else [high, highTime] = [guess, guessTime]
  }
  return low
}
