// Counts the entries of a relation where Pothos does not. It leaves the count out where a document asks for one list
// twice under one key, and the parts differ so much inside their entries that one query cannot read both.
import type { Context } from './context.ts'

/** Returns the connection, with a count if it has none. */
export async function withCount(connection: unknown, totalCount: () => Promise<number>): Promise<unknown> {
  const page = await connection
  if (typeof page !== 'object' || page === null) return page
  return 'totalCount' in page && page.totalCount === undefined ? { ...page, totalCount } : page
}

type Query = { select: Readonly<Record<string, { where?: object }>> }
type Below = { parent: unknown; type: string; relation: string; query: unknown }
type Delegate = {
  findUniqueOrThrow(query: object): Promise<{ _count: Readonly<Record<string, number>> }>
}

/**
 * `type`: of the object that has the relation; its model has the same name. `query`: what would read the page.
 */
export async function countBelow({ db }: Context, { parent, type, relation, query }: Below): Promise<number> {
  const { [`${type.charAt(0).toLowerCase()}${type.slice(1)}`]: delegate } = db as unknown as Record<string, Delegate>
  if (!delegate) throw new Error(`${type} is no model`)
  const { where } = (query as Query).select[relation] ?? {}
  const { _count } = await delegate.findUniqueOrThrow({
    where: { id: (parent as { id: unknown }).id },
    select: { _count: { select: { [relation]: { where } } } },
  })
  return _count[relation] ?? 0
}
