// The GraphQL fields, query and mutation for generated files.
import { z } from 'zod'
import { may, ownedBy } from '../../core/principal.ts'
import { text, uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import { connectionSize } from '../../kit/field-cost.ts'
import { argumentsOf } from '../../kit/input.ts'
import { inTurn } from '../../kit/large-reads.ts'
import { mutation, performs } from '../../kit/mutation.ts'
import { nodeType } from '../../kit/node.ts'
import { parse } from '../../kit/parse.ts'
import { GeneratedTypeEnum, MessageTypeEnum } from './enums.ts'
import { FileType } from './file-type.ts'
import { generateMessage } from './generate.ts'
import { readFile } from './read-file.ts'
import { ArtifactConnection, ArtifactType } from './type.ts'

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
  t.relatedConnection(
    'artifacts',
    {
      cursor: 'id',
      maxSize: 100,
      defaultSize: 10,
      totalCount: true,
      query: { orderBy: newestFirst },
      // A receipt has 60 files at most.
      extensions: { listSize: { ...connectionSize(10, 100), usualMost: 60 } },
      description: 'The files of the receipt, newest first. Files made after anchoring are not in the bundle.',
    },
    ArtifactConnection,
  ),
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
    errorsInGraphql: ['content_erased'],
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
  errorsInGraphql: ['content_erased'],
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
