// Answers an ordinary request, which POSTs a query or a mutation as JSON, with the same bytes as yoga at half the cost.
// Leaves every other request to yoga, and every answer that is not data alone.
import type { Request, Response } from 'express'
import { OperationTypeNode } from 'graphql'
import { type Begun, begin, bodyOf, extensionsOf, type Operation } from '../graphql/begin.ts'
import type { Context } from '../kit/context.ts'
import type { Answer } from '../kit/prepared.ts'
import { sendText } from '../rest/answer.ts'

const answerTypes = ['application/json', 'application/graphql-response+json']

/** Returns the media type that yoga would choose; null for a request that only yoga answers. */
function typeOf({ path, headers, body }: Request): string | null {
  if (path !== '/graphql' || !/^application\/json(?:;|$)/.test(headers['content-type'] ?? '')) return null
  return areOrdinary(body) ? typeFor(headers.accept ?? '*/*') : null
}

/** Whether yoga accepts these parameters, of which it refuses unknown ones. */
function areOrdinary({ query: _, operationName, variables, extensions, ...others }: Record<string, unknown>): boolean {
  return (
    typeof (operationName ?? '') === 'string' &&
    isRecord(variables ?? {}) &&
    isRecord(extensions ?? {}) &&
    Object.values(others).every(value => value === null)
  )
}

const isRecord = (value: unknown) => typeof value === 'object' && !Array.isArray(value)

/** The first that is listed, whatever its `q`. */
function typeFor(accept: string): string | null {
  if (accept === '*/*') return 'application/json'
  if (/charset/i.test(accept)) return null
  for (const listed of accept.replace(/\s/g, '').toLowerCase().split(',')) {
    const [mediaType = ''] = listed.split(';')
    const type = answerTypes.find(type => mediaType === type || mediaType === 'application/*' || mediaType === '*/*')
    if (type !== undefined) return type
  }
  return null
}

/** The begun operation that yoga is to complete; without it, yoga begins. */
export type Rest = { begun?: Begun }

/** Returns null after the answer; otherwise what is left to yoga. */
export async function answerDirectly(
  req: Request,
  res: Response,
  operation: Operation,
  context: Context,
): Promise<Rest | null> {
  const { variables } = req.body
  const type = operation.kind === OperationTypeNode.SUBSCRIPTION ? null : typeOf(req)
  if (type === null) return {}
  let begun: Begun
  try {
    begun = begin(operation, context)
  } catch {
    // Nothing was charged: yoga begins the operation again, and reports the error.
    return {}
  }
  const { cost, run } = begun
  if (run === null) return { begun }
  let result: Answer
  try {
    result = await run(context, variables)
  } catch (error) {
    return { begun: { cost, run: () => Promise.reject(error) } }
  }
  if (result.errors || !('data' in result)) return { begun: { cost, run: () => result } }
  sendText(res, 200, `${type}; charset=utf-8`, bodyOf(result, extensionsOf(result, cost, context)))
  return null
}
