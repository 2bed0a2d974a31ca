// The GraphQL mutation that records a payment.
import { builder } from '../../kit/builder.ts'
import { described } from '../../kit/enum-names.ts'
import { mutation } from '../../kit/mutation.ts'
import { type receiptMatches, recordReceipt, recordReceiptVerb } from './record.ts'
import { ReceiptType } from './type.ts'

const MatchEnum = builder.enumType('ReceiptMatch', {
  description: 'How an earlier receipt was found.',
  values: described<(typeof receiptMatches)[number]>({
    settlement: 'By the same chain and transaction.',
    reference: 'By the same reference.',
  }),
})

mutation('recordReceipt', {
  access: recordReceiptVerb.access,
  input: recordReceiptVerb.input,
  run: (context, input) => recordReceipt(context)(context, input),
  description:
    'Records a payment that already happened; never moves funds. The same chain and transaction, or else the same reference, of the same project returns the existing receipt.',
  takes: 'A payment that already happened.',
  errors: ['project_key_required', 'validation_failed'],
  payload: t => ({
    receipt: t.expose('receipt', { type: ReceiptType, description: 'The receipt, new or an earlier one.' }),
    matchedBy: t.expose('matchedBy', {
      type: MatchEnum,
      nullable: true,
      description: 'How the earlier receipt was found; null when the receipt is new.',
    }),
  }),
})
