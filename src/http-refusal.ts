// Answers what Node refuses before a request exists, such as headers it cannot read: in the one shape of our errors.
import { randomUUID } from 'node:crypto'
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { type ErrorCode, errorCodes } from './core/errors.ts'

const codes: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

const lingerMs = 1_000

export function refusal(code: ErrorCode) {
  const { status, meaning } = errorCodes[code]
  const requestId = randomUUID()
  const body = JSON.stringify({ detail: code, message: meaning, request_id: requestId })
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Request-ID': requestId,
    ...(status === 503 && { 'Retry-After': 2 }),
    Connection: 'close',
  }
  return { status, headers, body }
}

/** `open` are the answers under way: after the beginning of one, another on the same connection would be taken for its rest. */
export function refuseUnreadable(server: Server, open: ReadonlySet<ServerResponse>): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // It is refused already, or gone.
    if (!socket.writable) return
    if ([...open].some(res => res.socket === socket && res.headersSent)) return void socket.destroy()
    const { status, headers, body } = refusal(codes[error.code ?? ''] ?? 'malformed_request')
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${fields.join('')}\r\n${body}`)
    // Not at once: a connection that is destroyed while bytes arrive is reset, and the client might never read the answer.
    setTimeout(() => socket.destroy(), lingerMs).unref()
  })
}
