// Lets another process answer a request, and passes its answer on.
import http from 'node:http'
import type { Request, Response } from 'express'
import type { Tunnels } from '../ports/tunnels.ts'
import { requestIdOf } from '../rest/request-id.ts'

// Those of one connection (RFC 9110, section 7.6.1), and that which is answered here.
const notRelayed =
  /^(?:connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|expect|x-request-id)$/i

/** Returns false where that process does not run; the request is then unread. */
export async function relay(tunnels: Tunnels, processId: string, req: Request, res: Response): Promise<boolean> {
  const socket = await tunnels.connect(processId, req.socket.remoteAddress ?? '')
  if (socket === null) return false
  if (res.destroyed) {
    socket.destroy()
    return true
  }
  const headers = req.rawHeaders.flatMap((name, index) => {
    const value = req.rawHeaders[index + 1]
    return index % 2 === 1 || value === undefined || notRelayed.test(name) ? [] : [name, value]
  })
  if (req.headers.host === undefined) headers.push('Host', 'localhost')
  headers.push('X-Request-ID', requestIdOf(req, res))
  const forwarded = http.request({
    createConnection: () => socket,
    method: req.method,
    path: req.originalUrl,
    headers,
  })
  // Its client learns of a broken connection what it would learn of one to that process.
  forwarded.on('error', () => res.destroy())
  forwarded.on('response', answer => {
    for (const [name, values = []] of Object.entries(answer.headersDistinct))
      if (!notRelayed.test(name)) res.setHeader(name, values)
    res.writeHead(answer.statusCode ?? 500, answer.statusMessage)
    res.flushHeaders()
    answer.pipe(res)
    answer.on('error', () => res.destroy())
  })
  res.once('close', () => socket.destroy())
  req.pipe(forwarded)
  return true
}
