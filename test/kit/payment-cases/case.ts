// One payment on the EVM of the tests: its transaction, what is stated of it, and what a check finds.
import type { SettlementStatus } from '../../../src/core/settlement.ts'
import type { StatedPayment } from '../../../src/modules/settlement/check.ts'
import type { PaymentWorld } from '../payment-world.ts'

/** The statement, where it is not 12.5 USDC from the payer to the shop. `leg` names the transfer behind the hash. */
export type Made = Partial<StatedPayment> & { tx: string; leg?: number }
type Difference = [field: string, stated: string, found: string | null]

export type PaymentCase = {
  name: string
  make(world: PaymentWorld): Promise<Made>
  status: SettlementStatus
  /** The grade of what is confirmed; proved unless given. */
  grade?: 'observed'
  /** Those of a mismatch, in order. */
  differences?: Difference[]
  /** The number of transfers that fit an ambiguous payment. */
  candidates?: number
}

export const confirmed = (name: string, make: PaymentCase['make'], grade?: 'observed'): PaymentCase => ({
  ...{ name, make, status: 'confirmed' },
  ...(grade && { grade }),
})
export const mismatch = (name: string, differences: Difference[], make: PaymentCase['make']): PaymentCase => ({
  ...{ name, make, differences },
  status: 'mismatch',
})
export const result = (status: SettlementStatus, name: string, make: PaymentCase['make']): PaymentCase => ({
  ...{ name, make, status },
})
export const ambiguous = (candidates: number, name: string, make: PaymentCase['make']): PaymentCase => ({
  ...{ name, make, candidates },
  status: 'ambiguous',
})
