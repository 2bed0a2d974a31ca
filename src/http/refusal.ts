// Answers requests that Node refuses while parsing, such as those with bad headers, in the service's error format.
import { randomUUID } from 'node:crypto'
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, errorCodes } from '../core/errors.ts'
import { type Finished, unread } from './finished.ts'
import { securityHeaders } from './security-headers.ts'

const codes: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

const lingerMs = 1_000
// No browser learns from a refused request that there is TLS.
const always = Object.fromEntries(securityHeaders(false))

export function refusal(code: ErrorCode) {
  const { status, meaning } = errorCodes[code]
  const requestId = randomUUID()
  const body = JSON.stringify({ detail: code, message: meaning, request_id: requestId })
  const headers = {
    ...always,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Request-ID': requestId,
    ...(status === 503 && { 'Retry-After': 2 }),
    Connection: 'close',
  }
  return { requestId, status, code, headers, body }
}

/**
 * Answers parser errors of `server`. `open`: the responses in progress. If one of them has sent its headers on the same
 * socket, the socket is destroyed, because the client would read the error as the rest of that response.
 */
export function refuseUnreadable(
  server: Server,
  open: ReadonlySet<ServerResponse>,
  tell: (finished: Finished) => void,
): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The socket was answered already, or is closed.
    if (!socket.writable) return
    if ([...open].some(res => res.socket === socket && res.headersSent)) return void socket.destroy()
    const refused = refusal(codes[error.code ?? ''] ?? 'malformed_request')
    const { status, headers, body } = refused
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${fields.join('')}\r\n${body}`)
    tell(unread(refused, socket as Socket))
    // Destroyed later: a socket destroyed while bytes arrive is reset, and the client might never read the response.
    setTimeout(() => socket.destroy(), lingerMs).unref()
  })
}
