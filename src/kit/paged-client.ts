// Prisma's client with pages that begin at a place in the order. The row of Prisma's own cursor has to be in the
// result: once it no longer matches the filter, Prisma skips another row, and finds none at all below several parents.
import { getDatamodel } from '../generated/pothos.ts'
import type { PrismaClient } from '../generated/prisma/client.ts'

type Args = Record<string, unknown>
type Direction = 'asc' | 'desc'
type Delegate = { findUnique(args: object): Promise<Args | null> }

const { models } = getDatamodel().datamodel

const isObject = (value: unknown): value is Args => typeof value === 'object' && value !== null

const hasCursor = (args: Args): boolean =>
  isObject(args.cursor) ||
  [args.select, args.include].some(
    selected => isObject(selected) && Object.values(selected).some(inner => isObject(inner) && hasCursor(inner)),
  )

/** Returns a client that reads the rows after a cursor's row, whether or not that row matches the filter. */
export function pagedClient(client: PrismaClient): PrismaClient {
  const extended = client.$extends({
    query: {
      $allModels: {
        $allOperations: ({ model, args, query }) =>
          isObject(args) && hasCursor(args) ? placed(client, model, args).then(query) : query(args),
      },
    },
  })
  // The type of an extended client lacks `$on`, which nothing here calls.
  return extended as unknown as PrismaClient
}

async function placed(client: PrismaClient, model: string, { cursor, ...args }: Args): Promise<Args> {
  const [select, include] = await Promise.all([args.select, args.include].map(s => relations(client, model, s)))
  const page = { ...args, ...(select && { select }), ...(include && { include }) }
  if (!isObject(cursor)) return page
  return { ...page, skip: 0, where: { AND: [args.where ?? {}, await behind(client, model, cursor, args)] } }
}

/** Returns the selection with the pages of its relations. */
async function relations(client: PrismaClient, model: string, selected: unknown): Promise<Args | null> {
  if (!isObject(selected)) return null
  const entries = Object.entries(selected).map(async ([name, inner]) => {
    const type = models[model]?.fields.find(field => field.name === name)?.type
    return [name, type !== undefined && isObject(inner) ? await placed(client, type, inner) : inner]
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
