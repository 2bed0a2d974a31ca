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

/** Returns the method's return type, then the lines of its body. */
function bodyOf({ method, path, body, answer, isPaid }: Operation, keywords: readonly Keyword[]): string[] {
  const url = path
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 1 ? `segment(${nameOf(part)})` : literal(part)))
    .filter(part => part !== '""')
    .join(' + ')
  const members = keywords.map(({ key }) => `${literal(key)}: ${nameOf(key)}`).join(', ')
  const query = members === '' ? [] : [`{${members}}`]
  const given = [
    literal(method),
    url,
    ...query.map(text => `query=${text}`),
    ...(body ? ['body=body'] : []),
    ...(isPaid ? ['is_paid=True'] : []),
    'options=options',
  ].join(', ')
  if (answer.kind === 'json') {
    const type = `types.${answer.type}`
    return [type, `answer: ${type} = self.connection.json(${given})`, 'return answer']
  }
  return {
    text: ['str', `return self.connection.text(${given})`],
    file: ['bytes', `return self.connection.content(${given})`],
    events: ['Iterator[StreamEvent]', `return self.connection.events(${url}, last_event_id)`],
    url: ['str', `return self.connection.url(${[url, ...query].join(', ')})`],
  }[answer.kind]
}

function methodOf(operation: Operation, schemas: Description['schemas']): string {
  const { name, method, path, summary, isPaid, needsKey } = operation
  const keywords = keywordsOf(operation, schemas)
  const [returned, ...lines] = bodyOf(operation, keywords)
  const sentences = [
    `${summary}.`,
    isPaid ? 'Paid for by x402.' : '',
    needsKey ? '' : 'Needs no key.',
    `${method} ${path}`,
  ]
  return [
    `    def ${nameOf(snake(name))}(${parametersOf(operation, keywords)}) -> ${returned}:`,
    `        """${docText(sentences.filter(Boolean).join(' '))}"""`,
    ...lines.map(line => `        ${line}`),
  ].join('\n')
}

/** Returns the source of the module `operations`. */
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

/** Returns the source of the module `settings`. `url` null: the constructor needs a base URL. */
export const pythonSettings = (url: string | null): string =>
  `# ${notice}\nDEFAULT_BASE_URL: str | None = ${literal(url)}\n`
