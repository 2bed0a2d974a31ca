// A SharedWorker: it has the one connection of all tabs.
import { type Client, createClient, NetworkError } from 'graphql-sse'
import { type Answer, askBy, authorized, subscribe } from './quittance.ts'
import { quittance } from './settings.ts'

const tabs = new Set<MessagePort>()
let asked: PromiseWithResolvers<Answer> | null = null

const askTab = () => [...tabs].at(-1)?.postMessage({ isAsked: true })

// The site signed the visitor in for its tabs, so a tab asks it for the session.
askBy(() => {
  asked = Promise.withResolvers()
  askTab()
  return asked.promise
})

const connect = () =>
  createClient({ url: `${quittance}/graphql/stream`, singleConnection: true, fetchFn: authorized, retryAttempts: 0 })

let client = connect()
const running = new Set<() => void>()
let isWaiting = false

// After a break, graphql-sse itself would open a connection for each operation.
async function reconnect() {
  if (isWaiting) return
  isWaiting = true
  await new Promise(resolve => setTimeout(resolve, 1_000 + Math.random() * 2_000))
  isWaiting = false
  client.dispose()
  client = connect()
  for (const begin of running) begin()
}

/** Whether the service refused the operation, and will refuse it again. */
const isRefusal = (error: unknown) =>
  error instanceof NetworkError &&
  error.response?.status >= 400 &&
  error.response.status < 500 &&
  ![401, 404, 429].includes(error.response.status)

const shared: Pick<Client<true>, 'subscribe'> = {
  subscribe(request, sink) {
    let end = () => {}
    const begin = () => {
      const present = client
      end = client.subscribe(request, {
        next: result => sink.next(result as never),
        error(error) {
          if (present !== client || !running.has(begin)) return
          if (!isRefusal(error)) return void reconnect()
          running.delete(begin)
          sink.error(error)
        },
        complete() {
          if (present === client && running.delete(begin)) sink.complete()
        },
      })
    }
    running.add(begin)
    begin()
    return () => {
      running.delete(begin)
      end()
    }
  },
}

addEventListener('connect', event => {
  if (!(event instanceof MessageEvent)) return
  const [port] = event.ports
  if (!port) return
  const ends = new Map<string, () => void>()
  tabs.add(port)

  function close() {
    tabs.delete(port)
    for (const end of ends.values()) end()
    if (asked) askTab()
  }

  port.onmessage = ({ data: { lock, session, failure, id, operation } }) => {
    // It is free when the tab is closed, however that happened.
    if (lock) navigator.locks.request(lock, close)
    else if (session) asked?.resolve(session)
    else if (failure) asked?.reject(new Error(failure))
    else if (operation) {
      const end = subscribe(
        operation,
        {
          next: result => port.postMessage({ id, result }),
          error: error => port.postMessage({ id, failure: String(error) }),
          complete: () => port.postMessage({ id, isComplete: true }),
        },
        shared,
      )
      ends.set(id, end)
    } else {
      ends.get(id)?.()
      ends.delete(id)
    }
  }
})
