// The GraphQL enums of receipts, shared by the types and lists that use them.
import type { ReceiptStatus } from '../../core/states.ts'
import { builder } from '../../kit/builder.ts'
import { described } from '../../kit/enum-names.ts'

export const ReceiptStatusEnum = builder.enumType('ReceiptStatus', {
  description: 'State of a receipt.',
  values: described<ReceiptStatus>({
    pending: 'Recorded, and not sealed yet.',
    awaiting_anchor: 'Sealed; not all its anchors are final yet.',
    anchored: 'Every anchor is final. The only completed state.',
    failed: 'An enforced compliance check denied the payment.',
  }),
})

const ReceiptScopeEnum = builder.enumType('ReceiptScope', {
  description: 'Whose receipts are listed.',
  values: described({
    mine: 'The receipts of the key’s project.',
    all: 'The receipts of every project; service administrators only.',
  }),
})

/** The enums of the list filters, for `argumentsOf`. */
export const receiptFilterEnums = { status: ReceiptStatusEnum, scope: ReceiptScopeEnum }
