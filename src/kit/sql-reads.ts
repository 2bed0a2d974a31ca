// Runs compiled reads. A statement that comes again is prepared, so that PostgreSQL plans it once for each connection,
// and small reads by the same statement are run together.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import pg from 'pg'
import { batchWhileBusy } from './batch-while-busy.ts'
import type { App, Context } from './context.ts'
import { inTurn, isLarge } from './large-reads.ts'
import { perApp } from './per-app.ts'
import { shareWhileBusy } from './share-while-busy.ts'
import { parametersOf, type SqlQuery, textsOf } from './sql/index.ts'

type Texts = readonly string[]
type Values = SqlQuery['parameters']

// PostgreSQL keeps the plan of each until the connection ends: measured, 90 to 330 bytes for each character.
const mostPrepared = 400_000
/** The names of the statements of a connection, and their size. */
const prepared = new WeakMap<pg.PoolClient, { names: Set<string>; size: number }>()

/** Runs a statement once for several requests, and returns the texts of each. */
async function run(reads: pg.Pool, name: string | null, text: string, requests: Values[]): Promise<Texts[]> {
  const values = parametersOf(requests)
  const client = await reads.connect()
  const own = prepared.get(client) ?? { names: new Set(), size: 0 }
  prepared.set(client, own)
  if (name !== null && !own.names.has(name)) {
    own.names.add(name)
    own.size += 1_000 + text.length
  }
  try {
    const { rows } = await client.query<unknown[]>({ ...(name !== null && { name }), text, values, rowMode: 'array' })
    return textsOf(requests, rows)
  } finally {
    client.release(own.size > mostPrepared)
  }
}

// The statement took too long; it needs more memory than there is; it is larger than PostgreSQL allows.
const beyondLimits = /^(57014|53200|53400|54...)$/

/** Whether PostgreSQL gave up a statement because there is too much to read. */
export const isBeyondLimits = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  (beyondLimits.test(error.code ?? '') || error.message.startsWith('invalid memory alloc request size'))

/** How to run a statement that came before: alone, or together with others that wait. */
type Known = { name: string; together(values: Values): Promise<Texts> }

// By their text.
const statements = perApp<LRUCache<string, Known>, Pick<App, 'pool'>>(
  () => new LRUCache<string, Known>({ maxSize: 8_000_000, sizeCalculation: (_, text) => text.length }),
)

// The greatest cost of a read that runs together with others. A dearer one would make them wait.
const mostTogether = 10

// By the query, which belongs to one principal and its variables.
const shares = perApp(() => new WeakMap<SqlQuery, ReturnType<typeof shareWhileBusy<Texts>>>())

/** Reads when the caller has a turn. Equal large reads that wait for it are one. `cost`: what the read was charged. */
export function readInTurn(context: Context, query: SqlQuery, cost: number): Promise<Texts> {
  const own = () => inTurn(context, cost, () => read(context, query, cost))
  // Callers without a key are one principal, but each has turns of its own.
  if (!isLarge(cost) || context.allowance.isAnonymous) return own()
  const share = shares(context).get(query) ?? shareWhileBusy<Texts>()
  shares(context).set(query, share)
  return share({ key: '', read: own })
}

/** Reads at once. `cost`: what the read was charged. */
export async function read(app: Pick<App, 'pool' | 'reads'>, query: SqlQuery, cost = 0): Promise<Texts> {
  const { text, parameters } = query
  const { reads } = app
  const known = statements(app).get(text)
  if (known && cost <= mostTogether && parameters.length > 0) return known.together(parameters)
  if (!known) {
    const name = createHash('sha256').update(text).digest('base64')
    statements(app).set(text, { name, together: batchWhileBusy(requests => run(reads, name, text, requests)) })
  }
  const [texts = []] = await run(reads, known?.name ?? null, text, [parameters])
  return texts
}
