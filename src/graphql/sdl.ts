// Prints the schema with the directives of its fields, which graphql-js leaves out.
import {
  type ConstDirectiveNode,
  type FieldDefinitionNode,
  type GraphQLSchema,
  isObjectType,
  Kind,
  lexicographicSortSchema,
  parse,
  print,
  printSchema,
  valueToLiteral,
} from 'graphql'
import { directivesOf } from './directives.ts'

const nameNode = (value: string) => ({ kind: Kind.NAME, value }) as const

function applied(schema: GraphQLSchema, name: string, given: Record<string, unknown>): ConstDirectiveNode {
  const args = schema.getDirective(name)?.args ?? []
  return {
    kind: Kind.DIRECTIVE,
    name: nameNode(name),
    arguments: args.flatMap(arg => {
      const value = arg.name in given ? valueToLiteral(given[arg.name], arg.type) : undefined
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

/** Returns the SDL of the schema, sorted by name. */
export function printedSchema(given: GraphQLSchema): string {
  const schema = lexicographicSortSchema(given)
  const plain = printSchema(schema)
  const insertions = parse(plain).definitions.flatMap(definition => {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return []
    const type = schema.getType(definition.name.value)
    const fields = isObjectType(type) ? type.getFields() : {}
    const textOf = ({ name, type: { loc } }: FieldDefinitionNode) => {
      const directives = Object.entries(directivesOf(fields[name.value]?.extensions ?? {}))
      return directives.length > 0 && loc
        ? [{ at: loc.end, text: shown(directives.map(([name, args]) => applied(schema, name, args))) }]
        : []
    }
    return definition.fields?.flatMap(textOf) ?? []
  })
  const parts = insertions.map(({ at, text }, index) => plain.slice(insertions[index - 1]?.at ?? 0, at) + text)
  return `${parts.join('')}${plain.slice(insertions.at(-1)?.at ?? 0)}\n`
}
