// Follows the events of a project with the subscription `webhookEvents`; each new connection resumes after the last
// event.
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, NetworkError } from 'graphql-sse'
import { z } from 'zod'
import { enumNameOf } from '../../core/enum-name.ts'
import { type WebhookType, webhookTypes } from '../../core/event-types.ts'
import { CommandError } from '../command.ts'
import { refusalIn, refused } from '../service/refusal.ts'
import type { Service } from '../service.ts'
import { ConnectionLost, pacedFetch } from './paced-fetch.ts'

const subscription = `subscription ($types: [WebhookEventType!], $after: ID) {
  webhookEvents(types: $types, after: $after) { cursor type occurredAt data }
}`

const followed = z.object({
  cursor: z.string().regex(/^\d{1,18}$/),
  type: z
    .string()
    .max(64)
    .transform(name => webhookTypes.find(type => enumNameOf(type) === name) ?? name),
  occurredAt: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()),
})
export type Followed = z.output<typeof followed>

type Wish = {
  /** Null: all types. */
  types: readonly WebhookType[] | null
  after: string
  signal: AbortSignal
}
type ConnectionListener = { lost(reason: string): void; back(): void }

// Milliseconds.
const firstWait = 500
const longestWait = 5_000
const steadyAfter = 5_000

/** Yields events until `signal` aborts, across lost connections. Throws CommandError when the service refuses. */
export async function* follow(service: Service, wish: Wish, listener: ConnectionListener): AsyncGenerator<Followed> {
  let { after } = wish
  let failures = 0
  let isLost = false
  const connected = () => {
    if (isLost) listener.back()
    isLost = false
  }
  while (!wish.signal.aborted) {
    const began = performance.now()
    try {
      for await (const event of connection(service, { ...wish, after }, connected)) {
        after = event.cursor
        yield event
      }
      throw new ConnectionLost('the service ended it')
    } catch (error) {
      if (wish.signal.aborted) return
      if (!(error instanceof ConnectionLost)) throw error
      if (!isLost) listener.lost(error.message)
      isLost = true
    }
    failures = performance.now() - began > steadyAfter ? 0 : failures + 1
    const wait = Math.min(firstWait * 2 ** Math.max(failures - 1, 0), longestWait)
    // A random wait, so that clients that were cut at once do not reconnect at once.
    await sleep(wait * (0.5 + Math.random() / 2), undefined, { signal: wish.signal }).catch(() => undefined)
  }
}

async function* connection(
  { url, key }: Service,
  { types, after, signal }: Wish,
  connected: () => void,
): AsyncGenerator<Followed> {
  const paced = pacedFetch(url)
  const client = createClient({
    url: `${url}/graphql/stream`,
    headers: { 'X-API-Key': key },
    // The client's own retries would subscribe with the same `after`.
    retryAttempts: 0,
    fetchFn: paced.open,
  })
  const end = () => client.dispose()
  signal.addEventListener('abort', end)
  const variables = { types: types?.map(enumNameOf) ?? null, after }
  try {
    for await (const result of client.iterate({ query: subscription, variables }, { connected })) {
      yield eventIn(result, url)
      paced.taken()
    }
  } catch (error) {
    if (error instanceof CommandError || error instanceof ConnectionLost) throw error
    if (error instanceof NetworkError) throw paced.fault() ?? new ConnectionLost('it was closed')
    throw new CommandError(`${url} does not send events as Quittance does`, { cause: error })
  } finally {
    signal.removeEventListener('abort', end)
    end()
    paced.close()
  }
}

const passing = ['too_many_requests', 'internal_error']

function eventIn(result: unknown, url: string): Followed {
  const refusal = refusalIn(result)
  if (refusal !== null) {
    throw passing.includes(refusal.code ?? '') ? new ConnectionLost(refusal.message) : refused(url, 200, result)
  }
  const { success, data } = z.object({ data: z.object({ webhookEvents: followed }) }).safeParse(result)
  if (!success) throw new CommandError(`${url} sends an event that this version cannot read.`)
  return data.data.webhookEvents
}
