// Runs compiled reads. A statement that comes again is prepared, so that PostgreSQL plans it once for each connection,
// and small reads by the same statement are run together.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import pg from 'pg'
import { batchWhileBusy } from '../batch-while-busy.ts'
import type { App, Context } from '../context.ts'
import { inTurn, isLarge } from '../large-reads.ts'
import { perApp } from '../per-app.ts'
import { shareWhileBusy } from '../share-while-busy.ts'
import { joined, literal, type Piece, type Statement, type Value } from './statement.ts'

/** A statement, or the texts themselves where nothing has to be read. */
export type Query = { text: string; values: readonly Value[] } | { text: null; texts: readonly string[] }

// Node.js holds it as a string, and an answer is in memory until its reader has taken it.
const mostBytes = 16 * 1024 * 1024

/** In the place of a text that is too large. */
export const tooLarge = `too large ${crypto.randomUUID()}`

/**
 * Returns the query whose columns are the texts of these groups of pieces. `asked` has a row for each request that runs
 * together: its values, and its number.
 */
export function queryOf({ values }: Statement, groups: readonly (readonly Piece[])[]): Query {
  if (groups.every(pieces => pieces.every(piece => typeof piece === 'string')))
    return { text: null, texts: groups.map(texts => texts.join('')) }
  const texts = groups.map((pieces, index) => `${joined(pieces)} as t${index}`)
  const bounded = groups.map(
    (_, index) => `case when octet_length(t${index}) > ${mostBytes} then ${literal(tooLarge)} else t${index} end`,
  )
  const lists = values.map(({ type }, index) => `$${index + 1}::${type}[]`)
  const names = [...values.map((_, index) => `p${index + 1}`), 'n']
  const asked = lists.length === 0 ? '(select 1)' : `unnest(${lists.join(', ')}) with ordinality`
  // OFFSET 0 keeps PostgreSQL from writing each text twice.
  const read = `select asked.n::int, ${texts.join(', ')} from ${asked} as asked(${names.join(', ')}) offset 0`
  return { text: `select n, ${bounded.join(', ')} from (${read}) as answers`, values }
}

// PostgreSQL keeps the plan of each until the connection ends: measured, 90 to 330 bytes for each character.
const mostPrepared = 400_000
/** The names of the statements of a connection, and their size. */
const prepared = new WeakMap<pg.PoolClient, { names: Set<string>; size: number }>()

type Texts = readonly string[]

/** Runs a statement once for several lists of values, and returns the texts of each. */
async function run(reads: pg.Pool, name: string | null, text: string, members: (readonly Value[])[]): Promise<Texts[]> {
  const lists = members[0]?.map((_, index) => members.map(values => values[index]?.value)) ?? []
  const client = await reads.connect()
  const own = prepared.get(client) ?? { names: new Set(), size: 0 }
  prepared.set(client, own)
  if (name !== null && !own.names.has(name)) {
    own.names.add(name)
    own.size += 1_000 + text.length
  }
  try {
    const { rows } = await client.query<unknown[]>({
      ...(name !== null && { name }),
      text,
      values: lists,
      rowMode: 'array',
    })
    const found = new Map(rows.map(([n, ...texts]) => [n, texts.map(textIn)]))
    return members.map((_, index) => found.get(index + 1) ?? [])
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

export function textIn(value: unknown): string {
  if (typeof value !== 'string') throw new Error('a read returned no text')
  return value
}

/** How to run a statement that came before: alone, or together with others that wait. */
type Known = { name: string; together(values: readonly Value[]): Promise<Texts> }

// By their text.
const statements = perApp<LRUCache<string, Known>, Pick<App, 'pool'>>(
  () => new LRUCache<string, Known>({ maxSize: 8_000_000, sizeCalculation: (_, text) => text.length }),
)

// The greatest cost of a read that runs together with others. A dearer one would make them wait.
const mostTogether = 10

// By the query, which belongs to one principal and its variables.
const shares = perApp(() => new WeakMap<Query, ReturnType<typeof shareWhileBusy<Texts>>>())

/** Reads when the caller has a turn. Equal large reads that wait for it are one. `cost`: what the read was charged. */
export function readInTurn(context: Context, query: Query, cost: number): Promise<Texts> {
  const own = () => inTurn(context, cost, () => read(context, query, cost))
  // Callers without a key are one principal, but each has turns of its own.
  if (!isLarge(cost) || context.allowance.isAnonymous) return own()
  const share = shares(context).get(query) ?? shareWhileBusy<Texts>()
  shares(context).set(query, share)
  return share({ key: '', read: own })
}

/** Reads at once. `cost`: what the read was charged. */
export async function read(app: Pick<App, 'pool' | 'reads'>, query: Query, cost = 0): Promise<Texts> {
  if (query.text === null) return query.texts
  const { text, values } = query
  const { reads } = app
  const known = statements(app).get(text)
  if (known && cost <= mostTogether && values.length > 0) return known.together(values)
  if (!known) {
    const name = createHash('sha256').update(text).digest('base64')
    statements(app).set(text, { name, together: batchWhileBusy(members => run(reads, name, text, members)) })
  }
  const [texts = []] = await run(reads, known?.name ?? null, text, [values])
  return texts
}
