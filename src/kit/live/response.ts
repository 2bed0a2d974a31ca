// A response of server-sent events as a sink. It buffers no more than one event beyond what Node considers full.
import type { ServerResponse } from 'node:http'
import { Counter, Gauge } from 'prom-client'
import { processMetrics } from '../../core/process-metrics.ts'
import type { Sink } from './sink.ts'

type StreamTransport = 'rest' | 'graphql'

const open = new Gauge({
  name: 'quittance_streams_open',
  help: 'Open event streams of this process that have a response of their own. Those that share a reserved stream are not counted.',
  labelNames: ['transport'],
  registers: [processMetrics],
})
const sent = new Counter({
  name: 'quittance_stream_events_total',
  help: 'Events written to these streams.',
  labelNames: ['transport'],
  registers: [processMetrics],
})
for (const transport of ['rest', 'graphql'] satisfies StreamTransport[]) {
  open.set({ transport }, 0)
  sent.inc({ transport }, 0)
}

export function responseSink<Result>(
  res: ServerResponse,
  transport: StreamTransport,
  encode: (result: Result) => Buffer,
): Sink<Result, Buffer> {
  const events = sent.labels(transport)
  return {
    encode,
    write(message) {
      if (res.destroyed || res.writableEnded || message.length === 0) return true
      events.inc()
      return res.write(message)
    },
    drained: () =>
      new Promise(resolve => {
        if (res.destroyed || !res.writableNeedDrain) return resolve()
        const done = () => {
          res.off('drain', done).off('close', done)
          resolve()
        }
        res.on('drain', done).on('close', done)
      }),
  }
}

/** Writes a comment now and then, so that neither end nor a proxy takes a quiet connection for a dead one. */
export function keepOpen(res: ServerResponse, transport: StreamTransport, comment: string, everyMs: number): void {
  if (res.closed) return
  open.inc({ transport })
  const beat = setInterval(() => {
    if (!res.writableNeedDrain && !res.writableEnded) res.write(comment)
  }, everyMs).unref()
  res.once('close', () => {
    clearInterval(beat)
    open.dec({ transport })
  })
}

const patienceMs = 5_000

/** Ends the connection with a fault, not as the end of the stream, once the written data is sent, or after 5 s. */
export function breakOff(res: ServerResponse): void {
  res.write(': broken off\n\n', () => res.destroy())
  setTimeout(() => res.destroy(), patienceMs).unref()
}
