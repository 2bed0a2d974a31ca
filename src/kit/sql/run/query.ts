// The statement of several requests that run together: its parameters and its rows.
import { joined, literal, type Piece } from '../write/pieces.ts'
import { tooLarge } from '../write/sentinels.ts'
import type { Parameter, Statement } from '../write/statement.ts'

/** A statement, or the texts themselves where nothing has to be read. */
export type Query = { text: string; parameters: readonly Parameter[] } | { text: null; texts: readonly string[] }

// Node.js holds it as a string, and an answer is in memory until its reader has taken it.
const mostBytes = 16 * 1024 * 1024

/**
 * Returns the query whose columns are the texts of these groups of pieces. `request` has a row for each request that
 * runs together: its parameters, and its number.
 */
export function queryOf({ parameters }: Statement, groups: readonly (readonly Piece[])[]): Query {
  if (groups.every(pieces => pieces.every(piece => typeof piece === 'string')))
    return { text: null, texts: groups.map(texts => texts.join('')) }
  const texts = groups.map((pieces, index) => `${joined(pieces)} as t${index}`)
  const bounded = groups.map(
    (_, index) => `case when octet_length(t${index}) > ${mostBytes} then ${literal(tooLarge)} else t${index} end`,
  )
  const lists = parameters.map(({ type }, index) => `$${index + 1}::${type}[]`)
  const names = [...parameters.map((_, index) => `p${index + 1}`), 'n']
  const requests = lists.length === 0 ? '(select 1)' : `unnest(${lists.join(', ')}) with ordinality`
  // OFFSET 0 keeps PostgreSQL from writing each text twice.
  const read = `select request.n::int, ${texts.join(', ')} from ${requests} as request(${names.join(', ')}) offset 0`
  return { text: `select n, ${bounded.join(', ')} from (${read}) as answers`, parameters }
}

type Values = readonly { value: unknown }[]

/** Returns the values of the statement's parameters for these requests: a list for each parameter. */
export const parametersOf = (requests: readonly Values[]): unknown[][] =>
  requests[0]?.map((_, index) => requests.map(values => values[index]?.value)) ?? []

/** Returns the texts of each request from the rows, which are in any order. */
export function textsOf(requests: readonly Values[], rows: readonly unknown[][]): string[][] {
  const byNumber = new Map(rows.map(([number, ...texts]) => [number, texts.map(textIn)]))
  return requests.map((_, index) => byNumber.get(index + 1) ?? [])
}

function textIn(value: unknown): string {
  if (typeof value !== 'string') throw new Error('a read returned no text')
  return value
}
