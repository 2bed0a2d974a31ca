// The access of a field that has scopes, as a condition on the row of its object.
import { z } from 'zod'
import { type Access, may, ownedBy, type Principal } from '../../core/principal.ts'
import { type Field, optionsOf } from './field.ts'
import { NotInSql, type Statement } from './statement.ts'
import type { Source } from './where.ts'

// `authScopes` is called with this in the place of the object, and so returns the name of the column to compare.
const columns = { id: 'id', projectId: 'projectId' }
const fieldScopes = z.strictObject({ access: z.custom<Access>().optional(), project: z.enum(columns).optional() })
const scopes = z.union([
  z.strictObject({ $all: fieldScopes }).transform(({ $all }) => $all),
  fieldScopes.refine(({ access, project }) => access === undefined || project === undefined),
])

/** Returns null where the caller may read the field of any row, and `false` where it may read that of none. */
export function guardOf(
  field: Field,
  principal: Principal,
  statement: Statement,
  { table, alias }: Source,
): string | null {
  const { authScopes } = optionsOf(field)
  if (authScopes === undefined) return null
  const asked = scopes.safeParse(typeof authScopes === 'function' ? authScopes(columns) : authScopes)
  if (!asked.success) throw new NotInSql(`the scopes of ${field.name}`)
  const { access, project } = asked.data
  if (access !== undefined && !may(principal, access)) return 'false'
  if (project === undefined) return null
  if (!may(principal, 'read')) return 'false'
  const { projectId } = ownedBy(principal)
  if (projectId === undefined) return null
  const column = table.columns.get(project)
  if (column === undefined) throw new NotInSql(`the scopes of ${field.name}`)
  return `${alias}.${column.name} = ${statement.value(projectId, 'uuid')}`
}
