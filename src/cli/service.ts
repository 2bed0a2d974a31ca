// A running service as a command meets it: where it is, with which key it is asked, and what its refusals mean in a sentence.
import { z } from 'zod'
import { boundedFetch } from '../adapters/bounded-fetch.ts'
import { visible } from '../core/visible.ts'
import { CommandError, UsageError } from './command.ts'

export type Service = { url: string; key: string }

export const serviceUsage = `  --url <url>          the service (http://127.0.0.1:8000 unless given)
  --key <key>          an API key of the project; QUITTANCE_API_KEY in the environment unless given`

export const serviceOptions = { url: { type: 'string' }, key: { type: 'string' } } as const

/** Without credentials, which would show wherever the address does. */
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

/** What it answers, in this shape. Throws CommandError when it refuses, does not answer, or answers something else. */
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

/** Asks over GraphQL. Throws as `ask` does. */
export const query = <T>(service: Service, document: string, shape: z.ZodType<T>, variables: object = {}): Promise<T> =>
  ask(service, 'POST', '/graphql', z.object({ data: shape }), { query: document, variables }).then(({ data }) => data)

/** The id of the key's project. Throws CommandError for the key of an administrator, who has none. */
export async function projectOf(service: Service): Promise<string> {
  const { me } = await query(
    service,
    '{ me { projectId } }',
    z.object({ me: z.object({ projectId: z.uuid().nullable() }) }),
  )
  if (me.projectId !== null) return me.projectId
  throw new CommandError('This is the key of a service administrator, who has no project: give a key of a project.')
}

const graphqlRefusal = z.object({
  errors: z.array(z.object({ message: z.string(), extensions: z.object({ code: z.string().optional() }).optional() })),
})
const restRefusal = z.object({ message: z.string() })
const invalidBody = z.object({
  detail: z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })),
})

/** The first error of GraphQL's answer; null where there is none. */
export function refusalIn(content: unknown): { message: string; code: string | null } | null {
  const [first] = graphqlRefusal.safeParse(content).data?.errors ?? []
  return first ? { message: first.message, code: first.extensions?.code ?? null } : null
}

/** What a refusal means to the person who gave the command. */
export function refused(url: string, status: number, content: unknown): CommandError {
  const graphql = refusalIn(content)
  if (status === 401 || graphql?.code === 'unauthenticated') {
    return new CommandError(`${url} does not accept this key: it is unknown, revoked or expired.`)
  }
  const [invalid] = invalidBody.safeParse(content).data?.detail ?? []
  const words = graphql?.message ?? restRefusal.safeParse(content).data?.message
  const told = words ?? (invalid && `${invalid.loc.join('.')}: ${invalid.msg}`)
  if (told !== undefined) return new CommandError(`${url} refuses: ${visible(told.slice(0, 500))}`)
  if (status >= 300 && status < 400) {
    return new CommandError(
      `${url} answers with a redirect (${status}), which is not followed: give the address it leads to.`,
    )
  }
  return new CommandError(`${url} answers ${status}: is it a Quittance service?`)
}

export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Why a request had no answer, in a few words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer'
  if (error.name === 'TimeoutError') return `no answer within ${patienceMs / 1_000} seconds`
  return visible(error.message || ('code' in error && String(error.code)) || 'no answer').slice(0, 200)
}
