// A bundle of a payment that never happened cannot be made to look like one that did. The attacker is as strong as
// possible: a thief of the key that signs, so that only the proof and the payment's own chain contradict the bundle.
import JSZip from 'jszip'
import { beforeAll, describe, expect, test } from 'vitest'
import { canonicalJson } from '../../src/core/canonical.ts'
import { buildBundle, readBundle, signed } from '../../src/modules/evidence/bundle.ts'
import { buildSettlementBundle } from '../../src/modules/evidence/settlement-bundle.ts'
import { writeZip, type ZipEntry } from '../../src/modules/evidence/zip.ts'
import type { ReceiptFacts } from '../../src/modules/iso20022/facts.ts'
import type { SettlementDocument } from '../../src/modules/settlement/document.ts'
import {
  at,
  batch,
  chain,
  claimOf,
  fake,
  hashAt,
  payer,
  paymentsBlock,
  receiptOf,
  sealed,
  shop,
  signerOf,
  stranger,
  units,
  usdc,
  verified,
} from '../kit/forged-payments.ts'
import { blockOf, type ReportedBlock, wallets } from '../kit/payment-block.ts'
import { plainRefund } from '../kit/receipts.ts'

const signer = signerOf()
const height = 20_000_000
let block: ReportedBlock
let own: ReportedBlock
/** The check of the payment that took place. */
let honest: SettlementDocument
beforeAll(async () => {
  block = await paymentsBlock()
  own = await paymentsBlock(1)
  honest = await claimOf(block, at.paid)
})

/** Honest nodes, at the height of the block. */
const nodes = async (number: number) => (number === height ? { hash: block.block.hash, isFinal: true } : null)
const judged = (bundle: Buffer, served = chain) => verified(signer, bundle, nodes, served)

type Claim = SettlementDocument & {
  asset: NonNullable<SettlementDocument['asset']>
  transaction: NonNullable<SettlementDocument['transaction']>
  leg: NonNullable<SettlementDocument['leg']>
  proof: { header: string; receipt: string[]; transaction: string[] | null }
}
type Forged = { settlement: unknown; receipt: ReceiptFacts }
/** A claim about the transaction at a place, changed by `change`, of a receipt changed by `more`. */
async function claimed(
  place: number,
  change: (claim: Claim) => object = () => ({}),
  more: Partial<ReceiptFacts> = {},
  of = block,
): Promise<Forged> {
  const claim = (await claimOf(of, place)) as Claim
  return { settlement: { ...claim, ...change(claim) }, receipt: receiptOf(hashAt(of, place), more) }
}
const eth = { label: 'ETH', id: `${chain}/slip44:60`, decimals: 18 }
const inEth = { currency: 'ETH', amount: '0.1' }
const valueLeg = { log_index: null, log_position: null, value_index: 0, amount: '0.1', units: String(10n ** 17n) }
const invented = `0x${'9e'.repeat(32)}`
const homoglyph = 'USDС'

type Attempt = { name: string; forged(): Promise<Forged>; errors?: string[] }
const refused = (name: string, forged: Attempt['forged'], errors = ['settlement_invalid']): Attempt => ({
  ...{ name, forged, errors },
})
/** Nothing contradicts it, and nothing shows it. */
const unshown = (name: string, forged: Attempt['forged']): Attempt => ({ name, forged, errors: [] })

