// Sends payments to a service, waits where it asks to wait, and tries again when it is away.
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { boundedFetch } from '../../adapters/bounded-fetch.ts'
import { CommandError } from '../command.ts'
import type { Progress } from '../progress.ts'
import { jsonIn, reasonOf, refusalIn, refused } from '../service/refusal.ts'
import type { Service } from '../service.ts'
import type { Payment } from './payment-of.ts'

const document = `mutation Import($receipts: [RecordReceiptInput!]!) {
  recordReceipts(input: { receipts: $receipts }) {
    results {
      matchedBy
      differences
      receipt { id settlementTx chain amount currency senderWallet receiverWallet reference resourceHash settledAt }
    }
  }
}`

const result = z.object({
  matchedBy: z.enum(['SETTLEMENT', 'REFERENCE']).nullable(),
  differences: z.array(z.string()),
  receipt: z.object({
    id: z.string(),
    settlementTx: z.string(),
    chain: z.string(),
    amount: z.string(),
    currency: z.string(),
    senderWallet: z.string(),
    receiverWallet: z.string(),
    reference: z.string(),
    resourceHash: z.string().nullable(),
    settledAt: z.string().nullable(),
  }),
})
export type Result = z.output<typeof result>

const answer = z.object({ data: z.object({ recordReceipts: z.object({ results: z.array(result) }) }) })
const issue = z.object({
  path: z.tuple([z.literal('input'), z.literal('receipts'), z.int()], z.unknown()),
  message: z.string(),
})
const refusal = z.object({
  errors: z.tuple(
    [
      z.object({
        extensions: z.object({
          code: z.string(),
          maximum: z.number().optional(),
          actual: z.number().optional(),
          issues: z.unknown().optional(),
        }),
      }),
    ],
    z.unknown(),
  ),
})

type Issue = { index: number; member: unknown; message: string }
/** `issues`: the service refused these payments, and recorded none. */
export type Answer = { results: Result[] } | { issues: Issue[] } | 'too large'

const send = boundedFetch({ maxBytes: 16 * 1024 * 1024, allowPrivate: true })
const silenceMs = 60_000
const patienceMs = 600_000
const longestPauseMs = 30_000

/**
 * Records the payments. Throws CommandError when the service refuses, or is away for ten minutes, and the reason of
 * `progress.signal` when it is aborted.
 */
export async function record(
  service: Service,
  receipts: readonly Payment[],
  { signal, note }: Progress,
): Promise<Answer> {
  const body = JSON.stringify({ query: document, variables: { receipts } })
  let since: number | null = null
  for (let pause = 500; ; pause = Math.min(2 * pause, longestPauseMs)) {
    signal.throwIfAborted()
    const outcome = await sendOnce(service, body, signal)
    if ('answer' in outcome) {
      if (since !== null) note('The service is back.')
      return outcome.answer
    }
    signal.throwIfAborted()
    const { reason, waitMs, isAway } = outcome
    if (isAway) {
      if (since === null) note(`${service.url} is away: ${reason}. It is tried again for ten minutes.`)
      since ??= performance.now()
      if (performance.now() - since > patienceMs)
        throw new CommandError(`${service.url} is away: ${reason}. Run the command again: what is recorded is found.`)
    } else note(`The limit of the key is used up: it goes on in ${Math.ceil(waitMs / 1_000)} s.`)
    await setTimeout(isAway ? Math.max(pause, waitMs) : waitMs, undefined, { signal }).catch(() => undefined)
  }
}

type Outcome = { answer: Answer } | { reason: string; waitMs: number; isAway: boolean }

async function sendOnce({ url, key }: Service, body: string, signal: AbortSignal): Promise<Outcome> {
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json', 'X-API-Key': key }
  let status: number
  let text: string
  let retryAfter: string | null
  try {
    const limits = AbortSignal.any([signal, AbortSignal.timeout(silenceMs)])
    const response = await send(`${url}/graphql`, { method: 'POST', headers, body, signal: limits })
    status = response.status
    retryAfter = response.headers.get('retry-after')
    text = await response.text()
  } catch (error) {
    return { reason: reasonOf(error), waitMs: 0, isAway: true }
  }
  const content = jsonIn(text)
  const { success, data } = answer.safeParse(content)
  if (success) return { answer: data.data.recordReceipts }
  const [{ extensions }] = refusal.safeParse(content).data?.errors ?? [{ extensions: null }]
  const code = extensions?.code
  if (code === 'payload_too_large' || code === 'document_too_costly') return { answer: 'too large' }
  if (code === 'project_moving') throw refused(url, status, content)
  const waitMs = Math.min(Math.max(Number(retryAfter) || 0, 1), 3_600) * 1_000
  if (status === 429 || code === 'too_many_requests') {
    const isNeverEnough = (extensions?.actual ?? 0) > (extensions?.maximum ?? Number.POSITIVE_INFINITY)
    return isNeverEnough ? { answer: 'too large' } : { reason: 'its limit is used up', waitMs, isAway: false }
  }
  if (status === 408 || status >= 500 || retryAfter !== null)
    return { reason: refusalIn(content)?.message ?? `it answers ${status}`, waitMs, isAway: true }
  const { data: issues } = z.array(issue).min(1).safeParse(extensions?.issues)
  if (code === 'validation_failed' && issues)
    return { answer: { issues: issues.map(({ path: [, , index, member], message }) => ({ index, member, message })) } }
  throw refused(url, status, content)
}
