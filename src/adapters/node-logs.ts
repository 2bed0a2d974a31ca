// Searches the logs of a node, whatever number of blocks the node searches in one request.
import type { ChainNode, NodeLog } from './chain-node.ts'
import { NodeUnusable } from './node-request.ts'

/** After so many requests, or so long, a search is given up. */
export type SearchBounds = { requests: number; forMs: number }

/** For requests that somebody waits for, in a slot that others wait for. */
export const briefly: SearchBounds = { requests: 128, forMs: 60_000 }

/** A topic that is null matches any. */
type Filter = { address: string; topics: (string | null)[] }

/** Returns a search that may be continued over several ranges, within the bounds of one. */
export function openSearch(node: ChainNode, { requests, forMs }: SearchBounds) {
  const until = Date.now() + forMs
  let sent = 0
  // Providers limit the block range of one request, each to its own number: the range is halved until the provider
  // accepts it.
  let size = Number.POSITIVE_INFINITY
  /** Yields the logs of one range after another, oldest first. */
  return async function* logs(filter: Filter, from: number, to: number): AsyncGenerator<NodeLog[]> {
    for (let start = from; start <= to; ) {
      if (sent >= requests || Date.now() > until) {
        throw new NodeUnusable(`the search for logs is given up after ${sent} requests, at block ${start} of ${to}`)
      }
      const end = Math.min(to, start + size - 1)
      sent += 1
      try {
        yield await node.getLogs({ ...filter, fromBlock: start, toBlock: end })
        start = end + 1
      } catch (error) {
        if (start === end || error instanceof NodeUnusable) throw error
        size = Math.floor((end - start + 1) / 2)
      }
    }
  }
}

/** Returns all logs, oldest first. */
export async function logsOf(
  node: ChainNode,
  filter: Filter,
  from: number,
  to: number,
  bounds = briefly,
): Promise<NodeLog[]> {
  const found: NodeLog[] = []
  for await (const logs of openSearch(node, bounds)(filter, from, to)) found.push(...logs)
  return found
}
