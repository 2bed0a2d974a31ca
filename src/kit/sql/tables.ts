// Tables, columns and relations of the database, as Prisma's schema declares them.
import models from '../../generated/models.json' with { type: 'json' }

/** `enum`: its type in the database, where that is an enum. */
export type Column = { name: string; type: string; isUuid: boolean; isRequired: boolean; enum?: string }
export type Direction = 'asc' | 'desc'
export type Order = readonly (readonly [column: string, direction: Direction])[]
/** `pairs`: a column of this table and the column of the other table that has the same value. */
export type Relation = { model: string; isList: boolean; pairs: readonly (readonly [own: string, other: string])[] }
export type Table = {
  name: string
  columns: ReadonlyMap<string, Column>
  relations: ReadonlyMap<string, Relation>
  /** Those with an order: B-trees. */
  indexes: readonly Order[]
}

type Model = (typeof models)[number]
type Field = Model['fields'][number] & {
  isUuid?: boolean
  enum?: string
  relation?: string
  from?: readonly string[]
  to?: readonly string[]
}

const byName = new Map(models.map(model => [model.name, model]))

function columnOf({ fields }: Model, name: string): string {
  const column = fields.find(field => field.name === name)?.column
  if (column === undefined) throw new Error(`no column for ${name}`)
  return column
}

/** The keys of a relation stand at one of its two sides. */
function relationOf(model: Model, field: Field): Relation {
  const other = byName.get(field.type)
  if (other === undefined) throw new Error(`no model ${field.type}`)
  const { isList, type } = field
  if (field.from?.length) {
    const pairs = field.from.map((own, i) => [columnOf(model, own), columnOf(other, field.to?.[i] ?? '')] as const)
    return { model: type, isList, pairs }
  }
  const back = (other.fields as Field[]).find(({ relation, from }) => relation === field.relation && from?.length)
  const pairs = back?.from?.map((own, i) => [columnOf(model, back.to?.[i] ?? ''), columnOf(other, own)] as const)
  if (!pairs) throw new Error(`no keys for ${model.name}.${field.name}`)
  return { model: type, isList, pairs }
}

function read(model: Model): Table {
  const fields: Field[] = model.fields
  const relations = fields.filter(({ kind }) => kind === 'object')
  const columns = fields.filter(({ kind }) => kind !== 'object')
  return {
    name: model.table,
    columns: new Map(
      columns.map(({ name, column, isUuid = false, ...field }) => [name, { ...field, name: column, isUuid }]),
    ),
    relations: new Map(relations.map(field => [field.name, relationOf(model, field)])),
    indexes: model.indexes.map(index =>
      index.map(({ name, direction }) => [columnOf(model, name), direction as Direction] as const),
    ),
  }
}

const tables = new Map(models.map(model => [model.name, read(model)]))

export function tableOf(model: string): Table {
  const table = tables.get(model)
  if (table === undefined) throw new Error(`no table for ${model}`)
  return table
}
