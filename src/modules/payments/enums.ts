// The GraphQL enums of payments, shared by the type and the lists.
import { builder } from '../../kit/builder.ts'
import { described } from '../../kit/enum-names.ts'
import type { PaymentStatus } from '../x402/states.ts'
import { paymentTexts } from './bought.ts'

export const PaymentStatusEnum = builder.enumType('PaymentStatus', {
  description: 'Status of a payment.',
  values: described<PaymentStatus>({
    verified: 'Valid, and not sent.',
    settling: 'Sent.',
    settled: 'Paid, and not delivered yet.',
    delivered: 'Paid and delivered.',
    failed: 'Not paid.',
  }),
})

export const PaymentTypeEnum = builder.enumType('PaymentType', {
  description: 'Type of a payment: one value for each entry of the price list.',
  values: described(paymentTexts),
})

/** For `argumentsOf`: the enums among the filters of a list. */
export const paymentFilterEnums = { status: PaymentStatusEnum, paymentType: PaymentTypeEnum }
