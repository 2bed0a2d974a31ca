import { type ExecutionResult, print } from 'graphql'
import { receiptChanged, receipts } from './documents.ts'
import type { ReceiptChangedSubscription, ReceiptFilter, ReceiptRowFragment, ReceiptsQuery } from './gql/graphql.ts'
import { authorized, subscribe } from './quittance.ts'
import { quittance } from './settings.ts'

async function read(filter: ReceiptFilter): Promise<ReceiptsQuery> {
  const answer = await authorized(`${quittance}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: print(receipts), variables: { filter, first: 50 } }),
  })
  const { data, errors }: ExecutionResult<ReceiptsQuery> = await answer.json()
  // Without a cursor the subscription would begin later than the list.
  if (errors || !data?.receipts || !data.eventCursor) throw new Error(errors?.[0]?.message ?? 'no list')
  return data
}

/**
 * Reads the newest receipts that match the filter, and keeps `rows` current until the returned function is called.
 * `failed` gets the reason when the list is not kept current any longer.
 */
export async function liveList(
  filter: ReceiptFilter,
  rows: Map<string, ReceiptRowFragment>,
  changed: () => void,
  failed: (reason: unknown) => void,
): Promise<() => void> {
  const { receipts, eventCursor } = await read(filter)
  rows.clear()
  for (const receipt of receipts?.nodes ?? []) rows.set(receipt.id, receipt)
  changed()
  let isStopped = false
  let stop = subscribe<ReceiptChangedSubscription>(
    { query: print(receiptChanged), variables: { filter, after: eventCursor } },
    {
      async next({ data, errors }) {
        const { code } = errors?.[0]?.extensions ?? {}
        if (code === 'cursor_ahead' || code === 'cursor_behind') {
          const again = await liveList(filter, rows, changed, failed).catch(failed)
          if (again && isStopped) again()
          else if (again) stop = again
        } else if (errors || !data?.receiptChanged) {
          failed(errors)
        } else {
          const { matches, receipt } = data.receiptChanged
          if (matches) rows.set(receipt.id, receipt)
          else rows.delete(receipt.id)
          changed()
        }
      },
      error: failed,
      // After errors only, which `next` has handled.
      complete() {},
    },
  )
  return () => {
    isStopped = true
    stop()
  }
}
