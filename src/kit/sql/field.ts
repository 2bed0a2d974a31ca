// What the compiler knows of a field: how it was declared, and what Pothos' plugins noted of it.
import { type FieldNode, type GraphQLField, getArgumentValues } from 'graphql'
import type { Context } from '../context.ts'
import type { Scopes } from '../field-scopes.ts'
import type { Planner } from './planner.ts'
import type { Nodes, VariableValues } from './selection.ts'
import { NotInSql, type Piece } from './statement.ts'

export type Field = GraphQLField<unknown, unknown>
export type Arguments = Readonly<Record<string, unknown>>
/** The part of a query for Prisma that decides which rows it returns. */
export type Find = {
  where?: unknown
  orderBy?: unknown
  take?: number
  skip?: number
  cursor?: Readonly<Record<string, unknown>>
  distinct?: unknown
}

type Resolve = (parent: unknown, args: Arguments, context: Context, info: unknown) => unknown
/** What a field was declared with. */
type Options = { authScopes?: unknown; resolve?: Resolve }
/** What a field of Prisma's plugin was declared with, which hands its own resolver to Pothos. */
type Declared = {
  resolve(query: object, parent: unknown, args: Arguments, context: Context, info: unknown): unknown
  cursor?: string
  defaultSize?: number
  totalCount?: (parent: unknown, args: Arguments, context: Context, info: unknown) => Promise<number>
}
type Selected = Readonly<Record<string, true | (Find & { select?: object })>> & { select?: Selected }
type Select = (
  args: Arguments,
  context: Context,
  nested: (query: unknown) => unknown,
  selection: () => Set<string>,
) => Selected

/** Computes a leaf from the columns of its row, in SQL: it means what the resolver beside it means. */
export type InSql = (row: Row, context: Context) => string
/** In the extensions of a leaf: how SQL computes it. */
export const inSql = (inSql: InSql) => ({ inSql })

/** In the extensions of a field that reads a relation by a selection of its own: the relation, or several (`a.b`). */
export const asRelation = (asRelation: string) => ({ asRelation })

/** Writes the value of a field. `parent`: the row of the object that has the field; null for a root field. */
export type WriteInSql = (
  planner: Planner,
  asked: { field: Field; nodes: Nodes; args: Arguments; parent: Row | null },
) => Piece[]
/** In the extensions of a field whose objects are no rows of a table: how SQL writes them. */
export const writtenInSql = (writeInSql: WriteInSql) => ({ writeInSql })

export type Row = {
  /** Returns the column of a field of the model. */
  column(field: string): string
  /** Returns a column of the row to which a relation, or a path of them (`a.b`), leads; without a row, SQL's null. */
  through(relations: string, field: string): string
  /** Returns a subquery over the rows of the last relation of a path (`a.b`). `select` writes what it selects. */
  among(relations: string, select: (column: Row['column']) => string): string
  /** Returns the placeholder of a value of the request. */
  value(value: string): string
}

type Extensions = {
  pothosOptions?: Options
  declared?: Declared
  pothosExposedField?: string
  pothosPrismaRelationField?: { name: string }
  /** Of a type. */
  pothosPrismaModel?: string
  pothosPrismaSelect?: Select | Selected
  planned?: Select
  pothosArgMappers?: readonly unknown[]
  access?: unknown
  scopes?: Scopes
  inSql?: InSql
  asRelation?: string
  writeInSql?: WriteInSql
  inMemory?: true
  total?: (parent: unknown, args: Arguments, context: Context) => Promise<number>
  /** Returns the table of counters whose sum is `total`; it has the columns of the list's conditions. */
  counters?: (args: Arguments) => string | null
}

export const extensionsOf = ({ extensions }: { extensions: object }): Extensions => extensions
export const optionsOf = (field: { extensions: object }): Options => extensionsOf(field).pothosOptions ?? {}

export function argumentsIn(field: Field, node: FieldNode, variables: VariableValues): Arguments {
  if (extensionsOf(field).pothosArgMappers?.length) throw new NotInSql(`the arguments of ${field.name}`)
  return field.args.length === 0 ? {} : getArgumentValues(field, node, variables)
}

/**
 * Returns what a relation or a connection of a row would ask of Prisma, and the field that its cursors contain. Nothing
 * is planned for the fields of the entries, so the only field that Pothos selects of them is that of the cursors.
 */
export function findOf(
  field: Field,
  relation: string,
  args: Arguments,
  context: Context,
): { find: Find; cursor: string } {
  const { planned, pothosPrismaSelect: select = {} } = extensionsOf(field)
  const nested = (query: unknown) => ({ ...(typeof query === 'function' ? query(args, context) : query), select: {} })
  const plan = planned ?? select
  const all = typeof plan === 'function' ? plan(args, context, nested, () => new Set(['nodes'])) : plan
  const { [relation]: found = {} } = all.select ?? all
  const find: Find & { select?: object } = found === true ? {} : found
  return { find, cursor: Object.keys(find.select ?? {})[0] ?? '' }
}
