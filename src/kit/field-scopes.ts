// The scopes of a field inside an object, read from its `authScopes` once, for `@access` and for SQL.
import { z } from 'zod'
import type { Access } from '../core/principal.ts'

// `authScopes` is called with this in the place of the object, and so returns the name of the column to compare.
const columns = { id: 'id', projectId: 'projectId' }
const fieldScopes = z.strictObject({ access: z.custom<Access>().optional(), project: z.enum(columns).optional() })
// Outside `$all`, one of two scopes would suffice.
const scopes = z.union([
  z.strictObject({ $all: fieldScopes }).transform(({ $all }) => $all),
  fieldScopes.refine(({ access, project }) => access === undefined || project === undefined),
])

/** `project`: the column with the id of the project that must be the caller's. */
export type Scopes = z.output<typeof scopes>

/** Throws for scopes of any other form. */
export const scopesOf = (authScopes: unknown): Scopes =>
  scopes.parse(typeof authScopes === 'function' ? authScopes(columns) : authScopes)
