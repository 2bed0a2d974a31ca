// The parts of the compiler share this while they plan one operation.
import type { SqlHost } from '../host.ts'
import type { Statement } from '../write/statement.ts'
import type { Document } from './selection.ts'

export type Planner = {
  document: Document
  host: SqlHost
  statement: Statement
  /** Checks that run beside the statement; one that fails leaves the answer to the resolvers. */
  checks: (() => Promise<void>)[]
  /** Numbers that are counted beside the statement, by their sentinels. */
  counts: Map<string, () => Promise<number>>
}
