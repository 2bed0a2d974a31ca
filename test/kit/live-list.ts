// A dashboard with a live list of receipts: it reads the list and the cursor in one query, subscribes from there, and
// subscribes again after the last event whenever its connection is lost.
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'graphql-sse'
import { credentials } from './service.ts'

/** How a dashboard connects: both modes of graphql-sse, and GraphQL over HTTP with server-sent events. */
export const connections = ['distinct', 'single', 'plain'] as const
type Connection = (typeof connections)[number]

type Receipt = { id: string; status: string }
type Change = { cursor: string; type: string; matches: boolean; receipt: Receipt }
type Answer<Data> = { data?: Data | null | undefined; errors?: readonly unknown[] | undefined }

// The cursor comes last in the document, because its place must not matter.
const listed = `query ($filter: ReceiptFilter, $after: String) {
  receipts(filter: $filter, first: 20, after: $after) { nodes { id status } pageInfo { hasNextPage endCursor } }
  eventCursor
}`
type Listed = {
  receipts: { nodes: Receipt[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } }
  eventCursor: string
}
const changed = `subscription ($filter: ReceiptFilter, $after: ID) {
  receiptChanged(filter: $filter, after: $after) { cursor type matches receipt { id status } }
}`

type Asked = { base: string; key: string; connection: Connection; filter?: object }

const json = { 'Content-Type': 'application/json' }

/** Reads the list and follows it until `stop` is called. */
export async function liveList({ base, key, connection, filter }: Asked) {
  const rows = new Map<string, string>()
  const seen: string[] = []
  const end = new AbortController()
  const headers = credentials(key)
  const refusals: unknown[] = []

  async function read(after: string | null): Promise<Listed> {
    while (!end.signal.aborted) {
      const body = JSON.stringify({ query: listed, variables: { filter, after } })
      const answer: Answer<Listed> | null = await fetch(`${base}/graphql`, {
        method: 'POST',
        headers: { ...headers, ...json },
        body,
      })
        .then(response => response.json())
        .catch(() => null)
      if (answer?.data && !answer.errors) return answer.data
      await sleep(50)
    }
    throw new Error('the list was not read')
  }

  const first = await read(null)
  for (let page = first; ; page = await read(page.receipts.pageInfo.endCursor)) {
    for (const { id, status } of page.receipts.nodes) rows.set(id, status)
    if (!page.receipts.pageInfo.hasNextPage) break
  }

  function take({ data, errors }: Answer<{ receiptChanged: Change | null }>): void {
    if (!data?.receiptChanged) return void refusals.push(errors)
    const { cursor, matches, receipt } = data.receiptChanged
    seen.push(cursor)
    if (matches) rows.set(receipt.id, receipt.status)
    else rows.delete(receipt.id)
  }

  const stream = connection === 'plain' ? plainStream : officialStream
  const running = (async () => {
    while (!end.signal.aborted) {
      const variables = { filter, after: seen.at(-1) ?? first.eventCursor }
      await stream({ base, headers, variables, isSingle: connection === 'single', signal: end.signal }, take).catch(
        () => undefined,
      )
      await sleep(50)
    }
  })()
  return {
    rows,
    seen,
    /** Errors that came in place of changes. */
    refusals,
    since: first.eventCursor,
    async stop() {
      end.abort()
      await running
    },
  }
}

type Stream = {
  base: string
  headers: Record<string, string>
  variables: Record<string, unknown>
  isSingle: boolean
  signal: AbortSignal
}
type Take = (answer: Answer<{ receiptChanged: Change | null }>) => void

async function officialStream({ base, headers, variables, isSingle, signal }: Stream, take: Take): Promise<void> {
  const url = `${base}/graphql/stream`
  // The client's own retries would subscribe with the same `after`.
  const client = isSingle
    ? createClient({ url, headers, retryAttempts: 0, singleConnection: true })
    : createClient({ url, headers, retryAttempts: 0 })
  const stop = () => client.dispose()
  signal.addEventListener('abort', stop)
  try {
    for await (const answer of client.iterate<{ receiptChanged: Change }>({ query: changed, variables })) take(answer)
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}

async function plainStream({ base, headers, variables, signal }: Stream, take: Take): Promise<void> {
  const { body } = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: { ...headers, ...json, Accept: 'text/event-stream' },
    body: JSON.stringify({ query: changed, variables }),
    signal,
  })
  if (body === null) return
  let rest = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const messages = (rest + chunk).split('\n\n')
    rest = messages.pop() ?? ''
    for (const message of messages) {
      const data = /^data: (.+)$/m.exec(message)?.[1]
      if (message.includes('event: next') && data) take(JSON.parse(data))
    }
  }
}