const attempts: Attempt[] = [
  // Without a proof
  unshown('the word of nodes, for a transaction that never was', () =>
    claimed(
      at.paid,
      claim => ({ grade: 'observed', proof: null, transaction: { ...claim.transaction, hash: invented } }),
      { tipTxHash: invented },
    ),
  ),
  refused('proved, without a proof', () => claimed(at.tenth, () => ({ proof: null }))),
  refused('confirmed, and only stated', () => claimed(at.tenth, () => ({ grade: 'stated', proof: null }))),
  refused('confirmed by no node', () => claimed(at.tenth, () => ({ grade: 'observed', proof: null, quorum: 0 }))),
  refused('confirmed by more nodes than there are', () => claimed(at.paid, () => ({ nodes: 1 }))),
  refused('confirmed without a transaction', () => claimed(at.paid, () => ({ transaction: null }))),
  refused('confirmed without a transfer', () => claimed(at.paid, () => ({ leg: null }))),
  refused('confirmed without an asset', () => claimed(at.paid, () => ({ asset: null }))),
  refused('confirmed with a difference', () =>
    claimed(at.paid, () => ({ differences: [{ field: 'amount', stated: '12.5', found: '1.25' }] })),
  ),
  refused('confirmed, and ambiguous', () => claimed(at.paid, () => ({ legs: [1, 2] }))),
  refused('confirmed, with a reason why there was no answer', () => claimed(at.paid, () => ({ reason: 'Too few.' }))),
  refused('contradicted, and proved', () => claimed(at.paid, () => ({ status: 'mismatch' }))),
  refused('not found, with a proof', () => claimed(at.paid, () => ({ status: 'not_found', grade: 'stated' }))),
  unshown('seen in a block that is not final', () => claimed(at.paid, () => ({ status: 'not_final' }))),

  // Parts of a proof
  refused('the header alone', () =>
    claimed(at.paid, ({ proof }) => ({ proof: { ...proof, receipt: [], transaction: null } })),
  ),
  refused('the receipt alone', () => claimed(at.paid, ({ proof }) => ({ proof: { ...proof, transaction: null } }))),
  refused('the transaction alone', () => claimed(at.paid, ({ proof }) => ({ proof: { ...proof, receipt: [] } }))),
  refused('the receipt of another transaction', async () => {
    const { proof } = (await claimOf(block, at.paid)) as Claim
    return claimed(at.failed, claim => ({ proof: { ...claim.proof, receipt: proof.receipt } }))
  }),
  refused('the proof of another transaction', async () => {
    const { proof } = await claimOf(block, at.paid)
    return claimed(at.tenth, () => ({ proof }))
  }),
  refused('the proof of another transaction, at its place', async () => {
    const { proof, leg } = await claimOf(block, at.paid)
    return claimed(at.tenth, ({ transaction }) => ({ proof, leg, transaction: { ...transaction, index: at.paid } }))
  }),
  refused('the proof of another block', async () => {
    const { proof } = await claimOf(own, at.paid)
    return claimed(at.paid, () => ({ proof }))
  }),
  refused('a proof in capitals', () =>
    claimed(at.paid, ({ proof }) => ({ proof: { ...proof, header: `0x${proof.header.slice(2).toUpperCase()}` } })),
  ),
  refused('a proof with a node too many', () =>
    claimed(at.paid, ({ proof }) => ({ proof: { ...proof, receipt: [...proof.receipt, '0xc0'] } })),
  ),
  refused('a proof with a further member', () => claimed(at.paid, ({ proof }) => ({ proof: { ...proof, more: [] } }))),
  refused('a proof of 300 KiB', () =>
    claimed(at.paid, ({ proof }) => ({
      proof: { ...proof, receipt: [...proof.receipt, `0x${'00'.repeat(300 << 10)}`] },
    })),
  ),

  // A chain of the attacker's own
  refused('a block of an own chain with the same id', () => claimed(at.paid, undefined, {}, own), [
    'settlement_vanished',
  ]),
  unshown('a block above those of the chain', async () =>
    claimed(at.paid, undefined, {}, await paymentsBlock(2, height + 9)),
  ),
  refused('a block of an own chain under the hash of the true one', () =>
    claimed(at.paid, ({ transaction }) => ({ transaction: { ...transaction, block_hash: block.block.hash } }), {}, own),
  ),
  refused('another chain than the payment’s', () => claimed(at.paid, claim => onChain('eip155:666', claim))),
  refused('a payment on Solana', () => claimed(at.paid, undefined, { chain: 'solana' })),
  unshown('a chain under a name that nobody knows', () =>
    claimed(at.paid, claim => onChain('eip155:666', claim), { chain: 'Bаse', currency: 'USDC' }),
  ),
  refused('another height', () =>
    claimed(at.paid, ({ transaction }) => ({ transaction: { ...transaction, block_number: 7 } })),
  ),
  refused('another time', () =>
    claimed(at.paid, ({ transaction }) => ({
      transaction: { ...transaction, block_time: '2026-01-01T00:00:00.000Z' },
    })),
  ),
  refused('another sender of the transaction', () =>
    claimed(at.paid, ({ transaction }) => ({ transaction: { ...transaction, from: stranger } })),
  ),
  refused('another recipient of the transaction', () =>
    claimed(at.paid, ({ transaction }) => ({ transaction: { ...transaction, to: batch } })),
  ),
  refused('another place in the block', () =>
    claimed(at.paid, ({ transaction }) => ({ transaction: { ...transaction, index: at.paid + 1 } })),
  ),

  // Another transfer
  refused('a transaction that failed', () => claimed(at.failed)),
  refused('the payment of another to another', () => claimed(at.others)),
  refused('the payment of another to another, with its wallets', () =>
    claimed(at.others, ({ leg }) => ({ leg: { ...leg, from: stranger, to: batch } })),
  ),
  refused('a log at another position', () =>
    claimed(at.tenth, ({ leg }) => ({ leg: { ...leg, log_index: 6, log_position: 1 } })),
  ),
  refused('a log at no position', () => claimed(at.paid, ({ leg }) => ({ leg: { ...leg, log_position: null } }))),
  refused('a log beyond the last', () =>
    claimed(at.paid, ({ leg }) => ({ leg: { ...leg, log_index: 9, log_position: 9 } })),
  ),
  refused('a log further in its transaction than in its block', () =>
    claimed(at.paid, ({ leg }) => ({ leg: { ...leg, log_index: 0, log_position: 1 } })),
  ),
  refused('another leg than the receipt names', async () => ({
    ...(await claimed(at.paid)),
    receipt: receiptOf(`${hashAt(block, at.paid)}#7`),
  })),
  ...['#2147483648', '#4294967297', '#0x1', '#1#1', '#-1'].map(leg =>
    refused(`the leg ${leg}`, async () => ({
      ...(await claimed(at.paid)),
      receipt: receiptOf(`${hashAt(block, at.paid)}${leg}`),
    })),
  ),
  refused('the check of another receipt', async () => ({
    settlement: honest,
    receipt: receiptOf(hashAt(block, at.tenth)),
  })),
  refused('swapped parties', () => claimed(at.paid, undefined, { senderWallet: shop, receiverWallet: payer })),

  // Amounts and assets
  refused('a tenth, as if it were all', () =>
    claimed(at.tenth, ({ leg }) => ({ leg: { ...leg, log_index: 6, log_position: 1 } })),
  ),
  refused('a tenth, by one decimal less', () =>
    claimed(at.tenth, ({ leg, asset }) => ({
      leg: { ...leg, log_index: 6, log_position: 1, units: String(units / 10n) },
      asset: { ...asset, decimals: 5 },
    })),
  ),
  refused('another amount in figures than in units', () =>
    claimed(at.paid, ({ leg }) => ({ leg: { ...leg, amount: '1250000' } })),
  ),
  refused('an amount of more', () => claimed(at.paid, undefined, { amount: '12500' })),
  ...[-1, 0.5, 78, 10 ** 9, Number.MAX_SAFE_INTEGER].map(decimals =>
    refused(`${decimals} decimals`, () => claimed(at.paid, ({ asset }) => ({ asset: { ...asset, decimals } }))),
  ),
  refused('a false token under a known label', () =>
    claimed(at.faked, ({ asset }) => ({ asset: { ...asset, id: `${chain}/erc20:${fake}` } })),
  ),
  refused('a false token under a known label in wide letters', () =>
    claimed(at.faked, ({ asset }) => ({ asset: { ...asset, id: `${chain}/erc20:${fake}`, label: 'ＵＳＤＣ' } }), {
      currency: 'ＵＳＤＣ',
    }),
  ),
  refused('a false token, under a label of its own', () =>
    claimed(at.faked, ({ asset }) => ({ asset: { ...asset, id: `${chain}/erc20:${fake}`, label: homoglyph } })),
  ),
  refused('the event of a false token beside the true contract', () => claimed(at.faked)),
  refused('an asset of another chain', () =>
    claimed(at.paid, ({ asset }) => ({ asset: { ...asset, id: `eip155:1/erc20:${usdc}` } })),
  ),
  refused('an asset that is none', () => claimed(at.paid, ({ asset }) => ({ asset: { ...asset, id: 'USDC' } }))),
  refused('value in place of a token', () =>
    claimed(at.value, ({ leg }) => ({
      asset: { ...eth, label: 'USDC' },
      leg: { ...leg, ...valueLeg, amount: '12.5' },
    })),
  ),

  // The chain's own currency
  refused('value that a contract is said to have paid', () =>
    claimed(at.inside, ({ leg }) => ({ asset: eth, leg: { ...leg, ...valueLeg, value_index: 1 } }), inEth),
  ),
  unshown('the same, as nodes say', () =>
    claimed(
      at.inside,
      ({ leg }) => ({ asset: eth, grade: 'observed', leg: { ...leg, ...valueLeg, value_index: 1 } }),
      inEth,
    ),
  ),
  refused('value under another number than the transaction’s own', () =>
    claimed(at.value, ({ leg }) => ({ asset: eth, leg: { ...leg, ...valueLeg, value_index: 3 } }), {
      ...inEth,
      tipTxHash: `${hashAt(block, at.value)}#3`,
    }),
  ),
  refused('value that a transaction of a token has not', () =>
    claimed(at.paid, ({ leg }) => ({ asset: eth, leg: { ...leg, ...valueLeg } }), inEth),
  ),
  refused('value with the number of a log', () =>
    claimed(at.value, ({ leg }) => ({ asset: eth, leg: { ...leg, ...valueLeg, log_index: 0 } }), inEth),
  ),

  // Refunds
  refused('a refund that is only announced', () =>
    claimed(at.paid, undefined, { refundOf: plainRefund.refundOf, refundTxHash: null }),
  ),
  refused('a refund by the payment itself', () =>
    claimed(at.paid, undefined, {
      ...{ refundOf: plainRefund.refundOf, refundTxHash: hashAt(block, at.paid) },
      ...{ senderWallet: shop, receiverWallet: payer },
    }),
  ),
  refused('a refund by another transaction', () =>
    claimed(at.paid, undefined, { refundOf: plainRefund.refundOf, refundTxHash: invented }),
  ),

  // The document
  refused('a further member', () => claimed(at.paid, () => ({ verified: true }))),
  refused('a missing member', () => claimed(at.paid, () => ({ quorum: undefined }))),
  refused('another version', () => claimed(at.paid, () => ({ version: 2 }))),
  refused('the version as text', () => claimed(at.paid, () => ({ version: '1' }))),
  refused('a status that is none', () => claimed(at.paid, () => ({ status: 'CONFIRMED' }))),
  refused('10,000 nested lists', () =>
    claimed(at.paid, () => ({ reason: JSON.parse(`${'['.repeat(10_000)}${']'.repeat(10_000)}`) })),
  ),
  refused('no object', async () => ({ settlement: [], receipt: receiptOf(hashAt(block, at.paid)) })),
  refused('null', async () => ({ settlement: null, receipt: receiptOf(hashAt(block, at.paid)) })),
]

