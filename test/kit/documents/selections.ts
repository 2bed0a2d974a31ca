// Writes selections: fields with aliases and arguments, some of them twice, fragments and directives.
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isObjectType,
} from 'graphql'
import { leftOut } from './claims.ts'
import { argumentsFor, directiveFor, type Writer } from './values.ts'

export type Selecting = Writer & {
  schema: GraphQLSchema
  /** Null: any field; else by the names of their types those to choose from. */
  only: ReadonlyMap<string, ReadonlySet<string>> | null
  fragments: { name: string; type: string; text: string }[]
  /** How many more fields the document may have. */
  left: number
}

type Field = GraphQLField<unknown, unknown>

const oddAliases = ['__proto__', 'constructor', 'toString', 'data', 'errors', 'a'.repeat(120), 'n', 't1', '_']

export function selectionOf(to: Selecting, type: GraphQLNamedType, depth: number): string {
  const { random } = to
  if (!isObjectType(type)) return abstractSelection(to, type, depth)
  const texts = fieldsIn(to, type, depth).flatMap(field => {
    const head = headOf(to, field)
    // Sometimes the same field again, with other members.
    const times = random.chance(0.06) ? 2 : 1
    return Array.from({ length: times }, () => `${head}${inner(to, field, depth)}`)
  })
  if (random.chance(0.15)) texts.push('__typename')
  if (texts.length === 0 && !random.chance(0.3)) texts.push('__typename')
  return `{ ${inFragments(to, type, texts).join(' ')} }`
}

// Most other objects are below these.
const usual = new Set(['me', 'projects', 'receipt', 'receipts'])

function fieldsIn({ random, only, left }: Selecting, type: GraphQLObjectType, depth: number): Field[] {
  const all = Object.values(type.getFields()).filter(
    ({ name }) => !(`${type.name}.${name}` in leftOut) && (only === null || only.get(type.name)?.has(name)),
  )
  if (type.name === 'Query') return some(random, [...all, ...all.filter(({ name }) => usual.has(name))], 3)
  const isLeaf = (field: Field) => !isCompositeType(getNamedType(field.type))
  const leaves = all.filter(isLeaf)
  const objects = depth <= 0 || left <= 0 ? [] : all.filter(field => !isLeaf(field))
  const isConnection = type.name.endsWith('Connection')
  const few = random.chance(0.2) ? leaves : some(random, leaves, isConnection ? 1 : 5)
  return [...few, ...some(random, objects, isConnection ? 2 : 4)]
}

function some(random: Writer['random'], fields: readonly Field[], most: number): Field[] {
  const chosen = new Set(random.some(fields, most))
  if (chosen.size === 0 && fields.length > 0 && random.chance(0.8)) chosen.add(random.pick(fields))
  return [...chosen]
}

function headOf(to: Selecting, field: Field): string {
  const { random } = to
  to.left -= 1
  const alias = random.chance(field.args.length > 0 ? 0.4 : 0.1)
    ? `${random.chance(0.1) ? random.pick(oddAliases) : `a${random.below(90)}`}: `
    : ''
  return `${alias}${field.name}${argumentsFor(to, field)}${random.chance(0.06) ? directiveFor(to) : ''}`
}

const inner = (to: Selecting, field: Field, depth: number): string => {
  const type = getNamedType(field.type)
  return isCompositeType(type) ? ` ${selectionOf(to, type, depth - 1)}` : ''
}

/** Puts some of the selections into fragments, also of fragments. */
function inFragments(to: Selecting, type: GraphQLObjectType, texts: string[]): string[] {
  const { random, fragments } = to
  const known = fragments.filter(fragment => fragment.type === type.name)
  const spread = known.length > 0 && random.chance(0.15) ? [`...${random.pick(known).name}`] : []
  const ofInterface = type.getInterfaces().length > 0 && random.chance(0.08) ? ['... on Node { id __typename }'] : []
  const all = [...texts, ...spread, ...ofInterface]
  if (!random.chance(0.25)) return all
  const from = random.below(all.length)
  const count = 1 + random.below(all.length - from)
  const wrapped = inFragments(to, type, all.slice(from, from + count))
  const directive = random.chance(0.15) ? directiveFor(to) : ''
  return [...all.slice(0, from), fragmentOf(to, type, wrapped, directive), ...all.slice(from + count)]
}

function fragmentOf(
  { random, fragments }: Selecting,
  { name: type }: GraphQLNamedType,
  texts: string[],
  directive: string,
) {
  if (random.chance(0.5)) return `...${random.chance(0.5) ? ` on ${type}` : ''}${directive} { ${texts.join(' ')} }`
  const name = `F${fragments.length}`
  fragments.push({ name, type, text: `fragment ${name} on ${type} { ${texts.join(' ')} }` })
  return `...${name}${directive}`
}

function abstractSelection(to: Selecting, type: GraphQLNamedType, depth: number): string {
  const types = isAbstractType(type) ? to.schema.getPossibleTypes(type) : []
  const chosen = [...new Set(to.random.some(types, 3))].map(
    one => `... on ${one.name} ${selectionOf(to, one, depth - 1)}`,
  )
  return `{ __typename ${type.name === 'Node' ? 'id ' : ''}${chosen.join(' ')} }`
}
