// The generated part of the Python client: a method for each operation.
import type { Description, Operation } from './description.ts'
import { literal, reserved, typeOf, union } from './python-types.ts'
import { typesOf } from './select.ts'
import { notice } from './typescript.ts'

const snake = (name: string) => name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
const nameOf = (name: string) => (reserved.has(name) ? `${name}_` : name)

/** Escapes text for a docstring in triple quotes. */
const docText = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')

type Keyword = { key: string; type: string; required: boolean }

function keywordsOf({ query }: Operation, schemas: Description['schemas']): Keyword[] {
  const shape = query ? schemas.get(query.type) : undefined
  return Object.entries(shape?.properties ?? {}).map(([key, schema]) => ({
    key,
    type: typeOf(schema, key, []),
    required: shape?.required?.includes(key) === true,
  }))
}

function parametersOf({ inPath, body, answer }: Operation, keywords: readonly Keyword[]): string {
  const options = { url: [], events: ['last_event_id: str | None = None'] }
  const named = [
    ...keywords.map(({ key, type, required }) =>
      required ? `${nameOf(key)}: ${type}` : `${nameOf(key)}: ${union([...type.split(' | '), 'None'])} = None`,
    ),
    ...(answer.kind === 'url' || answer.kind === 'events'
      ? options[answer.kind]
      : ['options: CallOptions | None = None']),
  ]
  return [
    'self',
    ...inPath.map(key => `${nameOf(key)}: str`),
    ...(body ? [`body: types.${body.type}${body.required ? '' : ' | None = None'}`] : []),
    ...(named.length > 0 ? ['*', ...named] : []),
  ].join(', ')
}

type Way = 'sync' | 'async'

/** Returns the method's return type, then the lines of its body. */
function bodyOf(operation: Operation, keywords: readonly Keyword[], way: Way): string[] {
  const { method, path, inPath, body, answer, isPaid, graphql } = operation
  const wait = way === 'async' ? 'await ' : ''
  const members = keywords.map(({ key }) => `${literal(key)}: ${nameOf(key)}`).join(', ')
  if (graphql) {
    const args = [
      ...(members === '' ? [] : [members]),
      ...(body ? [body.required ? '**body' : '**(body or {})'] : []),
      ...inPath.map(key => `${literal(key)}: ${nameOf(key)}`),
    ].join(', ')
    const call = `self.connection.graphql(${literal(graphql.document)}, ${literal(graphql.path)}, {${args}}, is_write=${literal(graphql.isWrite)}, options=options)`
    return jsonLines(answer, `${wait}${call}`)
  }
  const url = path
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 1 ? `segment(${nameOf(part)})` : literal(part)))
    .filter(part => part !== '""')
    .join(' + ')
  const query = members === '' ? [] : [`{${members}}`]
  const args = [
    literal(method),
    url,
    ...query.map(text => `query=${text}`),
    ...(body ? ['body=body'] : []),
    ...(isPaid ? ['is_paid=True'] : []),
    'options=options',
  ].join(', ')
  if (answer.kind === 'json') return jsonLines(answer, `${wait}self.connection.json(${args})`)
  const events = way === 'async' ? 'AsyncGenerator[StreamEvent, None]' : 'Iterator[StreamEvent]'
  return {
    text: ['str', `return ${wait}self.connection.text(${args})`],
    file: ['bytes', `return ${wait}self.connection.content(${args})`],
    events: [events, `return self.connection.events(${url}, last_event_id)`],
    url: ['str', `return self.connection.url(${[url, ...query].join(', ')})`],
  }[answer.kind]
}

function jsonLines(answer: Operation['answer'], call: string): string[] {
  const type = answer.kind === 'json' ? `types.${answer.type}` : 'Any'
  return [type, `answer: ${type} = ${call}`, 'return answer']
}

function methodOf(operation: Operation, schemas: Description['schemas'], way: Way): string {
  const { name, method, path, summary, isPaid, needsKey, answer } = operation
  const keywords = keywordsOf(operation, schemas)
  const [returned, ...lines] = bodyOf(operation, keywords, way)
  const sentences = [
    `${summary}.`,
    isPaid ? 'Paid for by x402.' : '',
    needsKey ? '' : 'Needs no key.',
    `${method} ${path}`,
  ]
  const waits = way === 'async' && answer.kind !== 'events' && answer.kind !== 'url'
  return [
    `    ${waits ? 'async ' : ''}def ${nameOf(snake(name))}(${parametersOf(operation, keywords)}) -> ${returned}:`,
    `        """${docText(sentences.filter(Boolean).join(' '))}"""`,
    ...lines.map(line => `        ${line}`),
  ].join('\n')
}

/** Query parameters that say which page; the iterators set them. */
const places = { page: 'page', offset: 'offset', cursor: 'after' }

/** Returns the method that yields all entries of the list, if the operation is one of pages. */
function iteratorOf(operation: Operation, schemas: Description['schemas'], way: Way): string[] {
  const { name, inPath, paging } = operation
  if (!paging) return []
  const keywords = keywordsOf(operation, schemas).filter(({ key }) => key !== places[paging.by])
  const query = keywords.map(({ key }) => `${literal(nameOf(key))}: ${nameOf(key)}`).join(', ')
  const call = `self.${nameOf(snake(name))}(${[...inPath.map(nameOf), '**page', 'options=options'].join(', ')})`
  const [type, made] = way === 'async' ? ['AsyncGenerator', 'async_entries'] : ['Iterator', 'entries']
  const returned = `${type}[types.${paging.item}${way === 'async' ? ', None' : ''}]`
  return [
    [
      `    def all_${snake(name)}(${parametersOf(operation, keywords)}) -> ${returned}:`,
      `        """Yields every entry of \`${snake(name)}\`, page by page."""`,
      `        return ${made}("${paging.by}", {${query}}, lambda page: ${call})`,
    ].join('\n'),
  ]
}

/** Returns the source of the module `operations`, or of `async_operations`. */
export function pythonOperations({ operations, schemas }: Description, way: Way): string {
  const used = new Set(operations.flatMap(typesOf))
  const methods = operations.flatMap(one => [methodOf(one, schemas, way), ...iteratorOf(one, schemas, way)])
  const isAsync = way === 'async'
  return [
    `# ${notice}`,
    'from __future__ import annotations',
    '',
    `from typing import ${isAsync ? 'AsyncGenerator' : 'Iterator'}, Literal`,
    '',
    ...(used.size > 0 ? ['from . import types'] : []),
    ...(isAsync ? ['from .async_connection import AsyncConnection'] : []),
    `from .connection import CallOptions, ${isAsync ? '' : 'Connection, '}StreamEvent, segment`,
    `from .entries import ${isAsync ? 'async_entries' : 'entries'}`,
    '',
    '',
    `class ${isAsync ? 'AsyncOperations' : 'Operations'}:`,
    `    def __init__(self, connection: ${isAsync ? 'AsyncConnection' : 'Connection'}) -> None:`,
    '        self.connection = connection',
    '',
    `${methods.join('\n\n')}\n`,
  ].join('\n')
}

/** Returns the source of the module `settings`. `url` null: the constructor needs a base URL. */
export const pythonSettings = (url: string | null): string =>
  `# ${notice}\nDEFAULT_BASE_URL: str | None = ${literal(url)}\n`
