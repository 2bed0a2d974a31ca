// Prisma's client with pages that begin at a place in the order. The row of Prisma's own cursor has to be in the
// result: once it no longer matches the filter, Prisma skips another row, and finds none at all below several parents.
// Pages by several values are found by SQL, which reads less of them.
import type { PrismaClient } from '../generated/prisma/client.ts'
import type { App } from './context.ts'
import { type IdHost, type PageQuery, whereById } from './sql/index.ts'
import { idHost, tables } from './sql-host.ts'

type Args = Record<string, unknown>
type Reads = Pick<App, 'pool' | 'reads'>
type Direction = 'asc' | 'desc'
type Delegate = { findUnique(args: object): Promise<Args | null> }
/** `reads`: null where Prisma shall find all rows itself. */
type Clients = { client: PrismaClient; reads: IdHost | null }

const isObject = (value: unknown): value is Args => typeof value === 'object' && value !== null

const isPaged = (args: Args): boolean =>
  args.take !== undefined ||
  [args.select, args.include].some(
    selected => isObject(selected) && Object.values(selected).some(inner => isObject(inner) && isPaged(inner)),
  )

const ofOneRow = new Set(['findUnique', 'findUniqueOrThrow', 'findFirst', 'findFirstOrThrow'])

/** Returns a client that reads the rows after a cursor's row, whether or not that row matches the filter. */
export function pagedClient(client: PrismaClient, app: Reads | null): PrismaClient {
  const reads = app && idHost(app)
  const extended = client.$extends({
    query: {
      $allModels: {
        $allOperations: ({ model, operation, args, query }) => {
          if (!isObject(args) || !isPaged(args)) return query(args)
          const isOneRow = ofOneRow.has(operation)
          const page = { model, find: { ...args, ...(isOneRow && { take: 1 }) } }
          return paged({ client, reads }, args, page, isOneRow).then(query)
        },
      },
    },
  })
  // The type of an extended client lacks `$on`, which nothing here calls.
  return extended as unknown as PrismaClient
}

/** `isOneRow`: the page has one row at most, so that pages below it are of one list. */
async function paged(clients: Clients, args: Args, page: PageQuery, isOneRow: boolean): Promise<Args> {
  const { client, reads } = clients
  const found = args.take !== undefined && reads ? await whereById(reads, page) : null
  const [select, include] = await Promise.all(
    [args.select, args.include].map(selected => relations(clients, selected, page, isOneRow)),
  )
  const { cursor, ...others } = { ...args, ...(select && { select }), ...(include && { include }) }
  if (found) {
    const { take, skip, ...all } = others
    return { ...all, where: found }
  }
  if (!isObject(cursor)) return others
  return { ...others, skip: 0, where: { AND: [args.where ?? {}, await behind(client, page.model, cursor, args)] } }
}

/** Returns the selection with the pages of its relations. */
async function relations(clients: Clients, selected: unknown, above: PageQuery, isBelowOneRow: boolean) {
  if (!isObject(selected)) return null
  const entries = Object.entries(selected).map(async ([name, inner]) => {
    const relation = tables.get(above.model)?.relations.get(name)
    if (!relation || !isObject(inner)) return [name, inner]
    const page = { model: relation.model, find: inner, below: { query: above, relation: name } }
    const reads = isBelowOneRow ? clients.reads : null
    return [name, await paged({ ...clients, reads }, inner, page, isBelowOneRow && !relation.isList)]
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** Returns the condition of the rows behind the cursor's row, in the direction of the page. */
async function behind(client: PrismaClient, model: string, cursor: Args, { orderBy, take }: Args): Promise<Args> {
  const order = [orderBy].flat().flatMap(by => Object.entries(by as Record<string, Direction>))
  const row = await placeOf(client, model, cursor, order)
  // A place that does not exist has no rows behind it. The connection itself refuses its cursor.
  if (row === null) return { OR: [] }
  // An anchor that left the chain has no time any more. The list starts again, so that no row is missed.
  if (order.some(([name]) => row[name] === null)) return {}
  const bounds = order.map(([name, direction]) => {
    const isUp = (direction === 'asc') === Number(take) >= 0
    return { name, value: row[name], beyond: isUp ? 'gt' : 'lt', from: isUp ? 'gte' : 'lte' }
  })
  const ranks = bounds.map(({ name, value, beyond }, rank) => ({
    ...Object.fromEntries(bounds.slice(0, rank).map(same => [same.name, same.value])),
    [name]: { [beyond]: value },
  }))
  // PostgreSQL begins at the place in an index by a condition on the first column alone, but not by alternatives.
  const first = bounds.slice(0, 1).map(({ name, value, from }) => ({ [name]: { [from]: value } }))
  return { AND: [...first, { OR: ranks }] }
}

async function placeOf(client: PrismaClient, model: string, cursor: Args, order: [string, Direction][]) {
  // A number that is both id and order is a place also when it has no row.
  if (order.every(([name]) => name in cursor)) return cursor
  const delegates = client as unknown as Record<string, Delegate>
  const select = Object.fromEntries(order.map(([name]) => [name, true]))
  const row = await delegates[`${model.charAt(0).toLowerCase()}${model.slice(1)}`]?.findUnique({
    where: cursor,
    select,
  })
  return row ?? null
}
