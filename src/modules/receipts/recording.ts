// The GraphQL mutations that record a payment: one returns the receipt, the other also whether it is an earlier one.
import { builder } from '../../kit/builder.ts'
import { inputType } from '../../kit/input.ts'
import { declarationOf } from '../../kit/verb.ts'
import { ReceiptStatusEnum } from './enums.ts'
import { type Recorded, receiptMatches, recordReceipt, recordReceiptInput, recordReceiptVerb } from './record.ts'
import { ReceiptType } from './schema.ts'

const MatchEnum = builder.enumType('ReceiptMatch', {
  description:
    'How an earlier receipt was found. `settlement`: the same chain and transaction. `reference`: the same reference.',
  values: receiptMatches,
})

const RecordedType = builder.objectRef<Recorded>('RecordedReceipt').implement({
  description: 'A payment’s receipt, new or an earlier one.',
  fields: t => ({
    receiptId: t.id({ description: 'The receipt’s UUID.', resolve: ({ receipt }) => receipt.id }),
    status: t.field({
      type: ReceiptStatusEnum,
      description: 'State of the receipt; `pending` when it is new.',
      resolve: ({ receipt }) => receipt.status,
    }),
    matchedBy: t.expose('matchedBy', {
      type: MatchEnum,
      nullable: true,
      description: 'How the earlier receipt was found. Absent when the receipt is new.',
    }),
    receipt: t.field({ type: ReceiptType, description: 'The receipt.', resolve: ({ receipt }) => receipt }),
  }),
})

const RecordReceiptInput = inputType('RecordReceiptInput', 'A payment that already happened.', recordReceiptInput)

builder.mutationField('recordReceipt', t =>
  t.field({
    type: ReceiptType,
    description:
      'Records a payment that already happened; never moves funds. The same chain and transaction, or else the same reference, of the same project returns the existing receipt; `findOrRecordReceipt` reports whether it did.',
    args: { input: t.arg({ type: RecordReceiptInput, required: true }) },
    ...declarationOf(recordReceiptVerb),
    errors: ['project_key_required', 'validation_failed'],
    resolve: async (_, { input }, context) => (await recordReceipt(context)(context, input)).receipt,
  }),
)

builder.mutationField('findOrRecordReceipt', t =>
  t.field({
    type: RecordedType,
    description: 'Does what `recordReceipt` does, and reports whether the receipt is an earlier one.',
    args: { input: t.arg({ type: RecordReceiptInput, required: true }) },
    ...declarationOf(recordReceiptVerb),
    errors: ['project_key_required', 'validation_failed'],
    resolve: (_, { input }, context) => recordReceipt(context)(context, input),
  }),
)
