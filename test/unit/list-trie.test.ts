// Our tries of lists and those of `@ethereumjs/mpt` have the same roots and the same paths.
import { createHash } from 'node:crypto'
import { createMerkleProof, MerklePatriciaTrie } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import { hexlify } from 'ethers'
import { expect, it } from 'vitest'
import { listTrie } from '../../src/adapters/list-trie.ts'

/** Items of 1 to 700 bytes, or all of the same size. */
const items = (count: number, size: number | null) =>
  Array.from({ length: count }, (_, position) => {
    const seed = createHash('sha256').update(`${count} ${position}`).digest()
    return Buffer.alloc(size ?? 1 + (seed.readUInt16BE() % 700), seed)
  })

async function compare(values: readonly Uint8Array[], positions: readonly number[]) {
  const theirs = new MerklePatriciaTrie()
  for (const [position, value] of values.entries()) await theirs.put(RLP.encode(position), value)
  const ours = await listTrie(values)
  expect(ours.root).toBe(hexlify(theirs.root()))
  for (const position of positions) {
    const path = await createMerkleProof(theirs, RLP.encode(position))
    const isWhole = path.slice(1).every(({ length }) => length >= 32)
    expect(ours.path(position)?.map(node => hexlify(node)) ?? null, `${position} of ${values.length}`).toEqual(
      isWhole ? path.map(node => hexlify(node)) : null,
    )
  }
  for (const absent of [-1, values.length, 0.5, Number.NaN]) expect(ours.path(absent)).toBeNull()
}

// With these, keys get another byte, or a branch its first or last child.
const lengths = [1, 2, 3, 15, 16, 17, 18, 33, 126, 127, 128, 129, 130, 144, 255, 256, 257, 258, 300]

it.each([null, 1, 28, 29, 30, 31, 32, 33, 300])('lists of many lengths, with items of %s bytes', async size => {
  for (const length of lengths)
    await compare(
      items(length, size),
      [...new Set([0, 1, length >> 1, length - 1])].filter(at => at < length),
    )
})

it('a long list, whose positions take three bytes', async () => {
  await compare(items(3_000, null), [0, 127, 128, 255, 256, 2_047, 2_999])
})

it('an empty list has none', async () => {
  await expect(listTrie([])).rejects.toThrow('An empty list')
})
