// The GraphQL enums of payments, shared by the type and the lists.
import { builder } from '../../kit/builder.ts'
import { paymentStatuses } from '../payments/ledger.ts'
import { paymentTypes } from './bought.ts'

export const PaymentStatusEnum = builder.enumType('PaymentStatus', {
  description:
    'Where a payment is. `verified`: good, and not sent · `settling`: sent · `settled`: paid, and not delivered yet · `delivered` · `failed`: it did not pay.',
  values: paymentStatuses,
})

export const PaymentTypeEnum = builder.enumType('PaymentType', {
  description: 'What a payment bought: one for each entry of the price list.',
  values: paymentTypes,
})

/** For `argumentsOf`: the enums among the filters of a list. */
export const paymentFilterEnums = { status: PaymentStatusEnum, paymentType: PaymentTypeEnum }
