// The GraphQL enums of receipts, shared by the types and lists that use them.
import { receiptStatuses } from '../../core/states.ts'
import { builder } from '../../kit/builder.ts'

export const ReceiptStatusEnum = builder.enumType('ReceiptStatus', {
  description: 'State of a receipt. `anchored` is the only completed state; `failed` is an operational failure.',
  values: receiptStatuses,
})

const ReceiptScopeEnum = builder.enumType('ReceiptScope', {
  description: '`mine`: the receipts of the key’s project. `all`: every project’s; service administrators only.',
  values: ['mine', 'all'] as const,
})

/** The enums of the list filters, for `argumentsOf`. */
export const receiptFilterEnums = { status: ReceiptStatusEnum, scope: ReceiptScopeEnum }
