// The GraphQL enums of receipts, shared by the types and lists that use them.

import { builder } from '../../kit/builder.ts'
import { enumOf } from '../../kit/input.ts'
import { receiptStatus } from './filter.ts'

export const ReceiptStatusEnum = enumOf(receiptStatus)

export const ReceiptScopeEnum = builder.enumType('ReceiptScope', {
  description: '`mine`: the receipts of the key’s project. `all`: every project’s; service administrators only.',
  values: ['mine', 'all'] as const,
})
