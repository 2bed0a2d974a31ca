// Names what breaks clients since the last release, in schema.graphql and in the OpenAPI document. Each change must be
// in the section Unreleased of CHANGELOG.md, word for word.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { buildSchema, findBreakingChanges } from 'graphql'

type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  allOf?: unknown[]
  additionalProperties?: unknown
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}
type Body = { content?: Record<string, { schema?: Schema }>; required?: boolean }
type Parameter = { name: string; in: string; required?: boolean; schema?: Schema }
type Operation = { parameters?: Parameter[]; requestBody?: Body; responses?: Record<string, Body> }
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}

/** A request may say all that it could before; an answer says only what it could before. */
type Direction = 'a request' | 'an answer'

/** Returns a line for each operation, field, value or type of the first document that the second one takes away. */
function brokenRoutes(before: Document, after: Document): string[] {
  const seen = new Set<string>()

  function changed(old: Schema, now: Schema, direction: Direction, at: string): string[] {
    if (old.$ref !== undefined || now.$ref !== undefined) {
      const pair = JSON.stringify([direction, old.$ref ?? at, now.$ref ?? at])
      if (seen.has(pair)) return []
      seen.add(pair)
      const name = (old.$ref ?? now.$ref ?? '').replace(/.*\//, '')
      return changed(resolved(old, before), resolved(now, after), direction, name)
    }
    if (old.anyOf !== undefined || now.anyOf !== undefined) {
      const [sent, read] = direction === 'a request' ? [old, now] : [now, old]
      const isTaken = (one: Schema) =>
        alternatives(read).some(other => {
          const pair = direction === 'a request' ? ([one, other] as const) : ([other, one] as const)
          return JSON.stringify(one) === JSON.stringify(other) || changed(...pair, direction, at).length === 0
        })
      return alternatives(sent).every(isTaken) ? [] : [`${at} has other alternatives in ${direction}`]
    }
    const [wide, narrow] = direction === 'a request' ? [old, now] : [now, old]
    const types = [wide, narrow].map(({ type }) => [type ?? []].flat())
    const found: string[] = []
    const isTypeLost =
      types[1]?.length !== 0 && (types[0]?.length === 0 || types[0]?.some(type => !isOf(type, types[1] ?? [])))
    if (isTypeLost)
      found.push(`${at} has the type ${now.type ?? 'any'} instead of ${old.type ?? 'any'} in ${direction}`)
    if (direction === 'a request') found.push(...narrowed(old, now, at))
    const required = { old: old.required ?? [], now: now.required ?? [] }
    for (const name of required.now)
      if (direction === 'a request' && !required.old.includes(name))
        found.push(`${at}.${name} is required in a request`)
    for (const [name, property] of Object.entries(old.properties ?? {})) {
      const other = now.properties?.[name]
      if (other !== undefined) found.push(...changed(property, other, direction, `${at}.${name}`))
      else if (direction === 'an answer') found.push(`${at}.${name} was removed from an answer`)
      else if (now.additionalProperties === false) found.push(`${at}.${name} is refused in a request`)
      if (
        other !== undefined &&
        direction === 'an answer' &&
        required.old.includes(name) &&
        !required.now.includes(name)
      )
        found.push(`${at}.${name} can be missing in an answer`)
    }
    if (old.items !== undefined && now.items !== undefined)
      found.push(...changed(old.items, now.items, direction, `${at}[]`))
    return found
  }

  function body(old: Body, now: Body | undefined, direction: Direction, at: string): string[] {
    return Object.entries(old.content ?? {}).flatMap(([type, { schema }]) => {
      const other = now?.content?.[type]
      if (other === undefined) return [`${at} no longer has ${type} in ${direction}`]
      return schema && other.schema ? changed(schema, other.schema, direction, at) : []
    })
  }

  function operation(old: Operation, now: Operation | undefined, at: string): string[] {
    if (now === undefined) return [`${at} was removed`]
    const parameters = ({ parameters = [] }: Operation, document: Document) =>
      new Map(parameters.map(each => resolved(each, document)).map(each => [`${each.in} ${each.name}`, each]))
    const olds = parameters(old, before)
    const ofParameters = [...parameters(now, after)].flatMap(([name, { required, schema }]) => {
      const other = olds.get(name)
      if (required && !other?.required) return [`${at} requires ${name}`]
      return other?.schema && schema ? changed(other.schema, schema, 'a request', `${at} ${name}`) : []
    })
    const isBodyRequired = now.requestBody?.required && !old.requestBody?.required
    return [
      ...ofParameters,
      ...(isBodyRequired ? [`${at} requires a body`] : []),
      ...body(old.requestBody ?? {}, now.requestBody, 'a request', at),
      ...Object.entries(old.responses ?? {}).flatMap(([status, answer]) =>
        now.responses?.[status] === undefined
          ? [`${at} no longer answers ${status}`]
          : body(resolved(answer, before), resolved(now.responses[status], after), 'an answer', at),
      ),
    ]
  }

  return Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, old]) =>
      operation(old, after.paths[path]?.[method], `${method.toUpperCase()} ${path}`),
    ),
  )
}

