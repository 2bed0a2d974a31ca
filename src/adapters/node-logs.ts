// Searches the logs of a node, whatever number of blocks the node searches in one request.
import type { ChainNode, NodeLog } from './chain-node.ts'
import { NodeUnusable } from './node-request.ts'

// RPC providers limit the block range of one search, each to its own number: the range is halved until the provider
// accepts it, and the search fails when it needs too many requests.
const mostSearches = 128
const searchPatienceMs = 60_000

type Filter = { address: string; topics: string[] }

/** Returns the logs oldest first. */
export async function logsOf(node: ChainNode, filter: Filter, from: number, to: number): Promise<NodeLog[]> {
  let found: NodeLog[] = []
  const ranges: [number, number][] = [[from, to]]
  const until = Date.now() + searchPatienceMs
  for (let searches = 0; ranges.length > 0; searches++) {
    if (Date.now() > until) throw new NodeUnusable('the search takes too long')
    const [start, end] = ranges.pop() ?? [0, 0]
    try {
      found = found.concat(await node.getLogs({ ...filter, fromBlock: start, toBlock: end }))
    } catch (error) {
      if (searches >= mostSearches || start >= end || error instanceof NodeUnusable) throw error
      const middle = Math.floor((start + end) / 2)
      ranges.push([middle + 1, end], [start, middle])
    }
  }
  return found
}
