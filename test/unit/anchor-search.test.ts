// The search for an anchor on a long chain: what it asks of a node that limits each request.
import { describe, expect, test } from 'vitest'
import { anchorTopic } from '../../src/adapters/anchor-log.ts'
import { blockAt, logsWithHash } from '../../src/adapters/anchor-search.ts'
import type { ChainNode } from '../../src/adapters/chain-node.ts'

const contract = `0x${'c0'.repeat(20)}`
const bundleHash = `0x${'ab'.repeat(32)}`
const head = 24_000_000
const genesis = Date.UTC(2016, 0, 1) / 1_000

/** Blocks came every 13 seconds, with pauses of a day, and come every 2 seconds since block 20,000,000. */
const timeOf = (block: number) =>
  genesis +
  Math.min(block, 20_000_000) * 13 +
  Math.max(0, block - 20_000_000) * 2 +
  Math.floor(block / 1_000_000) * 86_400

type Range = { fromBlock: number; toBlock: number }

/** A chain that can be no real one here, because its blocks would take days to mine. */
function longChain(most: number, anchoredAt: number | null) {
  const asked = { logs: 0, blocks: 0 }
  const log = {
    address: contract,
    topics: [anchorTopic, bundleHash],
    data: `0x${contract.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`,
    index: 0,
  }
  const node = {
    getBlockNumber: async () => head,
    getCode: async () => '0x',
    getBlock: async (number: number) => {
      asked.blocks += 1
      return { number, timestamp: timeOf(number) }
    },
    getLogs: async ({ fromBlock, toBlock }: Range) => {
      asked.logs += 1
      if (toBlock - fromBlock >= most) throw new Error(`limited to a ${most} range`)
      return anchoredAt !== null && fromBlock <= anchoredAt && anchoredAt <= toBlock ? [log] : []
    },
  }
  return { node: node as unknown as ChainNode, asked }
}

const dateOf = (block: number) => new Date(timeOf(block) * 1_000)
const bounds = { requests: 1_000, forMs: 60_000 }

describe('a chain of 24 million blocks', () => {
  test.each([
    [10_000, 100],
    [500, 200],
    [10, 700],
  ])('whose nodes search %i blocks at once is searched from the record on', async (limit, distance) => {
    for (const recorded of [1_000, 7_999_990, 19_999_000, 20_000_100, 23_000_000]) {
      const { node, asked } = longChain(limit, recorded + distance)
      const wanted = { contract, bundleHash, from: 0, since: dateOf(recorded) }
      expect(await logsWithHash(node, wanted, bounds)).toHaveLength(1)
      expect(asked.logs).toBeLessThan(200)
      expect(asked.blocks).toBeLessThanOrEqual(40)
    }
  })

  test('is not searched without an end', async () => {
    const { node, asked } = longChain(10, null)
    const search = logsWithHash(node, { contract, bundleHash, from: 0, since: dateOf(1_000) }, bounds)
    await expect(search).rejects.toThrow('given up after 1000 requests')
    expect(asked.logs).toBe(1_000)
  })

  test('has no block for a time before its first and after its last', async () => {
    const { node } = longChain(10, null)
    expect(await blockAt(node, new Date(0), 0, head)).toBe(0)
    expect(await blockAt(node, new Date('2099-01-01'), 0, head)).toBe(head)
    for (const block of [0, 1, 999_999, 1_000_000, 19_999_999, 20_000_000, 20_000_001, head - 1]) {
      const found = await blockAt(node, dateOf(block), 0, head)
      expect(found).toBeLessThanOrEqual(block)
      expect(timeOf(block) - timeOf(found)).toBeLessThanOrEqual(90)
    }
  })
})
