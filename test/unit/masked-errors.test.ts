// Faults of the service are masked and logged; mistakes of the caller are explained.
import { execute } from '@graphql-tools/executor'
import { buildSchema, type ExecutionResult, type GraphQLScalarType, parse } from 'graphql'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { maskedError } from '../../src/graphql/errors.ts'

const schema = buildSchema(`
  scalar Odd
  type Query { present: String! odd: Odd list: [Int] thrown: Int named(name: String!): String }
`)
const odd = schema.getType('Odd') as GraphQLScalarType
odd.serialize = odd.coerceOutputValue = () => {
  throw new Error('a secret of the scalar')
}
const root = { present: null, odd: 1, list: 7 }
const { thrown } = schema.getQueryType()?.getFields() ?? {}
if (thrown)
  thrown.resolve = () => {
    throw new Error('a secret of the resolver')
  }

describe('an error of the executor', () => {
  async function masked(source: string, variables = {}) {
    const logged: string[] = []
    const log = pino({ level: 'info' }, { write: line => void logged.push(line) })
    const args = { schema, document: parse(source), rootValue: root, contextValue: {}, variableValues: variables }
    const { errors = [] } = (await execute(args)) as ExecutionResult
    return { errors: errors.map(error => maskedError(error, log).toJSON()), logged }
  }

  it.each(['present', 'odd', 'list', 'thrown'])('a fault of the field %s', async field => {
    const { errors, logged } = await masked(`{ ${field} }`)
    expect(errors).toEqual([
      expect.objectContaining({
        path: [field],
        message: expect.stringContaining('unexpected error'),
        extensions: { code: 'internal_error' },
      }),
    ])
    expect(logged).toHaveLength(1)
  })

  it.each([
    ['an argument that is null', 'query ($name: String) { named(name: $name) }', { name: null }],
    ['an argument without its variable', 'query ($name: String) { named(name: $name) }', {}],
    ['a wrong variable', 'query ($name: String!) { named(name: $name) }', { name: 7 }],
  ])('%s', async (_, source, variables) => {
    const { errors, logged } = await masked(source, variables)
    expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['invalid_graphql'])
    expect(errors[0]?.message).toContain('name')
    expect(logged).toEqual([])
  })
})
