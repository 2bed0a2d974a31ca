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

/** Returns the text of each group of pieces. */
export async function read(
  { pool, reads }: Context,
  { values, hasFilter }: Statement,
  groups: readonly (readonly Piece[])[],
): Promise<string[]> {
  if (groups.every(pieces => pieces.every(piece => typeof piece === 'string')))
    return groups.map(texts => texts.join(''))
  const text = `select ${groups.map(joined).join(', ')}`
  // With a filter the best index depends on its values.
  if (hasFilter) return only(await pool.query({ text, values, rowMode: 'array' }))
  const name = names.get(text)
  if (name === undefined) names.set(text, createHash('sha256').update(text).digest('base64'))
  const client = await reads.connect()
  const own = prepared.get(client) ?? new Set()
  prepared.set(client, own)
  if (name !== undefined) own.add(name)
  try {
    return only(await client.query({ ...(name !== undefined && { name }), text, values, rowMode: 'array' }))
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
