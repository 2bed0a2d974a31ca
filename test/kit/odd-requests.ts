// Generates requests from the OpenAPI document, for every operation, with correct, nearly correct and wrong values.
import openapi from '../../rest/openapi.json' with { type: 'json' }

export type OddRequest = { method: string; path: string; headers: Record<string, string>; body: string | null }

type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  format?: string
}
type Parameter = { $ref?: string; name: string; in: string; required?: boolean; schema?: Schema }

const resolved = <T extends { $ref?: string }>(value: T): T => {
  if (value.$ref === undefined) return value
  const found = value.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), openapi)
  return found as T
}

/** `random` returns numbers from 0 to 1. `ids` are ids of existing objects. */
export function oddRequests(random: () => number, ids: readonly string[]) {
  const of = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const odd = () =>
    of<unknown>([
      null,
      '',
      0,
      -1,
      1e21,
      'x',
      'é'.repeat(300),
      'a'.repeat(5_000),
      true,
      [],
      {},
      '\u0000',
      '2026-02-30',
      '../x',
      '%',
    ])

  function sample(given: Schema | undefined, depth = 0): unknown {
    const schema = resolved(given ?? {})
    if (random() < 0.12 || depth > 5) return odd()
    const one = schema.anyOf ?? schema.oneOf
    if (one) return sample(of(one), depth + 1)
    if (schema.enum) return of(schema.enum)
    const type = Array.isArray(schema.type) ? of(schema.type) : schema.type
    if (type === 'object' || schema.properties) {
      const members = Object.entries(schema.properties ?? {}).filter(
        ([name]) => schema.required?.includes(name) || random() < 0.5,
      )
      const extra = random() < 0.05 ? [['more', odd()]] : []
      return Object.fromEntries([...members.map(([name, member]) => [name, sample(member, depth + 1)]), ...extra])
    }
    if (type === 'array') return Array.from({ length: Math.floor(random() * 4) }, () => sample(schema.items, depth + 1))
    if (type === 'integer' || type === 'number') return of([1, 2, 20, 200, 7])
    if (type === 'boolean') return random() < 0.5
    if (type === 'null') return null
    if (schema.format === 'uuid') return of(ids)
    if (schema.format === 'date-time') return '2026-01-01T00:00:00Z'
    return of([
      'base',
      '12.5',
      'USDC',
      `0x${'1'.repeat(64)}`,
      `0x${'2'.repeat(40)}`,
      `order-${Math.floor(random() * 1e9)}`,
    ])
  }

  const operations = Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

  return (): OddRequest => {
    const { path, method, operation } = of(operations)
    const { parameters = [], requestBody } = operation as {
      parameters?: Parameter[]
      requestBody?: { content: Record<string, { schema: Schema }> }
    }
    const query = new URLSearchParams()
    const headers: Record<string, string> = {}
    let url = path
    for (const parameter of parameters.map(resolved)) {
      const value = String(sample(parameter.schema))
      if (parameter.in === 'path')
        url = url.replace(`{${parameter.name}}`, encodeURIComponent(value.slice(0, 300)) || 'x')
      else if (parameter.in === 'query' && random() < 0.5) query.append(parameter.name, value.slice(0, 300))
      else if (parameter.name === 'Idempotency-Key' && random() < 0.3)
        headers['Idempotency-Key'] = `k${Math.floor(random() * 1e6)}`
    }
    if (random() < 0.03) query.append('more', 'x')
    const text = query.size === 0 ? '' : `?${query}`
    const content = requestBody?.content['application/json']
    if (content && random() < 0.97) headers['Content-Type'] = random() < 0.98 ? 'application/json' : 'text/plain'
    const whole = JSON.stringify(sample(content?.schema))
    const body = content ? (random() < 0.97 ? whole : whole?.slice(0, -1)) : null
    return { method, path: url.replaceAll(/\{[^}]*\}/g, 'x') + text, headers, body: body ?? null }
  }
}
