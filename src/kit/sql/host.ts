// The port through which the compiler meets the program that uses it.
import type { GraphQLField } from 'graphql'
import type { Tables } from './write/tables.ts'

export type Field = GraphQLField<unknown, unknown>
export type Arguments = Readonly<Record<string, unknown>>

/** A statement for several requests at once: `run/query.ts` makes its lists of parameters. */
export type SqlQuery = { text: string; parameters: readonly { value: unknown }[] }

/** Whether the caller may read a field: of any row, of none, or of those whose column has a value. */
export type Access = boolean | { field: string; value: string }

/** `page`: the arguments with which the field is read. `check`: has to pass beside the statement. */
type Guarded = { access: Access; page: Arguments; check: (() => Promise<void>) | null }

/** The compiler asks this of the program, for one request. */
export interface SqlHost {
  /** The context of the resolvers. */
  readonly context: object
  /**
   * Names in `context`. `database`: Prisma's client. `constant`: what is the same wherever `principal` is. A resolver
   * that reads anything else cannot be recorded.
   */
  readonly contextNames: { database: string; constant: ReadonlySet<string> }
  readonly tables: Tables
  /** The caller, and what else plans depend on beside the operation and its variables, as one text. */
  readonly principal: string
  /** Throws what the caller, or the arguments, are refused with. `isRoot`: the field is one of the query itself. */
  guard(field: Field, args: Arguments, isRoot: boolean): Guarded
  /** Counts the entries of a list that SQL does not count, and charges the caller. */
  count(field: Field, parent: unknown, args: Arguments): Promise<number>
  /** Charges the caller for rows that were counted, or a cost that SQL computed. */
  charge(work: { rows: number } | { cost: number }): void
  /** Takes note of why SQL does not answer these root fields. Resolvers answer them, unless they would take longer. */
  refuse(reason: unknown, keys: readonly string[]): void
  /** Runs a statement, and returns the texts of its row. `keys`: the root fields that it answers. */
  run(query: SqlQuery, keys: readonly string[]): Promise<readonly string[]>
}
