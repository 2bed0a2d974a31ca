// Proofs of a payment's transaction: made from what a node reports of its block, and read without a node.
import { readFileSync } from 'node:fs'
import { decodeRlp, encodeRlp, getBytes, keccak256, toBeHex } from 'ethers'
import { beforeAll, describe, expect, it, test } from 'vitest'
import type { PaymentProof } from '../../src/core/payment-proof.ts'
import { readProof } from '../../src/modules/settlement/proof.ts'
import {
  blockOf,
  type Call,
  headed,
  type Json,
  proofsAt,
  type ReportedBlock,
  rootOf,
  transfers,
  wallets,
} from '../kit/payment-block.ts'
import { byEthers, byPython, type Case, lacksPython } from '../kit/second-proof.ts'

type Known = Record<'frontier' | 'prague' | 'regolith' | 'canyon' | 'arbitrum', ReportedBlock & { source: string }> & {
  nitro: { source: string; transactions: { raw: string; hash: string }[]; receipts: string[] }
}
const known: Known = JSON.parse(readFileSync(new URL('../kit/known-blocks.json', import.meta.url), 'utf8'))

type Proven = PaymentProof & { transaction: string[] }

const claimOf = ({ block }: ReportedBlock, index: number) => ({
  blockHash: block.hash,
  transactionHash: String(block.transactions[index]?.hash),
  index,
})

const all = ({ block, receipts }: ReportedBlock) => proofsAt(block, receipts, [...block.transactions.keys()])

async function proofAt({ block, receipts }: ReportedBlock, index: number): Promise<Proven> {
  const [proof] = await proofsAt(block, receipts, [index])
  if (!proof?.transaction) throw new Error('no proof')
  return { ...proof, transaction: proof.transaction }
}

const readAll = async (block: ReportedBlock) =>
  (await all(block)).map((proof, index) => readProof(proof, claimOf(block, index)))

/** The number of a header that is proved alone, and null for any other answer. */
const alone = (proof: PaymentProof | null | undefined, block: ReportedBlock) =>
  proof?.receipt.length === 0 && proof.transaction === null && readProof(proof, claimOf(block, 0)).ok

let block: ReportedBlock
beforeAll(async () => {
  block = await transfers(200)
})

