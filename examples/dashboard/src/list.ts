// The list of receipts: its pages, and what happened since they were read.
import { useEffect, useMemo, useRef, useState } from 'react'
import { type Client, type OperationResult, useClient } from 'urql'
import { follow, trusted } from './client.ts'
import { listDocument, moreDocument, receiptChangedDocument } from './documents.ts'
import type { ListedFragment, ReceiptChangedSubscription, ReceiptFilter, ReceiptRowFragment } from './gql/graphql.ts'
import { type Opening, pageSize } from './opening.ts'

const listQuery = trusted(listDocument)
const more = trusted(moreDocument)
const againMs = 10_000

export type Rows = ReceiptRowFragment[]
type State = {
  rows: ReadonlyMap<string, ReceiptRowFragment>
  total: number
  end: string | null
  hasMore: boolean
  isLoading: boolean
  isLive: boolean
  problem: string | null
}
const nothing: State = {
  ...{ rows: new Map(), total: 0, end: null, hasMore: false },
  ...{ isLoading: true, isLive: false, problem: null },
}

const newestFirst = (a: ReceiptRowFragment, b: ReceiptRowFragment) =>
  b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id)

const lastOf = ({ rows }: State) => [...rows.values()].sort(newestFirst).at(-1)

type Change = NonNullable<ReceiptChangedSubscription['receiptChanged']>

function changed(state: State, { matches, receipt }: Change): State {
  const { hasMore, total } = state
  const isKnown = state.rows.has(receipt.id)
  const last = lastOf(state)
  const rows = new Map(state.rows)
  if (!matches) rows.delete(receipt.id)
  // A receipt beyond the pages that were read comes with its page.
  else if (isKnown || !hasMore || !last || newestFirst(receipt, last) < 0) rows.set(receipt.id, receipt)
  return { ...state, rows, total: total + (rows.size - state.rows.size) }
}

export function useList(filter: ReceiptFilter, opening: Opening) {
  const client = useClient()
  const [state, setState] = useState(nothing)
  const isFirst = useRef(true)
  // Marks the requests of one filter. Their answers are dropped after another filter is chosen.
  const run = useRef({ isOver: false })

  useEffect(() => {
    const own = { isOver: false }
    run.current = own
    let stop = () => {}
    let timer: ReturnType<typeof setTimeout> | undefined

    async function begin(asked: Promise<OperationResult<ListedFragment>>): Promise<void> {
      const { data, error } = await asked
      if (own.isOver) return
      if (!data?.receipts || !data.eventCursor) return fail(error?.message ?? 'The list cannot be read.')
      const { nodes, totalCount, pageInfo } = data.receipts
      setState({
        rows: new Map(nodes.map(row => [row.id, row])),
        ...{ total: totalCount, end: pageInfo.endCursor ?? null, hasMore: pageInfo.hasNextPage },
        ...{ isLoading: false, isLive: true, problem: null },
      })
      stop = follow(
        receiptChangedDocument,
        { filter, after: data.eventCursor },
        ({ receiptChanged }) => {
          if (receiptChanged && !own.isOver) setState(state => changed(state, receiptChanged))
        },
        ({ code, message }) => {
          if (own.isOver) return
          // The list and the cursor are read again.
          if (code === 'cursor_ahead' || code === 'cursor_behind') void begin(read(client, filter))
          else fail(message)
        },
      )
    }
    function fail(problem: string): void {
      setState(state => ({ ...state, problem, isLoading: false, isLive: false }))
      timer = setTimeout(() => void begin(read(client, filter)), againMs)
    }

    setState(nothing)
    void begin(isFirst.current ? opening : read(client, filter))
    return () => {
      own.isOver = true
      isFirst.current = false
      clearTimeout(timer)
      stop()
    }
  }, [filter, opening, client])

  async function loadMore(): Promise<void> {
    const own = run.current
    if (state.end === null) return
    const { data, error } = await client.query(more, { filter, first: pageSize, after: state.end }).toPromise()
    if (own.isOver) return
    const page = data?.receipts
    setState(before => {
      if (!page) return { ...before, problem: error?.message ?? 'There is no further page.' }
      const { endCursor, hasNextPage } = page.pageInfo
      const rows = new Map([...page.nodes.map(row => [row.id, row] as const), ...before.rows])
      return { ...before, rows, end: endCursor ?? before.end, hasMore: hasNextPage, problem: null }
    })
  }

  const rows = useMemo(() => [...state.rows.values()].sort(newestFirst), [state.rows])
  return { ...state, rows, loadMore }
}

const read = (client: Client, filter: ReceiptFilter): Promise<OperationResult<ListedFragment>> =>
  client.query(listQuery, { filter, first: pageSize }, { requestPolicy: 'network-only' }).toPromise()
