// A response of server-sent events as a sink. It buffers no more than one event beyond what Node considers full.
import type { ServerResponse } from 'node:http'
import type { Sink } from './sink.ts'

export function responseSink<Result>(res: ServerResponse, encode: (result: Result) => Buffer): Sink<Result, Buffer> {
  return {
    encode,
    write: message => res.destroyed || res.writableEnded || message.length === 0 || res.write(message),
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
export function keepOpen(res: ServerResponse, comment: string, everyMs: number): void {
  const beat = setInterval(() => {
    if (!res.writableNeedDrain && !res.writableEnded) res.write(comment)
  }, everyMs).unref()
  res.once('close', () => clearInterval(beat))
}

const patienceMs = 5_000

/** Ends the connection with a fault, not as the end of the stream, once the written data is sent, or after 5 s. */
export function breakOff(res: ServerResponse): void {
  res.write(': broken off\n\n', () => res.destroy())
  setTimeout(() => res.destroy(), patienceMs).unref()
}