describe('a proof of a transfer', () => {
  it('shows block, logs in their order, sender, receiver and value, at every position', async () => {
    for (const [index, read] of (await readAll(block)).entries()) {
      const reported = block.block.transactions[index]
      expect(read).toEqual({
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
    const { changed, next } = changes(34)
    const changedIn = (nodes: string[]) => {
      const at = next(nodes.length)
      return nodes.map((node, place) => (place === at ? changed(node) : node))
    }
    const accepted: unknown[] = []
    for (let round = 0; round < 2_000; round++) {
      const kind = round % 10
      const parts = { ...proof }
      const said = { ...claim }
      if (kind < 3) parts.header = changed(proof.header)
      else if (kind < 6) parts.receipt = changedIn(proof.receipt)
      else if (kind < 8) parts.transaction = changedIn(proof.transaction)
      else if (kind === 8) said.transactionHash = changed(claim.transactionHash)
      else said.index = claim.index ^ (1 << next(30))
      const result = readProof(parts, said)
      if (result.ok) accepted.push({ round, parts, said })
      else expect(result.reason).toMatch(/^The .+\.$/)
    }
    expect(accepted).toEqual([])
    expect(readProof(proof, claim)).toMatchObject({ ok: true })
  })

  it('is refused with another block, transaction or position, and with parts of another proof', async () => {
    const proof = await proofAt(block, 5)
    const other = await proofAt(block, 6)
    const claim = claimOf(block, 5)
    const theirs = claimOf(block, 6)
    const refused = [
      readProof(proof, theirs),
      readProof(proof, { ...claim, index: 6 }),
      readProof(proof, { ...claim, transactionHash: theirs.transactionHash }),
      readProof(proof, { ...claim, blockHash: claim.transactionHash }),
      readProof({ ...proof, receipt: other.receipt }, claim),
      readProof({ ...proof, transaction: other.transaction }, claim),
      readProof({ ...proof, receipt: proof.transaction }, claim),
      readProof({ ...proof, transaction: proof.receipt }, claim),
      readProof({ ...proof, receipt: [] }, claim),
    ]
    expect(refused.map(({ ok }) => ok)).toEqual(refused.map(() => false))
  })

  it('is refused in another spelling, with members or nodes that it does not need, and without one that it needs', async () => {
    const proof = await proofAt(block, 5)
    const claim = claimOf(block, 5)
    const [first = '', ...rest] = proof.receipt
    const spelled: unknown[] = [
      null,
      '',
      [],
      [proof],
      { ...proof, more: null },
      { header: proof.header, receipt: proof.receipt },
      { ...proof, transaction: undefined },
      { ...proof, transaction: [] },
      { ...proof, header: proof.header.toUpperCase().replace('0X', '0x') },
      { ...proof, header: proof.header.slice(2) },
      { ...proof, header: `${proof.header}0` },
      { ...proof, header: `${proof.header}00` },
      { ...proof, header: ` ${proof.header}` },
      { ...proof, header: getBytes(proof.header) },
      { ...proof, receipt: [...proof.receipt, first] },
      { ...proof, receipt: [first, ...proof.receipt] },
      { ...proof, receipt: rest },
      { ...proof, receipt: proof.receipt.slice(0, -1) },
      { ...proof, receipt: [...proof.receipt].reverse() },
      { ...proof, receipt: [...proof.receipt, '0x'] },
      { ...proof, receipt: { ...proof.receipt } },
      { ...proof, transaction: [...proof.transaction, ...proof.receipt] },
      { ...proof, receipt: Array(10_000).fill('0x00') },
    ]
    expect(spelled.filter(each => readProof(each, claim).ok)).toEqual([])
    for (const index of [-1, 5.5, 2 ** 32, Number.NaN]) expect(readProof(proof, { ...claim, index }).ok).toBe(false)
    const loud = { ...claim, blockHash: claim.blockHash.toUpperCase().replace('0X', '0x') }
    expect(readProof(proof, loud).ok).toBe(false)
  })
})

describe('what an attacker builds with a header of their own', () => {
  // The hash of such a header is on no chain; these show that each reader would see the same.
  const claimFor = (header: string, index = 0) => ({
    blockHash: keccak256(header),
    transactionHash: `0x${'00'.repeat(32)}`,
    index,
  })
  const headerOver = (receiptsRoot: string, transactionsRoot = receiptsRoot) => {
    const { hash: _, ...fields } = headed({ receiptsRoot, transactionsRoot })
    const numbers = /^(difficulty|number|gas|timestamp|baseFee)/
    return encodeRlp(
      Object.entries(fields).map(([name, value]) => {
        const text = String(value)
        return numbers.test(name) ? (BigInt(text) === 0n ? '0x' : toBeHex(BigInt(text))) : text
      }),
    )
  }
  const bloom = `0x${'00'.repeat(256)}`
  const leaf = (value: string) => encodeRlp(['0x2080', value])
  const reading = (node: string, header = headerOver(keccak256(node))) =>
    readProof({ header, receipt: [node], transaction: null }, claimFor(header))

  it('shows a receipt in a trie of its own only in its one encoding', () => {
    const good = encodeRlp(['0x01', '0x5208', bloom, []])
    expect(reading(leaf(good))).toMatchObject({ ok: true, receipt: { succeeded: true, logs: [] } })
    const long = good.replace('0xf90108', '0xfa000108')
    const receipts = [
      long,
      `${good}00`,
      `0x00${good.slice(2)}`,
      `0x80${good.slice(2)}`,
      encodeRlp(['0x00', '0x5208', bloom, []]),
      encodeRlp(['0x02', '0x5208', bloom, []]),
      encodeRlp(['0x0001', '0x5208', bloom, []]),
      encodeRlp(['0x01', '0x005208', bloom, []]),
      encodeRlp(['0x01', '0x5208', '0x00', []]),
      encodeRlp(['0x01', '0x5208', bloom, '0x']),
      encodeRlp(['0x01', '0x5208', bloom, [], '0x01']),
      encodeRlp(['0x01', '0x5208', bloom]),
      encodeRlp(['0x01', '0x5208', bloom, [['0x', [], '0x']]]),
      encodeRlp(['0x01', '0x5208', bloom, [[`0x${'70'.repeat(20)}`, [], '0x', '0x01']]]),
      encodeRlp(['0x01', '0x5208', bloom, [[`0x${'70'.repeat(20)}`, Array(5).fill(keccak256('0x')), '0x']]]),
      encodeRlp(['0x01', '0x5208', bloom, [[`0x${'70'.repeat(20)}`, ['0x01'], '0x']]]),
      encodeRlp('0x01'),
    ]
    expect(receipts.filter(receipt => reading(leaf(receipt)).ok)).toEqual([])
  })

  it('shows a transaction of a known type and form, with a receipt of its type', () => {
    const receipt = encodeRlp(['0x01', '0x5208', bloom, []])
    const to = `0x${'70'.repeat(20)}`
    const shown = (receiptType: string, type: string, fields: Parameters<typeof encodeRlp>[0]) => {
      const raw = type === '' ? encodeRlp(fields) : `${type}${encodeRlp(fields).slice(2)}`
      const nodes = [leaf(receiptType === '' ? receipt : `${receiptType}${receipt.slice(2)}`), leaf(raw)] as const
      const header = headerOver(keccak256(nodes[0]), keccak256(nodes[1]))
      const claim = { ...claimFor(header), transactionHash: keccak256(raw) }
      return readProof({ header, receipt: [nodes[0]], transaction: [nodes[1]] }, claim)
    }
    const nested = (depth: number): Parameters<typeof encodeRlp>[0] => (depth === 0 ? [] : [nested(depth - 1)])
    const typed = (accessList: Parameters<typeof encodeRlp>[0]) => [
      ...['0x01', '0x', '0x', '0x07', '0x5208', to, '0x05', '0x', accessList, '0x', '0x09', '0x09'],
    ]
    const legacy = ['0x', '0x07', '0x5208', to, '0x05', '0x', '0x1b', '0x09', '0x09']
    const transaction = { from: null, to, value: 5n }
    // No key signs so.
    expect(shown('', '', legacy)).toMatchObject({ ok: true, transaction: { to, value: 5n, type: 0 } })
    expect(shown('0x02', '0x02', typed([]))).toMatchObject({
      ok: true,
      transaction,
    })
    const refused = [
      shown('0x02', '', legacy),
      shown('', '0x02', typed([])),
      shown('0x01', '0x02', typed([])),
      shown('0x02', '0x02', typed(nested(20))),
      shown('0x02', '0x02', typed([]).slice(1)),
      shown('0x7d', '0x7d', typed([])),
      shown('', '', legacy.with(3, '0x70')),
      shown('', '', legacy.with(4, '0x0005')),
      shown('', '', legacy.with(4, `0x01${'00'.repeat(32)}`)),
    ]
    expect(refused.map(({ ok }) => ok)).toEqual(refused.map(() => false))
  })

  it('has no other way through a trie', () => {
    const good = encodeRlp(['0x01', '0x5208', bloom, []])
    const branch = (place: number, child: Parameters<typeof encodeRlp>[0]) =>
      encodeRlp(Array.from({ length: 17 }, (_, at) => (at === place ? child : '0x')))
    const nodes = [
      encodeRlp(['0x2081', good]),
      encodeRlp(['0x20', good]),
      encodeRlp(['0x4080', good]),
      encodeRlp(['0x2f80', good]),
      encodeRlp(['0x0080', good]),
      encodeRlp(['0x2080', good, good]),
      branch(8, ['0x30', good]),
      branch(16, good),
      branch(8, '0x'),
      good,
    ]
    expect(nodes.filter(node => reading(node).ok)).toEqual([])
  })

  it('has a header in its one encoding alone', () => {
    const node = leaf(encodeRlp(['0x01', '0x5208', bloom, []]))
    const header = headerOver(keccak256(node))
    expect(reading(node, header).ok).toBe(true)
    const fields = [...(decodeRlp(header) as string[])]
    const headers = [
      header.replace(/^0xf9(....)/, '0xfa00$1'),
      encodeRlp(fields.slice(0, 14)),
      encodeRlp([...fields, ...Array(17).fill('0x')]),
      encodeRlp(fields.with(8, '0x0000')),
      encodeRlp(fields.with(11, `0x${'ff'.repeat(32)}`)),
      encodeRlp(fields.with(5, '0x')),
      encodeRlp([...fields, []]),
    ]
    expect(headers.filter(each => reading(node, each).ok)).toEqual([])
  })

  it('is refused without much work', () => {
    const claim = claimFor('0xc0')
    const sized = (bytes: number) => `0x${'00'.repeat(bytes)}`
    const large = (header: string) =>
      readProof({ header, receipt: [], transaction: null }, { ...claim, blockHash: keccak256(header) })
    expect(large(sized(256 * 1024 + 1))).toEqual({ ok: false, reason: 'The proof is too large.' })
    const many = `0xfa03fffb${'00'.repeat(0x3fffb)}`
    const deep = `0x${'c1'.repeat(200_000)}`
    let nested = '0x'
    for (let depth = 0; depth < 50; depth++) nested = encodeRlp([nested])
    expect([many, deep, nested].filter(header => large(header).ok)).toEqual([])
  })
})

describe('what a node reports', () => {
  it.each(['frontier', 'prague', 'regolith', 'canyon'] as const)('is proved for the known block %s', async name => {
    const read = await readAll(known[name])
    expect(read).toMatchObject(
      known[name].block.transactions.map(({ hash, from, to, value, type }, at) => {
        const { status, logs } = known[name].receipts[at] ?? {}
        const inner = (logs as Json[]).map(({ address, topics, data }) => ({ address, topics, data }))
        return {
          ok: true,
          header: { number: Number(known[name].block.number), timestamp: Number(known[name].block.timestamp) },
          receipt: { succeeded: status === '0x1', logs: inner },
          transaction: { hash, from, to, value: BigInt(String(value)), type: Number(type) },
        }
      }),
    )
  })

  it('is proved for a receipt from before Byzantium even where the node makes up a status', async () => {
    const { block, receipts } = known.frontier
    const [read] = await readAll({ block, receipts: receipts.map(receipt => ({ ...receipt, status: '0x1' })) })
    expect(read).toMatchObject({ ok: true, receipt: { succeeded: false } })
  })

  it("is proved for each kind of Arbitrum's own transactions and receipts", async () => {
    const nitro = arbitrumBlock()
    const roots = {
      transactionsRoot: await rootOf(known.nitro.transactions.map(({ raw }) => raw)),
      receiptsRoot: await rootOf(known.nitro.receipts),
    }
    const block = { block: { ...headed(roots), transactions: nitro.transactions }, receipts: nitro.receipts }
    const sender = `0x${'11'.repeat(20)}`
    const receiver = `0x${'22'.repeat(20)}`
    const read = await readAll(block)
    // This example is so short that its node stands in another one; the real ones are longer (next test).
    expect(read[0]).toMatchObject({ ok: true, receipt: { succeeded: true }, transaction: null })
    expect(read.slice(1).map(each => each.ok && { ...each.receipt, ...each.transaction })).toMatchObject([
      { type: 0x64, succeeded: true, from: sender, to: receiver, value: 123n },
      { type: 0x65, succeeded: true, from: sender, to: receiver, value: 100n },
      { type: 0x66, succeeded: false, from: sender, to: receiver, value: 1n },
      { type: 0x69, succeeded: true, from: sender, to: `0x${'6e'.padStart(40, '0')}`, value: 0n },
      { type: 0x68, succeeded: true, from: sender, to: receiver, value: 5n, logs: [expect.anything()] },
    ])
  })

  it("is proved for a block of Arbitrum One: its header alone, and its transactions with other receipts' root", async () => {
    const { block } = known.arbitrum
    const proofs = await proofsAt(block, null, [0, 1, 2, 3])
    expect(proofs.map(proof => alone(proof, known.arbitrum))).toEqual([true, true, true, true])
    const receipts = block.transactions.map(({ type }) => receiptOf(String(type)))
    const encoded = receipts.map(({ type }) => {
      const rlp = encodeRlp(['0x01', '0x5208', `0x${'00'.repeat(256)}`, []])
      return `${toBeHex(String(type), 1)}${rlp.slice(2)}`
    })
    const { transactionsRoot, transactions } = block
    const other = headed({ transactionsRoot: String(transactionsRoot), receiptsRoot: await rootOf(encoded) })
    expect(await readAll({ block: { ...other, transactions }, receipts })).toMatchObject(
      transactions.map(({ hash, from, to, type }) => ({ transaction: { hash, from, to, type: Number(type) } })),
    )
  })

  it('is proved for blobs, authorizations, access lists, new contracts and transactions that fail', async () => {
    const [from] = wallets
    const other = wallets[1].address
    const word = `0x01${'ab'.repeat(31)}`
    const fees = { chainId: 1, gasLimit: 90_000, maxFeePerGas: 5_000_000_000, maxPriorityFeePerGas: 2 }
    const blob = { type: 3, maxFeePerBlobGas: 9, blobVersionedHashes: [word, word], to: other }
    const authorization = wallets[2].authorizeSync({ address: other, nonce: 7, chainId: 0 })
    const log = (topics: number, data: string) => ({
      address: other.toLowerCase(),
      topics: Array.from({ length: topics }, (_, at) => keccak256(toBeHex(at))),
      data,
    })
    const calls: Call[] = [
      { from, fields: { ...fees, ...blob, value: 3 }, logs: [] },
      { from, fields: { ...fees, type: 4, to: other, authorizationList: [authorization] }, logs: [log(0, '0x')] },
      { from, fields: { ...fees, type: 2, accessList: [[other, [word, word]]], to: other }, logs: null },
      { from, fields: { type: 1, chainId: 1, gasPrice: 7, gasLimit: 5, accessList: [], data: '0x00' }, logs: [] },
      // From before EIP-155.
      { from, fields: { type: 0, gasPrice: 7, gasLimit: 5, to: other, value: 2n ** 255n }, logs: [log(4, '0x00ff')] },
      { from, fields: { type: 0, chainId: 1n << 40n, gasPrice: 7, gasLimit: 5, to: other }, logs: [log(1, '0x01')] },
    ]
    const later = { withdrawalsRoot: word, blobGasUsed: '0x0', excessBlobGas: '0x20000' }
    const full = { ...later, parentBeaconBlockRoot: word, requestsHash: word }
    for (const header of [{}, { withdrawalsRoot: word }, later, full]) {
      const block = await blockOf(calls, header)
      const to = other.toLowerCase()
      expect((await readAll(block)).map(read => read.ok && { ...read.receipt, ...read.transaction })).toMatchObject([
        { type: 3, to, value: 3n, succeeded: true },
        { type: 4, to, logs: block.receipts[1]?.logs },
        { type: 2, succeeded: false, logs: [] },
        { type: 1, to: null },
        { type: 0, value: 2n ** 255n, logs: block.receipts[4]?.logs },
        { type: 0, from: from.address.toLowerCase(), logs: block.receipts[5]?.logs },
      ])
    }
  })

  it('is proved for blocks of 1, 16, 17, 128, 129, 256 and 257 transactions at their last position', async () => {
    for (const count of [1, 16, 17, 128, 129, 256, 257]) {
      const block = await transfers(count)
      const read = readProof(await proofAt(block, count - 1), claimOf(block, count - 1))
      expect(read.ok && read.transaction?.to).toBe(block.block.transactions[count - 1]?.to)
    }
  })

  it('proves no header that does not have the hash of the block', async () => {
    const { block: reported, receipts } = block
    const lies: unknown[] = [
      null,
      'block',
      [],
      {},
      { ...reported, hash: keccak256('0x') },
      { ...reported, hash: undefined },
      { ...reported, timestamp: '0x66000001' },
      { ...reported, receiptsRoot: reported.transactionsRoot },
      { ...reported, withdrawalsRoot: keccak256('0x') },
      { ...reported, number: 20_000_000 },
      { ...reported, extraData: '0x0' },
      { ...reported, miner: null },
    ]
    for (const lie of lies) expect(await proofsAt(lie, receipts, [0, 1])).toEqual([null, null])
  })

  it('proves the header alone where the receipts are not those of the block', async () => {
    const { block: reported, receipts } = block
    const [first = {}, second = {}, ...rest] = receipts
    const lies: unknown[] = [
      null,
      undefined,
      'receipts',
      {},
      [],
      receipts.slice(1),
      [...receipts, first],
      [second, first, ...rest],
      [{ ...first, status: '0x0' }, second, ...rest],
      [{ ...first, logs: [] }, second, ...rest],
      [{ ...first, type: '0x1' }, second, ...rest],
      [{ ...first, type: '0x80' }, second, ...rest],
      [{ ...first, logs: [null] }, second, ...rest],
      [null, second, ...rest],
      Array(10_001).fill(first),
    ]
    for (const lie of lies) {
      const [proof] = await proofsAt(reported, lie, [0])
      expect(alone(proof, block)).toBe(true)
    }
  })

  it('proves the receipt alone where a transaction is not that of the block or of a type that is not known', async () => {
    const { block: reported, receipts } = block
    const [first = {}, ...rest] = reported.transactions
    const lies: Json[] = [
      { ...first, value: '0x1' },
      { ...first, type: '0x7d' },
      { ...first, type: 'legacy' },
      { ...first, accessList: null },
      { ...first, r: '0x' },
      {},
    ]
    for (const lie of lies) {
      const [proof] = await proofsAt({ ...reported, transactions: [lie, ...rest] }, receipts, [0])
      expect(proof?.transaction).toBeNull()
      const read = readProof(proof, claimOf(block, 0))
      expect(read).toMatchObject({ ok: true, receipt: { succeeded: true }, transaction: null })
    }
  })

  it('proves no position outside of the block', async () => {
    const { block: reported, receipts } = block
    expect(await proofsAt(reported, receipts, [200, -1, 0.5, Number.NaN])).toEqual([null, null, null, null])
    expect(await proofsAt({ ...reported, transactions: undefined }, receipts, [0])).toEqual([null])
  })

  it('leaves out what would make a proof too large to read', async () => {
    const [from] = wallets
    const fees = { type: 2, chainId: 1, gasLimit: 9, maxFeePerGas: 5, maxPriorityFeePerGas: 2 }
    const log = (bytes: number) => ({ address: `0x${'70'.repeat(20)}`, topics: [], data: `0x${'01'.repeat(bytes)}` })
    const big = await blockOf([
      { from, fields: { ...fees, data: `0x${'02'.repeat(140_000)}` }, logs: [log(130_000)] },
      { from, fields: { ...fees, nonce: 1 }, logs: [log(270_000)] },
      { from, fields: { ...fees, nonce: 2, data: `0x${'02'.repeat(120_000)}` }, logs: [log(130_000)] },
    ])
    const proofs = await all(big)
    expect(proofs.map(proof => [Boolean(proof?.receipt.length), Boolean(proof?.transaction)])).toEqual([
      [true, false],
      [false, false],
      [true, true],
    ])
    expect((await readAll(big)).map(({ ok }) => ok)).toEqual([true, true, true])
  })
})

describe('two readers that share no code with this one', () => {
  async function cases(): Promise<Case[]> {
    const { changed, next } = changes(7)
    const found: Case[] = []
    for (const each of [
      await transfers(1),
      await transfers(300),
      known.frontier,
      known.prague,
      known.regolith,
      known.canyon,
    ]) {
      const proofs = await all(each)
      for (const [index, proof] of proofs.entries()) {
        if (proof && (index < 4 || index % 60 === 0 || index === 299))
          found.push({ proof, claimed: claimOf(each, index) })
      }
    }
    const damaged = Array.from({ length: 60 }, (_, at): Case => {
      const { proof, claimed } = found[next(found.length)] ?? (found[0] as Case)
      const [first = '', ...rest] = at % 3 === 1 ? proof.receipt : (proof.transaction ?? [])
      if (at % 3 === 0) return { proof: { ...proof, header: changed(proof.header) }, claimed }
      const nodes = [changed(first), ...rest]
      return { proof: at % 3 === 1 ? { ...proof, receipt: nodes } : { ...proof, transaction: nodes }, claimed }
    })
    return [...found, ...damaged]
  }
  const ours = (all: readonly Case[]) =>
    all.map(({ proof, claimed }) => {
      const read = readProof(proof, claimed)
      if (!read.ok || read.receipt === null || read.transaction === null) return null
      const { number, timestamp } = read.header
      return { number, timestamp, ...read.receipt, to: read.transaction.to, value: read.transaction.value.toString() }
    })

  test('ethers alone says the same of each proof', async () => {
    const every = await cases()
    const said = byEthers(every)
    expect(said).toEqual(ours(every))
    expect(said.filter(each => each === null)).toHaveLength(60)
  })

  test.skipIf(lacksPython)(
    `Python's standard library says the same of each proof${lacksPython ? `: ${lacksPython}` : ''}`,
    async () => {
      const every = await cases()
      expect(byPython(every)).toEqual(ours(every))
    },
  )
})

/** The published encodings as a node of Arbitrum reports them. */
function arbitrumBlock(): { transactions: Json[]; receipts: Json[] } {
  const names: Readonly<Record<number, string>> = {
    100: 'chainId requestId from to value',
    101: 'chainId from nonce gasPrice gas to value input',
    102: 'chainId requestId from maxFeePerGas gas to value input',
    104: 'chainId nonce from maxFeePerGas gas to value input ticketId refundTo maxRefund submissionFeeRefund',
    105: 'chainId requestId from l1BaseFee depositValue maxFeePerGas gas retryTo retryValue beneficiary maxSubmissionFee refundTo retryData',
    106: 'chainId input',
  }
  const bytes = /^(requestId|ticketId|from|to|input|refundTo|retryTo|beneficiary|retryData)$/
  const number = (value: string) => (value === '0x' ? '0x0' : value.replace(/^0x0/, '0x'))
  const transactions = known.nitro.transactions.map(({ raw, hash }, at) => {
    const type = Number(raw.slice(0, 4))
    const values = decodeRlp(`0x${raw.slice(4)}`) as string[]
    const fields = names[type]?.split(' ').map((name, place) => {
      const value = values[place] ?? ''
      return [name, bytes.test(name) ? value : number(value)]
    })
    return { hash, type: `0x${type.toString(16)}`, transactionIndex: `0x${at}`, ...Object.fromEntries(fields ?? []) }
  })
  const receipts = known.nitro.receipts.map(raw => {
    const [status, gas, logsBloom, logs] = decodeRlp(`0x${raw.slice(4)}`) as [
      string,
      string,
      string,
      [string, string[], string][],
    ]
    return {
      ...{
        type: raw.slice(0, 4),
        status: number(status),
        cumulativeGasUsed: number(gas),
        logsBloom,
        gasUsedForL1: '0x0',
      },
      logs: logs.map(([address, topics, data]) => ({ address, topics, data })),
    }
  })
  return { transactions, receipts }
}

const receiptOf = (type: string): Json => ({
  ...{ type, status: '0x1', cumulativeGasUsed: '0x5208', logsBloom: `0x${'00'.repeat(256)}`, logs: [] },
})

/** Changes of one byte, or of one bit of it, from a seed (mulberry32). */
function changes(seed: number) {
  let state = seed
  /** An integer below the limit. */
  const next = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) % limit
  }
  const changed = (hex: string) => {
    const bytes = getBytes(hex)
    const at = next(bytes.length)
    const before = bytes[at] ?? 0
    bytes[at] = next(2) === 0 ? before ^ (1 << next(8)) : (before + 1 + next(255)) % 256
    return `0x${Buffer.from(bytes).toString('hex')}`
  }
  return { next, changed }
}
