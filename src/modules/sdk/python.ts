// The generated part of the Python client: a typed dictionary for each object and a method for each operation.
import type { Description, Operation, Schema } from './description.ts'
import { refName } from './description.ts'
import { typesOf } from './select.ts'
import { notice } from './typescript.ts'

const reserved = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
)

const snake = (name: string) => name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
const nameOf = (name: string) => (reserved.has(name) ? `${name}_` : name)
const upperFirst = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
const pascal = (name: string) => name.split('_').map(upperFirst).join('')

/** A literal of Python: the escapes of JSON mean the same there. */
const literal = (value: unknown): string =>
  value === null ? 'None' : value === true ? 'True' : value === false ? 'False' : JSON.stringify(value)

/** Text within three quotes. */
const docText = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')

const plain: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'Decimal',
  boolean: 'bool',
  null: 'None',
}

/** Writes the classes that it needs to `into`; `name` is for an object that has none. */
function typeOf(schema: Schema, name: string, into: string[]): string {
  const { $ref, anyOf, oneOf, allOf = [], const: only, enum: values, type, properties, items } = schema
  if ($ref !== undefined) return refName($ref)
  if (only !== undefined) return `Literal[${literal(only)}]`
  if (values) return `Literal[${values.map(literal).join(', ')}]`
  const choices = anyOf ?? oneOf
  if (choices && type === undefined)
    return union(choices.map((choice, index) => typeOf(choice, `${name}${index + 1}`, into)))
  // A typed dictionary cannot be put together of several.
  if (allOf.length > 0 && !properties) return 'dict[str, Any]'
  return union(
    [type ?? []].flat().map(one => {
      if (one === 'array') return `list[${items ? typeOf(items, `${name}Item`, into) : 'Any'}]`
      if (one !== 'object') return plain[one] ?? 'Any'
      if (!properties || Object.keys(properties).length === 0) return 'dict[str, Any]'
      into.push(classOf(schema, name, into))
      return name
    }),
  )
}

const union = (types: string[]): string => (types.length === 0 ? 'Any' : [...new Set(types)].join(' | '))

function classOf({ properties = {}, required = [] }: Schema, name: string, into: string[]): string {
  const members = Object.entries(properties).map(([key, schema]) => {
    const type = typeOf(schema, `${name}${pascal(key)}`, into)
    return [key, required.includes(key) ? type : `NotRequired[${type}]`] as const
  })
  if (members.some(([key]) => reserved.has(key)))
    return `${name} = TypedDict("${name}", {${members.map(([key, type]) => `${literal(key)}: ${literal(type)}`).join(', ')}})`
  return [`class ${name}(TypedDict):`, ...members.map(([key, type]) => `    ${key}: ${type}`)].join('\n')
}

/** The module `types`. */
export function pythonTypes({ schemas }: Description): string {
  const declared = [...schemas].map(([name, schema]) => {
    const into: string[] = []
    const type = typeOf(schema, name, into)
    // What is no object is a name for another type, in quotes: it may be declared further down.
    return [...into, ...(type === name ? [] : [`${name}: TypeAlias = ${literal(type)}`])].join('\n\n\n')
  })
  return [
    `# ${notice}`,
    'from __future__ import annotations',
    '',
    'from decimal import Decimal',
    'from typing import Any, Literal, NotRequired, TypeAlias, TypedDict',
    '',
    '',
    `${declared.join('\n\n\n')}\n`,
  ].join('\n')
}

function methodOf(operation: Operation, schemas: Description['schemas']): string {
  const { name, method, path, summary, inPath, body, query, answer, isPaid, needsKey } = operation
  const shape = query ? schemas.get(query.type) : undefined
  const asked = Object.entries(shape?.properties ?? {}).map(([key, schema]) => ({
    key,
    type: typeOf(schema, key, []),
    required: shape?.required?.includes(key) === true,
  }))
  const keywords = asked.map(({ key, type, required }) =>
    required ? `${nameOf(key)}: ${type}` : `${nameOf(key)}: ${union([...type.split(' | '), 'None'])} = None`,
  )
  const extra =
    answer.kind === 'url'
      ? []
      : answer.kind === 'events'
        ? ['last_event_id: str | None = None']
        : ['options: CallOptions | None = None']
  const named = [...keywords, ...extra]
  const parameters = [
    'self',
    ...inPath.map(key => `${nameOf(key)}: str`),
    ...(body ? [`body: types.${body.type}${body.required ? '' : ' | None = None'}`] : []),
    ...(named.length > 0 ? ['*', ...named] : []),
  ]
  const parts = path.split(/\{(\w+)\}/)
  const url = parts
    .map((part, index) => (index % 2 === 1 ? `segment(${nameOf(part)})` : literal(part)))
    .filter(part => part !== '""')
    .join(' + ')
  const members = asked.length > 0 ? [`{${asked.map(({ key }) => `${literal(key)}: ${nameOf(key)}`).join(', ')}}`] : []
  const given = [
    literal(method),
    url,
    ...members.map(text => `query=${text}`),
    ...(body ? ['body=body'] : []),
    ...(isPaid ? ['is_paid=True'] : []),
    'options=options',
  ].join(', ')
  const answered = (type: string, call: string) => [type, `answer: ${type} = ${call}`, 'return answer']
  const [returned, ...lines] = {
    json: answered(`types.${'type' in answer ? answer.type : ''}`, `self.connection.json(${given})`),
    text: ['str', `return self.connection.text(${given})`],
    file: ['bytes', `return self.connection.content(${given})`],
    events: ['Iterator[StreamEvent]', `return self.connection.events(${url}, last_event_id)`],
    url: ['str', `return self.connection.url(${[url, ...members].join(', ')})`],
  }[answer.kind]
  const told = [`${summary}.`, isPaid ? 'Paid for by x402.' : '', needsKey ? '' : 'Needs no key.', `${method} ${path}`]
  return [
    `    def ${nameOf(snake(name))}(${parameters.join(', ')}) -> ${returned}:`,
    `        """${docText(told.filter(Boolean).join(' '))}"""`,
    ...lines.map(line => `        ${line}`),
  ].join('\n')
}

/** The module `operations`. */
export function pythonOperations({ operations, schemas }: Description): string {
  const used = new Set(operations.flatMap(typesOf))
  return [
    `# ${notice}`,
    'from __future__ import annotations',
    '',
    'from typing import Iterator, Literal',
    '',
    ...(used.size > 0 ? ['from . import types'] : []),
    'from .connection import CallOptions, Connection, StreamEvent, segment',
    '',
    '',
    'class Operations:',
    '    def __init__(self, connection: Connection) -> None:',
    '        self.connection = connection',
    '',
    `${operations.map(one => methodOf(one, schemas)).join('\n\n')}\n`,
  ].join('\n')
}

/** `url` null: the constructor must be told. */
export const pythonSettings = (url: string | null): string =>
  `# ${notice}\nDEFAULT_BASE_URL: str | None = ${literal(url)}\n`
