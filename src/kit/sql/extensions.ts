// The extensions of fields and types that the compiler reads: declarations, and the notes of Pothos' plugins.
import type { Arguments, Field } from './host.ts'
import type { Planner } from './plan/planner.ts'
import type { Nodes } from './plan/selection.ts'
import type { Piece } from './write/pieces.ts'
import type { Find } from './write/rows.ts'
import type { Row } from './write/source.ts'

type Resolve = (parent: unknown, args: Arguments, context: object, info: unknown) => unknown
/** The declaration of a field. */
type Options = { access?: unknown; authScopes?: unknown; resolve?: Resolve }
/** The declaration of a field of Prisma's plugin, which hands its own resolver to Pothos. */
type Declared = {
  resolve(query: object, parent: unknown, args: Arguments, context: object, info: unknown): unknown
  cursor?: string
  defaultSize?: number
  totalCount?: (parent: unknown, args: Arguments, context: object, info: unknown) => Promise<number>
}
type Selection = Readonly<Record<string, true | (Find & { select?: object })>> & { select?: Selection }
type Select = (
  args: Arguments,
  context: object,
  nested: (query: unknown) => unknown,
  selection: () => Set<string>,
) => Selection

/** Computes a leaf from the columns of its row, in SQL: it means what the resolver beside it means. */
export type InSql<Context = object> = (row: Row, context: Context) => string
/** In the extensions of a leaf: how SQL computes it. */
export const inSql = <Context>(inSql: InSql<Context>) => ({ inSql })

/** In the extensions of a field that reads a relation by a selection of its own: the relation, or several (`a.b`). */
export const asRelation = (asRelation: string) => ({ asRelation })

/** A field as a document selects it. `page`: its arguments, as its resolver gets those of a page. */
export type Selected = { field: Field; nodes: Nodes; args: Arguments; page: Arguments }
/** Writes the value of a field. `parent`: the row of the object that has the field; null for a root field. */
export type WriteInSql<Context = object> = (
  planner: Planner,
  selected: Selected & { parent: Row | null; context: Context },
) => Piece[]
/** In the extensions of a field whose objects are no rows of a table: how SQL writes them. */
export const writtenInSql = <Context = object>(writeInSql: WriteInSql<Context>) => ({ writeInSql })

/** A table with the columns of a list's conditions. `count`: how many entries its rows stand for, in SQL. */
export type CountTable = { name: string; count: string }

type Extensions = {
  pothosOptions?: Options
  declared?: Declared
  pothosExposedField?: string
  pothosPrismaRelationField?: { name: string }
  /** In the extensions of a type. */
  pothosPrismaModel?: string
  pothosPrismaSelect?: Select | Selection
  planned?: Select
  pothosArgMappers?: readonly unknown[]
  inSql?: InSql
  asRelation?: string
  writeInSql?: WriteInSql
  inMemory?: true
  /** The other fields of the query are read later than this one, or in one statement with it. */
  readFirst?: true
  /** Counts the entries of a list, and charges the caller. */
  total?: (parent: unknown, args: Arguments, context: object) => Promise<number>
  /** Returns the table that tells `total`; only `total` counts in the table of the list itself. */
  countTable?: (args: Arguments) => CountTable
}

export const extensionsOf = ({ extensions }: { extensions: object }): Extensions => extensions
export const optionsOf = (field: { extensions: object }): Options => extensionsOf(field).pothosOptions ?? {}

/** Whether SQL can answer a field of the root type, with some selection. */
export function isForSql(field: Field): boolean {
  const { declared, inMemory, writeInSql } = extensionsOf(field)
  return declared !== undefined || inMemory === true || writeInSql !== undefined
}
