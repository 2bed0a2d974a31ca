// GraphQL for the stored questions and answers of a conversation.
import { z } from 'zod'
import type { Principal } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import { connectionType } from '../../kit/connection-type.ts'
import { connectionSize } from '../../kit/field-cost.ts'
import { argumentsOf } from '../../kit/input.ts'
import { Node, nodeType } from '../../kit/node.ts'
import { parse } from '../../kit/parse.ts'
import { ownExchanges, transcriptArguments } from './transcript.ts'
import { UsedToolType, usedTools } from './used-tool.ts'

const ExchangeType = builder.prismaObject('AssistantExchange', {
  interfaces: [Node],
  description: 'A question to the assistant and its answer.',
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    question: t.exposeString('question', { description: 'The caller’s last message.' }),
    reply: t.exposeString('reply', { description: 'The answer.' }),
    usedTools: t.field({
      type: [UsedToolType],
      description: 'The tool calls on which the answer is based, in order.',
      extensions: usedTools,
      resolve: ({ usedTools }) => keptTools.parse(usedTools),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the question was answered.' }),
  }),
})

const keptTools = z.array(z.object({ tool: z.string(), ok: z.boolean(), receiptIds: z.array(uuid) }))

nodeType('AssistantExchange', {
  table: 'assistant_exchanges',
  access: 'read',
  read: ({ db, principal }, query) =>
    db.assistantExchange.findMany({ ...query, where: { ...query.where, ...ownExchanges(principal) } }),
})

builder.queryField('assistantTranscript', t =>
  t.prismaConnection(
    {
      type: ExchangeType,
      cursor: 'id',
      maxSize: 200,
      defaultSize: 20,
      totalCount: (_, args, { db, principal }) => db.assistantExchange.count({ where: conversation(principal, args) }),
      description:
        'The questions and answers of one conversation of the calling API key, newest first, at most 200 a page. No other key can read them, not even a key of the same project.',
      args: argumentsOf(transcriptArguments),
      access: 'read',
      input: transcriptArguments,
      errors: [],
      extensions: { listSize: connectionSize(20, 200) },
      resolve: (query, _, args, { db, principal }) =>
        db.assistantExchange.findMany({
          ...query,
          where: conversation(principal, args),
          orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        }),
    },
    connectionType(ExchangeType, 'AssistantExchange', 'A question and its answer'),
  ),
)

const conversation = (principal: Principal, args: object): Prisma.AssistantExchangeWhereInput => ({
  ...ownExchanges(principal),
  session: parse(transcriptArguments, args).sessionId,
})
