// A block of payments, and bundles about them as the thief of a service's key would make them.
import { generateKeyPairSync, sign } from 'node:crypto'
import { id } from 'ethers'
import { fromUnits } from '../../src/core/decimal.ts'
import { keyIdOf } from '../../src/core/key-id.ts'
import { buildBundle, settlementFile } from '../../src/modules/evidence/bundle.ts'
import type { ReceiptFacts } from '../../src/modules/iso20022/facts.ts'
import type { SettlementDocument } from '../../src/modules/settlement/document.ts'
import { runChecks } from '../../src/modules/verification/checks.ts'
import type { PaymentChain } from '../../src/ports/payment-chain.ts'
import type { Signer } from '../../src/ports/signer.ts'
import { blockOf, type Call, proofsAt, type ReportedBlock, wallets } from './payment-block.ts'
import { plainReceipt } from './receipts.ts'

export const chain = 'eip155:8453'
export const usdc = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
export const fake = `0x${'fa'.repeat(20)}`
export const batch = `0x${'ba'.repeat(20)}`
export const shop = `0x${'50'.repeat(20)}`
export const payer = wallets[0].address.toLowerCase()
export const stranger = wallets[1].address.toLowerCase()
export const units = 12_500_000n

const word = (value: string | bigint) =>
  `0x${(typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0')}`
const event = (address: string, from: string, to: string, value: bigint) => ({
  address,
  topics: [id('Transfer(address,address,uint256)'), word(from), word(to)],
  data: word(value),
})
const fees = { type: 2, gasLimit: 90_000, maxFeePerGas: 3_000_000_000, maxPriorityFeePerGas: 1, chainId: 8453 }
const calling = (from: 0 | 1, nonce: number, to: string, logs: Call['logs'], value = 0n): Call => ({
  ...{ from: wallets[from], fields: { ...fees, nonce, to, value }, logs },
})

/** The transactions of the block, by their places. `paid` is the payment of the plain tests. */
export const at = { others: 0, paid: 1, value: 2, failed: 3, faked: 4, tenth: 5, inside: 6 } as const

/** `salt` makes another chain of the same transactions. */
export const paymentsBlock = (salt = 0, number = 20_000_000): Promise<ReportedBlock> =>
  blockOf(
    [
      calling(1, 0, usdc, [event(usdc, stranger, batch, units)]),
      calling(0, 0, usdc, [event(usdc, payer, shop, units)]),
      calling(0, 1, shop, [], 10n ** 17n),
      calling(0, 2, usdc, null),
      calling(0, 3, fake, [event(fake, payer, shop, units)]),
      calling(0, 4, batch, [event(fake, payer, shop, units), event(usdc, payer, shop, units / 10n)]),
      // Its contract pays the shop inside, which no log shows.
      calling(0, 5, batch, [], 10n ** 17n),
    ],
    { stateRoot: id(`state ${salt}`), number: `0x${number.toString(16)}` },
  )

export function signerOf(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const publicKeyPem = publicKey.export({ format: 'pem', type: 'spki' }).toString()
  return { keyId: keyIdOf(publicKeyPem), publicKeyPem, sign: bytes => sign(null, bytes, privateKey) }
}

export const hashAt = ({ block }: ReportedBlock, place: number) => String(block.transactions[place]?.hash)

/** The receipt of 12.5 USDC from the payer to the shop in this transaction. */
export const receiptOf = (txid: string, change: Partial<ReceiptFacts> = {}): ReceiptFacts => ({
  ...plainReceipt,
  ...{ tipTxHash: txid, senderWallet: payer, receiverWallet: shop },
  ...change,
})

/** A confirmed, proved settlement.json that says so of the transaction at this place, whatever it did. */
export async function claimOf(reported: ReportedBlock, place: number): Promise<SettlementDocument> {
  const { block, receipts } = reported
  const transaction = block.transactions[place] ?? {}
  const [proof = null] = await proofsAt(block, receipts, [place])
  return {
    version: 1,
    ...{ chain, nodes: 3, quorum: 2, finality: 'finalized', checked_at: '2026-03-01T12:34:58.000Z' },
    ...{ status: 'confirmed', grade: 'proved', legs: [], differences: [], reason: null },
    asset: { id: `${chain}/erc20:${usdc}`, label: 'USDC', decimals: 6 },
    transaction: {
      hash: hashAt(reported, place),
      index: place,
      block_number: Number(block.number),
      block_hash: block.hash,
      block_time: new Date(Number(block.timestamp) * 1_000).toISOString(),
      from: String(transaction.from),
      to: transaction.to === null ? null : String(transaction.to),
      fee: '1',
    },
    leg: {
      ...{ log_index: place, log_position: 0, value_index: null },
      ...{ from: payer, to: shop, amount: fromUnits(units, 6), units: String(units) },
    },
    proof,
  }
}

/** Signs a bundle with these files. */
export const sealed = async (signer: Signer, receipt: ReceiptFacts, settlement: unknown): Promise<Buffer> => {
  const message = { name: receipt.refundOf === null ? 'pain001.xml' : 'pacs004.xml', bytes: Buffer.from('<x/>') }
  return (await buildBundle(receipt, message, signer, [settlementFile(settlement)])).bytes
}

/** Verifies a bundle offline but for these nodes; returns the results by the ids of the checks. */
export async function verified(
  { publicKeyPem }: Signer,
  bundle: Buffer,
  blockOfNodes: PaymentChain['block'] | null,
  served = chain,
) {
  const keys = [{ publicKeyPem, validFrom: new Date('2020-01-01'), validTo: null }]
  const nodes = { block: blockOfNodes } as PaymentChain
  const { errors, checks } = await runChecks(
    { bundle, expectedHash: null, txid: null, keys },
    {
      chains: [],
      anchorsOf: async () => [],
      isRecorded: async () => false,
      ownOf: async () => [],
      paymentChain: caip2 => (blockOfNodes !== null && caip2 === served ? nodes : null),
    },
  )
  return { errors, of: (code: string) => checks.find(({ id: own }) => own === code) }
}
