// Turns a request into the variables of its operation. Made once for each route.
import querystring from 'node:querystring'
import type { Request } from 'express'
import type { GraphQLSchema } from 'graphql'
import type { Body } from './body.ts'
import { extra, missing, type Reader, refuse, type WireIssue } from './faults.ts'
import { jsonReader, members, usedName } from './input.ts'
import type { Variables } from './prepared.ts'
import type { Loc, Param, Route } from './route.ts'
import { textReader } from './text-input.ts'

type Read = (req: Request, body: Body, variables: Variables, issues: WireIssue[]) => void
type Field = Param & { loc: Loc; reader: Reader }

const twice = ['multiple_values', 'Given more than once'] as const

function fromPath(fields: readonly Field[]): Read {
  return (req, _body, variables, issues) => {
    for (const { variable, name, loc, reader } of fields) variables[variable] = reader(req.params[name], loc, issues)
  }
}

function fromHeaders(fields: readonly Field[]): Read {
  return (req, _body, variables, issues) => {
    for (const { variable, name, required, loc, reader } of fields) {
      const value = req.headers[name]
      if (value !== undefined) variables[variable] = reader(value, loc, issues)
      else if (required) refuse(issues, loc, missing)
    }
  }
}

/** Query parameter of a stream whose events are to have no name. */
export const unnamed = 'unnamed'
const notOne = ['enum', 'Must be 1.'] as const

function fromQuery(fields: readonly Field[], isStream: boolean): Read {
  const known = new Set([...fields.map(field => field.name), ...(isStream ? [unnamed] : [])])
  const none: querystring.ParsedUrlQuery = Object.create(null)
  return (req, _body, variables, issues) => {
    const start = req.url.indexOf('?')
    const query = start === -1 ? none : querystring.parse(req.url.slice(start + 1), '&', '=', { maxKeys: 0 })
    for (const { variable, name, type, required, loc, reader } of fields) {
      const value = query[name]
      if (value === undefined) {
        if (required) refuse(issues, loc, missing)
      } else if (type.kind === 'list') {
        variables[variable] = reader(typeof value === 'string' ? [value] : value, loc, issues)
      } else if (typeof value === 'string') {
        variables[variable] = reader(value, loc, issues)
      } else {
        refuse(issues, loc, twice)
      }
    }
    if (start !== -1)
      for (const name of Object.keys(query)) if (!known.has(name)) refuse(issues, ['query', name], extra)
    if (isStream && query[unnamed] !== undefined && query[unnamed] !== '1') refuse(issues, ['query', unnamed], notOne)
  }
}

function fromBody(fields: readonly Field[], asRead: readonly string[]): Read {
  const whole = fields.find(field => field.whole)
  const read = members(
    fields.map(field => ({ ...field, field: field.variable })),
    { ignored: asRead },
  )
  const required = fields.some(field => field.required)
  return (_req, body, variables, issues) => {
    if (!body.isPresent) {
      if (required) refuse(issues, ['body'], missing)
    } else if (whole) {
      variables[whole.variable] = whole.reader(body.value, whole.loc, issues)
    } else {
      Object.assign(variables, read(body.value, ['body'], issues))
    }
  }
}

/** Reads the one value of a parameter whose variable is a list. */
export const inList = ({ single }: Pick<Param, 'single'>, reader: Reader): Reader =>
  single ? (value, loc, issues) => (value === null ? null : [reader(value, loc, issues)]) : reader

function readerOf({ in: place, type }: Param, schema: GraphQLSchema): Reader {
  if (place !== 'body') return textReader(type, schema)
  // An amount that is empty was forgotten: it must not stand for the whole amount.
  return jsonReader(type, schema, { isExact: type.kind === 'scalar' && type.name === 'Decimal' })
}

/** The returned function adds every fault of the request to `issues`; if it adds none, the variables are valid. */
export function requestReader(route: Route, schema: GraphQLSchema) {
  const fields: Field[] = route.params.map(param => ({
    ...param,
    loc: param.whole ? ['body'] : [param.in, param.name],
    reader: inList(param, readerOf(param, schema)),
  }))
  const of = (place: Param['in']) => fields.filter(field => field.in === place)
  const reads: Read[] = []
  if (of('path').length > 0) reads.push(fromPath(of('path')))
  reads.push(fromQuery(of('query'), route.kind === 'events'))
  if (of('header').length > 0) reads.push(fromHeaders(of('header')))
  if (hasBody(route)) reads.push(fromBody(of('body'), route.asRead ?? []))
  return (req: Request, body: Body, issues: WireIssue[]): Variables => {
    const variables: Variables = {}
    for (const read of reads) read(req, body, variables, issues)
    return variables
  }
}

/** Returns the location of a fault with the name that the body uses, because a member may have an older name too. */
export function asSent({ params }: Pick<Route, 'params'>, body: Body, loc: Loc): Loc {
  const [place, name, ...inner] = loc
  const older = params.find(param => param.in === place && param.name === name)?.olderName
  const value = body.isPresent ? body.value : null
  if (typeof name !== 'string' || older === undefined || typeof value !== 'object' || value === null) return loc
  return ['body', usedName(name, older, new Map(Object.entries(value))), ...inner]
}

export const hasBody = ({ method }: Pick<Route, 'method'>): boolean => method === 'POST' || method === 'PUT'
