// Writes arguments: literals, and variables at any depth of them.
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql'
import { declaredCost } from '../../../src/kit/field-cost.ts'
import type { Known } from './known.ts'
import type { Random } from './random.ts'

type Variable = { name: string; type: string; fallback: string | null; values: unknown[] }
export type Writer = { random: Random; known: Known; variables: Variable[] }

/** How many sets of values the variables of a document have. */
export const valueSets = 2

const wrong: Readonly<Record<string, readonly unknown[]>> = {
  ID: ['', 'x', '00000000-0000-4000-8000-00000000000G', '\u0000'],
  String: ['', ' ', 'a\tb', 'x'.repeat(300), '\u0000'],
  Int: [-1, 100_000],
  Decimal: ['-1', 'abc', '1e400'],
  DateTime: ['yesterday', '2026-02-30', '+275760-09-13T00:00:00.001Z'],
  Hash32: ['0x', 'x'],
  URL: ['nowhere'],
}

/** `inside`: the input that has it as a member. */
type Place = { name: string; field: GraphQLField<unknown, unknown>; inside?: string }

/** Whether the input must have exactly one member; as a key of groups, it is `true` or an object. */
const hasOneMember = (input: string) => /^(?!.*Time).*Grouping$|StatsOrder$/.test(input)

/** Returns a value; the members of an input object that are undefined are left out. */
function someValue(writer: Writer, type: GraphQLInputType, place: Place): unknown {
  const { random, known } = writer
  if (isNonNullType(type)) return someValue(writer, type.ofType, place) ?? someValue(writer, type, place)
  if (random.chance(0.04)) return null
  if (isListType(type)) {
    if (random.chance(0.03)) return []
    const items = Array.from({ length: random.chance(0.01) ? 51 : 1 + random.below(3) }, () => type.ofType)
    return items
      .map(item => someValue(writer, item, place))
      .filter(item => item !== null || !isNonNullType(type.ofType))
  }
  if (isEnumType(type)) return random.pick(type.getValues()).name
  if (isInputObjectType(type)) {
    const inputType = type.name
    const fields = Object.values(type.getFields())
    const number = hasOneMember(type.name) && random.chance(0.97) ? 1 : 1 + random.below(3)
    const chosen = new Set(Array.from({ length: number }, () => random.pick(fields)))
    const time = fields.find(({ name }) => name === 'time')
    // Its members are reached through no other.
    if (number === 1 && time && random.chance(0.4)) {
      chosen.clear()
      chosen.add(time)
    }
    const members = fields.filter(field => isNonNullType(field.type) || chosen.has(field))
    return Object.fromEntries(
      members.map(({ name, type }) => [name, someValue(writer, type, { ...place, name, inside: inputType })]),
    )
  }
  if (random.chance(0.015)) return random.pick(wrong[type.name] ?? [null])
  if (type.name === 'Boolean') return random.chance(place.inside && hasOneMember(place.inside) ? 0.97 : 0.5)
  if (type.name === 'Int') return random.pick(sizesOf(place.field))
  if (place.name === 'after' || place.name === 'before') {
    const { right, others } = known.cursors(getNamedType(place.field.type).name.replace(/Connection$/, ''))
    return random.pick(right.length === 0 || random.chance(0.1) ? others : right)
  }
  const ids = place.name === 'id' ? known.ids(getNamedType(place.field.type).name) : []
  return random.pick(ids.length > 1 ? ids : (known.values[place.name] ?? ['text']))
}

const sizesOf = (field: GraphQLField<unknown, unknown>) => [
  ...[0, 1, 1, 2, 2, 3, 3, 5, 5, 10],
  declaredCost(field).listSize?.maxSize ?? 7,
]

