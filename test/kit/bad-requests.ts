// Builds requests with one fault each from valid requests and the OpenAPI document.
import { type Sent, urlOf } from '../../rest/examples/record.ts'
import { membersOf, needsKey, parametersOf, takesBody } from './openapi.ts'

export type BadRequest = {
  what: string
  method: string
  path: string
  headers: Record<string, string>
  body: string | null
  /** Whether the OpenAPI document forbids the request. A request that it does not forbid may be accepted or refused. */
  isRefused: boolean
}

const long = 'x'.repeat(10_000)
const unknownKey = `qtk_${'A'.repeat(43)}${'0'.repeat(8)}`
/** Each value is invalid for most members: absent, of another type, too long or of a wrong format. */
const values = [undefined, null, '', -1, 1.5, true, [], {}, long, 'not it', '\u0000', 'ü'.repeat(300)]
const texts = ['', 'not it', 'x'.repeat(3_000), '-1', '1.5', '99999999999', '2026-02-30', 'ü'.repeat(300)]

type Path = (string | number)[]
type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? replaced(item, rest, by) : item))
  const inner = isObject(value) ? value : {}
  return { ...inner, [key]: replaced(inner[key], rest, by) }
}

/** Lists every path in a body: the members that have a value, and the others that the document names. */
function places({ method, template, body }: Sent): Path[] {
  const within = (value: unknown, path: Path): Path[] => {
    if (Array.isArray(value)) return [path, ...value.flatMap((item, index) => within(item, [...path, index]))]
    const named = isObject(value) || value === undefined ? membersOf(method, template, path) : []
    const inner = isObject(value) ? value : {}
    return [path, ...[...new Set(named)].flatMap(name => within(inner[name], [...path, name]))]
  }
  return within(body, [])
}

const short = (value: unknown) => (JSON.stringify(value) ?? 'absent').slice(0, 24)

export function badRequests(sent: Sent): BadRequest[] {
  const { operationId, method, template, body, payment } = sent
  const bad: BadRequest[] = []
  const add = (what: string, isRefused: boolean, change: Partial<Sent> & { headers?: Json; raw?: string | null }) => {
    const { headers, raw, ...others } = change
    const given = { ...sent, ...others }
    const text = given.body === undefined ? null : (JSON.stringify(given.body) ?? null)
    bad.push({
      what: `${operationId}: ${what}`,
      method: method.toUpperCase(),
      path: urlOf('', given),
      headers: {
        ...(text !== null && { 'Content-Type': 'application/json' }),
        ...(given.key !== undefined && { 'X-API-Key': given.key }),
        ...(payment !== undefined && { 'PAYMENT-SIGNATURE': payment }),
        // Every second request accepts the other error format, problem+json.
        ...(bad.length % 2 === 1 && { Accept: 'application/problem+json, */*' }),
        ...headers,
      },
      body: raw === undefined ? text : raw,
      isRefused,
    })
  }
  add('a key that is unknown', true, { key: unknownKey })
  if (needsKey(method, template)) add('no key', true, { headers: { 'X-API-Key': '' } })
  add('a member of the query that is unknown', true, { query: { ...sent.query, unknown: 'x' } })
  for (const parameter of parametersOf(method, template)) {
    const { name, in: place, takes } = parameter
    for (const text of texts) {
      const what = `${name} in the ${place} as ${short(text)}`
      if (place === 'path' && text !== '') add(what, !takes(text), { path: { ...sent.path, [name]: text } })
      // An empty text is the same as none where the parameter may be absent.
      else if (place === 'query') add(what, text !== '' && !takes(text), { query: { ...sent.query, [name]: text } })
      // A request with another identifier or payment is a different request, not an invalid one.
      else if (place === 'header' && /^[!-~]+$/.test(text)) add(what, false, { headers: { [name]: text } })
    }
  }
  if (method !== 'post' && method !== 'put') return bad
  add('no JSON', true, { headers: { 'Content-Type': 'application/json' }, raw: '{"a":' })
  add('another type', true, { headers: { 'Content-Type': 'text/plain' }, raw: 'a=1' })
  if (body === undefined) return bad
  for (const place of places(sent)) {
    for (const value of values) {
      const changed = replaced(body, place, value)
      // JSON cannot express an absent value.
      const plain: unknown = changed === undefined ? undefined : JSON.parse(JSON.stringify(changed))
      const what = `${['body', ...place].join('.')} as ${short(value)}`
      // An empty text is null where the member may be absent.
      const isRefused = value !== '' && !takesBody(method, template, plain)
      add(what, isRefused, { body: plain, ...(plain === undefined && { raw: null }) })
    }
    const more = replaced(body, [...place, 'unknown'], 'x')
    add(`${['body', ...place].join('.')} with an unknown member`, !takesBody(method, template, more), { body: more })
  }
  return bad
}
