// Runs a compiled read. A statement that comes again is prepared, so that PostgreSQL plans it once for each connection.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import type { Context } from '../context.ts'
import { joined, type Piece, type Statement } from './statement.ts'

// The names of statements that were read lately, by their text.
const names = new LRUCache<string, string>({ maxSize: 8_000_000, sizeCalculation: (_, text) => text.length })
// PostgreSQL keeps the plan of each until the connection ends.
const mostPrepared = 300
const prepared = new WeakMap<pg.PoolClient, Set<string>>()

/** A statement, or the texts themselves where nothing has to be read. */
export type Query = { text: string; values: readonly unknown[] } | { text: null; texts: readonly string[] }

/** Returns the query whose columns are the texts of these groups of pieces. */
export function queryOf({ values }: Statement, groups: readonly (readonly Piece[])[]): Query {
  if (groups.every(pieces => pieces.every(piece => typeof piece === 'string')))
    return { text: null, texts: groups.map(texts => texts.join('')) }
  return { text: `select ${groups.map(joined).join(', ')}`, values }
}

export async function read({ reads }: Context, query: Query): Promise<readonly string[]> {
  if (query.text === null) return query.texts
  const { text, values } = query
  const name = names.get(text)
  if (name === undefined) names.set(text, createHash('sha256').update(text).digest('base64'))
  const client = await reads.connect()
  const own = prepared.get(client) ?? new Set()
  prepared.set(client, own)
  if (name !== undefined) own.add(name)
  try {
    return only(
      await client.query({ ...(name !== undefined && { name }), text, values: [...values], rowMode: 'array' }),
    )
  } finally {
    client.release(own.size > mostPrepared)
  }
}

function only({ rows: [row = []] }: pg.QueryArrayResult): string[] {
  return row.map(text => {
    if (typeof text !== 'string') throw new Error('a read returned no text')
    return text
  })
}