/** Returns the GraphQL text of a value; some parts of it become variables. */
function textOf(writer: Writer, type: GraphQLInputType, value: unknown, place: Place, isConstant = false): string {
  if (value !== undefined && !isConstant && writer.random.chance(0.2)) return variableFor(writer, type, value, place)
  if (isNonNullType(type)) return textOf(writer, type.ofType, value, place, true)
  if (value === null || value === undefined) return 'null'
  if (isListType(type)) {
    const items = Array.isArray(value) ? value : [value]
    // A single value stands for a list of it.
    if (items.length === 1 && items[0] !== null && writer.random.chance(0.2))
      return textOf(writer, type.ofType, items[0], place, true)
    return `[${items.map(item => textOf(writer, type.ofType, item, place, isConstant)).join(', ')}]`
  }
  if (isInputObjectType(type)) {
    const fields = type.getFields()
    const members = Object.entries(value).map(([name, member]) => {
      const field = fields[name] as GraphQLInputField
      return `${name}: ${textOf(writer, field.type, member, { ...place, name }, isConstant)}`
    })
    return `{${members.join(', ')}}`
  }
  return isEnumType(type) ? String(value) : JSON.stringify(value)
}

/** Declares a variable for this place. Some of its sets of values lack it, or have null. */
function variableFor(writer: Writer, type: GraphQLInputType, value: unknown, place: Place): string {
  const { random, variables } = writer
  const name = `v${variables.length}`
  const nullable = isNonNullType(type) ? type.ofType : type
  const isNeeded = isNonNullType(type)
  const hasFallback = random.chance(0.3)
  const isStrict = isNeeded ? !hasFallback || random.chance(0.7) : value !== null && random.chance(0.15)
  const fallback = hasFallback ? textOf(writer, isStrict || isNeeded ? type : nullable, value, place, true) : null
  const isValid = fallback === null || fallback !== 'null' || !(isStrict || isNeeded)
  const next = (): unknown => {
    if (random.chance(0.15) && (fallback !== null || !isStrict)) return undefined
    // Null for what must not be null is left out: each executor has words of its own for it.
    if (!isStrict && !isNeeded && random.chance(0.1)) return null
    const fresh = random.chance(0.5) ? value : someValue(writer, nullable, place)
    return fresh ?? (isStrict || isNeeded ? value : fresh)
  }
  variables.push({
    name,
    type: `${nullable}${isStrict ? '!' : ''}`,
    fallback: isValid ? fallback : null,
    values: Array.from({ length: valueSets }, next),
  })
  return `$${name}`
}

/** The probability with which an argument is given that need not be. */
const usual: Readonly<Record<string, number>> = {
  by: 0.9,
  filter: 0.7,
  first: 0.8,
  last: 0.1,
  after: 0.1,
  before: 0.06,
}

/** Returns the text of the arguments of a field, with their parentheses. */
export function argumentsFor(writer: Writer, field: GraphQLField<unknown, unknown>): string {
  const { random } = writer
  const isPaired = (name: string, given: readonly GraphQLArgument[]) =>
    (name === 'last' && given.some(other => other.name === 'first')) ||
    (name === 'before' && given.some(other => other.name === 'after'))
  const given: GraphQLArgument[] = []
  for (const argument of [...field.args].sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const isAsked = isNonNullType(argument.type) || random.chance(usual[argument.name] ?? 0.35)
    if (isAsked && (random.chance(0.02) || !isPaired(argument.name, given))) given.push(argument)
  }
  const texts = given.map(({ name, type }) => {
    const place = { name, field }
    return `${name}: ${textOf(writer, type, someValue(writer, type, place), place)}`
  })
  return texts.length === 0 ? '' : `(${texts.join(', ')})`
}

/** Returns @skip or @include; their condition is a literal or a variable. */
export function directiveFor({ random, variables }: Writer): string {
  const name = random.pick(['skip', 'include'])
  if (random.chance(0.4)) return ` @${name}(if: ${random.chance(name === 'skip' ? 0.2 : 0.8)})`
  const variable = `v${variables.length}`
  const values = Array.from({ length: valueSets }, () => random.chance(0.5))
  variables.push({ name: variable, type: 'Boolean!', fallback: null, values })
  return ` @${name}(if: $${variable})`
}
