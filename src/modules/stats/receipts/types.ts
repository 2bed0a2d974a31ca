// The GraphQL types of groups of receipts.

import type { z } from 'zod'
import type { SettlementStatus } from '../../../core/settlement.ts'
import { builder } from '../../../kit/builder.ts'
import { groupConnectionType } from '../../../kit/groups/connection-type.ts'
import { PeriodType } from '../../../kit/groups/period-type.ts'
import { AgentType } from '../../agents/type.ts'
import { DecisionEnum } from '../../compliance/report.ts'
import { ProjectType } from '../../projects/type.ts'
import { ReceiptStatusEnum } from '../../receipts/enums.ts'
import type { receiptStatus } from '../../receipts/filter.ts'
import { SettlementStatusEnum } from '../../settlement/type.ts'

type Key = Partial<{
  time: { start: number; end: number; date: string }
  status: z.output<typeof receiptStatus>
  chain: string
  network: string | null
  currency: string
  sender: string
  receiver: string
  counterparty: string | null
  complianceDecision: 'allow' | 'flag' | 'deny' | 'unavailable'
  settlementStatus: SettlementStatus | null
  /** UUIDs. */
  agent: string | null
  project: string
}>

/** Amounts are decimal texts. What is not selected may be absent. */
type Sum = {
  currency: string
  count: number
} & Record<'paymentCount' | 'announcedRefundCount' | 'refundCount' | 'deniedCount', number> &
  Record<'gross' | 'announcedRefunds' | 'refunded' | 'denied' | 'net', string> &
  Record<'min' | 'max' | 'average', string | null>
type Fiat = { currency: string; count: number; amount: string }
type Times = Record<'p50' | 'p95' | 'p99', number | null>
export type ReceiptGroup = { key: Key; count: number; sums: Sum[]; fiat: Fiat[]; anchoring: Times }

const only = 'Null unless the receipts are grouped by it.'

const KeyType = builder.objectRef<Key>('ReceiptGroupKey').implement({
  description: 'What the receipts of a group have in common.',
  fields: t => ({
    time: t.field({
      type: PeriodType,
      nullable: true,
      description: `The period of time. ${only}`,
      resolve: ({ time }) => time,
    }),
    status: t.expose('status', { type: ReceiptStatusEnum, nullable: true, description: `The status. ${only}` }),
    chain: t.exposeString('chain', {
      nullable: true,
      description: `The chain of the payments, by one of the names in the receipts. ${only}`,
    }),
    network: t.exposeString('network', {
      nullable: true,
      description: 'The CAIP-2 id of the chain, where it is known. Null unless the receipts are grouped by chain.',
    }),
    currency: t.exposeString('currency', { nullable: true, description: `The currency or asset. ${only}` }),
    sender: t.exposeString('sender', {
      nullable: true,
      description: `The payer’s address, as one of the receipts has it. ${only}`,
    }),
    receiver: t.exposeString('receiver', {
      nullable: true,
      description: `The recipient’s address, as one of the receipts has it. ${only}`,
    }),
    counterparty: t.exposeString('counterparty', {
      nullable: true,
      description:
        'The address of the other party: the side whose wallet was not linked to the project when the receipt was sealed. Also null where no side was linked, or both were.',
    }),
    complianceDecision: t.expose('complianceDecision', {
      type: DecisionEnum,
      nullable: true,
      description: `The worst decision of the compliance checks; \`UNAVAILABLE\` where none was made. ${only}`,
    }),
    settlementStatus: t.expose('settlementStatus', {
      type: SettlementStatusEnum,
      nullable: true,
      description:
        'The result of the check of the payment on its own chain. Also null for receipts that are not sealed yet, or were not checked.',
    }),
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
      description: `The project. ${only}`,
      resolve: (query, { project }, _, { db }) =>
        project ? db.project.findUnique({ ...query, where: { id: project } }) : null,
    }),
  }),
})

