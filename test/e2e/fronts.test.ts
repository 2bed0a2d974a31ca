// nginx and HAProxy with the files of `ops` before two API processes: TLS, HTTP/2, streams, payments, downloads, a
// service below a path, and the replacement of a process under load.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type ClientHttp2Session, connect } from 'node:http2'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import tls from 'node:tls'
import { createClient } from 'graphql-sse'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { account } from '../kit/anvil.ts'
import { type Child, startChild } from '../kit/child.ts'
import { belowPath, type Front, fronts, startFront } from '../kit/front.ts'
import { keptPort } from '../kit/kept-port.ts'
import { type PaidChain, startPaidChain } from '../kit/paid-chain.ts'
import { fxPath, fxQuestion } from '../kit/paid-world.ts'
import { answerTo, createPayer } from '../kit/payer.ts'
import { selfSigned } from '../kit/self-signed.ts'
import { adminKey, apiOf, freshDatabase, roomForAll, tipOf } from '../kit/service.ts'
import { isFull, onlyInFull as it } from '../kit/size.ts'

const missing = fronts.filter(({ isInstalled }) => !isInstalled).map(({ program }) => program)
if (isFull && missing.length > 0) console.log(`Skipped, because it is not installed: ${missing.join(', ')}.`)

let folder: string
let chain: PaidChain
let ports: [number, number]
let settings: Record<string, string>
const apis: Child[] = []
let worker: Child
let project: { id: string; key: string }

const startApi = (port: number) => startChild({ ...settings, ROLES: 'api', PORT: `${port}` })

