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

type Servers = Pick<App, 'reads'> & Partial<Pick<App, 'standbys'>>
type Query = pg.QueryArrayConfig<unknown[]>

/** Runs a statement once for several requests, and returns the texts of each. */
async function run(servers: Servers, name: string | null, text: string, requests: Values[]): Promise<Texts[]> {
  const query: Query = { ...(name !== null && { name }), text, values: parametersOf(requests), rowMode: 'array' }
  return textsOf(requests, (await byStandby(servers, query)) ?? (await rowsOf(await servers.reads.connect(), query)))
}

/** Returns null where the primary has to read. */
async function byStandby({ standbys }: Servers, query: Query): Promise<unknown[][] | null> {
  const taken = standbys ? await standbys.take() : null
  if (taken === null) return null
  try {
    const rows = await rowsOf(taken.client, query)
    taken.answered()
    return rows
  } catch (error) {
    if (isBeyondLimits(error)) {
      taken.answered()
      throw error
    }
    // Its server ended, or the statement is in the way of what the server has to replay.
    taken.failed()
    return null
  }
}

async function rowsOf(client: pg.PoolClient, query: Query): Promise<unknown[][]> {
  const own = prepared.get(client) ?? { names: new Set(), size: 0 }
  prepared.set(client, own)
  if (query.name !== undefined && !own.names.has(query.name)) {
    own.names.add(query.name)
    own.size += 1_000 + query.text.length
  }
  try {
    return (await client.query<unknown[]>(query)).rows
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
export async function read(app: Pick<App, 'pool'> & Servers, query: SqlQuery, cost = 0): Promise<Texts> {
  const { text, parameters } = query
  const known = statements(app).get(text)
  if (known && cost <= mostTogether && parameters.length > 0) return known.together(parameters)
  if (!known) {
    const name = createHash('sha256').update(text).digest('base64')
    statements(app).set(text, { name, together: batchWhileBusy(requests => run(app, name, text, requests)) })
  }
  const [texts = []] = await run(app, known?.name ?? null, text, [parameters])
  return texts
}
