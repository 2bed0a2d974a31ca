// The SDK clients react in the same way to faults of network and server, and to webhooks.
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { describe, expect } from 'vitest'
import { clients, run } from '../kit/clients.ts'
import { refusals, startFaultyApi } from '../kit/faulty-api.ts'
import { pythonOf } from '../kit/python.ts'
import { tipOf } from '../kit/service.ts'
import { onlyInFull as it } from '../kit/size.ts'

const secret = `whsec_${randomBytes(32).toString('base64')}`
const body = JSON.stringify({
  type: 'receipt.anchored',
  timestamp: '2026-01-01T00:00:00Z',
  data: { status: 'anchored ü' },
})

function notification(
  changes: { sentAgoMs?: number; signature?: (right: string) => string; body?: string; by?: string } = {},
) {
  const at = new Date(Date.now() - (changes.sentAgoMs ?? 0))
  const right = new Webhook(changes.by ?? secret).sign('msg_1', at, body)
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
    'webhook-signature': changes.signature?.(right) ?? right,
  }
  return { secret, headers, body: changes.body ?? body }
}

const other = `whsec_${randomBytes(32).toString('base64')}`
const refused = 'WebhookNotVerified'
const webhooks: [ReturnType<typeof notification>, string][] = [
  [notification(), 'receipt.anchored'],
  [
    notification({ signature: right => `v1,${'A'.repeat(43)}= v2,x v1a,${right.slice(3)} ${right}` }),
    'receipt.anchored',
  ],
  [notification({ by: other }), refused],
  [notification({ body: body.replace('anchored', 'failed') }), refused],
  [notification({ sentAgoMs: 301_000 }), refused],
  [notification({ sentAgoMs: -600_000 }), refused],
  [notification({ signature: right => right.replace('v1', 'v2') }), refused],
  [notification({ signature: () => '' }), refused],
  [notification({ signature: () => 'v1,%%%' }), refused],
  [{ ...notification(), headers: { ...notification().headers, 'webhook-timestamp': 'NaN' } }, refused],
]

const program = (name: string) => `${clients}programs/${name}`
const sources = fileURLToPath(new URL('../../sdk/python/src', import.meta.url))
const python = pythonOf(sources)

describe.each([
  { lang: 'TypeScript', command: process.execPath, args: [program('sdk-faults.ts')], env: {} },
  { lang: 'Python', command: python.command, args: [...python.args, program('sdk_faults.py')], env: python.env },
  {
    lang: 'asynchronous Python',
    command: python.command,
    args: [...python.args, program('sdk_faults.py')],
    env: { ...python.env, CLIENT: 'async' },
  },
])('the $lang client', ({ lang, command, args, env }) => {
  it('retries safe requests under one Idempotency-Key, resumes streams, and accepts nothing unverified', async ({
    skip,
  }) => {
    if (lang !== 'TypeScript' && python.lacks) return skip(python.lacks)
    await using api = await startFaultyApi()
    const given = {
      TIP: JSON.stringify(tipOf()),
      RECEIPT: 'followed',
      REFUSALS: refusals.join(),
      WEBHOOKS: JSON.stringify(webhooks.map(([one]) => one)),
    }
    const { code, stdout, stderr } = await run(command, args, { ...env, ...given, BASE: api.url })
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toEqual({
      recorded: 'pending',
      cut: 7,
      running: 'pending',
      events: [
        ['1', 'pending'],
        ['2', 'awaiting_anchor'],
        ['3', 'anchored'],
      ],
      seen: [],
      headers: ['raw'],
      deleted: 'database_unavailable',
      gateway: 'http_502',
      silent: 'TimedOut',
      patient: 'too_many_requests',
      redirected: 'http_307',
      moved: 'http_307',
      captive: 'http_200',
      failed: 'ReceiptFailed',
      late: 'TimeoutError',
      mismatch: 'BundleMismatch',
      float: 'TypeError',
      dots: 'TypeError',
      families: [
        'ValidationFailedError',
        'AuthenticationError',
        'PaymentRequiredError',
        'PermissionDeniedError',
        'NotFoundError',
        'ConflictError',
        'NotFoundError',
        'QuittanceError',
        'ValidationFailedError',
        'RateLimitError',
        'ServerError',
      ],
      once: 'no',
      hasty: 'TimedOut',
      everyEvent: ['9', '8', '7', '6'],
      everyEndpoint: ['2', '1'],
      rotated: 'whsec_',
      nothing: 'NotFoundError',
      invalid: ['ValidationFailedError', ['url']],
      hidden: 'http_200',
      denied: 'PermissionDeniedError',
      webhooks: webhooks.map(([, told]) => told),
    })
    const of = (what: string) => api.asked.filter(one => one.what === what)
    const recorded = of('POST /under/v1/iso/record-tip')
    expect(recorded.map(({ body }) => body)).toEqual(Array(3).fill(expect.objectContaining({ amount: '12.50' })))
    expect(recorded.map(({ key }) => key)).toEqual(Array(3).fill(expect.stringMatching(/^[0-9a-f-]{36}$/)))
    expect(new Set(recorded.map(({ key }) => key)).size).toBe(1)
    expect(of('POST /under/v1/auth/api-keys').map(({ key }) => key)).toEqual(['mine'])
    expect(of('GET /under/v1/iso/events/followed').map(({ last }) => last)).toEqual([undefined, '2', '2', '3'])
    const rotations = of('rotateWebhookSecret').map(({ key }) => key)
    expect(rotations).toEqual(Array(3).fill(expect.stringMatching(/^[0-9a-f-]{36}$/)))
    expect(new Set(rotations).size).toBe(1)
    // A key would store the answers of reads.
    expect(of('webhookEndpoints').map(({ key }) => key)).toEqual([undefined, undefined])
    const tries = [
      'DELETE /under/v1/agents/followed',
      'GET /v1/auth/me',
      'GET /v1/config',
      'GET /under/v1/projects',
      'GET /under/v1/ping',
    ]
    expect(tries.map(what => of(what).length)).toEqual([1, 2, 3, 1, 1])
    expect(of('GET /stolen')).toEqual([])
  })
})

it('calls of asyncio that get no answer stop neither other calls nor the end of the program', async ({ skip }) => {
  if (python.lacks) return skip(python.lacks)
  await using api = await startFaultyApi()
  const ended = run(python.command, [...python.args, program('sdk_waiting.py')], { ...python.env, BASE: api.url })
  expect(await ended).toEqual({ code: 0, stdout: 'pending\nno\nTrue\n', stderr: '' })
  const silent = api.asked.filter(({ what }) => what === 'GET /v1/config')
  expect(silent.length).toBe(50)
})
