// Compares an answer with the OpenAPI document and describes each difference.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { XmlDocument } from 'libxml2-wasm'
import document from '../../rest/openapi.json' with { type: 'json' }
import webhooks from '../../rest/webhooks.json' with { type: 'json' }

type Json = { [key: string]: unknown }
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value)

const openapi: Json = document

/** Returns the document with each object closed, unless it says that it is open, so that undocumented members show. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (!isObject(value)) return value
  // The parts of `allOf` stay open, because each part names only some of the members.
  const inner = Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, key === 'allOf' ? part : closed(part)]),
  )
  return isObject(value.properties) ? { additionalProperties: false, ...inner } : inner
}

const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
addFormats.default(ajv)
ajv.addSchema({ $id: 'document', ...(closed(openapi) as Json) })
ajv.addSchema({ $id: 'webhooks', ...(closed(webhooks) as Json) })

const pointer = (...path: string[]) => pointerIn('document', ...path)

const pointerIn = (id: string, ...path: string[]) =>
  `${id}#/${path.map(part => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`

function resolved(value: unknown): Json {
  const ref = isObject(value) ? value.$ref : undefined
  const found = typeof ref === 'string' ? at(openapi, ...ref.slice(2).split('/')) : value
  return isObject(found) ? found : {}
}

const templates = Object.keys(at(openapi, 'paths') ?? {})
  .map(path => ({ path, form: RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`) }))
  // `/a/b` before `/a/{x}`.
  .sort((a, b) => (a.path.replaceAll('{', '\uffff') < b.path.replaceAll('{', '\uffff') ? -1 : 1))

export type Answer = { status: number; headers: Headers; text: string }

/** Returns the differences; null when the document has no such operation. */
export function differences(method: string, path: string, { status, headers, text }: Answer): string[] | null {
  const template = templates.find(({ form }) => form.test(path.split('?')[0] ?? ''))?.path ?? ''
  const operation = ['paths', template, method.toLowerCase()]
  const responses = at(openapi, ...operation, 'responses')
  if (!isObject(responses)) return null
  const response = resolved(responses[status])
  if (responses[status] === undefined) return [`${method} ${path} ${status} is not named`]
  const told: string[] = []
  for (const [header, value] of Object.entries(isObject(response.headers) ? response.headers : {})) {
    const { required, schema } = resolved(value)
    const given = headers.get(header)
    if (given === null && required === true) told.push(`${header} is missing`)
    if (given === null || !isObject(schema)) continue
    const parsed = schema.type === 'integer' ? Number(given) : given
    if (!ajv.validate(schema, parsed)) told.push(`${header}: ${ajv.errorsText()}`)
  }
  const content = isObject(response.content) ? response.content : {}
  const [type = ''] = (headers.get('content-type') ?? '').split(';')
  if (Object.keys(content).length === 0) {
    if (text !== '') told.push(`a body of ${type}, where none is`)
  } else if (content[type] === undefined) {
    told.push(`the type ${type}, which is none of ${Object.keys(content)}`)
  } else if (type.endsWith('json')) {
    const validate = ajv.getSchema(pointer(...operation, 'responses', String(status), 'content', type, 'schema'))
    if (!validate?.(JSON.parse(text))) told.push(ajv.errorsText(validate?.errors))
  } else if (type === 'text/event-stream') {
    const validate = ajv.getSchema(pointer(...operation, 'responses', String(status), 'content', type, 'schema'))
    for (const [data] of text.matchAll(/(?<=^data: ).*$/gm)) {
      if (!validate?.(JSON.parse(data))) told.push(ajv.errorsText(validate?.errors))
    }
  } else {
    const fault = faultOfFile(type, text)
    if (fault !== null) told.push(fault)
  }
  return told.map(line => `${method} ${path} ${status}: ${line}`)
}

/** Returns the differences between a webhook body and its schema for this event type. */
export function differencesOfWebhook(type: string, body: unknown): string[] {
  const given = ['webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema']
  const validate = ajv.getSchema(pointerIn('webhooks', ...given))
  return validate?.(body) === true ? [] : [`${type}: ${ajv.errorsText(validate?.errors)}`]
}

/** Returns the fault in a body that is not JSON; null when there is none. */
function faultOfFile(type: string, text: string): string | null {
  if (type === 'application/zip') return text.startsWith('PK\u0003\u0004') ? null : 'no ZIP'
  if (type !== 'application/xml') return null
  try {
    XmlDocument.fromString(text).dispose()
    return null
  } catch (error) {
    return `no XML: ${error}`
  }
}

/** Reports whether the document accepts this as the body of the operation. */
export function takesBody(method: string, template: string, body: unknown): boolean {
  const given = ['paths', template, method, 'requestBody']
  if (body === undefined) return at(openapi, ...given, 'required') !== true
  return ajv.getSchema(pointer(...given, 'content', 'application/json', 'schema'))?.(body) === true
}

export function needsKey(method: string, template: string): boolean {
  const ways = at(openapi, 'paths', template, method, 'security')
  return Array.isArray(ways) && ways.length > 0 && ways.every(way => Object.keys(way).length > 0)
}

export type Described = { name: string; in: string; required: boolean; takes(text: string): boolean }

/** Returns the parameters of an operation. */
export function parametersOf(method: string, template: string): Described[] {
  const listed = at(openapi, 'paths', template, method, 'parameters')
  return (Array.isArray(listed) ? listed : []).map(resolved).map(({ name, in: place, required, schema }) => {
    const { type } = resolved(schema)
    const parsed = (text: string) => (type === 'integer' || type === 'boolean' ? jsonOf(text) : text)
    const takes = (text: string) => isObject(schema) && ajv.validate(schema, parsed(text))
    return { name: String(name), in: String(place), required: required === true, takes }
  })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Returns the names of the members that the document allows for the object at this path of the body. */
export function membersOf(method: string, template: string, path: readonly (string | number)[]): string[] {
  const body = at(openapi, 'paths', template, method, 'requestBody', 'content', 'application/json', 'schema')
  const forms = (schema: Json): Json[] => [schema, ...(Array.isArray(schema.anyOf) ? schema.anyOf : []).map(resolved)]
  const within = (schema: Json, key: string | number): Json[] =>
    forms(schema).flatMap(form => {
      const inner = typeof key === 'number' ? form.items : at(form.properties, key)
      return inner === undefined ? [] : [resolved(inner)]
    })
  const ends = path.reduce((found, key) => found.flatMap(schema => within(schema, key)), [resolved(body)])
  return ends.flatMap(forms).flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : []))
}
