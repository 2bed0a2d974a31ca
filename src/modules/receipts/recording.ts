// The GraphQL mutation that records a payment.
import { builder } from '../../kit/builder.ts'
import { described, inRest } from '../../kit/enum-names.ts'
import { mutation } from '../../kit/mutation.ts'
import type { Difference, Match } from './earlier-receipt.ts'
import { recordReceipt, recordReceiptVerb } from './record.ts'
import { ReceiptType } from './type.ts'

const MatchEnum = builder.enumType('ReceiptMatch', {
  description: 'How an earlier receipt was found.',
  values: described<Match>({
    settlement: 'By the same chain and transaction, or the same transfer of it.',
    reference: 'By the same reference.',
  }),
})

const DifferenceEnum = builder.enumType('RecordedFact', {
  description: 'A fact of a payment, as it is recorded.',
  values: {
    ...described<Exclude<Difference, 'settlement_tx'>>({
      chain: 'The chain.',
      amount: 'The amount.',
      currency: 'The currency or asset.',
      sender_wallet: 'The payer’s address.',
      receiver_wallet: 'The recipient’s address.',
      reference: 'The business identifier.',
      resource_hash: 'The hash of the delivered bytes.',
      callback_url: 'The URL for callbacks.',
    }),
    settlement_tx: {
      description: 'The settlement transaction, or the number of the transfer in it.',
      extensions: inRest('tip_tx_hash'),
    },
  },
})

mutation('recordReceipt', {
  access: recordReceiptVerb.access,
  input: recordReceiptVerb.input,
  run: (context, input) => recordReceipt(context)(context, input),
  description:
    'Records a payment that already happened; never moves funds. The same chain and transaction, or the same transfer of it, or else the same reference, of the same project returns the existing receipt. Chains, transactions and wallets are compared in any spelling.',
  takes: 'A payment that already happened.',
  errors: ['project_key_required', 'validation_failed'],
  payload: t => ({
    receipt: t.expose('receipt', { type: ReceiptType, description: 'The receipt, new or an earlier one.' }),
    matchedBy: t.expose('matchedBy', {
      type: MatchEnum,
      nullable: true,
      description: 'How the earlier receipt was found; null when the receipt is new.',
    }),
    differences: t.expose('differences', {
      type: [DifferenceEnum],
      extensions: { listSize: { assumedSize: 1 } },
      description:
        'What the earlier receipt states otherwise, by identity and exact value; what was not sent does not differ. Empty when the receipt is new, or states the same. If it is not empty, the payment that was sent may not be recorded.',
    }),
  }),
})
