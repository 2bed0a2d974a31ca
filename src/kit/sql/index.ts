// The exports of the compiler for the program. README.md follows one document through it.
export { type CompiledPlan, sqlCompiler } from './compile.ts'
export {
  asRelation,
  type CountTable,
  extensionsOf,
  type InSql,
  inSql,
  optionsOf,
  type WriteInSql,
  writtenInSql,
} from './extensions.ts'
export type { Access, Arguments, Field, SqlHost, SqlQuery } from './host.ts'
export { type IdHost, type PageQuery, whereById } from './page-ids.ts'
export { computedObject, listByColumns, objectsFrom } from './plan/fields.ts'
export type { Planner } from './plan/planner.ts'
export { queryIn } from './plan/query.ts'
export { type Nodes, objectTypeOf, type SelectedAt, selectedAt, selectedIn } from './plan/selection.ts'
export { TooLarge } from './run/answer.ts'
export { parametersOf, textsOf } from './run/query.ts'
export { joined, literal, type Piece } from './write/pieces.ts'
export { charged, refused } from './write/sentinels.ts'
export { columnOf, type Row, rowOf, type Source, sourceOf } from './write/source.ts'
export {
  ArgumentsNotInSql,
  createStatement,
  Expression,
  NotInSql,
  type Statement,
} from './write/statement.ts'
export { tablesOf } from './write/tables.ts'
export { conditionOn, whereSql } from './write/where.ts'