function onChain(caip2: string, { asset }: Claim) {
  return { chain: caip2, asset: { ...asset, id: asset.id.replace(chain, caip2) } }
}

test('a payment that took place is shown, by a bundle of it and by a later one', async () => {
  const receipt = receiptOf(hashAt(block, at.paid))
  const later = await buildSettlementBundle(receipt, honest, signer)
  for (const bundle of [await sealed(signer, receipt, honest), later.artifact.bytes]) {
    const { errors, of } = await judged(bundle)
    expect(errors).toEqual([])
    expect(of('settlement_invalid')?.detail).toBe('Confirmed on its chain; the bundle proves it.')
    expect(of('payment_unchecked')).toMatchObject({
      status: 'passed',
      detail: 'Its proof leads to a final block of its chain.',
    })
  }
  const value = await claimed(at.value, ({ leg }) => ({ asset: eth, leg: { ...leg, ...valueLeg } }), inEth)
  const { errors, of } = await judged(await sealed(signer, value.receipt, value.settlement))
  expect([errors, of('payment_unchecked')?.status]).toEqual([[], 'passed'])
})

test('without nodes of its chain, nobody is told that the payment took place', async () => {
  const { errors, of } = await verified(signer, await sealed(signer, receiptOf(hashAt(block, at.paid)), honest), null)
  expect(errors).toEqual([])
  expect(of('payment_unchecked')).toMatchObject({
    status: 'skipped',
    detail: 'Its proof leads to a block, and no nodes say that it is a final one of eip155:8453.',
  })
})

