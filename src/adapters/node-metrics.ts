// Counts the requests to the nodes of chains. A node is its number in the settings, because URLs contain keys; the
// nodes that projects configure are one, because anybody may add a chain.
import type { FetchGetUrlFunc } from 'ethers'
import { Counter, Histogram } from 'prom-client'
import { longTimes, processMetrics } from '../core/process-metrics.ts'
import { NodeBusy, NodeUnusable } from './node-request.ts'

const requests = new Counter({
  name: 'quittance_chain_requests_total',
  help: 'Requests to the nodes of chains: answered, refused as too many (busy), without an answer (unusable), or with one that cannot be read (error).',
  labelNames: ['chain', 'node', 'outcome'],
  registers: [processMetrics],
})
const durations = new Histogram({
  name: 'quittance_chain_request_duration_seconds',
  help: 'Time until a node of a chain has answered, or is known not to.',
  labelNames: ['chain', 'node'],
  buckets: longTimes,
  registers: [processMetrics],
})

export type NodeName = { chain: string; node: string }
export const ofProjects: NodeName = { chain: 'of projects', node: 'any' }

function outcomeOf(error: unknown): string {
  if (error instanceof NodeBusy) return 'busy'
  return error instanceof NodeUnusable ? 'unusable' : 'error'
}

export const measured =
  (name: NodeName, send: FetchGetUrlFunc): FetchGetUrlFunc =>
  async (request, signal) => {
    const began = performance.now()
    let outcome = 'answered'
    try {
      const answer = await send(request, signal)
      if (answer.statusCode >= 400) outcome = 'error'
      return answer
    } catch (error) {
      outcome = outcomeOf(error)
      throw error
    } finally {
      requests.inc({ ...name, outcome })
      durations.observe({ ...name }, (performance.now() - began) / 1_000)
    }
  }
