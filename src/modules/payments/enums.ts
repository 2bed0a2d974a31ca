// The GraphQL enums of payments, shared by the type and the lists.
import { builder } from '../../kit/builder.ts'
import { paymentStatuses } from '../x402/states.ts'
import { paymentTypes } from './bought.ts'

export const PaymentStatusEnum = builder.enumType('PaymentStatus', {
  description:
    'Status of a payment. `verified`: valid, and not sent · `settling`: sent · `settled`: paid, and not delivered yet · `delivered` · `failed`: not paid.',
  values: paymentStatuses,
})

export const PaymentTypeEnum = builder.enumType('PaymentType', {
  description: 'Type of a payment: one value for each entry of the price list.',
  values: paymentTypes,
})

/** For `argumentsOf`: the enums among the filters of a list. */
export const paymentFilterEnums = { status: PaymentStatusEnum, paymentType: PaymentTypeEnum }
