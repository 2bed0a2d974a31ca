// The GraphQL subscription that tells when groups of receipts are to be read again.
import { z } from 'zod'
import { builder } from '../../kit/builder.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { receiptFilter } from '../receipts/filter.ts'
import { followed, ofProject, streamRefusals } from './followed.ts'
import { cursorText, matched } from './live.ts'
import { receiptMatcher } from './matching.ts'

type Tick = { cursor: string; occurredAt: Date; changes: number }

const TickType = builder.objectRef<Tick>('ReceiptStatsChange').implement({
  description: 'Changes of receipts after which their groups may be others.',
  fields: t => ({
    cursor: t.exposeID('cursor', { description: cursorText }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'When the last of the changes happened.' }),
    changes: t.exposeInt('changes', { description: 'How many changes there were.' }),
  }),
})

const statsChangedArguments = z.strictObject({
  ...ofProject,
  filter: receiptFilter.nullish().describe('The filter of the groups; all receipts unless given.'),
})

builder.subscriptionField('receiptStatsChanged', t =>
  t.field({
    type: TickType,
    description:
      'Tells, from now on or since the event `after`, that receipts of the caller’s project changed of which `receiptStats` with the same filter may tell. Changes that come together are told together, so one message stands for any number of them. The stream does not end by itself.',
    args: argumentsOf(statsChangedArguments),
    access: 'read',
    input: statsChangedArguments,
    errors: streamRefusals,
    subscribe: (_, args, context) => {
      const { filter, ...from } = parse(statsChangedArguments, args)
      const matcher = filter ? receiptMatcher(context, filter) : null
      return followed(context, from, async events => {
        const changes = await matched(
          matcher,
          events.flatMap(({ id: cursor, type, at: occurredAt, receiptId }) =>
            receiptId === null ? [] : { cursor, type, occurredAt, subject: receiptId, isGone: false },
          ),
        )
        const last = changes.at(-1)
        return last ? [{ cursor: last.cursor, occurredAt: last.occurredAt, changes: changes.length }] : []
      })
    },
    resolve: tick => tick,
  }),
)