function resolved<T extends object>(part: T, { components }: Document): T {
  if (!('$ref' in part) || typeof part.$ref !== 'string') return part
  const [kind = '', name = ''] = part.$ref.split('/').slice(-2)
  return components[kind]?.[name] as T
}

const alternatives = (schema: Schema): Schema[] => schema.anyOf ?? [schema]

const isOf = (type: string, types: string[]) => types.includes(type) || (type === 'integer' && types.includes('number'))

/** Returns the values that a request may no longer have. */
function narrowed(old: Schema, now: Schema, at: string): string[] {
  const values = (schema: Schema) => (schema.const === undefined ? schema.enum : [schema.const])
  const isKept = (value: unknown) => values(now)?.includes(value) ?? true
  const isBelow = (key: 'maximum' | 'maxLength') => (now[key] ?? Infinity) < (old[key] ?? Infinity)
  const isAbove = (key: 'minimum' | 'minLength') => (now[key] ?? -Infinity) > (old[key] ?? -Infinity)
  const isLess =
    (values(now) !== undefined && !(values(old)?.every(isKept) ?? false)) ||
    (now.pattern !== undefined && now.pattern !== old.pattern) ||
    (now.allOf !== undefined && JSON.stringify(now.allOf) !== JSON.stringify(old.allOf)) ||
    isBelow('maximum') ||
    isBelow('maxLength') ||
    isAbove('minimum') ||
    isAbove('minLength')
  return isLess ? [`${at} allows fewer values in a request`] : []
}

function git(...args: string[]): string | null {
  try {
    return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return null
  }
}

const release = git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*')?.trim()
if (release === undefined) {
  console.log('No release is tagged here: there is nothing to compare with.')
  process.exit()
}
const [graphql, openapi] = ['schema.graphql', 'rest/openapi.json'].map(path => ({
  old: git('show', `${release}:${path}`) ?? '',
  now: readFileSync(path, 'utf8'),
}))
if (!graphql?.old || !openapi?.old) throw new Error(`${release} has no schema.graphql and no rest/openapi.json`)
const breaking = [
  ...findBreakingChanges(buildSchema(graphql.old), buildSchema(graphql.now)).map(({ description }) =>
    description.replace(/\.$/, ''),
  ),
  ...brokenRoutes(JSON.parse(openapi.old), JSON.parse(openapi.now)),
]
const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m)
const unreleased = sections.find(section => section.startsWith('Unreleased')) ?? ''
const unnamed = [...new Set(breaking)].filter(change => !unreleased.includes(change))
for (const change of unnamed)
  console.log(`Since ${release}: ${change}. If this is meant, write the sentence below Unreleased in CHANGELOG.md.`)
if (unnamed.length > 0) process.exit(1)
