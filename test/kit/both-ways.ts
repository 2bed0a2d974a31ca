// Sends requests to POST /graphql so that they are answered directly, and again so that yoga answers them, by callers
// that differ in nothing else. `charset=utf-8` in `Accept` changes no meaning, and only yoga answers a request with it.
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { windowMs } from '../../src/limits/policy.ts'
import type { Service } from './service.ts'

export type Caller = { key: string; viewer: string }
export type Sent = { body: unknown; as?: keyof Caller; headers?: Record<string, string> }

/** `isDirect`: not by yoga, which writes the name of this header in lower case. */
type Answer = { isDirect: boolean; hasRightLength: boolean; shown: object; body: string }

async function send({ base }: Service, caller: Caller, sent: Sent): Promise<Answer> {
  const req = request(`${base}/graphql`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Request-ID': 'one',
      ...(sent.as && { 'X-API-Key': caller[sent.as] }),
      ...sent.headers,
    },
  })
  const answered = new Promise<IncomingMessage>((resolve, reject) => req.on('response', resolve).on('error', reject))
  req.end(typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body))
  const res = await answered
  const exact = await text(res)
  const { date: _, 'content-length': length, 'retry-after': retry, ratelimit, ...headers } = res.headers
  const body = alike(exact)
  const limits = { ratelimit: String(ratelimit).replace(/t=\d+/g, 't'), hasRetry: retry !== undefined }
  return {
    isDirect: res.rawHeaders.includes('Content-Length'),
    hasRightLength: Number(length) === Buffer.byteLength(exact),
    shown: { status: res.statusCode, headers, ...limits, body },
    body,
  }
}

/** Without the ids and times that no two answers have in common. */
const alike = (body: string) =>
  body
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replace(/"resetSeconds":\d+/g, '"resetSeconds":0')

/** Each caller sends all requests, one after the other; the answers to the first caller, who pays for new documents,
 * are not returned. Needs a service with TRUST_PROXY. */
export async function bothWays(service: Service, callers: readonly Caller[], accept: string, sent: readonly Sent[]) {
  // A minute that ends between the two would change what is left of a limit.
  if (windowMs - (Date.now() % windowMs) < 5_000) await sleep(5_000)
  const forYoga = accept.replace(/^[^;,]+/, '$&;charset=utf-8')
  const ways = [accept, accept, forYoga].map((Accept, index) => ({ Accept, caller: callers[index] as Caller }))
  const answers: Answer[][] = []
  for (const { Accept, caller } of ways) {
    const from = { Accept, 'X-Forwarded-For': address() }
    const own: Answer[] = []
    for (const one of sent) own.push(await send(service, caller, { ...one, headers: { ...from, ...one.headers } }))
    answers.push(own)
  }
  const [, direct = [], yoga = []] = answers
  return { direct, yoga }
}

let addresses = 0
const address = () => `192.0.${Math.floor(++addresses / 200)}.${(addresses % 200) + 1}`