beforeAll(async () => {
  if (!isFull || missing.length === fronts.length) return
  // The clients of this process trust the certificate of the proxies.
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), selfSigned.cert])
  folder = await mkdtemp(join(tmpdir(), 'quittance-fronts-'))
  chain = await startPaidChain()
  ports = [await keptPort(), await keptPort()]
  settings = {
    ...(await chain.till()).settings,
    ANCHOR_PRIVATE_KEY: account(1).privateKey,
    ANCHOR_CONFIRMATIONS: '1',
    DATABASE_URL: await freshDatabase(),
    DATA_DIR: folder,
    ADMIN_API_KEYS: adminKey,
    RATE_LIMITS: roomForAll,
    TRUST_PROXY: '1',
    SHUTDOWN_SECONDS: '6',
    LOG_LEVEL: 'warn',
  }
  worker = await startChild({ ...settings, ROLES: 'worker' })
  apis.push(...(await Promise.all(ports.map(startApi))))
  project = await apiOf(`http://127.0.0.1:${ports[0]}`).project()
})
afterAll(async () => {
  for (const child of [...apis, worker]) await child?.end('SIGKILL')
  await chain?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** Yields the data of the events of an HTTP/2 stream as they arrive. */
async function* eventsOver(session: ClientHttp2Session, path: string, headers: object): AsyncGenerator<string> {
  const stream = session.request({ ':path': path, accept: 'text/event-stream', ...headers })
  let text = ''
  for await (const chunk of stream.setEncoding('utf8')) {
    const messages = `${text}${chunk}`.split('\n\n')
    text = messages.pop() ?? ''
    for (const message of messages) {
      const data = /^data: (.*)$/m.exec(message)?.[1]
      if (data) yield data
    }
  }
}

describe.each(fronts)('$program', kind => {
  describe.skipIf(!kind.isInstalled)('with the files of ops', () => {
    let front: Front
    let api: ReturnType<typeof apiOf>
    beforeAll(async () => {
      if (!isFull) return
      front = await startFront(kind, ports)
      api = apiOf(front.url)
    })
    afterAll(() => front?.stop())

    it('speaks HTTP/2, and a stream is there at once and goes on', async () => {
      const session = connect(front.url, { ca: selfSigned.cert })
      await once(session, 'connect')
      expect(session.alpnProtocol).toBe('h2')
      const receipt = (await api.record(project.key)).json.receipt_id
      await api.anchored(receipt)
      const query = new URLSearchParams({ query: 'subscription { receiptChanged { receipt { id } } }' })
      const events = eventsOver(session, `/graphql/stream?${query}`, { 'x-api-key': project.key })
      const first = events.next()
      // The stream is open as soon as its response began, and only then are changes for it.
      for (let isThere = false; !isThere; ) {
        const { json } = await api.record(project.key)
        isThere = await Promise.race([first.then(() => true), api.anchored(json.receipt_id).then(() => false)])
      }
      expect(JSON.parse((await first).value ?? '')).toHaveProperty('data.receiptChanged.receipt.id')
      await api.record(project.key)
      expect(JSON.parse((await events.next()).value ?? '')).toHaveProperty('data.receiptChanged.receipt.id')
      session.destroy()
    })

    it('passes the stream of a receipt on over REST, whose first event is its state', async () => {
      const session = connect(front.url, { ca: selfSigned.cert })
      const receipt = (await api.record(project.key)).json.receipt_id
      const events = eventsOver(session, `/v1/iso/events/${receipt}`, {})
      expect(JSON.parse((await events.next()).value ?? '')).toMatchObject({ receipt_id: receipt })
      session.destroy()
    })

    it('serves a reserved stream whose requests arrive at both processes', async () => {
      const headers = { 'X-API-Key': project.key }
      const client = createClient({
        url: `${front.url}/graphql/stream`,
        singleConnection: true,
        retryAttempts: 0,
        headers,
      })
      const changes = client.iterate({ query: 'subscription { receiptChanged { receipt { id } } }' })
      const change = changes.next()
      for (let round = 0; round < 6; round++) {
        const answers = client.iterate({ query: '{ me { role } }' })
        expect((await answers.next()).value).toHaveProperty('data.me.role', 'PROJECT_ADMIN')
      }
      await api.record(project.key)
      expect((await change).value).toHaveProperty('data.receiptChanged.receipt.id')
      client.dispose()
    })

    it('passes a challenge of x402 whole, and the payment', async () => {
      const direct = await apiOf(`http://127.0.0.1:${ports[0]}`).call('POST', fxPath, { body: fxQuestion })
      const { status, headers } = await api.call('POST', fxPath, { body: fxQuestion })
      const required = headers.get('payment-required')
      expect([status, required?.length]).toEqual([402, direct.headers.get('payment-required')?.length])
      const payer = await createPayer(chain.node, chain.asset, 1_000_000n)
      const signature = await answerTo(payer, required)
      // As large as a client's header may be, which repeats what it was asked.
      const payment = { 'PAYMENT-SIGNATURE': signature, 'X-Padding': 'x'.repeat(12_000 - signature.length) }
      const paid = await api.call('POST', fxPath, { body: fxQuestion, headers: payment })
      expect(paid.status, paid.text).toBe(200)
      expect(paid.headers.get('payment-response')).not.toBeNull()
    })

    it('passes an export on, from the middle too', async () => {
      const started = await api.graphql(
        'mutation { startExport(input: { kind: RECEIPTS, format: CSV }) { export { id } } }',
        { key: project.key },
      )
      const { id } = started.data.startExport.export
      const query = `{ export(id: "${id}") { downloadUrl } }`
      let url: string | null = null
      while (url === null) url = (await api.graphql(query, { key: project.key })).data.export.downloadUrl
      const { pathname, search } = new URL(url)
      const whole = await fetch(front.url + pathname + search)
      const bytes = Buffer.from(await whole.arrayBuffer())
      const part = await fetch(front.url + pathname + search, { headers: { Range: 'bytes=10-29' } })
      expect([part.status, await part.text()]).toEqual([206, `${bytes.subarray(10, 30)}`])
    })

    it('serves the service below a path', async () => {
      const below = apiOf(front.url + belowPath)
      expect((await below.call('GET', '/v1/health')).status).toBe(200)
      expect((await below.record(project.key)).status).toBe(200)
    })

    it('takes the address of a caller from its own connection, whatever the caller says', async () => {
      const limited = await startChild({ ...settings, ROLES: 'api', PORT: '0', RATE_LIMITS: 'failed-keys=3' })
      const own = await startFront(
        kind,
        [limited.url(), limited.url()].map(url => Number(new URL(url).port)),
      )
      const statuses: number[] = []
      for (let turn = 0; turn < 5; turn++) {
        const headers = { 'X-Forwarded-For': `203.0.113.${turn}`, 'X-API-Key': 'wrong_wrong_wrong_wrong_wrong' }
        statuses.push((await apiOf(own.url).call('GET', '/v1/iso/receipts', { headers })).status)
      }
      await own.stop()
      await limited.end('SIGKILL')
      expect(statuses.slice(0, 3)).toEqual([401, 401, 401])
      expect(statuses.at(-1)).toBe(429)
    })

    // nginx asks no process whether it is ready.
    if (kind.program === 'haproxy')
      it('passes on the answer of a process while none is ready', async () => {
        const only = await startChild({ ...settings, ROLES: 'api', PORT: '0', SHUTDOWN_SECONDS: '15' })
        const own = await startFront(
          kind,
          [only.url(), only.url()].map(url => Number(new URL(url).port)),
        )
        only.process.kill('SIGTERM')
        // Longer than a proxy needs to notice, and shorter than a third of SHUTDOWN_SECONDS.
        await sleep(3_000)
        const answer = await apiOf(own.url).call('GET', '/readyz')
        await own.stop()
        await only.end('SIGKILL')
        expect([answer.status, answer.json]).toEqual([503, { status: 'stopping' }])
      })

    it('replaces a process under load without an error to a client', async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 8, ca: selfSigned.cert })
      const ask = (method: string, path: string, body?: object) =>
        new Promise<string>(resolve => {
          const headers = { 'X-API-Key': project.key, ...(body && { 'Content-Type': 'application/json' }) }
          const sent = request(front.url + path, { method, agent, headers }, answer => {
            answer.resume().once('end', () => resolve(`${method} ${answer.statusCode}`))
            answer.once('error', error => resolve(`${method} ${error.message}`))
          })
          sent.once('error', error => resolve(`${method} ${error.message}`)).end(body && JSON.stringify(body))
        })
      const answers = new Map<string, number>()
      const total = () => [...answers.values()].reduce((sum, count) => sum + count, 0)
      let isReplacing = true
      const client = async () => {
        while (isReplacing)
          for (const one of [ask('GET', '/v1/health'), ask('POST', '/v1/iso/record-tip', tipOf())])
            answers.set(await one, (answers.get(await one) ?? 0) + 1)
      }
      const replace = async () => {
        const [oldest] = apis
        await oldest?.end('SIGTERM')
        expect(oldest?.process.exitCode).toBe(0)
        apis[0] = await startApi(ports[0])
        const answered = total()
        while (total() < answered + 500) await sleep(50)
        isReplacing = false
      }
      await Promise.all([replace(), ...Array.from({ length: 8 }, client)])
      agent.destroy()
      expect([...answers.keys()].toSorted(), front.said()).toEqual(['GET 200', 'POST 200'])
    })
  })
})
