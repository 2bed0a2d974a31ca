// The access of a field that has scopes, as a condition on the row of its object.
import { may, ownedBy, type Principal } from '../../core/principal.ts'
import { extensionsOf, type Field } from './field.ts'
import { NotInSql, type Statement } from './statement.ts'
import type { Source } from './where.ts'

/** Returns null where the caller may read the field of any row, and `false` where it may read that of none. */
export function guardOf(
  field: Field,
  principal: Principal,
  statement: Statement,
  { table, alias }: Source,
): string | null {
  const { access, project } = extensionsOf(field).scopes ?? {}
  if (access !== undefined && !may(principal, access)) return 'false'
  if (project === undefined) return null
  if (!may(principal, 'read')) return 'false'
  const { projectId } = ownedBy(principal)
  if (projectId === undefined) return null
  const column = table.columns.get(project)
  if (column === undefined) throw new NotInSql(`the scopes of ${field.name}`)
  return `${alias}.${column.name} = ${statement.value(projectId, 'uuid')}`
}
