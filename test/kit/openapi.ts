// What the OpenAPI document says of an answer, beside the answer: everything in which they differ, in words.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import document from '../../rest/openapi.json' with { type: 'json' }

type Json = { [key: string]: unknown }
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value)

const openapi: Json = document

/** The same document in which an object has no members but those it names: what is answered beyond it shows. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (!isObject(value)) return value
  const inner = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, closed(part)]))
  return isObject(value.properties) ? { ...inner, additionalProperties: false } : inner
}

const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
addFormats.default(ajv)
ajv.addSchema({ $id: 'document', ...(closed(openapi) as Json) })

const pointer = (...path: string[]) =>
  `document#/${path.map(part => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`

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

/** Null when the document has no such operation. */
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
  }
  return told.map(line => `${method} ${path} ${status}: ${line}`)
}
