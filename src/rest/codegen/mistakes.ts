// A mistake in a REST document, with its location: file, line and column.
import { type ASTNode, type GraphQLError, getLocation, type Source } from 'graphql'

export class RestError extends Error {
  readonly file: string
  readonly line: number
  readonly column: number

  constructor(source: Source, position: number, problem: string) {
    const { line, column } = getLocation(source, position)
    super(`${source.name}:${line}:${column} ${problem}`)
    this.name = 'RestError'
    this.file = source.name
    this.line = line
    this.column = column
  }
}

/** All mistakes of all documents; the message has one per line. */
export class RestErrors extends AggregateError {
  declare readonly errors: RestError[]

  constructor(errors: readonly RestError[]) {
    super(errors, errors.map(error => error.message).join('\n'))
    this.name = 'RestErrors'
  }
}

/** `shift` counts characters from the start of the node, for a mistake within a string. */
export type Report = (node: ASTNode, problem: string, shift?: number) => void

export function reporter(errors: RestError[]): Report {
  return (node, problem, shift = 0) => {
    if (node.loc) errors.push(new RestError(node.loc.source, node.loc.start + shift, problem))
  }
}

export const fromGraphQL = ({ source, positions, message }: GraphQLError, fallback: Source): RestError =>
  new RestError(source ?? fallback, positions?.[0] ?? 0, message)

export const inOrder = (a: RestError, b: RestError): number =>
  a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1
