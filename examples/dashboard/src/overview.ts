// What the first screen shows, in one request, and what keeps it current.
import { useEffect, useMemo, useRef, useState } from 'react'
import { useClient, useQuery } from 'urql'
import { follow, trusted } from './client.ts'
import { moreDocument, overviewDocument, receiptChangedDocument, statsChangedDocument } from './documents.ts'
import type { ReceiptFilter, ReceiptRowFragment } from './gql/graphql.ts'
import { monthOf } from './time.ts'

const overview = trusted(overviewDocument)
const more = trusted(moreDocument)
const first = 25
const chartEveryMs = 2_000

export type Rows = ReceiptRowFragment[]

const newestFirst = (a: ReceiptRowFragment, b: ReceiptRowFragment) =>
  b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id)

/** The rows of the list: the page of the overview, further pages, and the changes since. Null: no longer in it. */
type Local = { of: string; rows: Map<string, ReceiptRowFragment | null>; end: string | null; hasMore: boolean }

export function useOverview(filter: ReceiptFilter, zone: string) {
  const client = useClient()
  const variables = useMemo(() => ({ filter, zone, first, month: { createdAt: monthOf(zone) } }), [filter, zone])
  const [{ data, error, fetching }, refresh] = useQuery({ query: overview, variables })
  const page = data?.receipts
  const [local, setLocal] = useState<Local | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const of = JSON.stringify(filter)
  const mine = local?.of === of ? local : null

  // The last change that is known, from which a stream goes on.
  const latest = useRef<string | null>(null)
  const isCut = useRef(false)
  // Each number opens the streams anew.
  const [streams, setStreams] = useState(0)
  useEffect(() => {
    if (!data?.eventCursor) return
    latest.current = data.eventCursor
    if (isCut.current) setStreams(count => count + 1)
    isCut.current = false
  }, [data])
  const isReady = data?.eventCursor != null

  useEffect(() => {
    if (!isReady) return
    return follow(
      receiptChangedDocument,
      { filter, after: latest.current },
      ({ receiptChanged: change }) => {
        if (!change) return
        latest.current = change.cursor
        setLocal(before => {
          const base = before?.of === of ? before : { of, rows: new Map(), end: null, hasMore: true }
          return { ...base, rows: new Map(base.rows).set(change.receipt.id, change.matches ? change.receipt : null) }
        })
      },
      ({ code, message }) => {
        if (code !== 'cursor_ahead' && code !== 'cursor_behind') return setProblem(message)
        // The list and the cursor are read again.
        isCut.current = true
        setLocal(null)
        refresh({ requestPolicy: 'network-only' })
      },
    )
  }, [isReady, filter, of, refresh, streams])

  // Charts and totals: read again after a change, not more often than every two seconds.
  useEffect(() => {
    if (!isReady) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = follow(
      statsChangedDocument,
      { after: latest.current },
      () => {
        timer ??= setTimeout(() => {
          timer = undefined
          refresh({ requestPolicy: 'network-only' })
        }, chartEveryMs)
      },
      () => undefined,
    )
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [isReady, refresh, streams])

  const rows = useMemo(() => {
    const all = new Map((page?.nodes ?? []).map(row => [row.id, row]))
    for (const [id, row] of mine?.rows ?? [])
      if (row === null) all.delete(id)
      else all.set(id, row)
    return [...all.values()].sort(newestFirst)
  }, [page, mine])

  const end = mine?.end ?? page?.pageInfo.endCursor ?? null
  const hasMore = mine?.end ? mine.hasMore : (page?.pageInfo.hasNextPage ?? false)
  async function loadMore(): Promise<void> {
    if (end === null) return
    const answer = await client.query(more, { filter, first, after: end }).toPromise()
    const next = answer.data?.receipts
    if (!next) return setProblem(answer.error?.message ?? 'There is no further page.')
    setLocal(before => {
      const known = before?.of === of ? before.rows : new Map()
      const added = next.nodes.filter(({ id }) => !known.has(id)).map(row => [row.id, row] as const)
      const { endCursor, hasNextPage } = next.pageInfo
      return { of, rows: new Map([...known, ...added]), end: endCursor ?? end, hasMore: hasNextPage }
    })
  }

  return { data, rows, hasMore, loadMore, fetching, isLive: isReady, problem: problem ?? error?.message ?? null }
}
