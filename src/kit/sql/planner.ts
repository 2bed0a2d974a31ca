// What the parts of the compiler share while they write one statement.
import type { Context } from '../context.ts'
import type { Document } from './selection.ts'
import type { Piece, Statement } from './statement.ts'

/** What the query of some rows needs. */
export type RowsPlanner = { statement: Statement; context: Pick<Context, 'readsListsInOrder'> }

export type Planner = {
  document: Document
  context: Context
  statement: Statement
  /** Checks that run beside the statement; one that fails leaves the answer to the resolvers. */
  checks: (() => Promise<void>)[]
  /** Returns the piece of a number that is counted beside the statement. */
  later(count: () => Promise<number>): Piece
  /**
   * Returns the piece of a count. `count`: SQL of the number as text, or of `<number>/<rows read>` where more or fewer
   * rows are read than counted. The caller is charged for the rows read.
   */
  counted(count: string): Piece
  /** Returns a piece without text: the caller is charged what the expression returns. */
  charged(cost: string): Piece
}
