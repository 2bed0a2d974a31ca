// The interface of the objects that are found by their id alone. An id does not say its type, so each type names its
// table, and reads only what the caller may read.
import { type Access, may } from '../core/principal.ts'
import { uuid } from '../core/text.ts'
import { builder } from './builder.ts'
import type { Context } from './context.ts'
import { entryCursors } from './entry-cursor.ts'

export const Node = builder.interfaceRef<{ id: string }>('Node').implement({
  description: 'An object that `node` finds by its id.',
  fields: t => ({ id: t.exposeID('id', { description: 'UUID; no two objects have the same.' }) }),
})

/** The rows to read; Pothos adds the columns and relations that the document asks for. */
type Query = { where: { id?: { in: string[] } } }

export type NodeType = {
  table: string
  /** `read` needs this access; without it no object of the type is found. */
  access: Access
  /** Returns those of the objects that the caller may read, by the rule of the field that usually reads them. */
  read(context: Context, query: Query): Promise<{ id: string }[]>
}

export const nodeTypes = new Map<string, NodeType>()

/** Declares how `node` finds the objects of a type, and with it the cursors of their lists. */
export function nodeType(name: string, type: NodeType): void {
  nodeTypes.set(name, type)
  entryCursors(name, uuid, async (context, id) => {
    if (!may(context.principal, type.access)) return false
    return (await type.read(context, { where: { id: { in: [id] } } })).length > 0
  })
}
