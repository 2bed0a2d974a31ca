// GraphiQL, which is nine megabytes of HTML: rendered and compressed once, at the first request.
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Request, Response } from 'express'

const example = `# Set your key under "Headers": { "X-API-Key": "qtk_…" }
query Receipts {
  receipts(first: 10) {
    nodes {
      id
      status
      amount
      currency
      anchors { anchorTx blockNumber }
      artifacts { type url }
    }
  }
}
`

let rendered: Promise<Buffer> | null = null

async function render(): Promise<Buffer> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql')
  const page = renderGraphiQL({
    title: 'Quittance',
    defaultQuery: example,
    subscriptionsProtocol: 'GRAPHQL_SSE',
    shouldPersistHeaders: true,
  })
  return promisify(gzip)(page)
}

export const asksForGraphiql = ({ method, headers }: Request): boolean =>
  method === 'GET' && (headers.accept?.includes('text/html') ?? false)

export async function sendGraphiql(req: Request, res: Response): Promise<void> {
  rendered ??= render()
  const page = await rendered
  res.setHeader('Content-Type', 'text/html; charset=utf-8')
  res.setHeader('Cache-Control', 'public, max-age=3600')
  res.vary('Accept').vary('Accept-Encoding')
  if (!req.acceptsEncodings('gzip')) return void res.end(await promisify(gunzip)(page))
  res.setHeader('Content-Encoding', 'gzip')
  res.end(page)
}
