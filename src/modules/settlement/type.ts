// The GraphQL type of the check of a payment on its own chain.
import { z } from 'zod'
import { settlementStatus } from '../../core/settlement.ts'
import { sentenceInSql, sentenceOf } from '../../core/what-is-proven.ts'
import { builder } from '../../kit/builder.ts'
import { described } from '../../kit/enum-names.ts'
import { enumOf } from '../../kit/input.ts'
import { inSql } from '../../kit/sql/index.ts'
import { type SettlementDifference, settlementDifferences } from './match.ts'

export const SettlementStatusEnum = enumOf(settlementStatus)

const GradeEnum = builder.enumType('PaymentGrade', {
  description: 'How well a payment is known.',
  values: described({
    stated: 'The project stated it.',
    observed: 'A quorum of nodes of its chain reports it.',
    proved: 'The bundle proves its transaction against the hash of its block.',
  }),
})

const FactEnum = builder.enumType('SettlementFact', {
  description: 'A fact of a payment that its chain can contradict.',
  values: described({
    amount: 'The amount, in units of the asset.',
    sender_wallet: 'The payer of the transfer.',
    receiver_wallet: 'The recipient of the transfer.',
    currency: 'The asset, by CAIP-19.',
    transfer_index: 'The number of the transfer.',
  } satisfies Record<SettlementDifference['field'], string>),
})

const DifferenceType = builder.objectRef<SettlementDifference>('SettlementDifference').implement({
  description: 'A fact that is stated otherwise than the chain has it.',
  fields: t => ({
    field: t.expose('field', { type: FactEnum, description: 'Which fact.' }),
    stated: t.exposeString('stated', { description: 'As the project stated it.' }),
    found: t.exposeString('found', { nullable: true, description: 'As the chain has it; null where it has none.' }),
  }),
})

const differences = z.array(settlementDifferences)

builder.prismaObject('Settlement', {
  description:
    'What the check of a payment on its own chain found. Fields of the block are null unless the transaction is in one.',
  fields: t => ({
    status: t.expose('status', { type: SettlementStatusEnum, description: 'The result.' }),
    grade: t.expose('grade', { type: GradeEnum, description: 'How well the payment is known.' }),
    sentence: t.string({
      description: 'The result in a sentence, as messages and pages say it.',
      extensions: inSql(({ column }) => sentenceInSql(column('status'), column('grade'))),
      resolve: sentenceOf,
    }),
    checkedAt: t.expose('checkedAt', { type: 'DateTime', description: 'When the chain was queried last.' }),
    assetId: t.exposeString('assetId', {
      nullable: true,
      description: 'The asset that the label means, by CAIP-19; null where no configuration says it.',
    }),
    blockNumber: t.expose('blockNumber', {
      type: 'BigInt',
      nullable: true,
      description: 'Number of the block with the transaction.',
    }),
    blockHash: t.expose('blockHash', { type: 'Hash32', nullable: true, description: 'Hash of that block.' }),
    blockTime: t.expose('blockTime', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of that block: when the payment took place.',
    }),
    transferIndex: t.exposeInt('legIndex', {
      nullable: true,
      description:
        'The transfer that is the payment, or the one most like it: the number of its log in the block, or the place of a transfer of the chain’s own currency in the transaction.',
    }),
    senderWallet: t.expose('legFrom', { type: 'Address', nullable: true, description: 'Payer of that transfer.' }),
    receiverWallet: t.expose('legTo', { type: 'Address', nullable: true, description: 'Recipient of that transfer.' }),
    amount: t.expose('legAmount', { type: 'Decimal', nullable: true, description: 'Amount of that transfer.' }),
    transactionSender: t.expose('sentBy', {
      type: 'Address',
      nullable: true,
      description:
        'Sender of the transaction, who paid its fee: another than the payer where a contract or a relayer pays.',
    }),
    fee: t.exposeString('fee', {
      nullable: true,
      description: 'Fee of the transaction, in the smallest unit of the chain’s own currency, as digits.',
    }),
    candidates: t.exposeIntList('legs', {
      description: 'Of an ambiguous payment: the numbers of the transfers among which the receipt does not choose.',
    }),
    differences: t.field({
      type: [DifferenceType],
      description: 'The facts that are stated otherwise than the chain has them.',
      select: { differences: true },
      resolve: settlement => differences.parse(settlement.differences),
    }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why there was no answer, in a sentence.' }),
    isFinal: t.boolean({
      description: 'The result does not change any more; otherwise the payment is checked again.',
      extensions: inSql(({ column }) => `(${column('retryAt')} is null)`),
      resolve: ({ retryAt }) => retryAt === null,
    }),
  }),
})

builder.prismaObjectField('Receipt', 'settlement', t =>
  t.relation('settlement', {
    nullable: true,
    description:
      'The check of the payment on its own chain; null until it is made, where the policy is `OFF`, and for payments on chains that this service cannot query. Of a refund: the check of the transaction that gave the money back.',
  }),
)
