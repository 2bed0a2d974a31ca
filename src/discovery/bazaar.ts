// The extension `bazaar` of an x402 challenge: input and output of a paid endpoint, for catalogues of paid services.
import { declareDiscoveryExtension } from '@x402/extensions/bazaar'
import { z } from 'zod'
import { tools } from '../../rest/generated/tools.ts'
import type { Tool } from '../mcp/tool.ts'
import { endpoints } from '../modules/x402/endpoints.ts'
import type { Place } from '../rest/route.ts'

type Schema = { [key: string]: unknown }
type Extensions = Record<string, unknown>

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

// Schema keywords that are left out: official clients send a challenge back in a header, of which 16 KiB are read.
const left = new Set([
  'description',
  'externalDocs',
  'deprecated',
  'format',
  'additionalProperties',
  'title',
  '$schema',
])

function short(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(short)
  if (!isObject(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      if (key === 'properties' && isObject(value))
        return [[key, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, short(inner)]))]]
      return left.has(key) ? [] : [[key, short(value)]]
    }),
  )
}

/** Selects the arguments that are sent in one part of a request. */
function partOf({ inputSchema, example, places }: Tool, place: Place) {
  const names = Object.keys(places).filter(name => places[name] === place)
  const pick = (from: unknown) =>
    Object.fromEntries(names.flatMap(name => (isObject(from) && from[name] !== undefined ? [[name, from[name]]] : [])))
  const { properties, required } = inputSchema
  const needed = Array.isArray(required) ? required.filter(name => names.includes(name)) : []
  const schema = { type: 'object', properties: pick(properties), ...(needed.length > 0 && { required: needed }) }
  return { names, input: pick(example), schema: record.parse(short(schema)) }
}

const outputOf = ({ answer, outputSchema }: Tool) => ({ example: answer, schema: record.parse(short(outputSchema)) })

const record = z.record(z.string(), z.unknown())
const declaration = z.looseObject({
  info: z.looseObject({ input: record, output: record.optional() }),
  routeTemplate: z.string().optional(),
  schema: z.looseObject({ properties: z.looseObject({ input: z.looseObject({ properties: record }) }) }),
})
type Declaration = z.infer<typeof declaration>

/** Adds members to the input that the official function has no argument for. */
function withInput(
  { info, schema, ...rest }: Declaration,
  members: Record<string, { value: unknown; schema: Schema }>,
) {
  const each = (key: 'value' | 'schema') =>
    Object.fromEntries(Object.entries(members).map(([name, member]) => [name, member[key]]))
  const { input, ...others } = schema.properties
  const properties = { ...input.properties, ...each('schema') }
  return {
    ...rest,
    info: { ...info, input: { ...info.input, ...each('value') } },
    schema: { ...schema, properties: { ...others, input: { ...input, properties } } },
  }
}

function ofRoute(tool: Tool, { method, path }: NonNullable<Tool['http']>): Declaration {
  const output = outputOf(tool)
  const [body, query, inPath] = [partOf(tool, 'body'), partOf(tool, 'query'), partOf(tool, 'path')]
  const isBodied = method === 'POST' || method === 'PUT'
  const declared = declaration.parse(
    declareDiscoveryExtension(
      isBodied
        ? { bodyType: 'json', input: body.input, inputSchema: body.schema, output }
        : { input: query.input, inputSchema: query.schema, output },
    ).bazaar,
  )
  const known = withInput(declared, {
    method: { value: method, schema: { type: 'string', enum: [method] } },
    ...(isBodied && query.names.length > 0 && { queryParams: { value: query.input, schema: query.schema } }),
    ...(inPath.names.length > 0 && { pathParams: { value: inPath.input, schema: { type: 'object' } } }),
  })
  return inPath.names.length === 0 ? known : { ...known, routeTemplate: path.replace(/\{(\w+)\}/g, ':$1') }
}

const ofTool = (tool: Tool): Declaration =>
  declaration.parse(
    declareDiscoveryExtension({
      toolName: tool.name,
      description: tool.description,
      transport: 'streamable-http',
      inputSchema: tool.inputSchema,
      ...(tool.example && { example: tool.example }),
      output: outputOf(tool),
    }).bazaar,
  )

type Known = {
  route: Declaration
  tool: Declaration
  /** The path of the example request. */
  resource: string
  /** Extracts the variables from a requested path; null when the path has none. */
  form: RegExp | null
  params: readonly string[]
}

function knownOf(tool: Tool, http: NonNullable<Tool['http']>): Known {
  const { names, input } = partOf(tool, 'path')
  const variable = /\{(\w+)\}/g
  return {
    route: ofRoute(tool, http),
    tool: ofTool(tool),
    resource: http.path.replace(variable, (_, name: string) => encodeURIComponent(String(input[name]))),
    form: names.length === 0 ? null : new RegExp(`^${http.path.replace(variable, '([^/?]+)')}(?:\\?|$)`),
    params: names,
  }
}

/** Returns the paid endpoint at this path. Throws when it has no tool: a mistake that stops the start. */
function soldAt(path: string): Known {
  for (const tool of tools) if (tool.paid && tool.http?.path === path) return knownOf(tool, tool.http)
  throw new Error(`The paid endpoint ${path} has no @tool.`)
}

const known = new Map(Object.values(endpoints).map(({ path }): [string, Known] => [path, soldAt(path)]))

/** `path`: the path of a paid endpoint, as `endpoints` lists it. */
export function inBazaar(path: string): Known {
  const found = known.get(path)
  if (found === undefined) throw new Error(`There is no paid endpoint ${path}.`)
  return found
}

export const toolInBazaar = (path: string): Extensions => ({ bazaar: inBazaar(path).tool })

/** `resource`: the requested path and query, from which the values of path variables are read. */
export function routeInBazaar(path: string, resource: string): Extensions {
  const { route, form, params } = inBazaar(path)
  const values = resource === path ? null : form?.exec(resource)
  if (!values) return { bazaar: route }
  const pathParams = Object.fromEntries(params.map((name, index) => [name, values[index + 1]]))
  return { bazaar: { ...route, info: { ...route.info, input: { ...route.info.input, pathParams } } } }
}
