// Objects by their ids in SQL: each is looked for in the tables of all types, one after the other.
import { isObjectType } from 'graphql'
import { may } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import type { Context } from '../../kit/context.ts'
import { nodeTypes } from '../../kit/node.ts'
import { joined, type Nodes, objectsFrom, type Piece, type Planner, queryIn } from '../../kit/sql/index.ts'

/** Returns null for an id that no object has. */
export const idIn = (id: string): string | null => uuid.safeParse(id).data ?? null

/** Returns the objects, with commas between them; null for each that the caller may not read. */
export function nodesInSql(planner: Planner, context: Context, nodes: Nodes, ids: readonly string[]): Piece {
  const { document, host, statement } = planner
  const list = statement.value(`{${ids.map(id => idIn(id) ?? 'null').join()}}`, 'text')
  const row = statement.alias()
  const object = [...nodeTypes].reduce((none, [name, { access, read }]) => {
    const type = document.schema.getType(name)
    if (!isObjectType(type) || !may(context.principal, access)) return none
    const query = queryIn(name, { ...host, context }, context => read(context, { where: {} }))
    if (query === null) return none
    const { model, find } = query
    const keys = [{ column: 'id', values: [`${row}.id`] }]
    return joined(objectsFrom(planner, type, nodes, { model, find, isList: false, absent: none, keys }))
  }, `'null'`)
  const rows = `unnest(${list}::uuid[]) with ordinality as ${row}(id, n)`
  return { sql: `coalesce((select string_agg(${object}, ',' order by ${row}.n) from ${rows}), '')` }
}
