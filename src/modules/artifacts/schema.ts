// The GraphQL types, queries and mutation for generated files.
import { z } from 'zod'
import { notFound } from '../../core/errors.ts'
import { text, uuid } from '../../core/text.ts'
import type { Artifact } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import { argumentsOf, inputType } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { declarationOf, runVerb } from '../../kit/verb.ts'
import { requestedTypes } from '../iso20022/messages/registry.ts'
import { FileType } from './file-type.ts'
import { generateMessage, generateMessageInput } from './generate.ts'
import { readFile } from './read-file.ts'
import { artifactUrl, pageUrl } from './url.ts'

const ArtifactType = builder.prismaObject('Artifact', {
  description: 'One generated file of a receipt or statement: an ISO 20022-style message, or the evidence bundle.',
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    type: t.exposeString('type', { description: '`pain.001`, `pain.002`, `camt.054` …; `evidence` for the bundle.' }),
    version: t.exposeString('version', { description: 'Message definition, for instance `pain.001.001.09`.' }),
    name: t.exposeString('name', { description: 'File name.' }),
    mediaType: t.exposeString('mediaType', { description: 'Media type of the file.' }),
    sha256: t.exposeString('sha256', { description: 'SHA-256 of the file, 0x-prefixed.' }),
    url: t.string({
      description: 'URL to download the file.',
      resolve: (artifact, _, { publicBaseUrl }) => artifactUrl(publicBaseUrl, artifact),
    }),
    pageUrl: t.string({
      nullable: true,
      description: 'URL of the message as an HTML page to read and print; null for the bundle.',
      resolve: (artifact, _, { publicBaseUrl }) => pageUrl(publicBaseUrl, artifact),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was generated.' }),
  }),
})

const newestFirst = [{ createdAt: 'desc' as const }, { id: 'desc' as const }]

builder.prismaObjectField('Receipt', 'artifacts', t =>
  t.relation('artifacts', {
    query: { orderBy: newestFirst },
    extensions: { listSize: { assumedSize: 5 } },
    description: 'The files of the receipt, newest first. Files made after anchoring are not in the bundle.',
  }),
)

const messageArguments = z.strictObject({
  receiptId: uuid.describe('The receipt’s UUID.'),
  type: text().nullish().describe('Only messages of exactly this type, for instance `pain.001`.'),
})

builder.queryField('receiptMessages', t =>
  t.prismaField({
    type: [ArtifactType],
    description: 'The newest message of each type about a receipt, newest first.',
    args: argumentsOf(messageArguments),
    access: 'public',
    input: messageArguments,
    errors: ['not_found'],
    resolve: async (query, _, args, context) => {
      const { receiptId, type } = parse(messageArguments, args)
      const where = { receiptId, type: type ?? { not: 'evidence' }, name: { not: 'evidence.zip' } }
      const rows = await context.db.artifact.findMany({ ...query, where, orderBy: newestFirst, distinct: ['type'] })
      if (rows.length === 0 && (await context.db.receipt.count({ where: { id: receiptId } })) === 0)
        throw notFound('receipt')
      return rows
    },
  }),
)

const fileArguments = z.strictObject({
  owner: uuid.describe('The UUID of the receipt or the statement.'),
  name: text().describe(
    'File name, for instance `evidence.zip`; `pain001.html` is `pain001.xml` as an HTML page for people.',
  ),
})

builder.queryField('file', t =>
  t.field({
    type: FileType,
    nullable: true,
    description: 'One file of a receipt or a statement with its bytes; null when there is none.',
    args: argumentsOf(fileArguments),
    // A page is rendered anew for each request.
    access: 'public',
    input: fileArguments,
    errors: [],
    extensions: { cost: ({ name }: Record<string, unknown>) => (String(name).endsWith('.html') ? 20 : 5) },
    resolve: (_, args, context) => {
      const { owner, name } = parse(fileArguments, args)
      return readFile(context, owner, name)
    },
  }),
)

const GeneratedTypeEnum = builder.enumType('GeneratedMessageType', {
  description: 'A type of workflow message that can be generated for any receipt.',
  values: Object.fromEntries(requestedTypes.map(type => [type.replace('.', '_'), { value: type }])),
})

const GenerateInput = inputType('GenerateMessageInput', 'The workflow message to generate.', generateMessageInput, {
  type: GeneratedTypeEnum,
})

const GeneratedType = builder.objectRef<{ artifact: Artifact; messageId: string }>('GeneratedMessage').implement({
  description: 'A generated message. It is a record; nothing is cancelled, reversed or transferred.',
  fields: t => ({
    messageId: t.exposeString('messageId', { description: 'The message id in the XML: MsgId or Assgnmt/Id.' }),
    type: t.string({ description: 'Message type, for instance `camt.056`.', resolve: ({ artifact }) => artifact.type }),
    receiptId: t.id({ description: 'The receipt’s UUID.', resolve: ({ artifact }) => artifact.receiptId ?? '' }),
    url: t.string({
      description: 'URL to download the XML.',
      resolve: ({ artifact }, _, { publicBaseUrl }) => artifactUrl(publicBaseUrl, artifact),
    }),
    artifact: t.expose('artifact', { type: ArtifactType, description: 'The file.' }),
  }),
})

builder.mutationField('generateMessage', t =>
  t.field({
    type: GeneratedType,
    description:
      'Generates a workflow message about a receipt of the caller’s project, as a new file beside the earlier ones. Moves no funds.',
    args: { input: t.arg({ type: GenerateInput, required: true }) },
    ...declarationOf(generateMessage),
    errors: ['not_found', 'disabled_by_configuration', 'validation_failed'],
    resolve: (_, { input }, context) => runVerb(context, generateMessage, input),
  }),
)
