// Totals by status and the sums of the month, read again when receipts change: not more often than every ten seconds,
// and not while nobody sees the page.
import { useEffect, useRef, useState } from 'react'
import { useClient } from 'urql'
import { follow, trusted } from './client.ts'
import { statsChangedDocument, totalsDocument } from './documents.ts'
import type { TotalsFragment } from './gql/graphql.ts'
import type { Opening } from './opening.ts'
import { monthOf } from './time.ts'

const totalsQuery = trusted(totalsDocument)
const pauseMs = 10_000

export function useTotals(zone: string, opening: Opening): TotalsFragment | null {
  const client = useClient()
  const [totals, setTotals] = useState<TotalsFragment | null>(null)
  const isFirst = useRef(true)

  useEffect(() => {
    let isOver = false
    let isWanted = false
    let readAt = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    let stop = () => {}

    const read = () =>
      client
        .query(totalsQuery, { zone, month: { createdAt: monthOf(zone) } }, { requestPolicy: 'network-only' })
        .toPromise()
    async function show(asked: Promise<{ data?: TotalsFragment | undefined }>): Promise<void> {
      readAt = Date.now()
      const { data } = await asked
      if (!isOver && data) setTotals(data)
    }
    function later(): void {
      isWanted = true
      if (timer !== undefined || document.hidden) return
      timer = setTimeout(
        () => {
          timer = undefined
          if (document.hidden || !isWanted) return
          isWanted = false
          void show(read())
        },
        Math.max(readAt + pauseMs - Date.now(), 0),
      )
    }
    function listen(after: string | null): void {
      if (isOver) return
      stop = follow(statsChangedDocument, { after }, later, () => {
        // What the stream did not tell is read.
        setTimeout(() => {
          later()
          listen(null)
        }, pauseMs)
      })
    }
    const seen = () => {
      if (isWanted) later()
    }

    document.addEventListener('visibilitychange', seen)
    void show(isFirst.current ? opening : read())
    void opening.then(({ data }) => listen(data?.eventCursor ?? null))
    return () => {
      isOver = true
      isFirst.current = false
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', seen)
      stop()
    }
  }, [zone, opening, client])

  return totals
}
