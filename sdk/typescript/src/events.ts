// Server-sent events out of bytes, as far as the service sends them: id and data.

/** `id` is what `lastEventId` takes. */
export type StreamEvent<T> = { id: string; data: T }

/** `heard` is called for whatever comes, comments too. What is cut off at the end is no event. */
export async function* eventsIn<T>(
  body: ReadableStream<Uint8Array>,
  heard: () => void,
): AsyncGenerator<StreamEvent<T>, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  let id = ''
  let data: string[] = []
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    heard()
    // A line break may be cut in two.
    const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield { id, data: JSON.parse(data.join('\n')) }
        data = []
        continue
      }
      const [, field, content = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
      if (field === 'id') id = content
      if (field === 'data') data.push(content)
    }
  }
}
