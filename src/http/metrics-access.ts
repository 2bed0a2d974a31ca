// Lets a bearer of METRICS_TOKEN read the metrics. The token opens nothing else.
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { hashOf } from '../core/secrets.ts'

/** Returns why the request is refused, with the challenge; null: it may read. */
export type MetricsAccess = (req: IncomingMessage) => { message: string; headers: Record<string, string> } | null

const challenge = (error = '') => ({ 'WWW-Authenticate': `Bearer realm="metrics"${error}` })

/** Whether the request has this token. The time of the comparison tells nothing about either. */
export function bearsToken({ headers }: Pick<IncomingMessage, 'headers'>, token: string): boolean {
  const [, sent] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? []
  return sent !== undefined && timingSafeEqual(hashOf(sent), hashOf(token))
}

// Node writes an IPv4 peer of a socket for both families as `::ffff:127.0.0.1`.
function isLoopback(address = ''): boolean {
  const plain = address.replace(/^::ffff:/, '')
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'))
}

/**
 * Without a token only programs on this machine may read: a setting that was forgotten shows nothing to a network.
 * Behind a proxy on the same machine every caller is one of them.
 */
export const metricsAccess =
  (token: string | null): MetricsAccess =>
  req => {
    if (token === null)
      return isLoopback(req.socket.remoteAddress)
        ? null
        : { message: 'METRICS_TOKEN is not set, so the metrics are for this machine only.', headers: challenge() }
    if (bearsToken(req, token)) return null
    const wasSent = req.headers.authorization !== undefined
    return {
      message: 'Send METRICS_TOKEN as `Authorization: Bearer`.',
      headers: challenge(wasSent ? ', error="invalid_token"' : ''),
    }
  }
