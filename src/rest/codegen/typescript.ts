// Generates TypeScript: the route table, the tools, and the types of each operation's request and response.
import type { InputType, Param, Route } from '../route.ts'
import { formOf } from '../scalars.ts'
import type { ParamPlan } from './param-plan.ts'
import type { Plan } from './plan.ts'
import type { Shape } from './shape.ts'
import { toolEntry } from './tools.ts'

const orNull = (type: string, nullable: boolean) => (nullable ? `${type} | null` : type)
const choice = (values: readonly string[]) => values.map(value => `'${value}'`).join(' | ')
const listOf = (type: string) => `Array<${type}>`
const property = (name: string, optional: boolean, type: string) =>
  `${propertyName(name)}${optional ? '?' : ''}: ${type}`
const propertyName = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`)

function sent(type: InputType): string {
  if (type.kind === 'list') return orNull(listOf(sent(type.of)), type.nullable)
  if (type.kind === 'enum') return orNull(choice(type.values), type.nullable)
  if (type.kind === 'scalar') return orNull(formOf(type.name).type, type.nullable)
  const fields = type.fields.map(field => property(field.name, !field.required, sent(field.type)))
  return orNull(`{ ${fields.join('; ')} }`, type.nullable)
}

function answered(shape: Shape, aside: readonly string[]): string {
  if (shape.kind === 'list') return orNull(listOf(answered(shape.of, aside)), shape.nullable)
  if (shape.kind === 'leaf') {
    const { type } = shape
    const text = 'getValues' in type ? choice(type.getValues().map(value => value.name)) : formOf(type.name).type
    return orNull(text, shape.nullable)
  }
  const objects = shape.variants.map(members => {
    const shown = members.filter(({ key }) => !aside.includes(key))
    const typed = shown.map(({ key, shape: inner }) => {
      const optional = shape.sparse && inner.nullable
      return property(key, optional, answered(optional ? { ...inner, nullable: false } : inner, []))
    })
    return `{ ${typed.join('; ')} }`
  })
  return orNull([...new Set(objects)].join(' | '), shape.nullable)
}

function typesOf({ route, params, shape }: Plan): string {
  const aside = [...route.headers.map(({ key }) => key), ...(route.eventId === null ? [] : [route.eventId])]
  const fields = params.flatMap(({ name, olderName, type, required }) => [
    `  ${property(name, !required || olderName !== undefined, sent(type))}`,
    ...(olderName === undefined ? [] : [`  ${property(olderName, true, sent(type))}`]),
  ])
  const request = fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('\n')}\n}`
  const answer = answered({ ...shape, nullable: false }, aside)
  return `export type ${route.name}Variables = ${request}\n\nexport type ${route.name}Answer = ${answer}\n`
}

const generated = 'Generated from rest/*.graphql. Do not edit: change the operation and generate again.'

export const typesModule = (plans: readonly Plan[]): string =>
  `// Request and response types of each route, in wire names. ${generated}\n\n${plans.map(typesOf).join('\n')}`

const paramOf = ({ variable, name, olderName, in: place, whole, type, required }: ParamPlan): Param => ({
  variable,
  name,
  ...(olderName && { olderName }),
  in: place,
  ...(whole ? { whole } : {}),
  type,
  required,
})

const asTemplate = (text: string) => `\`${text.replace(/[`\\]|\$\{/g, '\\$&')}\``

function entry({ route, params }: Plan): string {
  const { document, ...rest } = route
  const full: Omit<Route, 'document'> = { ...rest, params: params.map(paramOf) }
  const lines = JSON.stringify(full, null, 2).split('\n').slice(0, -1)
  return `  ${lines.join('\n  ')},\n    "document": ${asTemplate(document)}\n  }`
}

export const routesModule = (plans: readonly Plan[]): string =>
  `// The routes of the REST API. ${generated}
import type { Route } from '../../src/rest/route.ts'

export const routes: readonly Route[] = [
${plans.map(entry).join(',\n')}
]
`

export const toolsModule = (plans: readonly Plan[]): string =>
  `// The tools of the MCP endpoint. ${generated}
import type { Tool } from '../../src/mcp/tool.ts'

export const tools: readonly Tool[] = ${JSON.stringify(plans.flatMap(toolEntry), null, 2)}
`
