// The GraphQL types of groups of payments.
import type { z } from 'zod'
import { builder } from '../../../kit/builder.ts'
import { groupConnectionType } from '../../../kit/groups/connection-type.ts'
import { PeriodType } from '../../../kit/groups/period-type.ts'
import { AgentType } from '../../agents/type.ts'
import { PaymentStatusEnum } from '../../payments/enums.ts'
import type { paymentStatus } from '../../payments/filter.ts'
import { ProjectType } from '../../projects/type.ts'

type Key = Partial<{
  time: { start: number; end: number; date: string }
  status: z.output<typeof paymentStatus>
  network: string
  currency: string
  endpoint: string
  payer: string
  /** UUIDs. */
  agent: string | null
  project: string | null
}>

/** Amounts are decimal texts. What is not selected may be absent. */
type Sum = { currency: string; count: number; settledCount: number; settled: string } & Record<
  'min' | 'max' | 'average',
  string | null
>
export type PaymentGroup = { key: Key; count: number; sums: Sum[] }

const only = 'Null unless the payments are grouped by it.'

const KeyType = builder.objectRef<Key>('PaymentGroupKey').implement({
  description: 'What the payments of a group have in common.',
  fields: t => ({
    time: t.field({
      type: PeriodType,
      nullable: true,
      description: `The period of time. ${only}`,
      resolve: ({ time }) => time,
    }),
    status: t.expose('status', { type: PaymentStatusEnum, nullable: true, description: `The status. ${only}` }),
    network: t.exposeString('network', { nullable: true, description: `The network, by its CAIP-2 id. ${only}` }),
    currency: t.exposeString('currency', { nullable: true, description: `The ticker of the token. ${only}` }),
    endpoint: t.exposeString('endpoint', {
      nullable: true,
      description: `The endpoint’s path in the price list. ${only}`,
    }),
    payer: t.exposeString('payer', { nullable: true, description: `The wallet that paid. ${only}` }),
    agent: t.prismaField({
      type: AgentType,
      nullable: true,
      description: 'The agent of the project whose wallet paid. Also null where no agent has the wallet.',
      resolve: (query, { agent }, _, { db }) =>
        agent ? db.agent.findUnique({ ...query, where: { id: agent } }) : null,
    }),
    project: t.prismaField({
      type: ProjectType,
      nullable: true,
      description: 'The project. Also null for payments without one.',
      resolve: (query, { project }, _, { db }) =>
        project ? db.project.findUnique({ ...query, where: { id: project } }) : null,
    }),
  }),
})

const SumType = builder.objectRef<Sum>('PaymentSum').implement({
  description: 'The payments of a group in one token.',
  fields: t => ({
    currency: t.exposeString('currency', { description: 'Ticker of the token.' }),
    count: t.exposeInt('count', { description: 'Number of payments, of any status.' }),
    settledCount: t.exposeInt('settledCount', { description: 'Number of payments that are settled or delivered.' }),
    settled: t.expose('settled', {
      type: 'Decimal',
      description: 'Sum of the settled payments, in units of the token, exactly.',
    }),
    min: t.expose('min', {
      type: 'Decimal',
      nullable: true,
      description: 'The smallest settled payment; null without one.',
    }),
    max: t.expose('max', {
      type: 'Decimal',
      nullable: true,
      description: 'The largest settled payment; null without one.',
    }),
    average: t.expose('average', {
      type: 'Decimal',
      nullable: true,
      description: 'The mean of the settled payments, to 18 decimal places; null without one.',
    }),
  }),
})

const GroupType = builder.objectRef<PaymentGroup>('PaymentStats').implement({
  description: 'A group of payments, added up.',
  fields: t => ({
    key: t.expose('key', { type: KeyType, description: 'What the payments of the group have in common.' }),
    count: t.exposeInt('count', { description: 'Number of payments, of any status.' }),
    sums: t.expose('sums', {
      type: [SumType],
      extensions: { listSize: { assumedSize: 2 } },
      description: 'One sum for each token, because amounts of different tokens cannot be added up.',
    }),
  }),
})

export const PaymentStatsConnection = groupConnectionType(GroupType, 'PaymentStats')
