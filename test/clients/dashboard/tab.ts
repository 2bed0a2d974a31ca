// The end of a tab: `subscribe` of this file takes the place of that of `quittance.ts`.
import type { ExecutionResult } from 'graphql'
import type { Sink } from 'graphql-sse'
import { askSite, type Operation } from './quittance.ts'

const { port } = new SharedWorker(new URL('./worker.ts', import.meta.url), { type: 'module' })
const sinks = new Map<string, Sink<ExecutionResult>>()

port.onmessage = ({ data: { isAsked, id, result, failure, isComplete } }) => {
  if (isAsked) {
    askSite().then(
      session => port.postMessage({ session }),
      error => port.postMessage({ failure: String(error) }),
    )
    return
  }
  const sink = sinks.get(id)
  if (result) return sink?.next(result)
  sinks.delete(id)
  if (isComplete) sink?.complete()
  else sink?.error(new Error(failure))
}

const lock = crypto.randomUUID()
navigator.locks.request(lock, () => {
  port.postMessage({ lock })
  return new Promise(() => {})
})

/** Subscribes over the connection of all tabs. */
export function subscribe<Data>(operation: Operation, sink: Sink<ExecutionResult<Data>>): () => void {
  const id = crypto.randomUUID()
  sinks.set(id, sink as Sink<ExecutionResult>)
  port.postMessage({ id, operation })
  return () => {
    port.postMessage({ id })
    if (sinks.delete(id)) sink.complete()
  }
}
