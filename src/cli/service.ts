// Sends the requests of the commands to a running service, and reads its URL and API key from the options.
import { z } from 'zod'
import { boundedFetch } from '../adapters/bounded-fetch.ts'
import { CommandError, UsageError } from './command.ts'
import { jsonIn, reasonOf, refusalIn, refused } from './service/refusal.ts'

export type Service = { url: string; key: string }

export const serviceUsage = `  --url <url>          the service (default http://127.0.0.1:8000)
  --key <key>          an API key of the project (default: QUITTANCE_API_KEY in the environment)`

export const serviceOptions = { url: { type: 'string' }, key: { type: 'string' } } as const

/** A URL without credentials, because they would be shown wherever the URL is. */
export const bareUrl = z
  .string()
  .max(2_048)
  .refine(
    value => /^https?:\/\/[^/?#@\s]+(\/[^#\s]*)?$/.test(value) && URL.canParse(value),
    'must be an http(s) URL without credentials',
  )

const apiKey = z.string().regex(/^[\x21-\x7e]{1,512}$/, 'must be an API key')

export const serviceShape = {
  url: bareUrl
    .refine(value => !value.includes('?'), 'must be an http(s) URL without a query')
    .default('http://127.0.0.1:8000')
    .transform(value => value.replace(/\/+$/, '')),
  key: apiKey.optional(),
}

/** Throws UsageError without a key. */
export function serviceOf({ url, key }: { url: string; key?: string | undefined }): Service {
  if (key !== undefined) return { url, key }
  const { success, data } = apiKey.safeParse(process.env.QUITTANCE_API_KEY)
  if (!success) throw new UsageError('--key is missing: an API key of the project, here or in QUITTANCE_API_KEY.')
  return { url, key: data }
}

const patienceMs = 15_000
const limited = boundedFetch({ maxBytes: 1_048_576, allowPrivate: true })

/**
 * Returns the response in this shape. Throws CommandError when the service refuses, does not answer, or answers in
 * another shape.
 */
export async function ask<T>(
  { url, key }: Service,
  method: string,
  path: string,
  shape: z.ZodType<T>,
  body?: object,
): Promise<T> {
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json', 'X-API-Key': key }
  const init = { method, headers, signal: AbortSignal.timeout(patienceMs), ...(body && { body: JSON.stringify(body) }) }
  const { status, text } = await answered(`${url}${path}`, init).catch(error => {
    throw new CommandError(`No service answers at ${url}: ${reasonOf(error)}.`)
  })
  const content = jsonIn(text)
  if (status === 401 || refusalIn(content) !== null || status >= 300) throw refused(url, status, content)
  const { success, data } = shape.safeParse(content)
  if (!success) throw new CommandError(`${url} does not answer as Quittance does: is another program there?`)
  return data
}

async function answered(address: string, init: RequestInit & { body?: string }) {
  const response = await limited(address, init)
  return { status: response.status, text: await response.text() }
}

/** Sends a GraphQL query. Throws as `ask` does. */
export const query = <T>(service: Service, document: string, shape: z.ZodType<T>, variables: object = {}): Promise<T> =>
  ask(service, 'POST', '/graphql', z.object({ data: shape }), { query: document, variables }).then(({ data }) => data)

/** Returns the id of the key's project. Throws CommandError for an administrator's key, which has no project. */
export async function projectOf(service: Service): Promise<string> {
  const { me } = await query(
    service,
    '{ me { project { id } } }',
    z.object({ me: z.object({ project: z.object({ id: z.uuid() }).nullable() }) }),
  )
  if (me.project !== null) return me.project.id
  throw new CommandError('This is the key of a service administrator, who has no project: give a key of a project.')
}
