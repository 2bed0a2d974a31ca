// The page of a connection that its arguments ask for.
import { getNamedType } from 'graphql'
import { pageFrom } from '../connections.ts'
import { checkCursors, haveForm } from '../entry-cursor.ts'
import { declaredCost } from '../field-cost.ts'
import type { Arguments, Field } from './field.ts'
import type { Planner } from './planner.ts'
import { NotThisTime } from './statement.ts'

/** Returns the arguments of a connection's page, and throws what resolvers would refuse them with. */
export function checkPage({ checks, context }: Planner, field: Field, args: Arguments, isRoot = false): Arguments {
  const { listSize } = declaredCost(field)
  if (listSize?.maxSize === undefined || !field.args.some(({ name }) => name === 'first')) return args
  const page = pageFrom(args, listSize.maxSize, isRoot)
  if (page.after == null && page.before == null) return page
  const entry = getNamedType(field.type).name.replace(/Connection$/, '')
  if (!haveForm(entry, page)) throw new NotThisTime('a cursor without the form of one')
  checks.push(() => checkCursors(entry, page, context))
  return page
}
