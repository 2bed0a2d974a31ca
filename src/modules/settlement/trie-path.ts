// Follows nodes of a Merkle-Patricia trie from its root down to the value of one position.
import { keccak256 } from 'ethers'
import { decodeRlp } from '../../core/rlp.ts'

/**
 * Returns what the trie of this root has at the position: the last of the nodes is its leaf, and each is used. Throws
 * otherwise. `root` is 0x and lower-case hex.
 */
export function valueAt(root: string, position: number, nodes: readonly Uint8Array[]): Uint8Array {
  let expected = root
  let left = keyOf(position)
  for (const [at, bytes] of nodes.entries()) {
    if (keccak256(bytes) !== expected) throw new Error('A node is not the one that the hash above it names.')
    const node = decodeRlp(bytes)
    if (!Array.isArray(node)) throw new Error('A node is no list.')
    const isLast = at === nodes.length - 1
    if (node.length === 17) {
      expected = hashIn(node[Number.parseInt(left.slice(0, 1), 16)])
      left = left.slice(1)
    } else {
      const [path, next] = node
      if (node.length !== 2 || !(path instanceof Uint8Array)) throw new Error('A node is neither branch nor path.')
      const [, kind = '', nibbles = ''] = /^(00|1|20|3)(.*)$/.exec(Buffer.from(path).toString('hex')) ?? []
      if (!left.startsWith(nibbles) || kind === '') throw new Error('The nodes lead to another position.')
      left = left.slice(nibbles.length)
      if (kind === '20' || kind === '3') {
        if (left !== '' || !isLast || !(next instanceof Uint8Array)) throw new Error('The leaf is not the last node.')
        return next
      }
      if (nibbles === '') throw new Error('A node has an empty path.')
      expected = hashIn(next)
    }
  }
  throw new Error('The nodes end before the leaf.')
}

/** A node below 32 bytes stands in the one above it, but no receipt or transaction is so small. */
function hashIn(child: unknown): string {
  if (!(child instanceof Uint8Array) || child.length !== 32) throw new Error('The nodes lead to nothing.')
  return `0x${Buffer.from(child).toString('hex')}`
}

/** The hex digits of the position's RLP. */
function keyOf(position: number): string {
  if (position === 0) return '80'
  const digits = position.toString(16)
  const even = digits.padStart(digits.length + (digits.length % 2), '0')
  return position < 0x80 ? even : `${(0x80 + even.length / 2).toString(16)}${even}`
}
