// One SQL statement under construction: its parameters and aliases.
import type { Tables } from './tables.ts'

/** Thrown for a field that cannot be read in SQL, whatever its arguments are: resolvers answer it. */
export class NotInSql extends Error {}

/** Thrown where SQL cannot read a field with these arguments. */
export class ArgumentsNotInSql extends Error {}

/** An SQL expression in the place of a value, in a condition for Prisma. */
export class Expression {
  readonly sql: string
  constructor(sql: string) {
    this.sql = sql
  }
}

export type ParameterType = 'uuid' | 'text' | 'bigint' | 'timestamptz'
export type Parameter = { value: unknown; type: ParameterType }

export type Statement = {
  tables: Tables
  parameters: readonly Parameter[]
  /** Returns what stands for the value in the statement. */
  value(value: unknown, type: ParameterType): string
  alias(): string
}

/** A column of the table of requests that run together. */
const columnOfRequest = (number: number): string => `request.p${number}`

/** `placeholder`: what stands for a parameter, by its number from 1. */
export function createStatement(tables: Tables, placeholder = columnOfRequest): Statement {
  const parameters: Parameter[] = []
  let aliases = 0
  return {
    tables,
    parameters,
    value(value, type) {
      const known = parameters.findIndex(parameter => parameter.value === value && parameter.type === type)
      return placeholder(known === -1 ? parameters.push({ value, type }) : known + 1)
    },
    alias: () => `t${++aliases}`,
  }
}
