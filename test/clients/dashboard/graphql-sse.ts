// The official client alone: `distinct` opens a connection for each operation, `single` one for all.
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { print } from 'graphql'
import { createClient } from 'graphql-sse'
import { receiptChanged, receipts, recordReceipt } from './documents.ts'
import type { ReceiptChangedSubscription } from './gql/graphql.ts'
import { token } from './quittance.ts'
import { run } from './run.ts'
import { quittance } from './settings.ts'

const [mode] = process.argv.slice(2)

const client = createClient({
  url: `${quittance}/graphql/stream`,
  headers: async () => ({ Authorization: `Bearer ${await token()}` }),
  singleConnection: mode === 'single',
})

async function first<Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
) {
  for await (const { data } of client.iterate<Data>({ query: print(document), variables })) return data
}

await run({
  list: count => first(receipts, { first: count }),
  record: input => first(recordReceipt, { input }),
  onChange: (after, next, error) =>
    client.subscribe<ReceiptChangedSubscription>(
      { query: print(receiptChanged), variables: { after } },
      { next, error, complete() {} },
    ),
})
client.dispose()
