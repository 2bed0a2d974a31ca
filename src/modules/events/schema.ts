// The GraphQL type of a receipt's event, and the subscription to one receipt.
import { z } from 'zod'
import { notFound } from '../../core/errors.ts'
import { uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import { described, restOnly, textInRest } from '../../kit/enum-names.ts'
import { argumentsOf } from '../../kit/input.ts'
import { LiveLog } from '../../kit/live/log.ts'
import { parse } from '../../kit/parse.ts'
import { asRelation, inSql, type Row } from '../../kit/sql/index.ts'
import { ReceiptStatusEnum } from '../receipts/enums.ts'
import { receiptById } from '../receipts/load.ts'
import { bundleUrl, bundleUrlInSql, xmlUrl, xmlUrlInSql } from '../receipts/urls.ts'
import { receiptLog } from './follow.ts'
import { resumedAfter } from './input.ts'
import { cursorText, occurredText } from './live.ts'
import type { ReceiptEvent } from './receipt-event.ts'
import { receiptEventTexts } from './texts.ts'

export const ReceiptEventTypeEnum = builder.enumType('ReceiptEventType', {
  description: 'What happened to a receipt.',
  extensions: textInRest,
  values: described<string>(receiptEventTexts),
})

const ofReceipt = ({ column, through }: Row) => ({
  id: column('receiptId'),
  refundOfId: through('receipt', 'refundOfId'),
})

export const ReceiptEventType = builder.objectRef<ReceiptEvent>('ReceiptEvent').implement({
  description: 'A change of a receipt, with the values of the receipt right after the change.',
  fields: t => ({
    cursor: t.exposeID('id', { description: cursorText }),
    type: t.expose('type', {
      type: ReceiptEventTypeEnum,
      description:
        'The new status of the receipt, or `RECEIPT_REFUNDED` when a refund of the receipt was recorded or settled.',
    }),
    occurredAt: t.expose('occurredAt', {
      type: 'DateTime',
      extensions: inSql(({ column }) => column('createdAt')),
      description: occurredText,
    }),
    receipt: t.prismaField({
      type: 'Receipt',
      extensions: asRelation('receipt'),
      description: 'The receipt as it is now.',
      resolve: async (query, { receiptId }, _, context) => {
        const receipt = await receiptById(context, query, receiptId)
        // Receipts are never deleted.
        if (receipt === null) throw notFound('receipt')
        return receipt
      },
    }),
    receiptId: t.exposeID('receiptId', { description: 'The receipt’s UUID.', extensions: restOnly }),
    status: t.expose('status', {
      type: ReceiptStatusEnum,
      extensions: inSql(({ column, through }) => `coalesce(${column('status')}, ${through('receipt', 'status')})`),
      description: 'Complete only when `ANCHORED`.',
    }),
    bundleHash: t.expose('bundleHash', {
      type: 'Hash32',
      nullable: true,
      description: 'SHA-256 of the bundle, 0x-prefixed.',
    }),
    anchorTx: t.expose('ledgerTxid', {
      type: 'Hash32',
      nullable: true,
      description: 'Anchor transaction id, 0x-prefixed.',
    }),
    xmlUrl: t.field({
      type: 'URL',
      nullable: true,
      description: 'URL of the ISO message inside the bundle.',
      extensions: inSql(xmlUrlInSql(ofReceipt)),
      resolve: (event, _, { publicBaseUrl }) => xmlUrl(publicBaseUrl, event.receiptId, event),
    }),
    bundleUrl: t.field({
      type: 'URL',
      nullable: true,
      description: 'URL of the evidence ZIP.',
      extensions: inSql(bundleUrlInSql(ofReceipt)),
      resolve: (event, _, { publicBaseUrl }) => bundleUrl(publicBaseUrl, event.receiptId, event),
    }),
    anchoredAt: t.expose('anchoredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the anchor’s block.',
    }),
  }),
})

const eventArguments = z.strictObject({
  receiptId: uuid.describe('The receipt’s UUID.'),
  after: resumedAfter.describe(
    'Cursor of the last event seen; the stream continues after it. Unless given, the present state comes first.',
  ),
})

builder.subscriptionField('receiptEvents', t =>
  t.field({
    type: ReceiptEventType,
    description:
      'The present state of a receipt, then each change; ends after `ANCHORED`. With `after`, every change since that event.',
    args: argumentsOf(eventArguments),
    access: 'public',
    input: eventArguments,
    errors: ['not_found', 'too_many_requests'],
    subscribe: (_, args, context) => {
      const { receiptId, after } = parse(eventArguments, args)
      return new LiveLog(context, receiptLog(context, receiptId, after ?? null))
    },
    resolve: event => event,
  }),
)
