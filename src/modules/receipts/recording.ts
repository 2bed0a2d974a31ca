// The GraphQL mutations that record payments.
import type { z } from 'zod'
import { builder } from '../../kit/builder.ts'
import { described, inRest } from '../../kit/enum-names.ts'
import { blanksAsNull, mutation } from '../../kit/mutation.ts'
import type { Difference, Match } from './earlier-receipt.ts'
import { type Recorded, recordReceipt, recordReceiptVerb } from './record.ts'
import { recordReceiptInput } from './record-input.ts'
import { mostReceipts, recordReceipts, recordReceiptsInput } from './record-many.ts'
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
      settled_at: 'The time of the payment.',
    }),
    settlement_tx: {
      description: 'The settlement transaction, or the number of the transfer in it.',
      extensions: inRest('tip_tx_hash'),
    },
  },
})

type Payload = Parameters<typeof mutation<Recorded>>[1]['payload']

/** The fields of what recording returns. */
export const recordedFields: Payload = t => ({
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
})

mutation('recordReceipt', {
  access: recordReceiptVerb.access,
  input: recordReceiptVerb.input,
  run: (context, input) => recordReceipt(context)(context, input),
  description:
    'Records a payment that already happened; never moves funds. The same chain and transaction, or the same transfer of it, or else the same reference, of the same project returns the existing receipt. Chains, transactions and wallets are compared in any spelling.',
  takes: 'A payment that already happened.',
  errors: ['project_key_required', 'validation_failed'],
  payload: recordedFields,
})

const RecordedReceiptType = builder.objectRef<Recorded>('RecordedReceipt').implement({
  description: 'The result of one payment of `recordReceipts`.',
  fields: recordedFields,
})

/** A receipt among others has no request, statement and job of its own: 0.2 ms. */
const costOfEntry = 2
const withoutBlanks = blanksAsNull(recordReceiptInput)

mutation('recordReceipts', {
  access: recordReceiptVerb.access,
  input: recordReceiptsInput,
  async run(context, input) {
    const { receipts } = input as z.input<typeof recordReceiptsInput>
    return { results: await recordReceipts(context, { receipts: receipts.map(withoutBlanks) }) }
  },
  description: `Records up to ${mostReceipts} payments that already happened, each as \`recordReceipt\` does, in their order. All or none: if one is not acceptable, \`issues\` names it by its index (\`input.receipts.3.amount\`), and nothing is recorded. A call that is repeated, also after an answer that never came, records nothing twice.`,
  takes: 'Payments that already happened.',
  errors: ['project_key_required', 'validation_failed'],
  extensions: {
    costOfEntry,
    listSize: {
      assumedSize: mostReceipts,
      slicingArguments: ['input.receipts'],
      maxSize: mostReceipts,
      sizedFields: ['results'],
    },
  },
  payload: t => ({
    results: t.expose('results', {
      type: [RecordedReceiptType],
      description: 'A result for each payment, in the order in which they were sent.',
    }),
  }),
})
