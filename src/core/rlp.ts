// Reads RLP. Libraries accept several encodings of one value, or take quadratic time for what an attacker writes.

export type Rlp = Uint8Array | Rlp[]

/** No header, receipt or transaction nests lists deeper. */
const maxDepth = 8

/** Returns views of the bytes. Throws when they are not exactly one value in its only canonical encoding. */
export function decodeRlp(bytes: Uint8Array): Rlp {
  const [value, end] = read(bytes, 0, bytes.length, maxDepth)
  if (end !== bytes.length) throw new Error('RLP has bytes after its end.')
  return value
}

/** Reads the value that begins at `at`, within `limit`; returns where it ends too. */
function read(bytes: Uint8Array, at: number, limit: number, depth: number): [Rlp, number] {
  const first = bytes[at]
  if (first === undefined || at >= limit || depth < 0) throw new Error('RLP is too short or too deep.')
  if (first < 0x80) return [bytes.subarray(at, at + 1), at + 1]
  const isList = first >= 0xc0
  let length = first - (isList ? 0xc0 : 0x80)
  let start = at + 1
  if (length > 55) {
    const digits = bytes.subarray(start, start + length - 55)
    start += length - 55
    length = digits.reduce((sum, digit) => sum * 256 + digit, 0)
    if (digits[0] === 0 || length < 56) throw new Error('RLP has a longer length than it needs.')
  }
  const end = start + length
  if (end > limit) throw new Error('RLP is too short.')
  if (!isList) {
    if (length === 1 && (bytes[start] ?? 0) < 0x80) throw new Error('RLP has a length that it does not need.')
    return [bytes.subarray(start, end), end]
  }
  const items: Rlp[] = []
  while (start < end) {
    const [item, next] = read(bytes, start, end, depth - 1)
    items.push(item)
    start = next
  }
  return [items, end]
}
