import type { Sink } from 'graphql-sse'
import {
  Environment,
  type FetchFunction,
  Network,
  Observable,
  RecordSource,
  Store,
  type SubscribeFunction,
} from 'relay-runtime'
import { authorized, stream } from '../quittance.ts'
import { quittance } from '../settings.ts'

const fetchQuery: FetchFunction = async ({ text }, variables) => {
  const answer = await authorized(`${quittance}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: text, variables }),
  })
  return answer.json()
}

const subscribe: SubscribeFunction = ({ text }, variables) =>
  Observable.create(sink => stream.subscribe({ query: text ?? '', variables }, sink as Sink))

export const environment = new Environment({
  network: Network.create(fetchQuery, subscribe),
  store: new Store(new RecordSource()),
})
