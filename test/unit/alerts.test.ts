// The alerts of ops/prometheus: promtool accepts them, none fires in a quiet installation, and each fires alone for the
// fault that it is about.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { dashboards, expressionsOf } from '../kit/dashboards.ts'
import { hasPromtool, needsPromtool, promtool } from '../kit/promtool.ts'

const folder = mkdtempSync(join(tmpdir(), 'quittance-alerts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const path = (name: string) => fileURLToPath(new URL(`../../ops/prometheus/${name}`, import.meta.url))
const rules = readFileSync(path('quittance.rules.yml'), 'utf8')
const named = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name ?? '')

const always = (value: number | string) => `${value}+0x170`
const api = 'job="quittance",instance="api-1:9464"'
const worker = 'job="quittance",instance="worker-1:9464"'

/** A quiet installation of one API and one worker. */
const quiet: Record<string, string> = {
  [`up{${api}}`]: always(1),
  [`up{${worker}}`]: always(1),
  [`quittance_workers{${api}}`]: always(1),
  [`quittance_workers{${worker}}`]: always(1),
  [`quittance_database_up{${api}}`]: always(1),
  [`quittance_database_up{${worker}}`]: always(1),
  [`quittance_installation_gauges_failed{${api}}`]: always(0),
  [`process_start_time_seconds{${api}}`]: always(1_000),
  [`quittance_build_info{${api},version="1.0.0"}`]: always(1),
  [`quittance_build_info{${worker},version="1.0.0"}`]: always(1),
  [`nodejs_eventloop_active_seconds_total{${api}}`]: '0+20x170',
  [`nodejs_eventloop_lag_p99_seconds{${api}}`]: always(0.02),
  [`quittance_database_pool_waiting{${api},pool="main"}`]: '0 3 0 1 0 0 2 0 0 0+0x290',
  [`quittance_standby_used{${api},standby="db-b:5432/quittance"}`]: always(1),
  [`quittance_http_requests_total{${api},route="/graphql",method="POST",status="2xx"}`]: '0+6000x170',
  [`quittance_http_requests_total{${api},route="/graphql",method="POST",status="5xx"}`]: '0+6x170',
  [`quittance_http_requests_total{${api},route="/readyz",method="GET",status="5xx"}`]: '0+60x170',
  [`quittance_http_request_duration_seconds_bucket{${api},route="/graphql",method="POST",le="0.1"}`]: '0+6000x170',
  [`quittance_http_request_duration_seconds_bucket{${api},route="/graphql",method="POST",le="5"}`]: '0+6000x170',
  [`quittance_http_request_duration_seconds_bucket{${api},route="/graphql",method="POST",le="+Inf"}`]: '0+6000x170',
  [`quittance_errors_total{${api},code="internal_error"}`]: always(3),
  [`quittance_limit_refusals_total{${api},limit="project"}`]: '0+6x170',
  [`quittance_oldest_waiting_seconds{${api},stage="pending"}`]: always(2),
  [`quittance_oldest_waiting_seconds{${worker},stage="pending"}`]: always(3),
  [`quittance_oldest_waiting_seconds{${api},stage="transaction"}`]: always(600),
  [`quittance_oldest_waiting_seconds{${api},stage="compliance"}`]: always(600),
  [`quittance_compliance_faults{${api},provider="acme"}`]: always(0),
  [`quittance_compliance_faults{${worker},provider="acme"}`]: always(0),
  [`quittance_fiat_equivalents{${api},state="waiting"}`]: always(0),
  [`quittance_reproof_failures{${api},chain="base"}`]: always(0),
  [`quittance_reproof_oldest_seconds{${api},state="confirmed"}`]: always(90_000),
  [`quittance_signer_balance_wei{${worker},chain="base"}`]: always(1_000),
  [`quittance_signer_batch_cost_wei{${worker},chain="base"}`]: always(1),
  [`quittance_jobs{${api},task="seal",state="due"}`]: always(5),
  [`quittance_jobs{${api},task="seal",state="failing"}`]: always(0),
  [`quittance_job_oldest_due_seconds{${api},task="seal"}`]: always(1),
  [`quittance_job_oldest_due_seconds{${api},task="write_export"}`]: always(3_000),
  [`quittance_receipts_open{${api},status="failed"}`]: always(7),
  [`quittance_payments_open{${api},status="settled"}`]: always(0),
  [`quittance_payments_open{${api},status="settling"}`]: always(30),
  [`quittance_payments_reversed{${api},reason="reverted"}`]: always(2),
  [`quittance_settling_balance_wei{${api},chain="base"}`]: always(1_000),
  [`quittance_settlement_cost_wei{${api},chain="base"}`]: always(1),
  [`quittance_webhook_deliveries{${api},state="late_projects"}`]: always(0),
  [`quittance_chain_requests_total{${worker},chain="base",node="1",outcome="answered"}`]: '0+60x170',
  [`quittance_chain_requests_total{${worker},chain="base",node="1",outcome="busy"}`]: '0+6x170',
  [`quittance_chain_requests_total{${worker},chain="of projects",node="any",outcome="unusable"}`]: '0+60x170',
}

const later = (before: number, after: number) => `${before}+0x150 ${after}+0x20`

/** Faults by the alert that each raises. `at`: minutes after the start, unless 40. */
const faults: Record<string, { series: Record<string, string>; at?: number; without?: RegExp }> = {
  QuittanceProcessDown: { series: { [`up{${worker}}`]: always(0) } },
  QuittanceNotScraped: { series: {}, without: /^up/ },
  QuittanceNoWorker: {
    series: { [`quittance_workers{${api}}`]: always(0) },
    without: /quittance_workers\{job="quittance",instance="worker/,
  },
  QuittanceDatabaseUnreachable: { series: { [`quittance_database_up{${worker}}`]: always(0) } },
  QuittanceGaugesMissing: { series: { [`quittance_installation_gauges_failed{${api}}`]: always(1) } },
  QuittanceRestarts: { series: { [`process_start_time_seconds{${api}}`]: '1000+300x170' } },
  QuittanceVersionsDiffer: {
    series: { [`quittance_build_info{${api},version="1.1.0"}`]: always(1) },
    at: 70,
  },
  QuittanceEventLoopBusy: { series: { [`nodejs_eventloop_active_seconds_total{${api}}`]: '0+57x170' } },
  QuittanceEventLoopLag: { series: { [`nodejs_eventloop_lag_p99_seconds{${api}}`]: always(0.8) } },
  QuittancePoolExhausted: { series: { [`quittance_database_pool_waiting{${api},pool="main"}`]: always(4) } },
  QuittanceStandbyLeftOut: { series: { [`quittance_standby_used{${api},standby="db-b:5432/quittance"}`]: always(0) } },
  QuittanceErrors: {
    series: { [`quittance_http_requests_total{${api},route="/graphql",method="POST",status="5xx"}`]: '0+100x170' },
  },
  QuittanceInternalErrors: { series: { [`quittance_errors_total{${api},code="internal_error"}`]: '0+1x170' } },
  QuittanceSlow: {
    series: {
      [`quittance_http_request_duration_seconds_bucket{${api},route="/graphql",method="POST",le="0.1"}`]: '0+3000x170',
    },
  },
  QuittanceRefusals: { series: { [`quittance_limit_refusals_total{${api},limit="project"}`]: '0+120x170' } },
  QuittanceReceiptsWait: { series: { [`quittance_oldest_waiting_seconds{${api},stage="day"}`]: always(400) } },
  QuittanceTransactionsWait: {
    series: { [`quittance_oldest_waiting_seconds{${api},stage="transaction"}`]: always(2_000) },
  },
  QuittanceComplianceWaits: {
    series: { [`quittance_oldest_waiting_seconds{${api},stage="compliance"}`]: always(1_000) },
  },
  // One process reports it: the worker, which no other asks.
  QuittanceComplianceFault: { series: { [`quittance_compliance_faults{${worker},provider="acme"}`]: always(1) } },
  QuittanceNoRate: { series: { [`quittance_fiat_equivalents{${api},state="waiting"}`]: always(4) } },
  QuittanceProofFailed: { series: { [`quittance_reproof_failures{${api},chain="base"}`]: always(1) } },
  QuittanceNotReproved: {
    series: { [`quittance_reproof_oldest_seconds{${api},state="confirmed"}`]: always(300_000) },
    at: 70,
  },
  QuittanceSignerPoor: { series: { [`quittance_signer_balance_wei{${worker},chain="base"}`]: always(19) } },
  QuittanceJobsFail: { series: { [`quittance_jobs{${api},task="seal",state="failing"}`]: always(1) } },
  QuittanceQueueOld: { series: { [`quittance_job_oldest_due_seconds{${api},task="seal"}`]: always(400) } },
  QuittanceReceiptsFailed: {
    series: { [`quittance_receipts_open{${api},status="failed"}`]: later(7, 8) },
    at: 155,
  },
  QuittancePaidNotAnswered: { series: { [`quittance_payments_open{${api},status="settled"}`]: always(1) } },
  QuittancePaymentsWait: {
    series: { [`quittance_payments_open{${api},status="settling"}`]: later(30, 60) },
    at: 160,
  },
  QuittancePaymentReversed: {
    series: { [`quittance_payments_reversed{${api},reason="reverted"}`]: later(2, 3) },
    at: 155,
  },
  QuittanceSettlerPoor: { series: { [`quittance_settling_balance_wei{${api},chain="base"}`]: always(199) } },
  QuittanceDeliveriesLate: {
    series: { [`quittance_webhook_deliveries{${api},state="late_projects"}`]: always(2) },
  },
  QuittanceNodesFail: {
    series: { [`quittance_chain_requests_total{${worker},chain="base",node="1",outcome="busy"}`]: '0+100x170' },
  },
}

/** A test of promtool: exactly these alerts fire. JSON is YAML. */
function firing(expected: string[], { series, at = 40, without }: (typeof faults)[string]) {
  const all = Object.entries({ ...quiet, ...series }).filter(([name]) => !without?.test(name))
  return {
    interval: '1m',
    input_series: all.map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: `${at}m`,
        exp_samples: expected.map(alertname => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
      },
    ],
  }
}

function run(tests: object[]): { code: number | null; said: string } {
  const file = join(folder, 'test.yml')
  const content = { rule_files: [path('quittance.rules.yml')], evaluation_interval: '1m', tests }
  writeFileSync(file, JSON.stringify(content))
  return promtool(['test', 'rules', file])
}

describe('the alerts', () => {
  it('are accepted by promtool, and so is the example of a configuration', context => {
    if (!hasPromtool) return context.skip(needsPromtool)
    expect(promtool(['check', 'rules', path('quittance.rules.yml')]).code).toBe(0)
    const config = join(folder, 'prometheus.yml')
    writeFileSync(config, readFileSync(path('prometheus.yml')))
    writeFileSync(join(folder, 'quittance.rules.yml'), rules)
    writeFileSync(join(folder, 'metrics-token'), 'x'.repeat(24))
    const { code, said } = promtool(['check', 'config', config])
    expect([code, said]).toEqual([0, expect.stringContaining('is valid')])
  })

  it('are silent in a quiet installation', context => {
    if (!hasPromtool) return context.skip(needsPromtool)
    const { code, said } = run([5, 60, 120, 165].map(at => firing([], { series: {}, at })))
    expect([code, said]).toEqual([0, expect.stringContaining('SUCCESS')])
  })

  it('fire for their faults, each alone', context => {
    if (!hasPromtool) return context.skip(needsPromtool)
    const first = { [`quittance_payments_reversed{${api},reason="dropped"}`]: '_x150 1+0x20' }
    const tests = Object.entries(faults).map(([alert, fault]) => firing([alert], fault))
    const firstReversal = { series: first, at: 155, without: /reason="reverted"/ }
    const { code, said } = run([...tests, firing(['QuittancePaymentReversed'], firstReversal)])
    expect([code, said]).toEqual([0, expect.stringContaining('SUCCESS')])
  })

  it('are all tested, and all described in docs/sight.md', () => {
    expect(named.length).toBeGreaterThan(20)
    expect(Object.keys(faults).toSorted()).toEqual(named.toSorted())
    const sight = readFileSync(new URL('../../docs/sight.md', import.meta.url), 'utf8')
    expect(named.filter(name => !sight.includes(`\`${name}\``))).toEqual([])
  })
})

it('no expression adds up over processes what each of them says of the whole installation', () => {
  const source = readFileSync(new URL('../../src/modules/metrics/installation.ts', import.meta.url), 'utf8')
  const ofAll = [...source.matchAll(/name: '(quittance_\w+)',\n {4}help/g)].map(([, name]) => name ?? '')
  expect(ofAll.length).toBeGreaterThan(12)
  const written = [...rules.matchAll(/expr: (.*)/g)].map(([, text]) => text ?? '')
  const expressions = [...written, ...dashboards.flatMap(expressionsOf)]
  const wrong = expressions.filter(text =>
    ofAll.some(name =>
      [...text.matchAll(new RegExp(`(.{0,40})\\b${name}\\b`, 'g'))].some(
        ([, before = '']) => !/max( by \([\w, ]+\))? ?\($/.test(before),
      ),
    ),
  )
  expect(wrong).toEqual([])
})
