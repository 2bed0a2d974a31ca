// Keeps the names that generators make of an operation apart from those of the schemas: many name its request, its
// answer and their parts after the operation id, in the one namespace that the schemas are in too.
import type { JsonSchema } from '../scalars.ts'

const made = [
  ...['', 'Request', 'RequestBody', 'JSONRequestBody', 'JSONBody', 'Body', 'Response', 'Responses', 'ResponseBody'],
  ...['Result', 'Error', 'Errors', 'Data', 'Params', 'Parameters', 'Args', 'Input', 'Output'],
]

const folded = (name: string) => name.replace(/[^a-z0-9]/gi, '').toLowerCase()

/** The schemas whose names a generator could give to a part of this operation too. */
export function clashesOf(operationId: string, schemas: readonly string[]): string[] {
  const names = new Set(made.map(suffix => folded(operationId + suffix)))
  return schemas.filter(name => names.has(folded(name)))
}

const upperFirst = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

/**
 * Puts the method before an operation id that clashes. `x-sdk-method` keeps the shorter name for the clients that this
 * service builds, which have namespaces of their own.
 */
export const withoutClashes = (paths: Record<string, JsonSchema>, schemas: readonly string[]) =>
  Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => {
          const { operationId, ...rest } = Object(operation)
          if (clashesOf(operationId, schemas).length === 0) return [method, operation]
          return [method, { operationId: method + upperFirst(operationId), 'x-sdk-method': operationId, ...rest }]
        }),
      ),
    ]),
  )
