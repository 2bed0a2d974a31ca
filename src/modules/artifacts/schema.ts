// What GraphQL shows of generated files.
import { z } from 'zod'
import { notFound } from '../../core/errors.ts'
import { text, uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { fileUrl } from '../receipts/urls.ts'
import { type ArtifactFile, readFile } from './read-file.ts'

const ArtifactType = builder.prismaObject('Artifact', {
  description: 'One generated file of a receipt: an ISO 20022-style message, or the evidence bundle.',
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    type: t.exposeString('type', { description: '`pain.001`, `pain.002`, `camt.054` …; `evidence` for the bundle.' }),
    version: t.exposeString('version', { description: 'Message definition, for instance `pain.001.001.09`.' }),
    name: t.exposeString('name', { description: 'File name.' }),
    mediaType: t.exposeString('mediaType', { description: 'Media type of the file.' }),
    sha256: t.exposeString('sha256', { description: 'SHA-256 of the file, 0x-prefixed.' }),
    url: t.string({
      description: 'Where it is downloaded.',
      resolve: (artifact, _, { publicBaseUrl }) => fileUrl(publicBaseUrl, artifact.receiptId, artifact.name),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was generated.' }),
  }),
})

const newestFirst = [{ createdAt: 'desc' as const }, { id: 'desc' as const }]

builder.prismaObjectField('Receipt', 'artifacts', t =>
  t.relation('artifacts', {
    query: { orderBy: newestFirst },
    description: 'Its files, newest first. Those made after anchoring lie outside the bundle.',
  }),
)

const messageArguments = z.strictObject({
  receiptId: uuid.describe('The receipt’s UUID.'),
  type: text().nullish().describe('Only messages of exactly this type, for instance `pain.001`.'),
})

builder.queryField('receiptMessages', t =>
  t.prismaField({
    type: [ArtifactType],
    description: 'The messages of a receipt, newest first, one of each type. Public. Errors: not_found.',
    args: argumentsOf(messageArguments),
    extensions: { access: 'public', input: messageArguments },
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

const FileType = builder.objectRef<ArtifactFile>('File').implement({
  description: 'A file with its bytes.',
  fields: t => ({
    name: t.exposeString('name', { description: 'File name.' }),
    mediaType: t.exposeString('mediaType', { description: 'Media type of the file.' }),
    sha256: t.exposeString('sha256', { description: 'SHA-256 of the file, 0x-prefixed.' }),
    content: t.expose('content', { type: 'Base64', description: 'The bytes.' }),
  }),
})

const fileArguments = z.strictObject({
  receiptId: uuid.describe('The receipt’s UUID.'),
  name: text().describe('File name, for instance `evidence.zip`.'),
})

builder.queryField('file', t =>
  t.field({
    type: FileType,
    nullable: true,
    description: 'One file of a receipt with its bytes; null when there is none. Public.',
    args: argumentsOf(fileArguments),
    extensions: { access: 'public', input: fileArguments },
    resolve: (_, args, context) => {
      const { receiptId, name } = parse(fileArguments, args)
      return readFile(context, receiptId, name)
    },
  }),
)
