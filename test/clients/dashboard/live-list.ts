import { print } from 'graphql'
import { receiptChanged, receipts } from './documents.ts'
import type { ReceiptChangedSubscription, ReceiptFilter, ReceiptRowFragment, ReceiptsQuery } from './gql/graphql.ts'
import { authorized, subscribe } from './quittance.ts'
import { quittance } from './settings.ts'

/** Reads the newest receipts that match the filter, and keeps `rows` current until the returned function is called. */
export async function liveList(filter: ReceiptFilter, rows: Map<string, ReceiptRowFragment>, changed: () => void) {
  const answer = await authorized(`${quittance}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: print(receipts), variables: { filter, first: 50 } }),
  })
  const { data }: { data: ReceiptsQuery } = await answer.json()
  for (const receipt of data.receipts?.nodes ?? []) rows.set(receipt.id, receipt)
  changed()
  return subscribe<ReceiptChangedSubscription>(
    { query: print(receiptChanged), variables: { filter, after: data.eventCursor } },
    {
      next({ data }) {
        if (!data?.receiptChanged) return
        const { matches, receipt } = data.receiptChanged
        if (matches) rows.set(receipt.id, receipt)
        else rows.delete(receipt.id)
        changed()
      },
      error: console.error,
      complete() {},
    },
  )
}
