// Metrics for the operator, in Prometheus' format: what this process counts by itself, and what the database knows of
// the whole installation.
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { processMetrics } from '../../core/process-metrics.ts'
import { recently } from '../../core/recently.ts'
import type { App } from '../../kit/context.ts'
import { seenFunds, watchFunds } from '../transactions/watch-funds.ts'
import { registerInstallation } from './installation.ts'

const fundsGauges = [
  { name: 'quittance_signer_balance_wei', help: 'Balance of the signer.', purpose: 'batches', value: 'balance' },
  {
    name: 'quittance_signer_batch_cost_wei',
    help: 'Current cost of one transaction with 500 anchors.',
    purpose: 'batches',
    value: 'cost',
  },
  {
    name: 'quittance_settling_balance_wei',
    help: 'Balance of the settling account.',
    purpose: 'settlements',
    value: 'balance',
  },
  {
    name: 'quittance_settlement_cost_wei',
    help: 'Current cost of one settlement.',
    purpose: 'settlements',
    value: 'cost',
  },
] as const

const fundsKeptMs = 60_000
/** A balance that could not be read again for so long is missing: it may have been spent since. */
const fundsStaleMs = 600_000
const fundsPatienceMs = 2_000

export type Metrics = {
  /** Returns the text of all metrics. Neither a silent database nor a silent node holds it up for long. */
  read(): Promise<string>
}

/** Counts the time of the processor from the first call on: the app opens its metrics when it starts. */
export function openMetrics(app: App, roles: readonly string[]): Metrics {
  countProcess()
  const registry = new Registry()
  new Gauge({
    name: 'quittance_build_info',
    help: '1, with the version and the roles of this process.',
    labelNames: ['version', 'roles'],
    registers: [registry],
  }).set({ version: app.version, roles: roles.join() }, 1)
  new Gauge({
    name: 'quittance_compliance_faults',
    help: '1: in this process the provider did not answer the last request, or its new list cannot be used. Each process reports its own.',
    labelNames: ['provider'],
    registers: [registry],
    collect() {
      for (const { name, fault } of app.compliance.values()) this.set({ provider: name }, fault() === null ? 0 : 1)
    },
  })
  new Gauge({
    name: 'quittance_standby_used',
    help: '1: this process reads from the standby. 0: it is behind, out of reach or unfit, and the primary answers.',
    labelNames: ['standby'],
    registers: [registry],
    collect() {
      for (const [standby, fault] of app.standbys?.faults() ?? []) this.set({ standby }, fault === null ? 1 : 0)
    },
  })
  const readInstallation = registerInstallation(app, registry)
  const readFunds = recently(() => watchFunds(app), fundsKeptMs)
  for (const { name, help, purpose, value } of fundsGauges) {
    new Gauge({
      name,
      help: `${help} The same from every process that has the account: take the max, not the sum.`,
      labelNames: ['chain'],
      registers: [registry],
      collect() {
        this.reset()
        for (const [chain, funds] of seenFunds(app)[purpose])
          if (performance.now() - funds.at < fundsStaleMs) this.set({ chain }, Number(funds[value]))
      },
    })
  }
  return {
    async read() {
      await Promise.all([readInstallation(), Promise.race([readFunds(), sleep(fundsPatienceMs, null, { ref: false })])])
      return `${await processMetrics.metrics()}\n${await registry.metrics()}`
    },
  }
}

/** Registers what Node knows of this process, once for all apps that it runs. */
function countProcess(): void {
  if (processMetrics.getSingleMetric('process_cpu_seconds_total') !== undefined) return
  collectDefaultMetrics({ register: processMetrics })
  // Gauges whose names say that they are counters, which Prometheus' linter refuses.
  for (const what of ['resources', 'handles', 'requests'])
    processMetrics.removeSingleMetric(`nodejs_active_${what}_total`)
  for (const state of ['active', 'idle'] as const) {
    new Counter({
      name: `nodejs_eventloop_${state}_seconds_total`,
      help: `Time for which the event loop was ${state}. The rate of active is its utilisation.`,
      registers: [processMetrics],
      collect() {
        this.reset()
        this.inc(performance.eventLoopUtilization()[state] / 1_000)
      },
    })
  }
}
