// The GraphQL types, queries and mutation for generated files.
import { z } from 'zod'
import { may, ownedBy } from '../../core/principal.ts'
import { text, uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import { argumentsOf } from '../../kit/input.ts'
import { inTurn } from '../../kit/large-reads.ts'
import { mutation, performs } from '../../kit/mutation.ts'
import { Node, nodeType } from '../../kit/node.ts'
import { parse } from '../../kit/parse.ts'
import { inSql } from '../../kit/sql/index.ts'
import { ArtifactTypeEnum, GeneratedTypeEnum, MessageTypeEnum } from './enums.ts'
import { FileType } from './file-type.ts'
import { generateMessage } from './generate.ts'
import { readFile } from './read-file.ts'
import { artifactUrl, artifactUrlInSql, pageUrl, pageUrlInSql } from './url.ts'

const ArtifactType = builder.prismaObject('Artifact', {
  interfaces: [Node],
  description: 'One generated file of a receipt or statement: an ISO 20022-style message, or the evidence bundle.',
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    type: t.expose('type', {
      type: ArtifactTypeEnum,
      description: 'The type of its message; `EVIDENCE` for the bundle.',
    }),
    version: t.exposeString('version', { description: 'Message definition, for instance `pain.001.001.09`.' }),
    name: t.exposeString('name', { description: 'File name.' }),
    mediaType: t.exposeString('mediaType', { description: 'Media type of the file.' }),
    sha256: t.expose('sha256', { type: 'Hash32', description: 'SHA-256 of the file, 0x-prefixed.' }),
    url: t.field({
      type: 'URL',
      description: 'URL to download the file.',
      extensions: inSql(artifactUrlInSql),
      resolve: (artifact, _, { publicBaseUrl }) => artifactUrl(publicBaseUrl, artifact),
    }),
    pageUrl: t.field({
      type: 'URL',
      nullable: true,
      description: 'URL of the message as an HTML page to read and print; null for the bundle.',
      extensions: inSql(pageUrlInSql),
      resolve: (artifact, _, { publicBaseUrl }) => pageUrl(publicBaseUrl, artifact),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was generated.' }),
  }),
})

nodeType('Artifact', {
  table: 'artifacts',
  access: 'public',
  // Anyone may read the files of a receipt, as with the receipt; those of a statement belong to its project.
  read: ({ db, principal }, query) => {
    if (principal.kind === 'admin') return db.artifact.findMany(query)
    const ofOwnStatement = may(principal, 'read') ? [{ statement: ownedBy(principal) }] : []
    return db.artifact.findMany({
      ...query,
      where: { ...query.where, OR: [{ receiptId: { not: null } }, ...ofOwnStatement] },
    })
  },
})

const newestFirst = [{ createdAt: 'desc' as const }, { id: 'desc' as const }]

builder.prismaObjectField('Receipt', 'artifacts', t =>
  t.relation('artifacts', {
    query: { orderBy: newestFirst },
    extensions: { listSize: { assumedSize: 5, maxSize: 60 } },
    description: 'The files of the receipt, newest first. Files made after anchoring are not in the bundle.',
  }),
)

const messageArguments = z.strictObject({
  type: text().nullish().describe('Only messages of exactly this type.'),
})

builder.prismaObjectField('Receipt', 'messages', t =>
  t.relation('artifacts', {
    args: argumentsOf(messageArguments, { type: MessageTypeEnum }),
    query: args => {
      const { type } = parse(messageArguments, args)
      const where = { type: type ?? { not: 'evidence' }, name: { not: 'evidence.zip' } }
      return { where, orderBy: newestFirst, distinct: ['type' as const] }
    },
    extensions: { listSize: { assumedSize: 5, maxSize: 15 }, input: messageArguments },
    description: 'The newest message of each type about the receipt, newest first.',
  }),
)

builder.prismaObjectField('Artifact', 'receipt', t =>
  t.relation('receipt', { nullable: true, description: 'The receipt of the file; null for the file of a statement.' }),
)

builder.prismaObjectField('Artifact', 'statement', t =>
  t.relation('statement', {
    nullable: true,
    description: 'The statement of the file; null for the file of a receipt.',
  }),
)

const fileArguments = z.strictObject({
  owner: uuid.describe('The UUID of the receipt or the statement.'),
  name: text().describe(
    'File name, for instance `evidence.zip`, or the name of a file in it, such as `manifest.json`; `pain001.html` is `pain001.xml` as an HTML page for people.',
  ),
})

// A page is rendered anew for each request.
const renderingCost = 15

builder.queryField('file', t =>
  t.field({
    type: FileType,
    nullable: true,
    description: 'One file of a receipt or a statement with its bytes; null when there is none.',
    args: argumentsOf(fileArguments),
    access: 'public',
    input: fileArguments,
    errors: ['too_many_requests'],
    extensions: { cost: 5 },
    resolve: (_, args, context) => {
      const { owner, name } = parse(fileArguments, args)
      if (!name.endsWith('.html')) return readFile(context, owner, name)
      context.allowance.spend(renderingCost)
      return inTurn(context, renderingCost, () => readFile(context, owner, name))
    },
  }),
)

mutation('generateMessage', {
  ...performs(generateMessage),
  description:
    'Generates a workflow message about a receipt of the caller’s project, as a new file beside the earlier ones. It is a record: nothing is cancelled, reversed or transferred.',
  takes: 'The workflow message to generate.',
  enums: { type: GeneratedTypeEnum },
  errors: ['not_found', 'disabled_by_configuration', 'too_many_files', 'validation_failed'],
  payload: t => ({
    artifact: t.expose('artifact', { type: ArtifactType, description: 'The file.' }),
    messageId: t.exposeString('messageId', { description: 'The message id in the XML: MsgId or Assgnmt/Id.' }),
    receipt: t.prismaField({
      type: 'Receipt',
      description: 'The receipt that the message is about.',
      resolve: (query, { receiptId }, _, { db }) =>
        db.receipt.findUniqueOrThrow({ ...query, where: { id: receiptId } }),
    }),
  }),
})
