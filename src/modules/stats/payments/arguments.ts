// The arguments of the statistics of payments.
import { z } from 'zod'
import { distinctKeys, exactlyOne, isKey, pageArguments } from '../../../kit/groups/arguments.ts'
import { groupOrder } from '../../../kit/groups/order.ts'
import { timeGrouping } from '../../../kit/groups/time.ts'
import { paymentFilter } from '../../payments/filter.ts'

const paymentTime = z
  .enum(['verified_at', 'settled_at'])
  .meta({
    graphql: 'PaymentTime',
    description: 'A time of a payment.',
    values: {
      verified_at: 'When it was verified.',
      settled_at: 'When it was settled. Leaves out payments that are not settled.',
    },
  })
  .nullish()
  .describe('Which time of the payments; unless given, when they were verified.')

const paymentGrouping = exactlyOne({
  time: timeGrouping('PaymentTimeGrouping', paymentTime).nullish().describe('By periods of time.'),
  status: isKey('By status.'),
  network: isKey('By network.'),
  currency: isKey('By token.'),
  endpoint: isKey('By endpoint that was paid for.'),
  payer: isKey('By wallet that paid.'),
  agent: isKey('By agent of the project that paid.'),
  project: isKey('By project.'),
}).meta({
  graphql: 'PaymentGrouping',
  description: 'A key of groups of payments: exactly one member, which is `true` or describes periods.',
})

const statsOrder = groupOrder({ of: 'Payment', entries: 'payments', currency: 'Ticker of the token', sum: 'settled' })

export const statsArguments = z.object({
  filter: paymentFilter.nullish().describe('Which payments; all unless given.'),
  by: distinctKeys(paymentGrouping).describe(
    'What to group by: up to three different keys; unless given, all payments are one group.',
  ),
  orderBy: statsOrder.nullish().describe('The order of the groups. Unless given, by the keys, ascending.'),
  ...pageArguments,
})
export type StatsArguments = z.output<typeof statsArguments>
export type GroupedBy = z.output<typeof paymentGrouping>
