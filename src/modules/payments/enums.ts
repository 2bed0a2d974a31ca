// The GraphQL enums of payments, shared by the type and the lists.
import { enumOf } from '../../kit/input.ts'
import { paymentType } from '../x402/bought.ts'
import { paymentStatus } from './filter.ts'

export const PaymentStatusEnum = enumOf(paymentStatus)
export const PaymentTypeEnum = enumOf(paymentType)
