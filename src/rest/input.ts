// Reads JSON values by their input types, and renames the members of objects to their GraphQL names.
import { GraphQLError, type GraphQLSchema, isScalarType } from 'graphql'
import { extra, type Fault, faults, maxDepth, missing, type Reader, refuse, type WireIssue } from './faults.ts'
import type { InputType, Loc } from './route.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const clean = (text: string) => !text.includes('\0') && text.isWellFormed()

const string: Reader = (value, loc, issues) =>
  typeof value !== 'string'
    ? refuse(issues, loc, faults.string)
    : clean(value)
      ? value
      : refuse(issues, loc, faults.unicode)

const uuidText: Reader = (value, loc, issues) => {
  const text = string(value, loc, issues)
  return typeof text !== 'string' || uuid.test(text) ? text : refuse(issues, loc, faults.uuid)
}

export const int: Reader = (value, loc, issues) => {
  if (typeof value !== 'number') return refuse(issues, loc, faults.int)
  if (!Number.isInteger(value)) return refuse(issues, loc, faults.fraction)
  return value === (value | 0) ? value : refuse(issues, loc, faults.intSize)
}

export const float: Reader = (value, loc, issues) =>
  typeof value === 'number' && Number.isFinite(value) ? value : refuse(issues, loc, faults.float)

const bool: Reader = (value, loc, issues) => (typeof value === 'boolean' ? value : refuse(issues, loc, faults.bool))

/** Accepts any JSON up to `maxDepth`; walks it without recursion, because an untrusted client chose its depth. */
const json: Reader = (value, loc, issues) => {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return refuse(issues, loc, faults.depth)
    const next: unknown[] = []
    for (const item of level) {
      if (typeof item === 'string' && !clean(item)) return refuse(issues, loc, faults.unicode)
      if (typeof item !== 'object' || item === null) continue
      if (!Object.keys(item).every(clean)) return refuse(issues, loc, faults.unicode)
      for (const inner of Object.values(item)) next.push(inner)
    }
    level = next
  }
  return value
}

function customScalar(name: string, schema: GraphQLSchema): Reader {
  const type = schema.getType(name)
  const read = name === 'JSON' || name === 'JSONObject' ? json : string
  return (value, loc, issues) => {
    const found = issues.length
    const plain = read(value, loc, issues)
    if (issues.length > found || !isScalarType(type)) return plain
    try {
      type.coerceInputValue(plain)
      return plain
    } catch (error) {
      const msg = error instanceof GraphQLError ? error.message : `Input should be a valid ${name}`
      return refuse(issues, loc, [`${name.toLowerCase()}_parsing`, msg])
    }
  }
}

const scalars: Record<string, Reader> = { String: string, ID: string, Int: int, Float: float, Boolean: bool }

function enumeration(values: readonly string[]): Reader {
  const known = new Set<unknown>(values)
  const fault: Fault = ['enum', `Input should be ${values.map(value => `'${value}'`).join(' or ')}`]
  return (value, loc, issues) => (known.has(value) ? value : refuse(issues, loc, fault))
}

export function list(of: Reader): Reader {
  return (value, loc, issues) =>
    Array.isArray(value)
      ? value.map((item: unknown, index) => of(item, [...loc, index], issues))
      : refuse(issues, loc, faults.list)
}

/** Returns which of the two names a JSON object uses. Many clients send null for a member that they do not set. */
export const usedName = (name: string, olderName: string, present: ReadonlyMap<string, unknown>): string =>
  (present.get(name) ?? null) === null && present.has(olderName) ? olderName : name

/**
 * Reads members of a JSON object. `others`: the member of the result that has all members without a name of their own.
 * Issues: an unknown member that is not `ignored`, and different values of a name and its older name.
 */
export function members(
  fields: readonly { name: string; olderName?: string; field: string; required: boolean; reader: Reader }[],
  { ignored = [], others }: { ignored?: readonly string[]; others?: string | undefined } = {},
): (value: unknown, loc: Loc, issues: WireIssue[]) => Record<string, unknown> {
  const known = new Set([...ignored, ...fields.flatMap(({ name, olderName = name }) => [name, olderName])])
  return (value, loc, issues) => {
    const result: Record<string, unknown> = {}
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      refuse(issues, loc, faults.object)
      return result
    }
    const present = new Map<string, unknown>(Object.entries(value))
    for (const { name, olderName = name, field, required, reader } of fields) {
      const used = usedName(name, olderName, present)
      if (present.has(used)) result[field] = reader(present.get(used), [...loc, name], issues)
      else if (required) refuse(issues, [...loc, name], missing)
      const other = present.get(olderName) ?? null
      if (other !== null && other !== present.get(used))
        refuse(issues, [...loc, olderName], ['value_error', `Input should be the same as ${name}`])
    }
    const unknown = [...present].filter(([name]) => !known.has(name))
    if (others === undefined) for (const [name] of unknown) refuse(issues, [...loc, name], extra)
    else if (unknown.length > 0) result[others] = json(Object.fromEntries(unknown), loc, issues)
    return result
  }
}

/** Returns the reader of the non-null values of a type. */
export function jsonOf(type: InputType, schema: GraphQLSchema): Reader {
  if (type.kind === 'enum') return enumeration(type.values)
  if (type.kind === 'list') return list(jsonReader(type.of, schema))
  if (type.kind === 'object') {
    const fields = type.fields.filter(({ field }) => field !== type.others)
    return members(
      fields.map(field => ({ ...field, reader: jsonReader(field.type, schema) })),
      { others: type.others },
    )
  }
  if (type.format === 'uuid') return uuidText
  return scalars[type.name] ?? customScalar(type.name, schema)
}

const texts = new Set(['String', 'ID', 'URL', 'DateTime', 'Date', 'Hash32', 'Address', 'Decimal'])

/** Clients of forms send an empty text for a value that is not set. */
const mayBeBlank = (type: InputType): boolean =>
  type.kind === 'enum' || (type.kind === 'scalar' && texts.has(type.name))

/**
 * Returns the reader of the values of a type. If the type is nullable, it accepts null, and for a text takes an empty
 * one for null, unless `isExact`.
 */
export function jsonReader(type: InputType, schema: GraphQLSchema, { isExact = false } = {}): Reader {
  const read = jsonOf(type, schema)
  if (!type.nullable) return read
  const isBlank = !isExact && mayBeBlank(type)
  return (value, loc, issues) => (value === null || (isBlank && value === '') ? null : read(value, loc, issues))
}
