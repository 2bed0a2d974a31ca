// Decodes EvidenceAnchored events from chain logs, whichever parameters the contract indexes.
import type { AnchorEvent } from '../ports/chain.ts'

export const anchorTopic = '0xd414fe2d5071ea63896cf41c2e5a7bdd46aed543a8c8e83357a1ae468a383419'

/** A log as a node returns it: `data` is 0x-prefixed hex, `index` is the log's position in the block. */
export type ChainLog = { address: string; topics: readonly string[]; data: string; index: number }

const fields = ['hash', 'sender', 'ts'] as const
type Field = (typeof fields)[number]

/** The possible sets of indexed fields, tried in this order. Of the layouts in use, at most one fits a log. */
const layouts: readonly (readonly Field[])[] = [
  [],
  ['hash'],
  ['sender'],
  ['ts'],
  ['hash', 'sender'],
  ['hash', 'ts'],
  ['sender', 'ts'],
  ['hash', 'sender', 'ts'],
]

// Each field is a word of 32 bytes, and its leading zero bytes identify it: 12 in an address, at least 24 in a time in
// seconds. No hash or address in use begins with 12 zero bytes of its own.
const looksRight: Record<Field, RegExp> = {
  hash: /^[0-9a-f]{64}$/,
  sender: /^0{24}[0-9a-f]{40}$/,
  ts: /^0{48}[0-9a-f]{16}$/,
}

/** Returns null when the words do not fit the layout. `topics` and `data` are each in the order of declaration. */
function readBy(indexed: readonly Field[], topics: readonly string[], data: readonly string[]) {
  if (topics.length !== indexed.length || data.length !== fields.length - indexed.length) return null
  const plain = fields.filter(field => !indexed.includes(field))
  const word = (field: Field) =>
    (indexed.includes(field) ? topics[indexed.indexOf(field)] : data[plain.indexOf(field)]) ?? ''
  if (!fields.every(field => looksRight[field].test(word(field)))) return null
  return { bundleHash: `0x${word('hash')}`, sender: `0x${word('sender').slice(-40)}` }
}

const bare = (hex: string) => hex.replace(/^0x/i, '').toLowerCase()

function decode(log: ChainLog): AnchorEvent[] {
  const [topic0, ...topics] = log.topics.map(bare)
  const data = bare(log.data)
  if (topic0 !== bare(anchorTopic) || data.length % 64 !== 0) return []
  const words = data.match(/.{64}/g) ?? []
  for (const indexed of layouts) {
    const read = readBy(indexed, topics, words)
    if (read !== null) return [{ contract: log.address.toLowerCase(), ...read, logIndex: log.index }]
  }
  return []
}

/** Returns the events in the logs. Other and malformed logs are skipped, because a contract may emit anything. */
export const decodeAnchorEvents = (logs: readonly ChainLog[]): AnchorEvent[] => logs.flatMap(decode)
