// The arguments of the statistics of receipts.
import { z } from 'zod'
import { distinctKeys, exactlyOne, isKey, pageArguments } from '../../../kit/groups/arguments.ts'
import { groupOrder } from '../../../kit/groups/order.ts'
import { timeGrouping } from '../../../kit/groups/time.ts'
import { receiptFilter } from '../../receipts/filter.ts'

const receiptTime = z
  .enum(['created_at', 'booked_at', 'anchored_at'])
  .meta({
    graphql: 'ReceiptTime',
    description: 'A time of a receipt.',
    values: {
      created_at: 'When it was recorded.',
      booked_at: 'When it was booked: known to be anchored and, of a refund, settled. Leaves out others.',
      anchored_at: 'When it was anchored. Leaves out receipts that are not anchored.',
    },
  })
  .nullish()
  .describe('Which time of the receipts; unless given, when they were recorded.')

const receiptGrouping = exactlyOne({
  time: timeGrouping('ReceiptTimeGrouping', receiptTime).nullish().describe('By periods of time.'),
  status: isKey('By status.'),
  chain: isKey('By chain of the payment, whatever its name.'),
  currency: isKey('By currency or asset.'),
  sender: isKey('By payer, in any spelling of the wallet.'),
  receiver: isKey('By recipient, in any spelling of the wallet.'),
  counterparty: isKey('By the other party.'),
  complianceDecision: isKey('By overall decision of the compliance checks.'),
  settlementStatus: isKey('By result of the check of the payment on its own chain.'),
  agent: isKey('By agent of the project that paid.'),
  project: isKey('By project.'),
}).meta({
  graphql: 'ReceiptGrouping',
  description: 'A key of groups of receipts: exactly one member, which is `true` or describes periods.',
})

const statsOrder = groupOrder({ of: 'Receipt', entries: 'receipts', currency: 'Currency or asset', sum: 'gross' })

export const statsArguments = z.object({
  filter: receiptFilter.nullish().describe('Which receipts; all unless given.'),
  by: distinctKeys(receiptGrouping).describe(
    'What to group by: up to three different keys; unless given, all receipts are one group.',
  ),
  orderBy: statsOrder.nullish().describe('The order of the groups. Unless given, by the keys, ascending.'),
  ...pageArguments,
})
export type StatsArguments = z.output<typeof statsArguments>
export type GroupedBy = z.output<typeof receiptGrouping>
