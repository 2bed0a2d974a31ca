// The generated part of the TypeScript client: a method for each operation, as TypeScript, JavaScript (ES module and
// CommonJS) and declarations.
import type { Description, Operation } from './description.ts'
import { upperFirst } from './description.ts'
import { typesOf } from './select.ts'

export const notice = 'Generated from the OpenAPI document: changes are lost.'

type Form = 'ts' | 'js' | 'cjs' | 'd.ts'

type Graphql = NonNullable<Operation['graphql']>

const isTyped = (form: Form) => form === 'ts' || form === 'd.ts'

const blockComment = (text: string) => text.replaceAll('*/', '*\\/')

/** Returns the expression that composes the path; the client's `segment` escapes the variable parts. */
function pathOf({ path }: Operation): string {
  const parts = path
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 1 ? `segment(${part})` : JSON.stringify(part)))
  return parts.filter(part => part !== '""').join(' + ')
}

/** `queryType`: type of the query in place of the operation's own; null for that. */
function signatureOf(operation: Operation, form: Form, queryType: string | null = null): string {
  const { inPath, query, body, answer } = operation
  const parameter = (name: string, type: string, isRequired: boolean) =>
    isTyped(form) ? `${name}${isRequired ? '' : '?'}: ${type}` : name
  const parameters = [
    ...inPath.map(name => parameter(name, 'string', true)),
    ...(body ? [parameter('body', body.type, body.required)] : []),
    ...(query ? [parameter('query', queryType ?? query.type, query.required)] : []),
    ...(answer.kind === 'url'
      ? []
      : [parameter('options', answer.kind === 'events' ? 'StreamOptions' : 'CallOptions', false)]),
  ]
  return `(${parameters.join(', ')})`
}

function returned({ answer }: Operation): string {
  if (answer.kind === 'json') return `Promise<${answer.type}>`
  if (answer.kind === 'text') return 'Promise<string>'
  if (answer.kind === 'file') return 'Promise<Uint8Array<ArrayBuffer>>'
  return answer.kind === 'url' ? 'string' : 'AsyncGenerator<StreamEvent<ReceiptEvent>, void, undefined>'
}

function bodyOf(operation: Operation): string {
  const { method, query, body, answer, isPaid, graphql } = operation
  if (graphql) return overGraphql(operation, graphql)
  const path = pathOf(operation)
  if (answer.kind === 'url') return `return this.connection.url(${path}${query ? ', query' : ''})`
  if (answer.kind === 'events') return `return this.connection.events(${path}, options)`
  const members = [`method: '${method}'`, `path: ${path}`, ...(query ? ['query'] : []), ...(body ? ['body'] : [])]
  if (isPaid) members.push('isPaid: true')
  const read = { json: 'json', text: 'text', file: 'bytes' }[answer.kind]
  return `return this.connection.${read}({ ${members.join(', ')} }, options)`
}

function overGraphql({ inPath, query, body }: Operation, { document, path, isWrite }: Graphql): string {
  const spread = query ? ['...query'] : body ? ['...body'] : []
  const variables = `{ ${[...spread, ...inPath].join(', ')} }`
  return `return this.connection.graphql({ document: ${JSON.stringify(document)}, path: ${JSON.stringify(path)}, variables: ${variables}, isWrite: ${isWrite} }, options)`
}

function commentOf({ method, path, summary, isPaid, needsKey, deprecated }: Operation): string {
  const sentences = [
    `${summary}.`,
    isPaid ? 'Paid for by x402.' : '',
    needsKey ? '' : 'Needs no key.',
    `${method} ${path}`,
  ]
  return `  /** ${blockComment(sentences.filter(Boolean).join(' '))}${deprecated ? ' @deprecated' : ''} */`
}

function methodOf(operation: Operation, form: Form): string {
  const type = isTyped(form) ? `: ${returned(operation)}` : ''
  const signature = `  ${operation.name}${signatureOf(operation, form)}${type}`
  if (form === 'd.ts') return [commentOf(operation), signature].join('\n')
  return [commentOf(operation), `${signature} {`, `    ${bodyOf(operation)}`, '  }'].join('\n')
}

