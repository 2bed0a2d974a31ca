// A real Prometheus scrapes two processes with the token, one of them a worker, and evaluates each expression of the
// dashboards and of the alerts: none is refused, and each panel that has something to show shows it.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { type Anvil, startAnvil } from '../kit/anvil.ts'
import { apiSettings, type Child, startChild, until } from '../kit/child.ts'
import { dashboards, expressionsOf } from '../kit/dashboards.ts'
import { keptPort } from '../kit/kept-port.ts'
import { hasPrometheus, startPrometheus } from '../kit/prometheus.ts'
import { freshDatabase, type Service, startService } from '../kit/service.ts'
import { onlyInFull as it } from '../kit/size.ts'

const token = 'token-of-the-prometheus-test'

// A short run has no faults, no payments, no standbys, and no money that was lost.
const mayBeEmpty =
  /quittance_standby|quittance_payments_reversed|quittance_settl|quittance_compliance_(waiting|faults)|outcome="error"|limit_refusals|job_failures/

const file = (name: string) => readFile(new URL(`../../ops/prometheus/${name}`, import.meta.url), 'utf8')

let folder: string
let chain: Anvil
let service: Service
let worker: Child
let prometheus: Awaited<ReturnType<typeof startPrometheus>>

describe.skipIf(!hasPrometheus)('Prometheus (apt-get install prometheus)', () => {
  beforeAll(async () => {
    if (process.env.FULL !== '1') return
    folder = await mkdtemp(join(tmpdir(), 'quittance-scraped-'))
    service = await startService({ PROBE_PORT: '0', METRICS_TOKEN: token, LOG_LEVEL: 'silent' })
    const workerPort = await keptPort()
    chain = await startAnvil(31_377)
    worker = await startChild({
      ...apiSettings(await freshDatabase(), folder, chain),
      ROLES: 'worker',
      PROBE_PORT: String(workerPort),
      METRICS_TOKEN: token,
      FX_ECB_URL: 'off',
    })
    const ports = [service.probePort, workerPort]
    const targets = ports.map(port => `          - 127.0.0.1:${port}`)
    const config = (await file('prometheus.yml'))
      .replaceAll(/ {10}- \S+:9464\n/g, '')
      .replace('- targets:\n', `- targets:\n${targets.join('\n')}\n`)
      .replaceAll('15s', '1s')
      .replace('10s', '1s')
    prometheus = await startPrometheus({
      'prometheus.yml': config,
      'quittance.rules.yml': await file('quittance.rules.yml'),
      'metrics-token': `${token}\n`,
    })
    const calls = service.api
    const { key } = await calls.project()
    const left = new AbortController()
    for (let n = 0; n < 4; n++) {
      const { json } = await calls.record(key)
      if (n === 0) void fetch(`${calls.base}/v1/iso/events/${json.receipt_id}`, { signal: left.signal }).catch(() => {})
      await calls.anchored(json.receipt_id)
      await calls.call('GET', '/v1/receipts', { key })
      await calls.call('GET', '/v1/nothing')
      await calls.graphql('query Traffic { receipts(first: 1) { nodes { id } } }', { key })
    }
    const has = (expression: string, count: number) => async () => (await prometheus.series(expression)) === count
    await until('both are scraped', has('up == 1', 2), worker.said)
    // A rate needs two scrapes after the traffic.
    const rate = 'rate(quittance_graphql_operations_total{operation="Traffic"}[1m])'
    await until('there is a rate', has(rate, 1), worker.said)
    left.abort()
  })
  afterAll(async () => {
    await prometheus?.stop()
    await worker?.end('SIGKILL')
    await service?.stop()
    await chain?.stop()
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  it('has data for the panels of each dashboard', async () => {
    const empty: string[] = []
    for (const { title, panels } of dashboards) {
      for (const panel of panels) {
        for (const expression of expressionsOf({ panels: [panel] })) {
          const count = await prometheus.series(expression)
          if (count === 0 && !mayBeEmpty.test(expression)) empty.push(`${title}, ${panel.title}: ${expression}`)
        }
      }
    }
    expect(empty).toEqual([])
  })

  it('evaluates each alert, and knows each metric in it', async () => {
    const rules = await file('quittance.rules.yml')
    const expressions = [...rules.matchAll(/expr: (.*)/g)].map(([, expression]) => expression ?? '')
    for (const expression of expressions) await prometheus.series(expression)
    const metrics = new Set(expressions.join(' ').match(/\b(?:quittance|nodejs|process)_\w+/g))
    const unknown: string[] = []
    for (const name of metrics)
      if ((await prometheus.series(`count({__name__="${name}"})`)) === 0 && !mayBeEmpty.test(name)) unknown.push(name)
    expect(unknown).toEqual([])
    const groups = await (await fetch(`${prometheus.base}/api/v1/rules`)).json()
    const health = groups.data.groups.flatMap(({ rules: all }: { rules: { name: string; health: string }[] }) => all)
    expect(health.filter((rule: { health: string }) => rule.health !== 'ok')).toEqual([])
  })

  it('sees the worker, which has no other port', async () => {
    expect(await prometheus.series('quittance_build_info{roles="worker"}')).toBe(1)
    expect(await prometheus.series('quittance_job_failures_total{task="seal"}')).toBe(2)
  })
})
