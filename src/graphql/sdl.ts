// Prints the schema with the directives of its fields, which graphql-js leaves out.
import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type FieldDefinitionNode,
  type GraphQLSchema,
  getNamedType,
  type InputValueDefinitionNode,
  isObjectType,
  Kind,
  lexicographicSortSchema,
  parse,
  print,
  printSchema,
  valueToLiteral,
} from 'graphql'
import { declaredCost } from '../kit/field-cost.ts'
import {
  type Applied,
  directivesOf,
  directivesOfArgument,
  directivesOfCondition,
  directivesOfEntries,
} from './directives.ts'

const nameNode = (value: string) => ({ kind: Kind.NAME, value }) as const

function applied(schema: GraphQLSchema, name: string, values: Record<string, unknown>): ConstDirectiveNode {
  const args = schema.getDirective(name)?.args ?? []
  return {
    kind: Kind.DIRECTIVE,
    name: nameNode(name),
    arguments: args.flatMap(arg => {
      const value = arg.name in values ? valueToLiteral(values[arg.name], arg.type) : undefined
      return value ? [{ kind: Kind.ARGUMENT, name: nameNode(arg.name), value }] : []
    }),
  }
}

const lineWidth = 100

/** Returns the directives as text to append to a field, on lines of their own if they are long. */
function shown(directives: readonly ConstDirectiveNode[]): string {
  const texts = directives.map(print)
  const line = ` ${texts.join(' ')}`
  const isShort = line.length <= lineWidth && !line.includes('\n')
  return isShort ? line : texts.map(text => `\n    ${text.replaceAll('\n', '\n    ')}`).join('')
}

type Insertion = { at: number; text: string }

/** Returns the SDL of the schema, sorted by name. */
export function printedSchema(unsorted: GraphQLSchema): string {
  const schema = lexicographicSortSchema(unsorted)
  const plain = printSchema(schema)
  const conditions = conditionsOf(schema)
  const lists = listsOfWork(schema)

  const insertion = ({ type: { loc } }: FieldDefinitionNode | InputValueDefinitionNode, directives: Applied) => {
    const nodes = Object.entries(directives).map(([name, args]) => applied(schema, name, args))
    return nodes.length > 0 && loc ? [{ at: loc.end, text: shown(nodes) }] : []
  }

  function inType(definition: DefinitionNode): Insertion[] {
    if (definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION) {
      const type = definition.name.value
      const extensions = conditions.get(type)
      return (definition.fields ?? []).flatMap(node => {
        const name = node.name.value
        return insertion(
          node,
          lists.get(`${type}.${name}`) ?? (extensions ? directivesOfCondition(extensions, name) : {}),
        )
      })
    }
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return []
    const type = schema.getType(definition.name.value)
    const fields = isObjectType(type) ? type.getFields() : {}
    return (definition.fields ?? []).flatMap(node => {
      const extensions = fields[node.name.value]?.extensions ?? {}
      return [
        ...(node.arguments ?? []).flatMap(arg => insertion(arg, directivesOfArgument(extensions, arg.name.value))),
        ...insertion(node, directivesOf(extensions, type === schema.getMutationType())),
      ]
    })
  }

  const insertions = parse(plain).definitions.flatMap(inType)
  const parts = insertions.map(({ at, text }, index) => plain.slice(insertions[index - 1]?.at ?? 0, at) + text)
  return `${parts.join('')}${plain.slice(insertions.at(-1)?.at ?? 0)}\n`
}

const fieldsOf = (schema: GraphQLSchema) =>
  Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap(type => Object.values(type.getFields()))

/** Returns the directives of the members of inputs that list what is to be done, by the names of type and member. */
function listsOfWork(schema: GraphQLSchema): Map<string, Applied> {
  return new Map(
    fieldsOf(schema).flatMap(({ args, extensions }) =>
      (declaredCost({ extensions }).listSize?.slicingArguments ?? []).flatMap(path => {
        const [argument, member] = path.split('.')
        const input = member && args.find(({ name }) => name === argument)
        return input ? [[`${getNamedType(input.type).name}.${member}`, directivesOfEntries(extensions)] as const] : []
      }),
    ),
  )
}

/** Returns the extensions of the lists that can be searched, by the name of their filter's type. */
function conditionsOf(schema: GraphQLSchema) {
  return new Map(
    fieldsOf(schema).flatMap(({ args, extensions }) => {
      const filter = declaredCost({ extensions }).search && args.find(({ name }) => name === 'filter')
      return filter ? [[getNamedType(filter.type).name, extensions] as const] : []
    }),
  )
}
