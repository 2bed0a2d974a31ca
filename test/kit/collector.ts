// A collector of traces: an HTTP server that takes OTLP in JSON, as the official exporter sends it.
import http from 'node:http'
import type { AddressInfo } from 'node:net'

export type CollectedSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  /** As OTLP numbers it: 2 server, 3 client, 5 consumer. */
  kind: number
  attributes: { key: string; value: Record<string, unknown> }[]
  links?: { traceId: string; spanId: string }[]
}

type Body = { resourceSpans: { scopeSpans: { spans: CollectedSpan[] }[] }[] }

export async function startCollector() {
  const spans: CollectedSpan[] = []
  const texts: string[] = []
  const server = http.createServer((req, res) => {
    let text = ''
    req.setEncoding('utf8').on('data', chunk => (text += chunk))
    req.on('end', () => {
      texts.push(text)
      const body: Body = JSON.parse(text)
      spans.push(...body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(scope => scope.spans)))
      res.setHeader('Content-Type', 'application/json').end('{}')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    /** Everything that was sent. */
    said: () => texts.join('\n'),
    stop: () => new Promise(resolve => server.close(resolve)),
  }
}
