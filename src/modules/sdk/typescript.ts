// The generated part of the TypeScript client: a method for each operation, as TypeScript, JavaScript and declarations.
import type { Description, Operation } from './description.ts'
import { typesOf } from './select.ts'

export const notice = 'Generated from the OpenAPI document: changes are lost.'

type Form = 'ts' | 'js' | 'd.ts'

const blockComment = (text: string) => text.replaceAll('*/', '*\\/')

/** Returns the expression that composes the path; the client's `segment` escapes the variable parts. */
function pathOf({ path }: Operation): string {
  const parts = path
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 1 ? `segment(${part})` : JSON.stringify(part)))
  return parts.filter(part => part !== '""').join(' + ')
}

function signatureOf(operation: Operation, form: Form): string {
  const { inPath, query, body, answer } = operation
  const isTyped = form !== 'js'
  const parameter = (name: string, type: string, isRequired: boolean) =>
    isTyped ? `${name}${isRequired ? '' : '?'}: ${type}` : name
  const parameters = [
    ...inPath.map(name => parameter(name, 'string', true)),
    ...(body ? [parameter('body', body.type, body.required)] : []),
    ...(query ? [parameter('query', query.type, query.required)] : []),
    ...(answer.kind === 'url'
      ? []
      : [parameter('options', answer.kind === 'events' ? 'StreamOptions' : 'CallOptions', false)]),
  ]
  return `${operation.name}(${parameters.join(', ')})${isTyped ? `: ${returned(operation)}` : ''}`
}

function returned({ answer }: Operation): string {
  if (answer.kind === 'json') return `Promise<${answer.type}>`
  if (answer.kind === 'text') return 'Promise<string>'
  if (answer.kind === 'file') return 'Promise<Uint8Array<ArrayBuffer>>'
  return answer.kind === 'url' ? 'string' : 'AsyncGenerator<StreamEvent<ReceiptEvent>, void, undefined>'
}

function bodyOf(operation: Operation): string {
  const { method, query, body, answer, isPaid } = operation
  const path = pathOf(operation)
  if (answer.kind === 'url') return `return this.connection.url(${path}${query ? ', query' : ''})`
  if (answer.kind === 'events') return `return this.connection.events(${path}, options)`
  const members = [`method: '${method}'`, `path: ${path}`, ...(query ? ['query'] : []), ...(body ? ['body'] : [])]
  if (isPaid) members.push('isPaid: true')
  const read = { json: 'json', text: 'text', file: 'bytes' }[answer.kind]
  return `return this.connection.${read}({ ${members.join(', ')} }, options)`
}

function methodOf(operation: Operation, form: Form): string {
  const { method, path, summary, deprecated, isPaid, needsKey } = operation
  const sentences = [
    `${summary}.`,
    isPaid ? 'Paid for by x402.' : '',
    needsKey ? '' : 'Needs no key.',
    `${method} ${path}`,
  ]
  const comment = [`  /** ${blockComment(sentences.filter(Boolean).join(' '))}${deprecated ? ' @deprecated' : ''} */`]
  const signature = `  ${signatureOf(operation, form)}`
  if (form === 'd.ts') return [...comment, signature].join('\n')
  return [...comment, `${signature} {`, `    ${bodyOf(operation)}`, '  }'].join('\n')
}

/** Returns the source of the module `operations` in one of its forms. */
export function operationsModule({ operations }: Description, form: Form): string {
  const used = [...new Set(operations.flatMap(typesOf))].sort()
  const types = used.length === 0 ? [] : [`import type { ${used.join(', ')} } from './types.js'`]
  const known = 'CallOptions, Connection, StreamEvent, StreamOptions'
  const imports = {
    ts: [`import { type ${known.replaceAll(', ', ', type ')}, segment } from '../connection.js'`, ...types],
    js: ["import { segment } from '../connection.js'"],
    'd.ts': [`import type { ${known} } from '../connection.js'`, ...types],
  }[form]
  const constructors = {
    ts: '  constructor(connection: Connection) {\n    this.connection = connection\n  }',
    js: '  constructor(connection) {\n    this.connection = connection\n  }',
    'd.ts': '  constructor(connection: Connection)',
  }
  const field = {
    ts: '  readonly connection: Connection',
    js: '  connection',
    'd.ts': '  readonly connection: Connection',
  }
  const head = [field[form], constructors[form]]
  const methods = operations.map(operation => methodOf(operation, form))
  return [
    `// ${notice}`,
    ...imports,
    '',
    `export ${form === 'd.ts' ? 'declare ' : ''}class Operations {`,
    [...head, ...methods].join('\n\n'),
    '}',
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
export const settingsModule = (url: string | null, form: Form): string =>
  [
    `// ${notice}`,
    form === 'd.ts'
      ? 'export declare const defaultBaseUrl: string | null'
      : `export const defaultBaseUrl${form === 'ts' ? ': string | null' : ''} = ${JSON.stringify(url)}`,
    '',
  ].join('\n')
