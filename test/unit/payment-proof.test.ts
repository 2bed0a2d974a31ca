// Proofs of a payment's transaction: made from what a node reports of its block, and read without a node.
import { getBytes } from 'ethers'
import { beforeAll, describe, expect, it } from 'vitest'
import { proofsOf } from '../../src/adapters/evm-proof.ts'
import type { PaymentProof } from '../../src/core/payment-proof.ts'
import { readProof } from '../../src/modules/settlement/proof.ts'
import { type ReportedBlock, transfers } from '../kit/payment-block.ts'

type Proven = PaymentProof & { transaction: string[] }

const claimOf = ({ block }: ReportedBlock, index: number) => ({
  blockHash: block.hash,
  transactionHash: String(block.transactions[index]?.hash),
  index,
})

async function proofAt({ block, receipts }: ReportedBlock, index: number): Promise<Proven> {
  const [proof] = await proofsOf(block, receipts, [index])
  if (!proof?.transaction) throw new Error('no proof')
  return { ...proof, transaction: proof.transaction }
}

let block: ReportedBlock
beforeAll(async () => {
  block = await transfers(200)
})

describe('a proof of a transfer', () => {
  it('shows block, logs in their order, sender, receiver and value, at every position', async () => {
    const proofs = await proofsOf(block.block, block.receipts, [...block.receipts.keys()])
    for (const [index, proof] of proofs.entries()) {
      const reported = block.block.transactions[index]
      expect(readProof(proof, claimOf(block, index))).toEqual({
        ok: true,
        header: {
          hash: block.block.hash,
          number: 20_000_000,
          timestamp: 0x66000000,
          parentHash: block.block.parentHash,
          receiptsRoot: block.block.receiptsRoot,
          transactionsRoot: block.block.transactionsRoot,
        },
        receipt: { succeeded: true, logs: block.receipts[index]?.logs },
        transaction: { hash: reported?.hash, from: reported?.from, to: reported?.to, value: 0n, type: 2 },
      })
    }
  })

  it('is refused after each of 2,000 changes of a bit or a byte', async () => {
    const index = 137
    const proof = await proofAt(block, index)
    const claim = claimOf(block, index)
    expect(readProof(proof, claim)).toMatchObject({ ok: true })
    const next = random(34)
    const changed = (hex: string) => {
      const bytes = getBytes(hex)
      const at = next(bytes.length)
      const before = bytes[at] ?? 0
      bytes[at] = next(2) === 0 ? before ^ (1 << next(8)) : (before + 1 + next(255)) % 256
      return `0x${Buffer.from(bytes).toString('hex')}`
    }
    const changedIn = (nodes: string[]) => {
      const at = next(nodes.length)
      return nodes.map((node, place) => (place === at ? changed(node) : node))
    }
    const accepted: unknown[] = []
    for (let round = 0; round < 2_000; round++) {
      const kind = round % 10
      const parts =
        kind < 3
          ? { ...proof, header: changed(proof.header) }
          : kind < 6
            ? { ...proof, receipt: changedIn(proof.receipt) }
            : kind < 8
              ? { ...proof, transaction: changedIn(proof.transaction) }
              : proof
      const said =
        kind === 8
          ? { ...claim, transactionHash: changed(claim.transactionHash) }
          : kind === 9
            ? { ...claim, index: claim.index ^ (1 << next(31)) }
            : claim
      const result = readProof(parts, said)
      if (result.ok) accepted.push({ round, parts, said })
      else expect(result.reason).toMatch(/^The .+\.$/)
    }
    expect(accepted).toEqual([])
  })
})

/** A generator with a seed (mulberry32): the next integer below the limit. */
function random(seed: number): (limit: number) => number {
  let state = seed
  return limit => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) % limit
  }
}
