// Tables, columns and relations of the database, as Prisma's schema declares them.

/** `enum`: its type in the database, where that is an enum. */
export type Column = { name: string; type: string; isUuid: boolean; isRequired: boolean; enum?: string }
type Direction = 'asc' | 'desc'
export type Order = readonly (readonly [column: string, direction: Direction])[]
/** `pairs`: a column of this table and the column of the other table that has the same value. */
export type Relation = { model: string; isList: boolean; pairs: readonly (readonly [own: string, other: string])[] }
export type Table = {
  name: string
  /** By the names of the model's fields, as the relations are. */
  columns: ReadonlyMap<string, Column>
  relations: ReadonlyMap<string, Relation>
  /** Those with an order: B-trees. */
  indexes: readonly Order[]
}
/** By the names of their models. */
export type Tables = ReadonlyMap<string, Table>

type ModelField = {
  name: string
  kind: string
  type: string
  isList: boolean
  isRequired: boolean
  /** Absent for a relation. */
  column?: string
  isUuid?: boolean
  enum?: string
  relation?: string
  from?: readonly string[]
  to?: readonly string[]
}
/** A model of Prisma's schema, with its names in the database. */
export type Model = {
  name: string
  table: string
  fields: readonly ModelField[]
  indexes: readonly (readonly { name: string; direction: string }[])[]
}

export function tablesOf(models: readonly Model[]): Tables {
  const byName = new Map(models.map(model => [model.name, model]))
  const columns = new Map(models.map(model => [model.name, columnsOf(model)]))

  const nameOf = (model: string, field = ''): string => {
    const column = columns.get(model)?.get(field)
    if (column === undefined) throw new Error(`no column for ${model}.${field}`)
    return column.name
  }

  /** The keys of a relation stand at one of its two sides. */
  function relationTo(model: Model, { name, isList, type, relation, from, to }: ModelField): Relation {
    if (from?.length) {
      const pairs = from.map((own, index) => [nameOf(model.name, own), nameOf(type, to?.[index])] as const)
      return { model: type, isList, pairs }
    }
    const back = byName.get(type)?.fields.find(field => field.relation === relation && field.from?.length)
    const pairs = back?.from?.map((own, index) => [nameOf(model.name, back.to?.[index]), nameOf(type, own)] as const)
    if (!pairs) throw new Error(`no keys for ${model.name}.${name}`)
    return { model: type, isList, pairs }
  }

  const tableOf = (model: Model): Table => ({
    name: model.table,
    columns: columns.get(model.name) ?? new Map(),
    relations: new Map(
      model.fields.flatMap(field => (field.kind === 'object' ? [[field.name, relationTo(model, field)]] : [])),
    ),
    indexes: model.indexes.map(index =>
      index.map(({ name, direction }) => [nameOf(model.name, name), direction as Direction] as const),
    ),
  })
  return new Map(models.map(model => [model.name, tableOf(model)]))
}

const columnsOf = ({ fields }: Model): ReadonlyMap<string, Column> =>
  new Map(
    fields.flatMap(({ name, column, isUuid = false, ...field }) =>
      field.kind === 'object' || column === undefined ? [] : [[name, { ...field, name: column, isUuid }]],
    ),
  )
