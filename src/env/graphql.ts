// The settings of the GraphQL interface.
import { z } from 'zod'
import { type Given, list, missing } from './values.ts'

const modes = ['any', 'trusted'] as const
const onOff = z
  .enum(['on', 'off'], { error: 'must be on or off' })
  .default('on')
  .transform(value => value === 'on')

export const graphqlVariables = {
  /** `trusted`: only the documents of the files are executed. */
  GRAPHQL_DOCUMENTS: z.enum(modes, { error: `must be ${modes.join(' or ')}` }).default('any'),
  GRAPHQL_DOCUMENTS_FILE: list.default([]),
  GRAPHQL_INTROSPECTION: onOff,
  GRAPHIQL: onOff,
}

export const graphqlFaults = (given: Given): string[] =>
  given.GRAPHQL_DOCUMENTS === 'trusted'
    ? missing(given, ['GRAPHQL_DOCUMENTS_FILE'], 'it lists the documents that GRAPHQL_DOCUMENTS=trusted allows')
    : []
