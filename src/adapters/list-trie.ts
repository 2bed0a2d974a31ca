// Builds the Merkle-Patricia trie of a list, whose root the header of a block has. All items are known before, so that
// each node is encoded and hashed once.
import { setImmediate } from 'node:timers/promises'
import { RLP } from '@ethereumjs/rlp'
import { createKeccak } from 'hash-wasm'

type Encodable = Uint8Array | Encodable[]
type Item = { nibbles: readonly number[]; value: Uint8Array; position: number }
type Node = { parts: Encodable[]; bytes: Uint8Array; above: Node | null }

/** `root` is 0x and lower-case hex. */
export type ListTrie = {
  root: string
  /**
   * The nodes from the root down to the item at this position. Null without such an item, and where a node is so small
   * that it stands in the one above it, as no real receipt or transaction does.
   */
  path(position: number): Uint8Array[] | null
}

/** `values`: at least one. */
export async function listTrie(values: readonly Uint8Array[]): Promise<ListTrie> {
  const leaves = new Map<number, Node>()

  async function nodeOf(items: readonly [Item, ...Item[]], depth: number): Promise<Node> {
    const [{ nibbles, value, position }, ...others] = items
    if (others.length === 0) {
      const leaf = made([pathOf(nibbles.slice(depth), true), value], [])
      leaves.set(position, leaf)
      // Nothing here waits for anything, so that nothing else in the process could run meanwhile.
      if (leaves.size % 50 === 0) await setImmediate()
      return leaf
    }
    const shared = sharedBy(items, depth)
    if (shared > 0) {
      const below = await nodeOf(items, depth + shared)
      return made([pathOf(nibbles.slice(depth, depth + shared), false), referenceTo(below)], [below])
    }
    const children: (Node | null)[] = []
    for (let nibble = 0; nibble < 16; nibble++) {
      const [first, ...rest] = items.filter(item => item.nibbles[depth] === nibble)
      children.push(first === undefined ? null : await nodeOf([first, ...rest], depth + 1))
    }
    const references = children.map(child => (child === null ? nothing : referenceTo(child)))
    // No key is the beginning of another one, so that a branch has no value of its own.
    return made(
      [...references, nothing],
      children.filter(child => child !== null),
    )
  }

  const [first, ...rest] = values.map((value, position) => ({ nibbles: keyOf(position), value, position }))
  if (first === undefined) throw new Error('An empty list has no trie.')
  const root = await nodeOf([first, ...rest], 0)
  return {
    root: `0x${Buffer.from(hashOf(root.bytes)).toString('hex')}`,
    path(position) {
      const nodes: Uint8Array[] = []
      for (let node = leaves.get(position) ?? null; node !== null; node = node.above) nodes.unshift(node.bytes)
      return nodes.length === 0 || nodes.slice(1).some(isInline) ? null : nodes
    },
  }
}

const keccak = await createKeccak(256)
const hashOf = (bytes: Uint8Array): Uint8Array => keccak.init().update(bytes).digest('binary')

const nothing = new Uint8Array()

/** The digits of the position's RLP. */
const keyOf = (position: number) => [...RLP.encode(position)].flatMap(byte => [byte >> 4, byte & 15])

function made(parts: Encodable[], below: readonly Node[]): Node {
  const node: Node = { parts, bytes: RLP.encode(parts), above: null }
  for (const child of below) child.above = node
  return node
}

const isInline = ({ length }: Uint8Array) => length < 32
const referenceTo = ({ parts, bytes }: Node): Encodable => (isInline(bytes) ? parts : hashOf(bytes))

/** How many digits all items have in common. */
function sharedBy([{ nibbles }, ...others]: readonly [Item, ...Item[]], depth: number): number {
  let end = depth
  while (others.every(other => other.nibbles[end] === nibbles[end])) end += 1
  return end - depth
}

/** Digits in bytes, which say first whether they lead to a leaf and whether they are odd in number. */
function pathOf(nibbles: readonly number[], isLeaf: boolean): Uint8Array {
  const isOdd = nibbles.length % 2 === 1
  const kind = Number(isLeaf) * 2 + Number(isOdd)
  const digits = isOdd ? [kind, ...nibbles] : [kind, 0, ...nibbles]
  return Buffer.from(digits.map(digit => digit.toString(16)).join(''), 'hex')
}
