// The GraphQL subscription that keeps a list of payments to this service current.
import { z } from 'zod'
import { builder } from '../../kit/builder.ts'
import { described, textInRest } from '../../kit/enum-names.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { paymentFilter } from '../payments/filter.ts'
import { PaymentType } from '../payments/type.ts'
import { followed, ofProject, streamRefusals } from './followed.ts'
import { cursorText, type LiveChange, matched, matchesText, occurredText, streamText } from './live.ts'
import { paymentMatcher } from './matching.ts'
import { paymentEventTexts } from './texts.ts'

const PaymentEventTypeEnum = builder.enumType('PaymentEventType', {
  description: 'What happened to a payment.',
  extensions: textInRest,
  values: described<string>(paymentEventTexts),
})

const PaymentChangeType = builder.objectRef<LiveChange>('PaymentChange').implement({
  description: 'A change of a payment to this service that a list shows.',
  fields: t => ({
    cursor: t.exposeID('cursor', { description: cursorText }),
    type: t.expose('type', {
      type: PaymentEventTypeEnum,
      description: 'The new status of the payment; `PAYMENT_DROPPED` when no transaction was sent and none will be.',
    }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: occurredText }),
    matches: t.exposeBoolean('matches', { description: `${matchesText('payment')} Always false once it was dropped.` }),
    paymentId: t.exposeID('subject', { description: 'The payment’s UUID.' }),
    payment: t.prismaField({
      type: PaymentType,
      nullable: true,
      description: 'The payment as it is now, which may be later than this change; null once it was dropped.',
      resolve: (query, { subject }, _, { db }) => db.payment.findUnique({ ...query, where: { id: subject } }),
    }),
  }),
})

const paymentChangedArguments = z.strictObject({
  ...ofProject,
  filter: paymentFilter.nullish().describe('Which payments; all unless given.'),
})

builder.subscriptionField('paymentChanged', t =>
  t.field({
    type: PaymentChangeType,
    description: `${streamText('payment')} A dropped payment is sent whatever the filter.`,
    args: argumentsOf(paymentChangedArguments),
    access: 'read',
    input: paymentChangedArguments,
    errors: streamRefusals,
    subscribe: (_, args, context) => {
      const { filter, ...from } = parse(paymentChangedArguments, args)
      const matcher = filter ? paymentMatcher(context, filter) : null
      return followed(context, from, events =>
        matched(
          matcher,
          events.flatMap(({ id: cursor, type, at: occurredAt, paymentId, payment }) =>
            paymentId === null ? [] : { cursor, type, occurredAt, subject: paymentId, isGone: payment === null },
          ),
        ),
      )
    },
    resolve: event => event,
  }),
)
