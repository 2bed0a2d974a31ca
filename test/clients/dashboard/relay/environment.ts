import type { ExecutionResult } from 'graphql'
import type { Sink } from 'graphql-sse'
import { Environment, type FetchFunction, Network, Observable, RecordSource, Store } from 'relay-runtime'
import { authorized, subscribe } from '../quittance.ts'
import { quittance } from '../settings.ts'

const fetchQuery: FetchFunction = async ({ text }, variables) => {
  const answer = await authorized(`${quittance}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: text, variables }),
  })
  return answer.json()
}

const network = Network.create(fetchQuery, ({ text }, variables) =>
  Observable.create(sink => subscribe({ query: text ?? '', variables }, sink as Sink<ExecutionResult>)),
)

export const environment = new Environment({ network, store: new Store(new RecordSource()) })
