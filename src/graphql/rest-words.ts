// Enum values in the descriptions of the schema behind REST, as the REST API spells them.
import { type GraphQLSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql'

// `IPFS` in a description is the network.
const notValues = ['IPFS']

function restWords(schema: GraphQLSchema): ReadonlyMap<string, string> {
  const values = Object.values(schema.getTypeMap()).flatMap(type => (isEnumType(type) ? type.getValues() : []))
  const words = new Map(values.map(({ name, value }) => [name, String(value)]))
  for (const word of notValues) words.delete(word)
  return words
}

/** Changes the descriptions of `rest`: each name of an enum value in `schema` becomes the word that is stored. */
export function withRestWords(rest: GraphQLSchema, schema: GraphQLSchema): GraphQLSchema {
  const words = restWords(schema)
  const translate = (described: { description?: string | null | undefined }) => {
    described.description &&= described.description.replace(
      /\b[A-Z][A-Z0-9_]+\b(?!-)/g,
      word => words.get(word) ?? word,
    )
  }
  for (const type of Object.values(rest.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      translate(field)
      if ('args' in field) field.args.forEach(translate)
    }
  }
  return rest
}
