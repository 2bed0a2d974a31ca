// Learns which rows a field reads. A resolver gets a context whose database only records the query; if it returns the
// rows of that query, SQL can answer it, with the same condition. The query of a relation is known to Pothos.
import { parsePrismaCursor } from '@pothos/plugin-prisma'
import { extensionsOf } from '../extensions.ts'
import type { Arguments, Field, SqlHost } from '../host.ts'
import type { Find } from '../write/rows.ts'
import { ArgumentsNotInSql, NotInSql } from '../write/statement.ts'

type Host = Pick<SqlHost, 'context' | 'contextNames'>

class Query {
  readonly model: string
  readonly method: string
  readonly find: Find
  constructor(model: string, method: string, find: Find) {
    this.model = model
    this.method = method
    this.find = find
  }
}

/** Returns the query of the rows that the field returns. `page`: which rows of a connection. */
export function recordedQuery(field: Field, parent: unknown, args: Arguments, host: Host, page: Find = {}) {
  const { declared } = extensionsOf(field)
  if (!declared) throw new NotInSql(field.name)
  // A selection, so that no resolver takes a way of its own for rows without relations.
  return queryIn(field.name, host, context => declared.resolve({ select: {}, ...page }, parent, args, context, null))
}

/** Returns the query of the rows that `read` returns. */
export function queryIn<Context extends object>(
  name: string,
  host: Host & { context: Context },
  read: (context: Context) => unknown,
): Query | null {
  const result = read(recordingContext(host))
  if (result instanceof Promise) {
    result.catch(() => {})
    throw new NotInSql(`${name} waits`)
  }
  if (result === null || result instanceof Query) return result
  throw new NotInSql(`${name} returns no rows of one query`)
}

export const recordingContext = <Context extends object>({
  context,
  contextNames: { database, constant },
}: Host & { context: Context }): Context =>
  new Proxy(context, {
    get(target, name) {
      if (name === database) return recorder
      // Pothos asks for the object to which it ties what it keeps for a context.
      if (typeof name === 'symbol') return target
      if (constant.has(name)) return Reflect.get(target, name)
      // A resolver that needs more reads more than the rows of one query.
      throw new NotInSql(`a resolver that reads context.${name}`)
    },
  })

const methods = new Set<string | symbol>(['findMany', 'findUnique', 'findUniqueOrThrow', 'findFirst'])

const recorderOf = (model: string) =>
  new Proxy(
    {},
    {
      get(_, method) {
        if (!methods.has(method)) throw new NotInSql(`${model}.${String(method)}`)
        return (find: Find) => new Query(model, String(method), find)
      },
    },
  )

const recorder = new Proxy(
  {},
  { get: (_, name) => recorderOf(`${String(name).charAt(0).toUpperCase()}${String(name).slice(1)}`) },
)

/** Returns the rows of a page, and one more, which tells whether there are further pages. */
export function pageOf(
  { first, last, after, before }: Arguments,
  cursor: string,
  defaultSize: number | undefined,
): Find {
  if ((before != null && first != null) || (after != null && last != null))
    throw new ArgumentsNotInSql('a page of both ends')
  const size = Number(first ?? last ?? defaultSize) + 1
  const take = before != null || last != null ? -size : size
  const position = before ?? after
  return position == null ? { take, skip: 0 } : { take, skip: 1, cursor: { [cursor]: parsePrismaCursor(position) } }
}

/**
 * Returns what a relation or a connection of a row would ask of Prisma, and the field that its cursors contain. Nothing
 * is planned for the fields of the entries, so the only field that Pothos selects of them is that of the cursors.
 */
export function relationQuery(field: Field, relation: string, args: Arguments, context: object) {
  const { planned, pothosPrismaSelect = {} } = extensionsOf(field)
  const nested = (query: unknown) => ({ ...(typeof query === 'function' ? query(args, context) : query), select: {} })
  const select = planned ?? pothosPrismaSelect
  const all = typeof select === 'function' ? select(args, context, nested, () => new Set(['nodes'])) : select
  const { [relation]: query = {} } = all.select ?? all
  const find: Find & { select?: object } = query === true ? {} : query
  return { find, cursor: Object.keys(find.select ?? {})[0] ?? '' }
}
