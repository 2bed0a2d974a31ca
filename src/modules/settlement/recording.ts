// The GraphQL mutation that records a payment from its chain.
import { mutation, performs } from '../../kit/mutation.ts'
import { recordedFields } from '../receipts/recording.ts'
import { recordFromChain } from './from-chain.ts'

mutation('recordReceiptFromChain', {
  ...performs(recordFromChain),
  description:
    'Records a payment that already happened, of which only the transaction is named: amount, parties and time are read from its chain. Only on chains that this service can query. A receipt that was recorded before is returned as `recordReceipt` returns it.',
  takes: 'The transaction of a payment that already happened.',
  errors: ['project_key_required', 'validation_failed', 'chain_unavailable'],
  extensions: { cost: 30 },
  payload: recordedFields,
})
