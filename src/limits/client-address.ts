// The client address that rate limits count by: a machine or household counts once, however many addresses it has.
import type { Request } from 'express'
import ipaddr from 'ipaddr.js'

// Some proxies append the port, which differs for every connection, so it is removed.
const withPort = /^(?:\[([^\]]+)\]|([\d.]+)):\d+$/

/** Reduces an IPv6 address to its first 64 bits, because a client with one address of a /64 network has all of them. */
export function addressName(text: string): string {
  if (!text.includes(':')) return text.slice(0, 64)
  const [, six, four] = withPort.exec(text) ?? []
  const address = six ?? four ?? text
  if (!address.includes(':') || !ipaddr.isValid(address)) return address.slice(0, 64)
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const network = parsed.parts.slice(0, 4).map(part => part.toString(16))
  return `${network.join(':')}::/64`
}

/** Behind proxies Express derives it from X-Forwarded-For; otherwise it is read from the socket, which costs less. */
export const addressOf = (req: Request): string =>
  addressName((req.app.enabled('trust proxy') ? req.ip : req.socket.remoteAddress) ?? 'unknown')

/** Returns the /48 network of a counted IPv6 address, because providers give a client so much; null for IPv4. */
export const networkOf = (name: string): string | null =>
  name.endsWith('::/64') ? `${name.split(':').slice(0, 3).join(':')}::/48` : null
