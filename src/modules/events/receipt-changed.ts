// The GraphQL subscription that keeps a list of receipts current.
import { z } from 'zod'
import { notFound } from '../../core/errors.ts'
import { builder } from '../../kit/builder.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { receiptFilter } from '../receipts/filter.ts'
import { receiptById } from '../receipts/load.ts'
import { followed, ofProject, streamRefusals } from './followed.ts'
import { cursorText, type LiveChange, matched, matchesText, occurredText, streamText } from './live.ts'
import { receiptMatcher } from './matching.ts'
import { ReceiptEventTypeEnum } from './schema.ts'

const ReceiptChangeType = builder.objectRef<LiveChange>('ReceiptChange').implement({
  description: 'A change of a receipt that a list shows.',
  fields: t => ({
    cursor: t.exposeID('cursor', { description: cursorText }),
    type: t.expose('type', { type: ReceiptEventTypeEnum, description: 'What happened.' }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: occurredText }),
    matches: t.exposeBoolean('matches', { description: matchesText('receipt') }),
    receipt: t.prismaField({
      type: 'Receipt',
      description: 'The receipt as it is now, which may be later than this change.',
      resolve: async (query, { subject }, _, context) => {
        const receipt = await receiptById(context, query, subject)
        // Receipts are never deleted.
        if (receipt === null) throw notFound('receipt')
        return receipt
      },
    }),
  }),
})

const receiptChangedArguments = z.strictObject({
  ...ofProject,
  filter: receiptFilter.nullish().describe('Which receipts; all unless given.'),
})

builder.subscriptionField('receiptChanged', t =>
  t.field({
    type: ReceiptChangeType,
    description: streamText('receipt'),
    args: argumentsOf(receiptChangedArguments),
    access: 'read',
    input: receiptChangedArguments,
    errors: streamRefusals,
    subscribe: (_, args, context) => {
      const { filter, ...from } = parse(receiptChangedArguments, args)
      const matcher = filter ? receiptMatcher(context, filter) : null
      return followed(context, from, events =>
        matched(
          matcher,
          events.flatMap(({ id: cursor, type, at: occurredAt, receiptId }) =>
            receiptId === null ? [] : { cursor, type, occurredAt, subject: receiptId, isGone: false },
          ),
        ),
      )
    },
    resolve: event => event,
  }),
)
