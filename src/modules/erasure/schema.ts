// GraphQL: erases a receipt's texts.
import { mutation, performs } from '../../kit/mutation.ts'
import { ReceiptType } from '../receipts/type.ts'
import { eraseReceipt } from './erase.ts'

mutation('eraseReceipt', {
  ...performs(eraseReceipt),
  description:
    'Erases what a receipt may say about a person: its reference, its callback URL, the content of its messages and its bundle, of its refunds, and of the statements of its project that state it; with the project’s stored answers that name it, and its transcripts and exports since the receipt. It cannot be undone. Hashes, anchors, amounts, wallets, balances and the audit trail stay, and a bundle that somebody kept still verifies. A bundle that was published in IPFS cannot be called back. Where a service administrator calls, also after the project did, the statements of the wallets over all projects and the exports of administrators are erased too; these are not counted in the payload.',
  takes: 'A receipt to erase.',
  errors: ['not_found', 'conflict', 'validation_failed'],
  // It reads all stored answers of the project.
  extensions: { cost: 50 },
  payload: t => ({
    receipt: t.prismaField({
      type: ReceiptType,
      description: 'The receipt, whose reference is `erased:` and its id.',
      resolve: (query, { receiptId }, _, { db }) =>
        db.receipt.findUniqueOrThrow({ ...query, where: { id: receiptId } }),
    }),
    files: t.exposeInt('files', {
      description: 'How many files of the receipts and the project’s statements lost their content.',
    }),
    statements: t.exposeInt('statements', {
      description: 'How many statements of the project are among their owners.',
    }),
    refunds: t.exposeInt('refunds', { description: 'How many refunds were erased with it.' }),
  }),
})
