// settlement.json: what this service found of a payment on its own chain, as it is sealed in a bundle. Canonical JSON.
import { z } from 'zod'
import { fromUnits } from '../../core/decimal.ts'
import type { PaymentProof } from '../../core/payment-proof.ts'
import { type ChainAsset, settlementStatus } from '../../core/settlement.ts'
import type { FinalityPolicy } from '../../ports/chain.ts'
import type { PaidTransaction } from '../../ports/payment-chain.ts'
import { type Leg, type SettlementDifference, settlementDifferences } from './match.ts'

const word = z.string().regex(/^0x[0-9a-f]{64}$/)
const address = z.string().regex(/^0x[0-9a-f]{40}$/)
const digits = z.string().regex(/^(0|[1-9]\d{0,77})$/)
const place = z.int().nonnegative()
const time = z.iso.datetime({ precision: 3 })
const text = z.string().max(300)
// An amount is computed with them before anybody knows who wrote them.
const mostDecimals = 77

/** Rules of settlement.json. The proof is parsed by itself (proof.ts). */
export const settlementDocument = z.strictObject({
  version: z.literal(1),
  /** CAIP-2. */
  chain: z.string(),
  /** How many nodes were queried, how many had to agree, and when a block counts as final. */
  nodes: place,
  quorum: place,
  finality: z.union([z.enum(['safe', 'finalized']), z.strictObject({ confirmations: place })]),
  checked_at: time,
  status: settlementStatus,
  grade: z.enum(['stated', 'observed', 'proved']),
  /** CAIP-19, the label in the receipt, and the decimals; null where no configuration says what the label means. */
  asset: z.strictObject({ id: text, label: text, decimals: z.int().min(0).max(mostDecimals) }).nullable(),
  transaction: z
    .strictObject({
      hash: word,
      index: place,
      block_number: place,
      block_hash: word,
      block_time: time,
      from: address,
      to: address.nullable(),
      /** In the smallest unit of the chain's own currency; `from` paid it. */
      fee: digits.nullable(),
    })
    .nullable(),
  /** The transfer that is the payment, or the one most like it. */
  leg: z
    .strictObject({
      log_index: place.nullable(),
      log_position: place.nullable(),
      /** The place among the transfers of value, for the chain's own currency. */
      value_index: place.nullable(),
      from: address,
      to: address,
      amount: text,
      units: digits,
    })
    .nullable(),
  /** The numbers of the legs among which an ambiguous payment does not choose. */
  legs: z.array(place),
  differences: z.array(settlementDifferences).max(5),
  /** Why there was no answer. */
  reason: text.nullable(),
  proof: z.unknown(),
})
export type SettlementDocument = z.output<typeof settlementDocument>

/** The finding of a check. `legs` are those of an ambiguous payment. */
export type Finding = Pick<SettlementDocument, 'status' | 'grade'> & {
  asset: (ChainAsset & { label: string }) | null
  transaction: PaidTransaction | null
  leg: Leg | null
  legs: readonly number[]
  differences: readonly SettlementDifference[]
  reason: string | null
  proof: PaymentProof | null
}

/** A finding that found nothing. */
export const nothing = {
  grade: 'stated',
  asset: null,
  transaction: null,
  leg: null,
  legs: [],
  differences: [],
  reason: null,
  proof: null,
} as const

type Queried = { caip2: string; nodes: number; quorum: number; finality: FinalityPolicy }

const cut = (value: string) => (value.length > 300 ? `${value.slice(0, 299)}…` : value)

export function documentOf(
  { caip2, nodes, quorum, finality }: Queried,
  { asset, transaction, leg, ...found }: Finding,
  at: Date,
): SettlementDocument {
  return {
    version: 1,
    chain: caip2,
    nodes,
    quorum,
    finality,
    checked_at: at.toISOString(),
    status: found.status,
    grade: found.grade,
    asset: asset && { id: asset.id, label: asset.label, decimals: asset.decimals },
    transaction: transaction && {
      hash: transaction.txid,
      index: transaction.index,
      block_number: transaction.blockNumber,
      block_hash: transaction.blockHash,
      block_time: transaction.blockTime.toISOString(),
      from: transaction.from,
      to: transaction.to,
      fee: transaction.fee?.toString() ?? null,
    },
    leg: leg &&
      asset && {
        log_index: leg.position === null ? null : leg.index,
        log_position: leg.position,
        value_index: leg.position === null ? leg.index : null,
        from: leg.from,
        to: leg.to,
        amount: fromUnits(leg.units, asset.decimals),
        units: leg.units.toString(),
      },
    legs: [...found.legs],
    differences: found.differences.map(one => ({
      ...one,
      stated: cut(one.stated),
      found: one.found === null ? null : cut(one.found),
    })),
    reason: found.reason === null ? null : cut(found.reason),
    proof: found.proof,
  }
}
