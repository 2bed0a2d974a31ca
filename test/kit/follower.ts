// A client of event streams that resumes after every disconnect: over REST by Last-Event-ID, over GraphQL by `after`.
import { setTimeout as sleep } from 'node:timers/promises'

type Seen = { id: string; data: Record<string, unknown> }

type Source = {
  /** Opens the stream after the event with this id; null: no event was seen yet. */
  open(after: string | null, signal: AbortSignal): Promise<Response>
  /** Parses a message; null for a message that is no event. */
  read(message: { id: string | null; event: string | null; data: string }): Seen | null
}

/** Follows until `stop` is called or the server answers 204, which means that no more events will come. */
function follower({ open, read }: Source) {
  const seen: Seen[] = []
  const end = new AbortController()
  let isOver = false
  async function connect(): Promise<void> {
    const response = await open(seen.at(-1)?.id ?? null, end.signal)
    if (response.status === 204) isOver = true
    if (!response.ok || response.body === null) return
    let rest = ''
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const messages = (rest + chunk).split('\n\n')
      rest = messages.pop() ?? ''
      for (const text of messages) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1] ?? null
        const data = field('data')
        const event = data === null ? null : read({ id: field('id'), event: field('event'), data })
        if (event) seen.push(event)
      }
    }
  }
  const running = (async () => {
    while (!end.signal.aborted && !isOver) {
      await connect().catch(() => undefined)
      await sleep(50)
    }
  })()
  return {
    seen,
    isOver: () => isOver,
    async stop() {
      end.abort()
      await running
    },
  }
}

/** Follows one receipt over REST. */
export const followReceipt = (base: string, receiptId: string, isUnnamed = false) =>
  follower({
    open: (after, signal) =>
      fetch(`${base}/v1/iso/events/${receiptId}${isUnnamed ? '?unnamed=1' : ''}`, {
        headers: after === null ? {} : { 'Last-Event-ID': after },
        signal,
      }),
    read: ({ id, event, data }) =>
      id !== null && event === (isUnnamed ? null : 'update') ? { id, data: JSON.parse(data) } : null,
  })

/** Follows a subscription whose field has the argument `after` and returns `cursor`. */
export const followField = (base: string, key: string, field: string, args: string, selection: string) =>
  follower({
    open: (after, signal) =>
      fetch(`${base}/graphql/stream`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream', 'X-API-Key': key },
        body: JSON.stringify({
          query: `subscription ($after: ID) { ${field}(after: $after ${args}) { id: cursor ${selection} } }`,
          variables: { after: after ?? '0' },
        }),
        signal,
      }),
    read: ({ event, data }) => {
      const value = event === 'next' ? JSON.parse(data).data?.[field] : null
      return value ? { id: value.id, data: value } : null
    },
  })
