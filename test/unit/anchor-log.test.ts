// EvidenceAnchored events are decoded from any log, whichever of their fields are indexed, and no log breaks the
// decoder.
import { AbiCoder, Interface } from 'ethers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anchorTopic, type ChainLog, decodeAnchorEvents } from '../../src/adapters/anchor-log.ts'

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(b => `0x${Buffer.from(b).toString('hex')}`)
// Excludes hashes and addresses with 12 leading zero bytes, which could be taken for an address or a number.
const bundleHash = hex(32).filter(text => !text.startsWith(`0x${'0'.repeat(24)}`))
const address = hex(20).filter(text => !text.startsWith(`0x${'0'.repeat(24)}`))
const seconds = fc.bigInt({ min: 1n, max: 2n ** 40n })
const subset = fc.subarray(['bundleHash', 'sender', 'ts'] as const)

function logOf(
  indexed: readonly string[],
  values: Record<'bundleHash' | 'sender' | 'ts', string | bigint>,
  contract: string,
): ChainLog {
  const mark = (name: string) => (indexed.includes(name) ? 'indexed ' : '')
  const declared = `event EvidenceAnchored(bytes32 ${mark('bundleHash')}bundleHash, address ${mark('sender')}sender, uint256 ${mark('ts')}ts)`
  const { data, topics } = new Interface([declared]).encodeEventLog('EvidenceAnchored', [
    values.bundleHash,
    values.sender,
    values.ts,
  ])
  return { address: contract, topics, data, index: 7 }
}

test('every indexing of the event decodes to the same hash, so bundles anchored through any contract can be verified', () => {
  fc.assert(
    fc.property(subset, bundleHash, address, seconds, address, (indexed, hash, sender, ts, contract) => {
      const log = logOf(indexed, { bundleHash: hash, sender, ts }, contract)
      expect(log.topics[0]).toBe(anchorTopic)
      expect(decodeAnchorEvents([log])).toEqual([{ contract, bundleHash: hash, sender, logIndex: 7 }])
      const shouted = {
        ...log,
        address: contract.toUpperCase().replace('X', 'x'),
        data: log.data.toUpperCase().replace('X', 'x'),
      }
      expect(decodeAnchorEvents([shouted])).toEqual([{ contract, bundleHash: hash, sender, logIndex: 7 }])
    }),
  )
})

test('no log makes the decoder throw, although a contract may emit anything under the topic of EvidenceAnchored', () => {
  const word = fc.oneof(fc.string(), hex(32), hex(31), fc.constant(anchorTopic))
  const data = fc.oneof(fc.string(), hex(64), hex(96), hex(95), fc.constant('0x'))
  const topics = fc.oneof(
    fc.array(word),
    fc.array(word, { maxLength: 4 }).map(rest => [anchorTopic, ...rest]),
  )
  const log = fc.record({ address: fc.string(), topics, data, index: fc.integer() })
  fc.assert(
    fc.property(fc.array(log), logs => {
      for (const event of decodeAnchorEvents(logs)) expect(event.bundleHash).toMatch(/^0x[0-9a-f]{64}$/)
    }),
    { numRuns: 500 },
  )
})

test('truncated, padded or foreign logs are skipped, and the valid logs around them still count', () => {
  const good = logOf(
    ['sender'],
    { bundleHash: `0x${'ab'.repeat(32)}`, sender: `0x${'cd'.repeat(20)}`, ts: 1n },
    `0x${'ef'.repeat(20)}`,
  )
  const bad: ChainLog[] = [
    { ...good, data: good.data.slice(0, -2) },
    { ...good, data: `${good.data}00` },
    { ...good, data: good.data + '0'.repeat(64) },
    { ...good, topics: [] },
    { ...good, topics: [`0x${'00'.repeat(32)}`, ...good.topics.slice(1)] },
    { ...good, topics: [...good.topics, good.topics[1] ?? ''] },
    // The indexed "sender" is no address, and the first word of the data is none either.
    {
      ...good,
      topics: [anchorTopic, `0x${'11'.repeat(32)}`],
      data: AbiCoder.defaultAbiCoder().encode(['bytes32', 'uint256'], [`0x${'ab'.repeat(32)}`, 1]),
    },
  ]
  expect(decodeAnchorEvents([...bad, good, ...bad])).toHaveLength(1)
})
