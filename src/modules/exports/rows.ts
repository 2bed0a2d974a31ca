// Reads the rows of an export in pages, each behind the last row of the page before it.
import { z } from 'zod'
import type { Export } from '../../generated/prisma/client.ts'
import type { App } from '../../kit/context.ts'
import { parse } from '../../kit/parse.ts'
import { paymentFilter, paymentQuery } from '../payments/filter.ts'
import { receiptFilter, receiptQuery } from '../receipts/filter.ts'
import type { ExportKind } from './input.ts'

/** The columns in their order, and rows of texts. A value that is absent is null. */
export type Rows = { columns: string[]; rows: (string | null)[][] }

/** `last`: the time and the id of the last row of the page. */
export type Page = Rows & { first: Date | null; last: { at: Date; id: string } | null }

const longestMs = 15_000

type Found = { id: string; at: Date }
type Part = Pick<Export, 'kind' | 'filter' | 'projectId' | 'createdAt' | 'lastAt' | 'lastId'>

const kinds: Record<ExportKind, { view: string; find(app: App, part: Part, take: number): Promise<Found[]> }> = {
  receipts: {
    view: 'receipt_rows',
    async find({ db, chainAliases }, part, take) {
      const { where } = receiptQuery({ filter: parse(receiptFilter, part.filter) }, { chainAliases })
      const rows = await limited(db, db =>
        db.receipt.findMany({
          where: { AND: [own(part), where, behind('createdAt', part)] },
          orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
          select: { id: true, createdAt: true },
          take,
        }),
      )
      return rows.map(({ id, createdAt }) => ({ id, at: createdAt }))
    },
  },
  payments: {
    view: 'payment_rows',
    async find({ db }, part, take) {
      const { where } = paymentQuery({ filter: parse(paymentFilter, part.filter) })
      const rows = await limited(db, db =>
        db.payment.findMany({
          where: { AND: [own(part), where, behind('verifiedAt', part)] },
          orderBy: [{ verifiedAt: 'asc' }, { id: 'asc' }],
          select: { id: true, verifiedAt: true },
          take,
        }),
      )
      return rows.map(({ id, verifiedAt }) => ({ id, at: verifiedAt }))
    },
  },
}

/** Ends a statement before the connection is given up, because it would run on in the database. */
const limited = <Result>(db: App['db'], read: (db: Pick<App['db'], 'receipt' | 'payment'>) => Promise<Result>) =>
  db.$transaction(
    async tx => {
      await tx.$executeRawUnsafe(`set local statement_timeout = ${longestMs}`)
      return read(tx)
    },
    { maxWait: longestMs, timeout: longestMs * 2 },
  )

const own = ({ projectId }: Part) => (projectId === null ? {} : { projectId })

/** The first of the two conditions is that by which an index finds the place. */
function behind<Column extends string>(column: Column, { createdAt, lastAt, lastId }: Part): object {
  const before = { [column]: { lte: createdAt } }
  if (lastAt === null || lastId === null) return before
  const later = { OR: [{ [column]: { gt: lastAt } }, { id: { gt: lastId } }] }
  return { AND: [{ [column]: { gte: lastAt, lte: createdAt } }, later] }
}

export async function readPage(app: App, part: Part, take: number): Promise<Page> {
  const { view, find } = kinds[z.enum(['receipts', 'payments']).parse(part.kind)]
  const found = await find(app, part, take)
  const last = found.at(-1) ?? null
  const { fields, rows } = await app.pool.query<(string | null)[]>({
    text: `select row.* from unnest($1::uuid[]) with ordinality as found(id, n)
      join reporting.${view} row on row.id = found.id order by n`,
    values: [found.map(({ id }) => id)],
    rowMode: 'array',
    types: { getTypeParser: type => textOf.get(type) ?? ((text: string) => text) },
  })
  return { columns: fields.map(({ name }) => name), rows, first: found[0]?.at ?? null, last }
}

// By the numbers of PostgreSQL's types numeric and timestamptz. Other columns are texts already.
const textOf = new Map<number, (text: string) => string>([
  [1700, text => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)],
  // As ISO 8601, of which `Date` takes all years for what they are.
  [1184, text => new Date(text.replace(' ', 'T').replace(/\+00$/, 'Z')).toISOString()],
])
