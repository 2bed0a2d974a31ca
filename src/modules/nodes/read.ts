// Reads objects of several types by their ids.
import { brandWithType } from '@pothos/core'
import { may } from '../../core/principal.ts'
import type { Context } from '../../kit/context.ts'
import { nodeTypes } from '../../kit/node.ts'

/** Returns those of the objects that the caller may read, by their ids. `ids`: by the name of the type. */
export async function readNodes(
  context: Context,
  ids: ReadonlyMap<string, readonly string[]>,
  query: (typeName: string) => object,
): Promise<ReadonlyMap<string, { id: string }>> {
  const found = await Promise.all(
    [...ids].map(async ([name, of]) => {
      const type = nodeTypes.get(name)
      if (type === undefined || !may(context.principal, type.access)) return []
      const rows = await type.read(context, { ...query(name), where: { id: { in: [...of] } } })
      for (const row of rows) brandWithType(row, name as never)
      return rows
    }),
  )
  return new Map(found.flat().map(node => [node.id, node]))
}
