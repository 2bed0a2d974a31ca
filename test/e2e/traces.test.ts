// One trace leads from a request to the transaction that anchors what it recorded, and to its deliveries. Without a
// collector nothing of OpenTelemetry is loaded, and one that is down disturbs nothing.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Child, ownSettings, startChild } from '../kit/child.ts'
import { type CollectedSpan, startCollector } from '../kit/collector.ts'
import { linesOf } from '../kit/log-lines.ts'
import { startReceiver } from '../kit/receiver.ts'
import { adminKey, apiOf, freshDatabase, tipOf } from '../kit/service.ts'

const folders: string[] = []
const children: Child[] = []

async function begin(settings: Record<string, string>): Promise<Child> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-traces-'))
  folders.push(folder)
  const child = await startChild({ ...ownSettings(await freshDatabase(), folder), ...settings })
  children.push(child)
  return child
}
afterAll(async () => {
  await Promise.all(children.map(child => child.end('SIGTERM')))
  await Promise.all(folders.map(folder => rm(folder, { recursive: true, force: true })))
})

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const callerSpan = '00f067aa0ba902b7'
const traceparent = `00-${traceId}-${callerSpan}-01`

describe('with a collector', () => {
  let collector: Awaited<ReturnType<typeof startCollector>>
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let child: Child
  beforeAll(async () => {
    collector = await startCollector()
    receiver = await startReceiver()
    child = await begin({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  })
  afterAll(async () => {
    await receiver.stop()
    await collector.stop()
  })

  it('a record, its statement, its jobs, the transaction and the delivery are one trace', async () => {
    const api = apiOf(child.url())
    const { key } = await api.project()
    const callback_url = `${receiver.url}/hook?token=canarytoken`
    const body = tipOf({ callback_url, reference: 'canaryreference' })
    const { json } = await api.call('POST', '/v1/iso/record-tip', { key, body, headers: { traceparent } })
    await api.anchored(json.receipt_id)
    const own = () => collector.spans.filter(span => span.traceId === traceId)
    const named = (name: string) => own().find(span => span.name === name)
    await expect
      .poll(() => own().map(({ name }) => name), { timeout: 15_000 })
      .toEqual(expect.arrayContaining(['job report', 'delivery receipt.anchored']))
    const parentOf = (span: CollectedSpan | undefined) => own().find(({ spanId }) => spanId === span?.parentSpanId)
    const path = (name: string) => {
      const names: string[] = []
      for (let span = named(name); span; span = parentOf(span)) names.push(span.name)
      return names
    }
    const request = 'POST /v1/iso/record-tip'
    expect(named(request)).toMatchObject({ parentSpanId: callerSpan, kind: 2 })
    expect(path('record-receipts')).toEqual(['record-receipts', 'verb receipt.record', request])
    for (const job of ['job screen', 'job seal', 'job report']) expect(path(job)).toEqual([job, request])
    expect(path('eth_sendRawTransaction').slice(0, 2)).toEqual(['eth_sendRawTransaction', 'anchor transaction'])
    expect(path('eth_sendRawTransaction').at(-1)).toBe(request)
    expect(path('delivery receipt.anchored')).toEqual(['delivery receipt.anchored', request])
    // The lines name the trace too.
    expect(
      linesOf(child.said())
        .filter(line => line.traceId === traceId)
        .map(({ msg }) => msg),
    ).toEqual(expect.arrayContaining(['request', 'job', 'anchor transaction sent', 'delivery']))
    for (const secret of ['canary', key, adminKey, callback_url]) expect(collector.said()).not.toContain(secret)
  })

  it('a ratio is not that of a caller, who may choose the id of a trace and say that it is sampled', async () => {
    const settings = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.000001' }
    const sampling = await begin({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...settings })
    const [lowest, api] = ['0'.repeat(31), apiOf(sampling.url())]
    for (let n = 0; n < 20; n++)
      await api.call('GET', '/v1/ping', { headers: { traceparent: `00-${lowest}1-${callerSpan}-01` } })
    await sampling.end('SIGTERM')
    expect(collector.spans.filter(span => span.traceId.startsWith(lowest))).toEqual([])
  })

  it('spans that are not sent yet are sent when the process ends', async () => {
    const api = apiOf(child.url())
    await api.call('GET', '/v1/health', { headers: { traceparent: traceparent.replace('4bf9', '5bf9') } })
    await child.end('SIGTERM')
    expect(collector.spans.map(span => span.traceId)).toContain(traceId.replace('4bf9', '5bf9'))
  })
})

it('without a collector no module of OpenTelemetry is loaded', async () => {
  const observed = { NODE_OPTIONS: `--import=${new URL('../kit/loaded-modules.ts', import.meta.url).href}` }
  const child = await begin(observed)
  const { key } = await apiOf(child.url()).project()
  expect((await apiOf(child.url()).record(key)).status).toBe(200)
  expect(child.said()).not.toContain('LOADED')
  // The test would see it.
  const other = await begin({ ...observed, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  expect(other.said()).toContain('LOADED')
})

it('a collector that is down leaves one line, and the process ends in time', async () => {
  const child = await begin({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', SHUTDOWN_SECONDS: '3' })
  const api = apiOf(child.url())
  const { key } = await api.project()
  for (let n = 0; n < 50; n++) expect((await api.record(key)).status).toBe(200)
  await child.end('SIGTERM')
  expect(child.process.exitCode).toBe(0)
  const lines = linesOf(child.said()).filter(({ msg, outage }) => msg === 'spans are lost' || outage)
  expect(lines.length).toBeLessThanOrEqual(1)
})
