// The input of the assistant.
import { z } from 'zod'
import { lines, text, uuid } from '../../core/text.ts'

const mostMessages = 50
const mostText = 60_000

const message = z
  .strictObject({
    role: z
      .enum(['user', 'assistant'])
      .meta({
        graphql: 'AssistRole',
        description: 'Author of the message: caller, or model in an earlier answer.',
        values: { user: 'The caller.', assistant: 'The model, in an earlier answer.' },
      })
      .describe('USER or ASSISTANT.'),
    content: lines(20_000).describe('Plain text, 1 to 20,000 characters.'),
  })
  .meta({ graphql: 'AssistMessage', description: 'One message of a conversation.' })

const flag = z.boolean().meta({ graphql: 'Boolean' }).nullish()

const scope = z
  .strictObject({
    allowReadReceipts: flag
      .meta({ graphql: 'Boolean', default: true })
      .describe('Whether the model may read receipts. If false, the model has no tools.'),
    allowedReceiptIds: z
      .array(uuid)
      .max(200, 'Must be at most 200.')
      .nullish()
      .describe('Only these receipts may be read: none when empty, all of the project when absent.'),
    allowReadArtifacts: flag
      .meta({ graphql: 'Boolean', default: false })
      .describe('Whether the model may also read the XML messages of those receipts.'),
    allowConfigChanges: flag.describe('Accepted from older clients, and grants nothing: the model cannot write.'),
  })
  .meta({ graphql: 'AssistScope', description: 'Limits of what the model may read for an answer.' })

export const assistInput = z.strictObject({
  messages: z
    .array(message)
    .min(1, 'Must be at least 1.')
    .max(mostMessages, `Must be at most ${mostMessages}.`)
    .refine(messages => messages.at(-1)?.role === 'user', 'The last message must be the caller’s.')
    .refine(messages => messages.reduce((sum, each) => sum + each.content.length, 0) <= mostText, {
      error: `The messages must have at most ${mostText} characters together.`,
      params: { type: 'string_too_long' },
    })
    .describe(`The conversation so far, 1 to ${mostMessages} messages; the last is the question.`),
  scope: scope.nullish().describe('Limits of what the model may read; all receipts of the project unless given.'),
  params: z
    .record(z.string(), z.unknown())
    .nullish()
    .meta({ graphql: 'JSONObject' })
    .describe('Accepted from older clients, and has no effect.'),
  sessionId: text(100)
    .nullish()
    .describe('Name of the conversation under which question and answer are stored, where transcripts are stored.'),
})

export type AssistInput = z.output<typeof assistInput>
export type Scope = NonNullable<AssistInput['scope']>
