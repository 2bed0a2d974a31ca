// Tells whether the connection to PostgreSQL is encrypted, and whether the server has proven who it is.
import { isIP } from 'node:net'
import { TLSSocket } from 'node:tls'
import ipaddr from 'ipaddr.js'
import type pg from 'pg'
import { about, type Finding } from './finding.ts'

const { ok, warn } = about('database TLS')
const advice =
  'add sslmode=verify-full, and sslrootcert=<file> for a CA of your own, to DATABASE_URL (docs/settings.md).'

export function inspectTls(client: pg.Client): Finding[] {
  const stream: unknown = Reflect.get(Reflect.get(client, 'connection'), 'stream')
  if (!(stream instanceof TLSSocket))
    return isHere(client.host) ? [] : [warn(`Passwords and receipts travel to ${client.host} unencrypted: ${advice}`)]
  return [
    stream.authorized
      ? ok(`The connection is encrypted (${stream.getProtocol()}), and the server’s certificate is verified.`)
      : warn(`The connection is encrypted, but the server’s certificate is not verified: ${advice}`),
  ]
}

/** A socket's folder, this machine's names, and its loopback addresses. */
const isHere = (host: string): boolean =>
  host.startsWith('/') || host === 'localhost' || (isIP(host) !== 0 && ipaddr.process(host).range() === 'loopback')