describe('the thief of a key', () => {
  test.each(attempts.map(one => [one.name, one] as const))('%s', async (_, { forged, errors }) => {
    const { receipt, settlement } = await forged()
    const found = await judged(await sealed(signer, receipt, settlement))
    expect(found.errors).toEqual(errors)
    expect(found.of('payment_unchecked')?.status).toBe('skipped')
    // Neither do the files of a later result, which have no message.
    const later = await buildSettlementBundle(receipt, settlement, signer)
    expect((await judged(later.artifact.bytes)).of('payment_unchecked')?.status).toBe('skipped')
  })

  test('the list has at least 30 attempts, each with a name of its own', () => {
    expect(new Set(attempts.map(({ name }) => name)).size).toBe(attempts.length)
    expect(attempts.length).toBeGreaterThanOrEqual(30)
  })

  test('a manifest of version 1, which names no project, proves no more', async () => {
    const { receipt, settlement } = await claimed(at.failed)
    const read = await readBundle(await sealed(signer, receipt, settlement))
    if (!read.ok) throw new Error(read.reason)
    const { version: _, project: _project, algorithm: _algorithm, ...rest } = JSON.parse(String(read.parts.manifest))
    const files = read.parts.files.filter(({ name }) => name !== 'public_key.pem')
    const first = canonicalJson({ ...rest, version: 1, key_id: rest.key_id.slice(0, 16) })
    const { bytes } = await signed(files, signer, () => first)
    const { errors, of } = await judged(bytes)
    expect([errors, of('payment_unchecked')?.status]).toEqual([['settlement_invalid'], 'skipped'])
  })
})

