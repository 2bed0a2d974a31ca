// The GraphQL enums of receipts, shared by the types and lists that use them.
import { receiptStatuses } from '../../core/states.ts'
import { builder } from '../../kit/builder.ts'

export const ReceiptStatusEnum = builder.enumType('ReceiptStatus', {
  description: 'Where a receipt is. `anchored` is the only completed state; `failed` is an operational failure.',
  values: receiptStatuses,
})

export const ReceiptScopeEnum = builder.enumType('ReceiptScope', {
  description: '`mine`: the receipts of the key’s project. `all`: every project’s; service administrators only.',
  values: ['mine', 'all'] as const,
})

/** For `argumentsOf`: the enums among the filters of a list. */
export const receiptFilterEnums = { status: ReceiptStatusEnum, scope: ReceiptScopeEnum }
