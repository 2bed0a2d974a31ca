// Names each statement of a new migration that old processes would not survive, or that would stop their writers: they
// run beside it (docs/upgrade.md). PostgreSQL's own parser reads the SQL.
import { type AlterTableCmd, type ColumnDef, type Node, parse } from 'libpg-query'
import packageJson from '../package.json' with { type: 'json' }
import { isOlderThan, type Migration } from '../src/adapters/migrations.ts'

/** `takes`: what older programs use may be gone. `holds`: writers wait until the transaction ends. */
type Fault = { kind: 'takes' | 'holds'; what: string }

const takes = (what: string): Fault => ({ kind: 'takes', what })
const holds = (what: string): Fault => ({ kind: 'holds', what })

/** The line of a migration in released.txt, to which each release adds the new ones. */
export const lineOf = ({ name, checksum }: Migration): string => `${name} ${checksum}`

/** Returns a sentence for each fault. */
export async function faultsOf({ name, sql, oldestProgram }: Migration): Promise<string[]> {
  const statements = ((await parse(sql)).stmts ?? []).flatMap(({ stmt }) => stmt ?? [])
  const made = new Set(statements.map(node => ('CreateStmt' in node ? node.CreateStmt.relation?.relname : undefined)))
  const isMixed = statements.some(isConcurrent) && !statements.every(isConcurrent)
  // The release before must run beside it.
  const isEarly = isOlderThan(packageJson.version, oldestProgram)
  const isLocking = /^-- Locks: \S/m.test(sql)
  const sentences = statements
    .flatMap(node => faultsIn(node, made))
    .flatMap(({ kind, what }) => {
      if (kind === 'holds')
        return isLocking
          ? []
          : [`${name} ${what}, so that writers wait. Do it otherwise, or say in a line “-- Locks: …” why they can.`]
      return oldestProgram === null
        ? [
            `${name} ${what}, which older programs may use. Say in a line “-- Oldest program: 1.2.3” which one is the first without.`,
          ]
        : []
    })
  return [
    ...(isMixed
      ? [`${name} builds indexes concurrently beside other statements: give them a migration of their own.`]
      : []),
    ...(isEarly
      ? [`${name} ends programs before ${oldestProgram}, which is not released: leave it to the next release.`]
      : []),
    ...sentences,
  ]
}

const isConcurrent = (node: Node): boolean =>
  ('IndexStmt' in node && node.IndexStmt.concurrent === true) ||
  ('DropStmt' in node && node.DropStmt.concurrent === true)

/** `made`: the tables that the migration makes, which nobody uses yet. */
function faultsIn(node: Node, made: ReadonlySet<string | undefined>): Fault[] {
  if ('AlterTableStmt' in node) {
    const { relation, cmds = [] } = node.AlterTableStmt
    if (made.has(relation?.relname)) return []
    return cmds.flatMap(cmd =>
      'AlterTableCmd' in cmd ? faultsOfChange(cmd.AlterTableCmd, `${relation?.relname}`) : [],
    )
  }
  if ('IndexStmt' in node) {
    const { relation, concurrent, if_not_exists: isRepeatable, idxname } = node.IndexStmt
    if (made.has(relation?.relname)) return []
    if (!concurrent) return [holds(`builds an index of ${relation?.relname}`)]
    return isRepeatable ? [] : [holds(`builds ${idxname} without IF NOT EXISTS, which a crash cuts short`)]
  }
  if ('DropStmt' in node) {
    const { removeType, concurrent, objects = [] } = node.DropStmt
    if (removeType === 'OBJECT_INDEX') return concurrent ? [] : [holds('drops an index')]
    return [takes(`drops ${objects.map(nameOf).join(', ')}`)]
  }
  if ('RenameStmt' in node) return [takes(`renames ${node.RenameStmt.subname ?? node.RenameStmt.relation?.relname}`)]
  if ('TruncateStmt' in node) return [takes('empties tables')]
  if ('LockStmt' in node) return [holds('locks tables')]
  const changed =
    'UpdateStmt' in node ? node.UpdateStmt.relation : 'DeleteStmt' in node ? node.DeleteStmt.relation : undefined
  return changed === undefined || made.has(changed.relname) ? [] : [holds(`changes rows of ${changed.relname}`)]
}

function nameOf(object: Node): string {
  // The types of a function's arguments are no part of its name.
  const named = 'ObjectWithArgs' in object ? object.ObjectWithArgs.objname : object
  return Array.from(JSON.stringify(named).matchAll(/"sval":"(\w+)"/g), ([, name]) => name).join('.')
}

function faultsOfChange({ subtype, name, def }: AlterTableCmd, table: string): Fault[] {
  if (subtype === 'AT_DropColumn') return [takes(`drops ${table}.${name}`)]
  if (subtype === 'AT_AlterColumnType')
    return [takes(`changes the type of ${table}.${name}`), holds(`writes ${table} anew`)]
  if (subtype === 'AT_SetNotNull') return [takes(`makes ${table}.${name} not null`)]
  if (subtype === 'AT_AddColumn' && def && 'ColumnDef' in def) return faultsOfColumn(def.ColumnDef, table)
  if (subtype === 'AT_AddConstraint' && def && 'Constraint' in def) {
    const { skip_validation: isUnchecked, indexname, conname } = def.Constraint
    return isUnchecked || indexname
      ? []
      : [holds(`checks all rows of ${table} for ${conname} (NOT VALID, and then VALIDATE CONSTRAINT)`)]
  }
  return []
}

function faultsOfColumn({ colname, constraints = [], typeName }: ColumnDef, table: string): Fault[] {
  const types = new Map(
    constraints.flatMap(one => ('Constraint' in one ? [[one.Constraint.contype, one.Constraint]] : [])),
  )
  const initial = types.get('CONSTR_DEFAULT')?.raw_expr
  const isComputed = initial !== undefined && 'FuncCall' in initial
  const isSerial = JSON.stringify(typeName?.names ?? []).includes('serial')
  const isWritten = isComputed || isSerial || types.has('CONSTR_GENERATED') || types.has('CONSTR_IDENTITY')
  return [
    ...(types.has('CONSTR_NOTNULL') && initial === undefined
      ? [takes(`adds ${table}.${colname}, not null and without default`)]
      : []),
    ...(isWritten ? [holds(`computes ${table}.${colname} for each row`)] : []),
    ...(types.has('CONSTR_UNIQUE') || types.has('CONSTR_PRIMARY') ? [holds(`builds an index of ${table}`)] : []),
  ]
}
