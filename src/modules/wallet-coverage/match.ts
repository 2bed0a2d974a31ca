// Finds the receipts that record transfers. Each receipt records one transfer at most, and each transfer has one.
import { plainAmount } from '../../core/amount.ts'
import { toUnits } from '../../core/decimal.ts'
import { settlementOf } from '../../core/identity.ts'
import type { TokenTransfer } from '../../ports/payment-chain.ts'

/** By the keys of src/core/identity.ts. */
export type Recorded = { id: string; txKey: string; amount: string; senderKey: string; receiverKey: string }

/**
 * Returns the transfers with the ids of their receipts; null: none records it. A receipt records a transfer of its
 * transaction between its wallets and of its amount, and of those, where it names one, only this. All transfers of a
 * transaction must be given together.
 */
export function withReceipts(
  transfers: readonly TokenTransfer[],
  receipts: readonly Recorded[],
  decimals: number,
): { transfer: TokenTransfer; receiptId: string | null }[] {
  const named = new Map<string, string[]>()
  const whole = new Map<string, string[]>()
  for (const { id, txKey, amount, senderKey, receiverKey } of receipts) {
    const { transaction = txKey, leg = null } = settlementOf(txKey) ?? {}
    const key = [transaction, senderKey, receiverKey, toUnits(plainAmount(amount), decimals)].join(' ')
    add(leg === null ? whole : named, leg === null ? key : `${key} ${leg}`, id)
  }
  const found = transfers.map(transfer => {
    const key = [transfer.txid, transfer.from, transfer.to, transfer.units].join(' ')
    return { transfer, key, receiptId: named.get(`${key} ${transfer.index}`)?.shift() ?? null }
  })
  // Receipts that name their transfer come first, because the others may take any of those that are alike.
  return found.map(({ transfer, key, receiptId }) => ({
    transfer,
    receiptId: receiptId ?? whole.get(key)?.shift() ?? null,
  }))
}

function add(lists: Map<string, string[]>, key: string, id: string): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [id])
  else list.push(id)
}
