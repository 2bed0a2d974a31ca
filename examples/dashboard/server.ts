// The server of the dashboard's own site: it sends the page, and makes a session of the service for each visitor. A
// real site puts its sign-in before `/session`.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSessionDocument } from './src/documents.ts'

const { QUITTANCE_URL, QUITTANCE_KEY, PORT = '5174' } = process.env
if (!QUITTANCE_URL || !QUITTANCE_KEY) {
  console.error('Set QUITTANCE_URL to the address of the service, and QUITTANCE_KEY to an API key of the project.')
  process.exit(1)
}

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}
// The page may run its own scripts, and ask itself and the service.
const policy = `default-src 'self'; connect-src 'self' ${new URL(QUITTANCE_URL).origin}; img-src 'self' data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

// The document as the service lists it among the trusted ones.
const { __meta__: { hash: documentId } = {} } = createSessionDocument as { __meta__?: { hash?: string } }

/** Returns the session that the page works with, and where the service is. */
async function newSession(): Promise<object> {
  const answer = await fetch(`${QUITTANCE_URL}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': String(QUITTANCE_KEY) },
    body: JSON.stringify({ documentId }),
  })
  const { data, errors } = await answer.json()
  if (!data?.createSession) throw new Error(errors?.[0]?.message ?? `the service answered ${answer.status}`)
  return { ...data.createSession, url: QUITTANCE_URL }
}

const server = createServer(async (req, res) => {
  const pathname = URL.parse(req.url ?? '/', 'http://site')?.pathname
  if (pathname === undefined) return res.writeHead(400).end()
  try {
    if (pathname === '/session') {
      if (req.method !== 'POST') return res.writeHead(405, { Allow: 'POST' }).end()
      const session = JSON.stringify(await newSession())
      return res.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(session)
    }
    const name = pathname === '/' ? '/index.html' : pathname
    if (!/^\/(index\.html|assets\/[\w.-]+)$/.test(name)) return res.writeHead(404).end()
    const file = await readFile(fileURLToPath(new URL(`dist${name}`, import.meta.url)))
    res.writeHead(200, {
      'Content-Type': types[extname(name)] ?? 'application/octet-stream',
      'Content-Security-Policy': policy,
      'Cache-Control': name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      'X-Content-Type-Options': 'nosniff',
    })
    res.end(file)
  } catch (error) {
    console.error(error)
    res.writeHead(pathname === '/session' ? 502 : 404).end()
  }
})
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address()
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : PORT}`)
})
