// The settings of the GraphQL interface.
import { z } from 'zod'
import { list, missing, type RawSettings } from './values.ts'

const modes = ['any', 'trusted'] as const
const onOff = z
  .enum(['on', 'off'], { error: 'must be on or off' })
  .default('on')
  .transform(value => value === 'on')

export const graphqlVariables = {
  GRAPHQL_DOCUMENTS: z.enum(modes, { error: `must be ${modes.join(' or ')}` }).default('any'),
  GRAPHQL_DOCUMENTS_FILE: list.default([]),
  GRAPHQL_INTROSPECTION: onOff,
  GRAPHIQL: onOff,
}

const variables = z.object(graphqlVariables)

export const graphqlFaults = (raw: RawSettings): string[] =>
  raw.GRAPHQL_DOCUMENTS === 'trusted'
    ? missing(raw, ['GRAPHQL_DOCUMENTS_FILE'], 'it lists the documents that GRAPHQL_DOCUMENTS=trusted allows')
    : []

export const readGraphql = (data: z.output<typeof variables>) => ({
  /** Only the documents of these files are executed. */
  isClosed: data.GRAPHQL_DOCUMENTS === 'trusted',
  documentFiles: data.GRAPHQL_DOCUMENTS_FILE,
  isIntrospectable: data.GRAPHQL_INTROSPECTION,
  hasGraphiql: data.GRAPHIQL,
})
