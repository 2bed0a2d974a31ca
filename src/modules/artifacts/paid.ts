// The paid query for one message of a receipt with its XML text.
import { z } from 'zod'
import { notFound } from '../../core/errors.ts'
import { text, uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import type { App } from '../../kit/context.ts'
import { paidField } from '../x402/field.ts'
import { MessageTypeEnum } from './enums.ts'
import { readFile } from './read-file.ts'
import { artifactUrl } from './url.ts'

type IsoMessage = { type: string; url: string; sha256: string; createdAt: Date; xml: string }

const IsoMessageType = builder.objectRef<IsoMessage>('IsoMessage').implement({
  description: 'An ISO 20022-style message with its text.',
  fields: t => ({
    type: t.expose('type', { type: MessageTypeEnum, description: 'Type of the message.' }),
    url: t.expose('url', { type: 'URL', description: 'URL to download the file.' }),
    sha256: t.expose('sha256', { type: 'Hash32', description: 'SHA-256 of the file, 0x-prefixed.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was generated.' }),
    xml: t.exposeString('xml', { description: 'The file as text.' }),
  }),
})

const isoMessageArguments = z.strictObject({
  receiptId: uuid.describe('The receipt’s UUID.'),
  type: text().describe('The exact message type, for instance `PAIN_001`.'),
})

async function newest(app: App, { receiptId, type }: z.output<typeof isoMessageArguments>): Promise<IsoMessage> {
  const artifact = await app.db.artifact.findFirst({
    where: { receiptId, type, name: { endsWith: '.xml' } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  })
  const file = artifact && (await readFile(app, receiptId, artifact.name))
  if (!artifact || !file) throw notFound('message')
  const { sha256, createdAt } = artifact
  return { type, url: artifactUrl(app.publicBaseUrl, artifact), sha256, createdAt, xml: file.content.toString('utf8') }
}

const answer = z.object({
  type: z.string(),
  url: z.string(),
  sha256: z.string(),
  createdAt: z.coerce.date<Date>(),
  xml: z.string(),
})

builder.queryField('premiumIsoMessage', t =>
  t.field({
    type: IsoMessageType,
    ...paidField({
      description: 'The newest message of this type about the receipt, with its XML text.',
      errors: ['not_found', 'validation_failed'],
      args: isoMessageArguments,
      enums: { type: MessageTypeEnum },
      endpoint: 'isoMessage',
      input: isoMessageArguments,
      output: answer,
      path: ({ receiptId, type }) => `/v1/x402/premium/iso-message/${receiptId}/${encodeURIComponent(type)}`,
      admit: async (app, request) => void (await newest(app, request)),
      run: newest,
    }),
  }),
)