/** Query parameters that say which page; the iterators set them. */
const places = { page: 'page', offset: 'offset', cursor: 'after' }

/** Returns the methods that yield all entries of the list, if the operation is one of pages. */
function iteratorOf(operation: Operation, form: Form): string[] {
  const { name, inPath, query, paging } = operation
  if (!paging || !query) return []
  const comment = `  /** Yields every entry of \`${name}\`, page by page. */`
  const queryType = `Omit<${query.type}, '${places[paging.by]}'>`
  const type = isTyped(form) ? `: AsyncGenerator<${paging.item}, void, undefined>` : ''
  const signature = `  all${upperFirst(name)}${signatureOf(operation, form, queryType)}${type}`
  if (form === 'd.ts') return [[comment, signature].join('\n')]
  const call = `page => this.${name}(${[...inPath, 'page', 'options'].join(', ')})`
  const made = `${form === 'ts' ? `entries<${paging.item}>` : 'entries'}('${paging.by}', query, ${call})`
  return [[comment, `${signature} {`, `    return ${made}`, '  }'].join('\n')]
}

/** Returns the source of the module `operations` in one of its forms. */
export function operationsModule({ operations }: Description, form: Form): string {
  const used = [...new Set(operations.flatMap(typesOf))].sort()
  const types = used.length === 0 ? [] : [`import type { ${used.join(', ')} } from './types.js'`]
  const known = 'CallOptions, Connection, StreamEvent, StreamOptions'
  const imports = {
    ts: [
      `import { type ${known.replaceAll(', ', ', type ')}, segment } from '../connection.js'`,
      "import { entries } from '../entries.js'",
      ...types,
    ],
    js: ["import { segment } from '../connection.js'", "import { entries } from '../entries.js'"],
    cjs: [
      "'use strict'",
      "const { segment } = require('../connection.js')",
      "const { entries } = require('../entries.js')",
    ],
    'd.ts': [`import type { ${known} } from '../connection.js'`, ...types],
  }[form]
  const opening = `  constructor(connection${isTyped(form) ? ': Connection' : ''})`
  const head = [
    isTyped(form) ? '  readonly connection: Connection' : '  connection',
    form === 'd.ts' ? opening : `${opening} {\n    this.connection = connection\n  }`,
  ]
  const methods = operations.flatMap(one => [methodOf(one, form), ...iteratorOf(one, form)])
  const declared = { ts: 'export class', js: 'export class', 'd.ts': 'export declare class', cjs: 'class' }[form]
  return [
    `// ${notice}`,
    ...imports,
    '',
    `${declared} Operations {`,
    [...head, ...methods].join('\n\n'),
    '}',
    ...(form === 'cjs' ? ['exports.Operations = Operations'] : []),
    '',
  ].join('\n')
}

/** Returns the source of the module `types` with only the declarations of these names. */
export function typesModule(whole: string, names: ReadonlySet<string>): string {
  const [head = '', ...declarations] = whole.split(/^(?=export type )/m)
  const kept = declarations.filter(text => names.has(/^export type (\w+)/.exec(text)?.[1] ?? ''))
  if (kept.length !== names.size) throw new Error('the types do not match the OpenAPI document: run npm run codegen')
  return head + kept.join('')
}

/** Returns the source of the module `settings`. `url` null: the constructor needs a base URL. */
export function settingsModule(url: string | null, form: Form): string {
  const value = JSON.stringify(url)
  const line = {
    ts: `export const defaultBaseUrl: string | null = ${value}`,
    js: `export const defaultBaseUrl = ${value}`,
    cjs: `exports.defaultBaseUrl = ${value}`,
    'd.ts': 'export declare const defaultBaseUrl: string | null',
  }[form]
  return `// ${notice}\n${line}\n`
}