describe('an asset of nobody’s list', () => {
  test('is named with its contract and its decimals wherever its payment is said to be confirmed', async () => {
    const label = { currency: homoglyph }
    const { receipt, settlement } = await claimed(
      at.faked,
      ({ asset }) => ({ asset: { ...asset, id: `${chain}/erc20:${fake}`, label: homoglyph } }),
      label,
    )
    const bundle = await sealed(signer, receipt, settlement)
    const note = `${homoglyph} is on no list: it stands for ${chain}/erc20:${fake} with 6 decimals.`
    const { errors, of } = await judged(bundle)
    expect(errors).toEqual([])
    for (const code of ['settlement_invalid', 'payment_unchecked']) {
      expect(of(code)).toMatchObject({ status: 'passed', detail: expect.stringContaining(note) })
    }
    expect((await verified(signer, bundle, null)).of('settlement_invalid')?.detail).toContain(note)
  })

  test('by a project’s own decimals is shown as what it is', async () => {
    const { receipt, settlement } = await claimed(
      at.tenth,
      ({ asset, leg }) => ({
        leg: { ...leg, log_index: 6, log_position: 1, units: String(units / 10n) },
        asset: { ...asset, label: 'DOLLARS', decimals: 5 },
      }),
      { currency: 'DOLLARS' },
    )
    const { of } = await judged(await sealed(signer, receipt, settlement))
    expect(of('payment_unchecked')?.detail).toContain(
      `DOLLARS is on no list: it stands for ${chain}/erc20:${usdc} with 5`,
    )
  })
})

