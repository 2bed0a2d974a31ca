// From which address a request comes, as limits count it: one machine or household, however many addresses it has.
import type { Request } from 'express'
import ipaddr from 'ipaddr.js'

// Some proxies write the port, too, which is another one for every connection.
const withPort = /^(?:\[([^\]]+)\]|([\d.]+)):\d+$/

/** An IPv6 address is told by its first 64 bits: whoever has one has the other 2^64, too. */
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

/** Behind proxies it is what Express makes of X-Forwarded-For; without one the connection is asked, which costs less. */
export const addressOf = (req: Request): string =>
  addressName((req.app.enabled('trust proxy') ? req.ip : req.socket.remoteAddress) ?? 'unknown')
