// Generates TypeScript: the route table and the tools.
import type { Param, Route } from '../route.ts'
import type { ParamPlan } from './param-plan.ts'
import type { Plan } from './plan.ts'
import { toolEntry } from './tools.ts'

const generated = 'Generated from rest/*.graphql. Do not edit: change the operation and generate again.'

const paramOf = ({ variable, name, olderName, in: place, whole, single, type, required }: ParamPlan): Param => ({
  variable,
  name,
  ...(olderName && { olderName }),
  in: place,
  ...(whole ? { whole } : {}),
  ...(single ? { single } : {}),
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
