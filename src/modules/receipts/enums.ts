// The GraphQL enums of receipts, shared by the types and lists that use them.
import { builder } from '../../kit/builder.ts'
import { described } from '../../kit/enum-names.ts'
import { enumOf } from '../../kit/input.ts'
import { receiptStatus } from './filter.ts'

export const ReceiptStatusEnum = enumOf(receiptStatus)

export const ReceiptScopeEnum = builder.enumType('ReceiptScope', {
  description: 'The projects whose receipts are listed.',
  values: described({
    mine: 'The receipts of the key’s project.',
    all: 'The receipts of every project; service administrators only.',
  }),
})