describe('without the key', () => {
  const genuine = () => sealed(signer, receiptOf(hashAt(block, at.tenth)), mismatched())
  const mismatched = () => ({
    ...honest,
    status: 'mismatch',
    grade: 'stated',
    proof: null,
    transaction: null,
    leg: null,
  })
  async function withFile(bundle: Buffer, name: string, bytes: Buffer): Promise<Buffer> {
    const zip = await JSZip.loadAsync(bundle)
    const entries: ZipEntry[] = []
    for (const file of Object.values(zip.files)) {
      if (file.name !== name) entries.push({ name: file.name, bytes: await file.async('nodebuffer') })
    }
    return writeZip([...entries, { name, bytes }].toSorted((a, b) => (a.name < b.name ? -1 : 1)))
  }
  const forged = () => canonicalJson(honest)

  test('another settlement.json is not the one of the manifest', async () => {
    const { errors, of } = await judged(await withFile(await genuine(), 'settlement.json', forged()))
    expect(errors).toContain('file_hash_mismatch')
    expect(of('payment_unchecked')?.status).not.toBe('passed')
  })

  test('a settlement.json is not added to a bundle that has none', async () => {
    const receipt = receiptOf(hashAt(block, at.tenth))
    const { bytes } = await buildBundle(receipt, { name: 'pain001.xml', bytes: Buffer.from('<x/>') }, signer)
    const { errors, of } = await judged(await withFile(bytes, 'settlement.json', forged()))
    expect(errors).toContain('file_hash_mismatch')
    expect(of('payment_unchecked')?.status).not.toBe('passed')
  })

  test('his own key is not trusted', async () => {
    const his = signerOf()
    const { errors } = await judged(await sealed(his, receiptOf(hashAt(block, at.paid)), honest))
    expect(errors).toContain('unknown_signing_key')
  })

  const text = () => String(forged())
  test.each<[string, () => string]>([
    ['a member twice', () => text().replace('"status":"confirmed"', '"status":"mismatch","status":"confirmed"')],
    ['a space', () => text().replace('{', '{ ')],
    ['another order', () => `{"version":1,${text().slice(1).replace(',"version":1', '')}`],
    ['a number in another form', () => text().replace('"quorum":2', '"quorum":2.0')],
    ['a letter as an escape', () => text().replace('confirmed', '\\u0063onfirmed')],
    ['a byte order mark', () => `\ufeff${text()}`],
    ['two values', () => `${text()}${text()}`],
  ])('%s in settlement.json makes the bundle none', async (_, content) => {
    const { errors, of } = await judged(await withFile(await genuine(), 'settlement.json', Buffer.from(content())))
    expect(errors).toEqual(['bundle_malformed'])
    expect(of('payment_unchecked')?.status).toBe('skipped')
  })
})

test('a proof of the largest size is sealed in a bundle that can be read', async () => {
  const log = (size: number) => ({ address: usdc, topics: [], data: `0x${'ab'.repeat(size)}` })
  const transfer = {
    address: usdc,
    topics: [
      '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
      `0x${payer.slice(2).padStart(64, '0')}`,
      `0x${shop.slice(2).padStart(64, '0')}`,
    ],
    data: `0x${units.toString(16).padStart(64, '0')}`,
  }
  const fees = { type: 2, gasLimit: 90_000, maxFeePerGas: 3, maxPriorityFeePerGas: 1, chainId: 8453, nonce: 0 }
  // The limit, less the header, the transaction and what is around the log.
  const sizes = [255_000, 260_000, ...Array.from({ length: 30 }, (_, turn) => 260_500 + turn * 32)]
  let largest = 0
  for (const size of sizes) {
    const large = await blockOf([{ from: wallets[0], fields: { ...fees, to: usdc }, logs: [transfer, log(size)] }])
    const claim = (await claimOf(large, 0)) as Claim
    if (claim.proof.receipt.length === 0 || claim.proof.transaction === null) break
    largest = size
    const there = async () => ({ hash: large.block.hash, isFinal: true })
    const { errors, of } = await verified(signer, await sealed(signer, receiptOf(hashAt(large, 0)), claim), there)
    expect([size, errors, of('payment_unchecked')?.status]).toEqual([size, [], 'passed'])
  }
  expect(largest).toBeGreaterThan(260_500)
})