const exactly = 'Exactly, in units of the currency.'

const SumType = builder.objectRef<Sum>('ReceiptSum').implement({
  description:
    'The receipts of a group in one currency. A refund counts where its own receipt is: in its period, with its sender and receiver.',
  fields: t => ({
    currency: t.exposeString('currency', { description: 'Currency or asset.' }),
    count: t.exposeInt('count', { description: 'Number of receipts, of all kinds.' }),
    paymentCount: t.exposeInt('paymentCount', { description: 'Number of payments: no refunds, and not denied.' }),
    gross: t.expose('gross', { type: 'Decimal', description: `Sum of the payments. ${exactly}` }),
    refundCount: t.exposeInt('refundCount', { description: 'Number of settled refunds.' }),
    refunded: t.expose('refunded', { type: 'Decimal', description: `Sum of the settled refunds. ${exactly}` }),
    announcedRefundCount: t.exposeInt('announcedRefundCount', {
      description: 'Number of refunds that are announced and not settled.',
    }),
    announcedRefunds: t.expose('announcedRefunds', {
      type: 'Decimal',
      description: `Sum of the refunds that are announced and not settled. ${exactly}`,
    }),
    deniedCount: t.exposeInt('deniedCount', { description: 'Number of receipts that a compliance check denied.' }),
    denied: t.expose('denied', {
      type: 'Decimal',
      description: `Sum of the receipts that a compliance check denied. ${exactly}`,
    }),
    net: t.expose('net', { type: 'Decimal', description: '`gross` without `refunded`; may be below zero.' }),
    min: t.expose('min', { type: 'Decimal', nullable: true, description: 'The smallest payment; null without one.' }),
    max: t.expose('max', { type: 'Decimal', nullable: true, description: 'The largest payment; null without one.' }),
    average: t.expose('average', {
      type: 'Decimal',
      nullable: true,
      description: 'The mean of the payments, to 18 decimal places; null without one.',
    }),
  }),
})

const FiatType = builder.objectRef<Fiat>('FiatSum').implement({
  description: 'The equivalents of the payments of a group in one fiat currency.',
  fields: t => ({
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    count: t.exposeInt('count', { description: 'Number of payments whose equivalent is known.' }),
    amount: t.expose('amount', { type: 'Decimal', description: 'Sum of the equivalents, exactly.' }),
  }),
})

const TimesType = builder.objectRef<Times>('AnchoringTimes').implement({
  description:
    'Seconds from the record of a receipt to the block of its anchor, over the anchored receipts of a group.',
  fields: t => ({
    p50: t.exposeFloat('p50', {
      nullable: true,
      description: 'The median, in seconds; null while none is anchored.',
    }),
    p95: t.exposeFloat('p95', {
      nullable: true,
      description: 'The 95th percentile, in seconds; null while none is anchored.',
    }),
    p99: t.exposeFloat('p99', {
      nullable: true,
      description: 'The 99th percentile, in seconds; null while none is anchored.',
    }),
  }),
})

const GroupType = builder.objectRef<ReceiptGroup>('ReceiptStats').implement({
  description: 'A group of receipts, added up.',
  fields: t => ({
    key: t.expose('key', { type: KeyType, description: 'What the receipts of the group have in common.' }),
    count: t.exposeInt('count', { description: 'Number of receipts, of all kinds.' }),
    sums: t.expose('sums', {
      type: [SumType],
      extensions: { listSize: { assumedSize: 2 } },
      description: 'One sum for each currency, because amounts of different currencies cannot be added up.',
    }),
    fiat: t.expose('fiat', {
      type: [FiatType],
      extensions: { listSize: { assumedSize: 1 } },
      description: 'The equivalents of the payments, one sum for each fiat currency.',
    }),
    anchoring: t.expose('anchoring', { type: TimesType, description: 'How long anchoring took.' }),
  }),
})

export const ReceiptStatsConnection = groupConnectionType(GroupType, 'ReceiptStats')
