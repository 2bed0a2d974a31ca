// GraphQL: exports of receipts and payments as files.
import { z } from 'zod'
import { onlyOf, ownedBy, type Principal } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import type { Export, Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import { connectionType } from '../../kit/connection-type.ts'
import { described } from '../../kit/enum-names.ts'
import { connectionSize } from '../../kit/field-cost.ts'
import { argumentsOf, enumOf } from '../../kit/input.ts'
import { mutation, performs } from '../../kit/mutation.ts'
import { Node, nodeType } from '../../kit/node.ts'
import { parse } from '../../kit/parse.ts'
import { inSql } from '../../kit/sql/index.ts'
import { exportFormat, exportKind } from './input.ts'
import { linkMinutes, linkTo } from './link.ts'
import { keptHours, mostKept, startExport } from './start.ts'

const StatusEnum = builder.enumType('ExportStatus', {
  description: 'Status of an export.',
  values: described({
    running: 'The file is being written.',
    finished: 'The file can be downloaded.',
    failed:
      'The file could not be written, for example because its filter takes too long to read. Narrow it, and start again.',
  }),
})

const ExportType = builder.prismaObject('Export', {
  interfaces: [Node],
  description: `Receipts or payments as one file: those whose recording was answered before it was started. Kept for ${keptHours} hours after it is finished; of a project, the ${mostKept} newest.`,
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    kind: t.field({
      type: enumOf(exportKind),
      description: 'What its rows are.',
      extensions: inSql(({ column }) => column('kind')),
      resolve: ({ kind }) => exportKind.parse(kind),
    }),
    format: t.field({
      type: enumOf(exportFormat),
      description: 'How its file is written.',
      extensions: inSql(({ column }) => column('format')),
      resolve: ({ format }) => exportFormat.parse(format),
    }),
    status: t.field({
      type: StatusEnum,
      description: 'Whether the file can be downloaded.',
      extensions: inSql(
        ({ column }) =>
          `case when ${column('finishedAt')} is not null then 'finished' when ${column('failedAt')} is not null then 'failed' else 'running' end`,
      ),
      resolve: ({ finishedAt, failedAt }) =>
        finishedAt !== null ? 'finished' : failedAt !== null ? 'failed' : 'running',
    }),
    progress: t.float({
      description:
        'From 0 to 1: how much of the time from the first row to the start of the export is written. 1 once it is finished.',
      resolve: progressOf,
    }),
    rowCount: t.exposeInt('rowCount', { description: 'Rows that are written.' }),
    project: t.relation('project', {
      nullable: true,
      description: 'The project; null for an export over all projects.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was started.' }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its file was finished; null until then.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it is deleted.' }),
    downloadUrl: t.field({
      type: 'URL',
      nullable: true,
      description: `Link to the file, for ${linkMinutes} minutes; null until it is finished. It needs no key, and serves parts of the file for \`Range\`, so that a download can be resumed.`,
      resolve: (of, _, context) => (of.finishedAt === null ? null : linkTo(context, of)),
    }),
  }),
})

function progressOf({ finishedAt, createdAt, firstAt, lastAt }: Export): number {
  if (finishedAt !== null) return 1
  if (firstAt === null || lastAt === null) return 0
  return (lastAt.getTime() - firstAt.getTime()) / Math.max(createdAt.getTime() - firstAt.getTime(), 1)
}

nodeType('Export', {
  table: 'exports',
  access: 'read',
  read: ({ db, principal }, query) =>
    db.export.findMany({ ...query, where: { AND: [query.where, ownedBy(principal)] } }),
})

mutation('startExport', {
  ...performs(startExport),
  description:
    'Starts to write receipts or payments to a file. Ask for `export` until it is finished. A project has at most two exports that are being written.',
  takes: 'What to export.',
  errors: ['conflict', 'validation_failed'],
  // Some rows of it are read for this; the others by the worker, in turns.
  extensions: { cost: 200 },
  payload: t => ({
    export: t.prismaField({
      type: ExportType,
      description: 'The export, whose file is not written yet.',
      resolve: (query, { id }, _, { db }) => db.export.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
})

const byId = z.strictObject({ id: uuid.describe('The export’s UUID.') })

builder.queryField('export', t =>
  t.prismaField({
    type: ExportType,
    nullable: true,
    description: 'One export by its id; null when there is none that the caller may read.',
    args: argumentsOf(byId),
    access: 'read',
    input: byId,
    errors: [],
    resolve: (query, _, args, { db, principal }) =>
      db.export.findFirst({ ...query, where: { AND: [parse(byId, args), ownedBy(principal)] } }),
  }),
)

const exportFilter = z
  .strictObject({ projectId: uuid.nullish().describe('Exports of this project.') })
  .meta({ graphql: 'ExportFilter', description: 'Selects exports that meet all the given conditions.' })
const listArguments = z.object({ filter: exportFilter.nullish().describe('Which exports; all unless given.') })

const listed = (principal: Principal, args: object): Prisma.ExportWhereInput => ({
  AND: [ownedBy(principal), onlyOf(parse(listArguments, args).filter)],
})

builder.queryField('exports', t =>
  t.prismaConnection(
    {
      type: ExportType,
      cursor: 'id',
      maxSize: 50,
      defaultSize: 20,
      totalCount: (_, args, { db, principal }) => db.export.count({ where: listed(principal, args) }),
      description:
        'Exports of the caller’s project, newest first, at most 50 a page; those of all projects for a service administrator.',
      args: argumentsOf(listArguments),
      access: 'read',
      input: listArguments,
      errors: [],
      extensions: { listSize: connectionSize(20, 50) },
      resolve: (query, _, args, { db, principal }) =>
        db.export.findMany({
          ...query,
          where: listed(principal, args),
          orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        }),
    },
    connectionType(ExportType, 'Export', 'An export'),
  ),
)
