// Reads exchange rates from on-chain price feeds with Chainlink's AggregatorV3Interface: directly, inverted, or through
// two feeds.
import { Interface } from 'ethers'
import { z } from 'zod'
import { fromUnits, plainDecimal, product, quotient, rateDigits } from '../core/decimal.ts'
import { AppError } from '../core/errors.ts'
import type { FxRates, Rate } from '../ports/fx-rates.ts'
import type { ChainNode } from './chain-node.ts'
import { type NodesConfig, openNodes } from './nodes.ts'

export type Feed = {
  base: string
  quote: string
  /** 0x hex. */
  address: string
  /** The maximum age of an answer; null when the age is not checked. */
  maxAgeSeconds: number | null
}

type Config = Pick<NodesConfig, 'name' | 'chainId' | 'rpcUrls'> & { feeds: readonly Feed[] }
/** A feed, and whether its rate must be inverted. */
type Leg = { feed: Feed; from: string; to: string; inverted: boolean }

const aggregator = new Interface([
  'function decimals() view returns (uint8)',
  'function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)',
])
const word = z.bigint()
const oneWord = z.tuple([word])
const fiveWords = z.tuple([word, word, word, word, word])
// Tokens have at most 18 decimals, feeds 8 or 18.
const mostDecimals = 36n
// The timestamp of a block may be slightly ahead of this machine's clock.
const clockSkewSeconds = 60
// The start of the year 10000 in Unix seconds: later times have no date with a four-digit year.
const endOfTime = 253_402_300_800n

/**
 * Returns a provider that accepts one node's answer, because feeds are not evidence and each is as reliable as the node
 * that reads it.
 */
export function createChainlinkRates({ feeds, ...chain }: Config, now: () => number = Date.now): FxRates {
  const nodes = openNodes({ ...chain, quorum: 1 })
  const legs = feeds.flatMap((feed): Leg[] => [
    { feed, from: feed.base, to: feed.quote, inverted: false },
    { feed, from: feed.quote, to: feed.base, inverted: true },
  ])

  async function read({ feed, inverted }: Leg) {
    const refused = (why: string, cause?: unknown) =>
      new AppError('fx_unavailable', `The price feed of ${feed.base}/${feed.quote} ${why}.`, { cause })
    const round = await nodes
      .first(node => latestRound(node, feed.address))
      .catch(error => Promise.reject(refused('could not be read', error)))
    const { decimals, roundId, answer, updatedAt, answeredInRound } = round
    if (decimals > mostDecimals || answer <= 0n) throw refused('returns no price')
    const price = plainDecimal(fromUnits(answer, Number(decimals)))
    if (price === null) throw refused('returns no price')
    if (updatedAt === 0n || updatedAt >= endOfTime || answeredInRound < roundId) throw refused('has no complete round')
    const age = now() / 1000 - Number(updatedAt)
    if (feed.maxAgeSeconds !== null && age < -clockSkewSeconds) throw refused('has a time in the future')
    if (feed.maxAgeSeconds !== null && age > feed.maxAgeSeconds) throw refused('has an answer older than allowed')
    return { price, inverted, asOf: new Date(Number(updatedAt) * 1000) }
  }

  async function along(path: readonly Leg[]): Promise<Rate> {
    const parts = await Promise.all(path.map(read))
    const times = (inverted: boolean) =>
      parts.filter(part => part.inverted === inverted).reduce((all, { price }) => product(all, price), '1')
    const isPlain = parts.length === 1 && parts[0]?.inverted === false
    const rate = isPlain ? times(false) : quotient(times(false), times(true), rateDigits)
    const asOf = new Date(Math.min(...parts.map(part => part.asOf.getTime())))
    return { rate, source: `chainlink: ${path.map(named).join(' and ')}`, asOf }
  }

  // The feed's CAIP-10 id when the chain id is known, else its address.
  const placeOf = ({ address }: Feed) => (chain.chainId === null ? address : `eip155:${chain.chainId}:${address}`)
  const named = ({ feed, inverted }: Leg) =>
    `${inverted ? 'inverse of ' : ''}${feed.base}/${feed.quote} at ${placeOf(feed)}`

  return {
    name: 'chainlink',
    async rate(base, quote) {
      let fault: unknown = null
      for (const path of pathsOf(legs, base, quote)) {
        try {
          return await along(path)
        } catch (error) {
          fault ??= error
        }
      }
      if (fault !== null) throw fault
      return null
    },
  }
}

/** Returns the paths from `base` to `quote`, the best first. */
function pathsOf(legs: readonly Leg[], base: string, quote: string): Leg[][] {
  const starts = legs.filter(({ from }) => from === base)
  const direct = starts.filter(({ to }) => to === quote)
  const crossing = starts.flatMap(first =>
    legs.filter(({ from, to }) => from === first.to && to === quote).map(second => [first, second]),
  )
  return [...direct.toSorted((a, b) => Number(a.inverted) - Number(b.inverted)).map(leg => [leg]), ...crossing]
}

async function latestRound(node: ChainNode, to: string) {
  const ask = async (name: 'decimals' | 'latestRoundData') => {
    const answer = await node.call({ to, data: aggregator.encodeFunctionData(name) })
    // A call to an address without code succeeds and returns no data, so that decoding throws.
    return [...aggregator.decodeFunctionResult(name, answer)]
  }
  const [scale, round] = await Promise.all([ask('decimals'), ask('latestRoundData')])
  const [decimals] = oneWord.parse(scale)
  const [roundId, answer, , updatedAt, answeredInRound] = fiveWords.parse(round)
  return { decimals, roundId, answer, updatedAt, answeredInRound }
}
