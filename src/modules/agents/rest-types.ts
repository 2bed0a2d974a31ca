// The types of an agent's anchors and activity that only the REST API has, whose answers are older than the shape of
// GraphQL.
import type { Anchor } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import { connectionType } from '../../kit/connection-type.ts'
import { described, textInRest } from '../../kit/enum-names.ts'
import {
  type Activity,
  type AgentAnchorStatus,
  activitiesOf,
  mostEntries,
  type Span,
  type Summary,
  statusOf,
  summaryOf,
} from './activity.ts'

export const AgentAnchorStatusEnum = builder.enumType('AgentAnchorStatus', {
  description: 'Status of an agent’s anchor.',
  values: described<AgentAnchorStatus>({
    pending: 'Not final yet.',
    confirmed: 'Final.',
    failed: 'The receipt of the anchor failed.',
  }),
})

/** `%` is the chain. */
export const anchorMessages: Record<Anchor['state'], string> = {
  waiting: 'It goes out with the next transaction on %.',
  external: 'The project sends it on % itself.',
  sent: 'It is in a transaction on % that is not final yet.',
  confirmed: 'It is anchored on %.',
}

export const AgentAnchorType = builder.prismaObject('Anchor', {
  variant: 'AgentAnchor',
  description: 'A hash that was or will be anchored for an agent.',
  fields: t => ({
    bundleHash: t.expose('bundleHash', { type: 'Hash32', description: 'The hash, 0x-prefixed.' }),
    anchorTx: t.field({
      type: 'Hash32',
      nullable: true,
      select: { transaction: { select: { txid: true } } },
      description: 'Id of the anchor transaction, 0x-prefixed; null until the transaction is sent.',
      resolve: ({ transaction }) => transaction?.txid ?? null,
    }),
    chain: t.exposeString('chain', { description: 'Name of the anchoring chain.' }),
    status: t.field({
      type: AgentAnchorStatusEnum,
      select: { state: true, receipt: { select: { status: true } } },
      description: 'Status of the anchor.',
      resolve: statusOf,
    }),
    anchoredAt: t.field({
      type: 'DateTime',
      nullable: true,
      select: { transaction: { select: { blockTime: true } } },
      description: 'Block time of the anchor.',
      resolve: ({ transaction }) => transaction?.blockTime ?? null,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the anchor was created.' }),
    anchor: t.variant('Anchor', { description: 'The anchor itself, with its receipt and its transaction.' }),
  }),
})

export const AgentAnchorConnection = connectionType(AgentAnchorType, 'AgentAnchor', 'An anchor')

const ActivityTypeEnum = builder.enumType('AgentActivityType', {
  description: 'A type of activity.',
  extensions: textInRest,
  values: described<Activity['type']>({
    payment: 'A payment to this service.',
    anchor: 'A hash that was or will be anchored.',
  }),
})

const ActivityType = builder.objectRef<Activity>('AgentActivityEntry').implement({
  description: 'A payment or an anchor of an agent.',
  fields: t => ({
    type: t.expose('type', { type: ActivityTypeEnum, description: 'Whether it is a payment or an anchor.' }),
    subjectId: t.exposeID('id', { description: 'UUID of the payment or anchor.' }),
    content: t.exposeString('content', { description: 'The activity as a sentence.' }),
    timestamp: t.expose('timestamp', { type: 'DateTime', description: 'Time of the payment or anchor.' }),
    details: t.expose('details', { type: 'JSONObject', description: 'Amounts, hashes and ids of the activity.' }),
  }),
})

const SummaryType = builder.objectRef<Summary>('AgentActivitySummary').implement({
  description: 'Counts of an agent’s payments and anchors.',
  fields: t => ({
    totalPayments: t.exposeInt('totalPayments', { description: 'Number of settled payments.' }),
    totalAnchors: t.exposeInt('totalAnchors', { description: 'Number of anchors.' }),
    anchoredPayments: t.exposeInt('anchoredPayments', { description: 'Number of payments whose receipt is anchored.' }),
  }),
})

export const UnifiedActivityType = builder.objectRef<Span>('AgentUnifiedActivity').implement({
  description: 'Payments and anchors of an agent together.',
  fields: t => ({
    days: t.exposeInt('days', { description: 'How many days in UTC, today included.' }),
    activities: t.field({
      type: [ActivityType],
      description: `Newest first, at most ${mostEntries}.`,
      extensions: { listSize: { assumedSize: mostEntries, maxSize: mostEntries }, cost: 10 },
      resolve: (span, _, context) => activitiesOf(context, span),
    }),
    summary: t.field({
      type: SummaryType,
      description: 'Counts of all payments and anchors.',
      extensions: { cost: 10 },
      resolve: (span, _, context) => summaryOf(context, span),
    }),
  }),
})
