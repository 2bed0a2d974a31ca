// Makes documents from the schema: valid, within the limits of the service, with values for their variables.
import { type DocumentNode, type GraphQLSchema, parse, specifiedRules, validate } from 'graphql'
import { documentLimits } from '../../../src/core/request-limits.ts'
import { demandBounded } from '../../../src/graphql/bounds.ts'
import { costOf } from '../../../src/kit/operation-cost.ts'
import { claimed } from './claims.ts'
import type { Known } from './known.ts'
import { randomFrom } from './random.ts'
import { type Selecting, selectionOf } from './selections.ts'
import { valueSets } from './values.ts'

export type Made = {
  source: string
  document: DocumentNode
  name: string
  variables: Record<string, unknown>[]
}

export type Make = (seed: number) => Made

export function documentsOf(schema: GraphQLSchema, known: Known): Make {
  const inSql = claimed(schema)
  const query = schema.getQueryType()
  if (!query) throw new Error('the schema has no queries')
  return seed => {
    const random = randomFrom(seed)
    for (let attempt = 0; attempt < 200; attempt++) {
      const only = random.chance(0.85) ? inSql : null
      const to: Selecting = { random, known, schema, only, variables: [], fragments: [], left: 5 + random.below(60) }
      const selection = selectionOf(to, query, 1 + random.below(7))
      const declared = to.variables.map(
        ({ name, type, fallback }) => `$${name}: ${type}${fallback === null ? '' : ` = ${fallback}`}`,
      )
      const operation = `query Made${declared.length > 0 ? `(${declared.join(', ')})` : ''} ${selection}`
      const other = random.chance(0.05) ? ['query Other { __typename }'] : []
      const source = [operation, ...to.fragments.map(({ text }) => text), ...other].join('\n')
      const variables = Array.from({ length: valueSets }, (_, set) =>
        Object.fromEntries(
          to.variables.flatMap(({ name, values }) => (values[set] === undefined ? [] : [[name, values[set]]])),
        ),
      )
      const made = { source, document: parse(source), name: 'Made', variables }
      if (isAdmitted(schema, made)) return made
    }
    throw new Error(`no valid document from the seed ${seed}`)
  }
}

function isAdmitted(schema: GraphQLSchema, { document, name, variables }: Made): boolean {
  try {
    demandBounded(document)
  } catch {
    return false
  }
  if (validate(schema, document, specifiedRules).length > 0) return false
  return variables.every(values => {
    return costOf(schema, document, name, values).total <= documentLimits.cost
  })
}
