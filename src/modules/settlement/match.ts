// Compares a stated payment with what its transaction did. A leg decides, and not the sender of the transaction: behind
// contract wallets, batches and relayers the payer of a leg is another than whoever sent the transaction.
import { z } from 'zod'
import { fromUnits, toUnits } from '../../core/decimal.ts'
import type { ChainAsset } from '../../core/settlement.ts'
import { transferIn } from '../../core/token-transfer.ts'
import type { PaidTransaction, ValueTransfer } from '../../ports/payment-chain.ts'

/** A payment as stated. Wallets by their keys; `leg`: the named transfer, null for the whole transaction. */
export type Stated = { sender: string; receiver: string; amount: string; leg: number | null; asset: ChainAsset }

/**
 * One transfer of the asset. `index`: of a token, the number of the log in its block; of the chain's own currency, the
 * place among the transfers of value. `position`: of a token, the place among the logs of the transaction.
 */
export type Leg = { index: number; position: number | null; from: string; to: string; units: bigint }

/** A fact that is stated otherwise than the chain has it; null: the chain has none. */
export const settlementDifferences = z.strictObject({
  field: z.enum(['amount', 'sender_wallet', 'receiver_wallet', 'currency', 'transfer_index']),
  stated: z.string().max(300),
  found: z.string().max(300).nullable(),
})
export type SettlementDifference = z.output<typeof settlementDifferences>

export type Matched =
  | { status: 'confirmed'; leg: Leg }
  | { status: 'mismatch'; leg: Leg | null; differences: SettlementDifference[] }
  | { status: 'ambiguous'; legs: number[] }

/** Returns the transfers of a token that the transaction's logs show. */
export const tokenLegs = ({ logs }: Pick<PaidTransaction, 'logs'>, contract: string): Leg[] =>
  logs.flatMap(({ contract: of, index, position, ...log }) => {
    const transfer = of === contract ? transferIn(log) : null
    return transfer === null ? [] : [{ index, position, ...transfer }]
  })

export const valueLegs = (transfers: readonly ValueTransfer[]): Leg[] =>
  transfers.map(({ index, from, to, amount }) => ({ index, position: null, from, to, units: amount }))

/** The only transfer of value that the transaction itself shows. */
export const ownValue = ({ from, to, value }: Pick<PaidTransaction, 'from' | 'to' | 'value'>): ValueTransfer[] =>
  to === null || value === 0n ? [] : [{ index: 0, from, to, amount: value }]

/** Compares with the legs of the asset in a transaction that succeeded. */
export function matchLegs(stated: Stated, legs: readonly Leg[]): Matched {
  const units = toUnits(stated.amount, stated.asset.decimals)
  const unlike = (leg: Leg): SettlementDifference[] => [
    ...(leg.units === units ? [] : [difference('amount', stated.amount, fromUnits(leg.units, stated.asset.decimals))]),
    ...(leg.from === stated.sender ? [] : [difference('sender_wallet', stated.sender, leg.from)]),
    ...(leg.to === stated.receiver ? [] : [difference('receiver_wallet', stated.receiver, leg.to)]),
  ]
  if (stated.leg !== null) {
    const named = legs.find(({ index }) => index === stated.leg)
    if (named !== undefined) return judged(named, unlike(named))
    return { status: 'mismatch', leg: null, differences: [noSuchLeg(stated, stated.leg, legs)] }
  }
  const alike = legs.filter(leg => unlike(leg).length === 0)
  const [only, ...others] = alike
  if (only !== undefined)
    return others.length === 0
      ? { status: 'confirmed', leg: only }
      : { status: 'ambiguous', legs: alike.map(({ index }) => index) }
  const [closest] = legs.toSorted((a, b) => unlike(a).length - unlike(b).length)
  if (closest !== undefined) return judged(closest, unlike(closest))
  return { status: 'mismatch', leg: null, differences: [difference('currency', stated.asset.id, null)] }
}

const judged = (leg: Leg, differences: SettlementDifference[]): Matched =>
  differences.length === 0 ? { status: 'confirmed', leg } : { status: 'mismatch', leg, differences }

const difference = (field: SettlementDifference['field'], stated: string, found: string | null) => ({
  field,
  stated,
  found,
})

const shownLegs = 20

const noSuchLeg = ({ asset }: Stated, leg: number, legs: readonly Leg[]): SettlementDifference =>
  legs.length === 0
    ? difference('currency', asset.id, null)
    : difference(
        'transfer_index',
        String(leg),
        legs
          .slice(0, shownLegs)
          .map(({ index }) => index)
          .join(', '),
      )
