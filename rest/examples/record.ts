// Calls the operations of the OpenAPI document by name, and records requests and responses as their examples.
import { z } from 'zod'
import type { Example, Examples } from '../../src/rest/codegen/examples.ts'
import openapi from '../openapi.json' with { type: 'json' }
import { type Stable, stableValues } from './stable.ts'

type Texts = Record<string, string>
/** `key` and `payment` are sent as headers. The example omits the key, and shows a payment for one operation only. */
export type Request = {
  path?: Texts
  query?: Record<string, string | number>
  body?: unknown
  key?: string
  payment?: string
}
/** `example`: what the document shows of this request; null when it shows another request of the operation. */
export type Sent = Request & {
  operationId: string
  method: string
  template: string
  example: Example['request'] | null
}
type Answered = ReturnType<typeof answered>
export type Send = (sent: Sent) => Promise<Answered>
/** Throws when the status is an error, or is not the given `status`. */
export type Call = (operationId: string, requested?: Request, status?: number) => Promise<Answered>

/** The name of an operation in rest/*.graphql, which is its id unless a schema has that name. */
export const nameOf = (operation: { operationId: string; 'x-sdk-method'?: string }): string =>
  operation['x-sdk-method'] ?? operation.operationId

const operations = new Map(
  Object.entries(openapi.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => [nameOf(operation), { method, template }] as const),
  ),
)

const coded = ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE']
const shown = [
  'Location',
  'ETag',
  'Content-Disposition',
  'X-API-Key',
  'Receipt-Matched-By',
  'Receipt-Differs',
  'WWW-Authenticate',
  ...coded,
]

export const urlOf = (base: string, { template, path = {}, query = {} }: Sent): string => {
  const filled = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name] ?? ''))
  const requested = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, `${value}`]))
  return base + filled + (requested.size > 0 ? `?${requested}` : '')
}

export function byFetch(base: string): Send {
  return async sent => {
    const { method, body, key, payment } = sent
    const response = await fetch(urlOf(base, sent), {
      method: method.toUpperCase(),
      redirect: 'manual',
      headers: {
        // An example shows the tag of the file itself.
        'Accept-Encoding': 'identity',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(key !== undefined && { 'X-API-Key': key }),
        ...(payment !== undefined && { 'PAYMENT-SIGNATURE': payment }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return answered(response.status, response.headers, Buffer.from(await response.arrayBuffer()))
  }
}

/** `json` has no type here; the OpenAPI document checks its content later. */
export function answered(status: number, headers: Headers, bytes: Buffer) {
  // A ZIP is decoded as Latin-1, which loses no bytes.
  const isText = /^(text|application\/(problem\+)?json|application\/xml)/.test(headers.get('content-type') ?? '')
  const text = bytes.toString(isText ? 'utf8' : 'latin1')
  return { status, headers, text, json: /json/.test(headers.get('content-type') ?? '') ? JSON.parse(text) : null }
}

function decoded(stable: Stable, value: string, place: string): string {
  const json = JSON.parse(Buffer.from(value, 'base64').toString('utf8'))
  return stable.whole(value, Buffer.from(JSON.stringify(stable.of(json, place))).toString('base64'))
}

/** Returns the data of the last event; the first event depends on the progress of the service. */
const lastEvent = (text: string): unknown => JSON.parse(text.match(/(?<=^data: ).*$/gm)?.at(-1) ?? 'null')

function bodyOf({ headers, text, json }: Answered): unknown {
  const type = headers.get('content-type') ?? ''
  if (json !== null) return json
  if (type.startsWith('text/event-stream')) return lastEvent(text)
  return /^(text\/|application\/xml)/.test(type) && text !== '' ? text : undefined
}

/** Omits payment headers unless `withPayment`, because they are long and one example of them is enough. */
function answerOf(stable: Stable, answer: Answered, place: string, withPayment: boolean) {
  const headers = shown.flatMap(name => {
    const value = answer.headers.get(name)
    if (value === null || (coded.includes(name) && !withPayment)) return []
    const at = `${place}.${name}`
    return [[name, coded.includes(name) ? decoded(stable, value, at) : stable.of(value, at)]]
  })
  const body = bodyOf(answer)
  const [type = ''] = (answer.headers.get('content-type') ?? '').split(';')
  return {
    ...(body !== undefined && { type, body: stable.of(body, `${place}.body`) }),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
  }
}

export type Recorder = { call: Call; examples(): Examples; stable: Stable }

/** `send` replaces fetch for sending requests. */
export function recorder(base: string, send: Send = byFetch(base)): Recorder {
  const stable = stableValues(base)
  const recorded: Examples = {}
  /** Whether the example of another operation has a payment already. */
  const isPaid = (id: string) =>
    Object.entries(recorded).some(([other, { request }]) => other !== id && request?.payment)
  const requestOf = (id: string, { path, query, body, payment }: Request) => {
    const header = payment === undefined || isPaid(id) ? undefined : decoded(stable, payment, `${id}.payment`)
    const request = stable.of({ path, query, body }, id)
    return z.record(z.string(), z.unknown()).parse({ ...Object(request), ...(header && { payment: header }) })
  }
  const call: Call = async (operationId, requested = {}, status) => {
    const operation = operations.get(operationId)
    if (operation === undefined) throw new Error(`${operationId} is not an operation of the OpenAPI document`)
    const isExample = status === undefined && recorded[operationId]?.request === undefined
    const request = isExample ? requestOf(operationId, requested) : null
    const answer = await send({ ...requested, ...operation, operationId, example: request })
    if (status === undefined ? answer.status >= 400 : answer.status !== status)
      throw new Error(`${operationId} answered ${answer.status}: ${answer.text.slice(0, 1000)}`)
    const entry = { ...(request && { request }), ...(recorded[operationId] ?? { answers: {} }) }
    recorded[operationId] = entry
    entry.answers[answer.status] ??= answerOf(stable, answer, `${operationId}.${answer.status}`, !isPaid(operationId))
    return answer
  }
  return { call, stable, examples: () => recorded }
}
