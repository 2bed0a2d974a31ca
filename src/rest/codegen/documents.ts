// Reads rest/*.graphql and checks each document against the schema, extended by the annotations of directives.graphql.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  type DocumentNode,
  extendSchema,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  parse,
  Source,
  validate,
} from 'graphql'
import { fromGraphQL, type RestError } from './mistakes.ts'

const annotations = 'directives.graphql'

/** `valid` is false when validation failed and the file's types are unreliable; its mistakes have been reported. */
export type RestFile = {
  section: string
  /** The comment that the file begins with. */
  description: string
  operations: OperationDefinitionNode[]
  fragments: ReadonlyMap<string, FragmentDefinitionNode>
  valid: boolean
}

export type Documents = { schema: GraphQLSchema; files: RestFile[] }

function read(source: Source, errors: RestError[]): DocumentNode | null {
  try {
    return parse(source)
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    errors.push(fromGraphQL(error, source))
    return null
  }
}

/** `directory` is also the path prefix in the reported mistakes. */
export function readDocuments(base: GraphQLSchema, directory: string, errors: RestError[]): Documents {
  const sourceOf = (name: string) => new Source(readFileSync(join(directory, name), 'utf8'), join(directory, name))
  const schema = extendSchema(base, parse(sourceOf(annotations)))
  const names = readdirSync(directory).filter(name => name.endsWith('.graphql') && name !== annotations)
  const files = names.sort().flatMap(name => {
    const source = sourceOf(name)
    const document = read(source, errors)
    if (document === null) return []
    const faults = validate(schema, document, undefined, { maxErrors: 1000 })
    errors.push(...faults.map(fault => fromGraphQL(fault, source)))
    return [fileOf(basename(name, '.graphql'), source.body, document, faults.length === 0)]
  })
  return { schema, files }
}

const commentOf = (text: string): string =>
  (/^(?:#.*\n)*/.exec(text)?.[0] ?? '').replace(/^# ?/gm, '').replace(/\s+/g, ' ').trim()

function fileOf(section: string, text: string, { definitions }: DocumentNode, valid: boolean): RestFile {
  const operations = definitions.filter(definition => definition.kind === 'OperationDefinition')
  const fragments = definitions.filter(definition => definition.kind === 'FragmentDefinition')
  return {
    section,
    description: commentOf(text),
    operations,
    fragments: new Map(fragments.map(node => [node.name.value, node])),
    valid,
  }
}
