// Learns which rows a resolver reads: it gets a context whose database only notes the query. A resolver that returns
// the rows of that query can be answered in SQL, with the same condition.
import type { Context } from '../context.ts'
import { type Arguments, extensionsOf, type Field, type Find } from './field.ts'
import { NotInSql } from './statement.ts'

class Recorded {
  readonly model: string
  readonly method: string
  readonly find: Find
  constructor(model: string, method: string, find: Find) {
    this.model = model
    this.method = method
    this.find = find
  }
}

const methods = new Set<string | symbol>(['findMany', 'findUnique', 'findUniqueOrThrow', 'findFirst'])

const delegateOf = (model: string) =>
  new Proxy(
    {},
    {
      get(_, method) {
        if (!methods.has(method)) throw new NotInSql(`${model}.${String(method)}`)
        return (find: Find) => new Recorded(model, String(method), find)
      },
    },
  )

const database = new Proxy(
  {},
  { get: (_, name) => delegateOf(`${String(name).charAt(0).toUpperCase()}${String(name).slice(1)}`) },
)

// A resolver that needs more than these reads more than the rows of one query.
const known = new Set<string | symbol>(['principal', 'publicBaseUrl', 'chainAliases'])

export const recordingContext = (context: Context): Context =>
  new Proxy(context, {
    get(target, name) {
      if (name === 'db') return database
      if (known.has(name)) return target[name as 'principal']
      // Pothos asks for the object to which it ties what it keeps for a context.
      if (typeof name === 'symbol') return target
      throw new NotInSql(`a resolver that reads context.${String(name)}`)
    },
  })

// A selection, so that no resolver takes a way of its own for rows without relations.
const everyColumn = { select: {} }

/** Returns the query of the rows that the field returns. */
export function recordedQuery(field: Field, parent: unknown, args: Arguments, context: Context, page: Find = {}) {
  const { declared } = extensionsOf(field)
  if (!declared) throw new NotInSql(field.name)
  return recorded(field.name, context, context =>
    declared.resolve({ ...everyColumn, ...page }, parent, args, context, null),
  )
}

/** Returns the query of the rows that `read` returns. */
export function recorded(name: string, context: Context, read: (context: Context) => unknown): Recorded | null {
  const result = read(recordingContext(context))
  if (result instanceof Promise) {
    result.catch(() => {})
    throw new NotInSql(`${name} waits`)
  }
  if (result === null || result instanceof Recorded) return result
  throw new NotInSql(`${name} returns no rows of one query`)
}
