// Reads a receipt by id, for the most frequent reads: ids requested at the same moment are read by one statement.
import type { Prisma, Receipt } from '../../generated/prisma/client.ts'
import { batchWhileBusy } from '../../kit/batch-while-busy.ts'
import type { App } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'
import { type RawReceipt, receiptColumns, receiptOf } from './row.ts'

const receiptLoader = perApp(app =>
  batchWhileBusy<string, Receipt | null>(async ids => {
    const { rows } = await app.pool.query<RawReceipt>({
      name: 'receipts-by-id',
      // One index lookup for each id, so that the cached plan stays right when the table grows.
      text: `select receipt.* from unnest($1::uuid[]) as requested(id)
             cross join lateral (select ${receiptColumns} from receipts where receipts.id = requested.id offset 0) as receipt`,
      values: [ids],
    })
    const found = new Map(rows.map(row => [row.id, receiptOf(row)]))
    return ids.map(id => found.get(id) ?? null)
  }),
)

/** Returns what Prisma's `findUnique` would; `query` names the relations to include. */
export function receiptById(app: App, query: Omit<Prisma.ReceiptFindUniqueArgs, 'where'>, id: string) {
  // Without relations Prisma has nothing to join, and the `pg` pool is three times as fast.
  if (query.include === undefined && query.select === undefined) return receiptLoader(app)(id)
  return app.db.receipt.findUnique({ ...query, where: { id } })
}
