import { Client, cacheExchange, fetchExchange, subscriptionExchange } from '@urql/core'
import { receiptChanged, receipts, recordReceipt } from './documents.ts'
import { authorized, subscribe } from './quittance.ts'
import { run } from './run.ts'
import { quittance } from './settings.ts'

const client = new Client({
  url: `${quittance}/graphql`,
  fetch: authorized,
  exchanges: [
    cacheExchange,
    fetchExchange,
    subscriptionExchange({
      forwardSubscription: ({ query = '', variables }) => ({
        subscribe: sink => ({ unsubscribe: subscribe({ query, variables }, sink) }),
      }),
    }),
  ],
})

await run({
  list: async first => (await client.query(receipts, { first }).toPromise()).data,
  record: async input => (await client.mutation(recordReceipt, { input }).toPromise()).data,
  onChange: (after, next) => client.subscription(receiptChanged, { after }).subscribe(next).unsubscribe,
})
