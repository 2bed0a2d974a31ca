// Objects by their ids in SQL: each is looked for in the tables of all types, one after the other.
import { isObjectType } from 'graphql'
import { may } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import { nodeTypes } from '../../kit/node.ts'
import { objectsFrom } from '../../kit/sql/object.ts'
import type { Planner } from '../../kit/sql/planner.ts'
import { recorded } from '../../kit/sql/recorded.ts'
import type { Nodes } from '../../kit/sql/selection.ts'
import { joined, type Piece } from '../../kit/sql/statement.ts'

/** Returns null for an id that no object has. */
export const idIn = (given: string): string | null => uuid.safeParse(given).data ?? null

/** Returns the objects, with commas between them; null for each that the caller may not read. */
export function nodesInSql(planner: Planner, nodes: Nodes, ids: readonly string[]): Piece {
  const { context, document, statement } = planner
  const given = statement.value(`{${ids.map(id => idIn(id) ?? 'null').join()}}`, 'text')
  const asked = statement.alias()
  const object = [...nodeTypes].reduce((none, [name, { access, read }]) => {
    const type = document.schema.getType(name)
    if (!isObjectType(type) || !may(context.principal, access)) return none
    const query = recorded(name, context, context => read(context, { where: {} }))
    if (query === null) return none
    const { model, find } = query
    const belonging = [{ column: 'id', values: [`${asked}.id`] }]
    return joined(objectsFrom(planner, type, nodes, { model, find, isList: false, none, belonging }))
  }, `'null'`)
  const rows = `unnest(${given}::uuid[]) with ordinality as ${asked}(id, n)`
  return { sql: `coalesce((select string_agg(${object}, ',' order by ${asked}.n) from ${rows}), '')` }
}
