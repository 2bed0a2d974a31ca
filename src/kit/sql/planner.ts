// What the parts of the compiler share while they write one statement.
import { getNamedType } from 'graphql'
import { pageFrom } from '../connections.ts'
import type { Context } from '../context.ts'
import { checkCursors, haveForm } from '../entry-cursor.ts'
import { declaredCost } from '../field-cost.ts'
import type { Arguments, Field } from './field.ts'
import type { Document } from './selection.ts'
import { NotThisTime, type Piece, type Statement } from './statement.ts'

export type Planner = {
  document: Document
  context: Context
  statement: Statement
  /** Checks that run beside the statement; one that fails leaves the answer to the resolvers. */
  checks: (() => Promise<void>)[]
  /** Returns the piece of a number that is counted beside the statement. */
  later(count: () => Promise<number>): Piece
  /** Returns the piece of a count that the statement makes; the caller is charged for the rows that it counts. */
  counted(count: string): Piece
  /** Returns a piece without text: the caller is charged what the expression returns. */
  charged(cost: string): Piece
}

/** Returns the arguments of a connection's page, and throws what resolvers would refuse them with. */
export function checkPage({ checks, context }: Planner, field: Field, args: Arguments, isRoot = false): Arguments {
  const { listSize } = declaredCost(field)
  if (listSize?.maxSize === undefined || !field.args.some(({ name }) => name === 'first')) return args
  const page = pageFrom(args, listSize.maxSize, isRoot)
  if (page.after == null && page.before == null) return page
  const entry = getNamedType(field.type).name.replace(/Connection$/, '')
  if (!haveForm(entry, page)) throw new NotThisTime('a cursor without the form of one')
  checks.push(() => checkCursors(entry, page, context))
  return page
}
