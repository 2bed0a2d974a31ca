// Fetches URLs that untrusted callers name, and those of the operator. The address of an untrusted URL is checked when
// connecting, so that the name cannot be re-pointed after the check.
import { Resolver } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { FetchOptions, OwnFetch, PublicFetch } from '../ports/public-fetch.ts'

// The platform's own endpoint in every machine of Azure, although the address is in a public range.
const cloudPlatform = '168.63.129.16'

/**
 * Returns true only for ordinary unicast addresses: not for loopback, private, link-local, carrier NAT, mapped or
 * reserved ones.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const known = ipaddr.process(address)
  // Only 2000::/3 of IPv6 is allocated as unicast; the other ranges embed other addresses or are reserved.
  const isGlobal = known instanceof ipaddr.IPv4 || ((known.parts[0] ?? 0) & 0xe000) === 0x2000
  return isGlobal && known.range() === 'unicast' && known.toString() !== cloudPlatform
}

// Bytes a second. A slower body would occupy a semaphore slot for which other requests wait.
const slowest = 8_192
const patienceMs = 2_000

type Address = { address: string; family: 4 | 6 }

// Queries the name servers directly. The system's look-up has four threads for the whole process, and a few names with
// silent servers would occupy all four.
const names = new Resolver({ timeout: 2_000, tries: 2 })

async function addressesOf(hostname: string): Promise<Address[]> {
  const [four, six] = await Promise.allSettled([names.resolve4(hostname), names.resolve6(hostname)])
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason
  return [
    ...(four.status === 'fulfilled' ? four.value.map(address => ({ address, family: 4 as const })) : []),
    ...(six.status === 'fulfilled' ? six.value.map(address => ({ address, family: 6 as const })) : []),
  ]
}

/**
 * Returns a look-up for one connection, so that the connection goes to exactly the addresses that were checked here.
 */
export const guardedLookup =
  (ask: (hostname: string) => Promise<Address[]>): LookupFunction =>
  (hostname, options, callback) => {
    ask(hostname).then(
      addresses => {
        const [first] = addresses
        if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
          return callback(new Error('not a public address'), '', 0)
        }
        if (options.all) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      error => callback(error, '', 0),
    )
  }
const lookup = guardedLookup(addressesOf)

/**
 * Returns the options that restrict a connection for this URL to public addresses; null when the URL must not be
 * requested.
 */
export function guardOf(url: URL, allowPrivate: boolean): { lookup?: LookupFunction } | null {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '' || url.port === '0') return null
  if (allowPrivate) return {}
  // Node never looks up a literal address, so it is checked here. The names are always this machine (RFC 6761).
  if (isIP(host) === 0) return /(^|\.)localhost\.?$/.test(host) ? null : { lookup }
  return isPublicAddress(host) ? { lookup } : null
}

export function createPublicFetch(options: { allowPrivate: boolean }): PublicFetch {
  return async (text, fetchOptions) => {
    if (!URL.canParse(text)) return null
    const url = new URL(text)
    const guard = guardOf(url, options.allowPrivate)
    return guard && send(url, guard, fetchOptions).catch(() => null)
  }
}

export const fetchOwn: OwnFetch = async (url, fetchOptions) => send(new URL(url), {}, fetchOptions)

async function send<Absent>(
  url: URL,
  guard: { lookup?: LookupFunction },
  { maxBytes, timeoutMs, json, accept, authorization, absent, signal }: FetchOptions<Absent>,
): Promise<Buffer | Absent> {
  const body = json === undefined ? null : JSON.stringify(json)
  const headers = { ...(accept && { Accept: accept }), ...(authorization && { Authorization: authorization }) }
  const timeout = AbortSignal.timeout(timeoutMs)
  const connection = { ...guard, headers, signal: signal ? AbortSignal.any([timeout, signal]) : timeout }
  return ask(url, connection, body, maxBytes, absent).catch((error: unknown) => {
    throw timeout.aborted ? new Error(`no answer within ${timeoutMs} ms`) : error
  })
}

function ask<Absent>(
  url: URL,
  options: { lookup?: LookupFunction; signal: AbortSignal; headers: Record<string, string> },
  body: string | null,
  maxBytes: number,
  absent: Absent | undefined,
): Promise<Buffer | Absent> {
  const client = url.protocol === 'https:' ? https : http
  return new Promise((done, failed) => {
    const json = body === null ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
    const request = client.request(
      url,
      {
        ...options,
        method: body === null ? 'GET' : 'POST',
        agent: false,
        headers: { 'User-Agent': 'quittance', ...options.headers, ...json },
      },
      response => {
        const chunks: Buffer[] = []
        let size = 0
        if (absent !== undefined && (response.statusCode === 404 || response.statusCode === 410)) {
          done(absent)
          return void request.destroy()
        }
        // Redirects are not followed: they fail like any other status that is not 200.
        if (response.statusCode !== 200) return void request.destroy(new Error(`it answers ${response.statusCode}`))
        const began = performance.now()
        const pace = setInterval(() => {
          const seconds = (performance.now() - began) / 1_000
          if (size < seconds * slowest) request.destroy(new Error('too slow'))
        }, patienceMs)
        request.on('close', () => clearInterval(pace))
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > maxBytes) request.destroy(new Error('too large'))
          else chunks.push(chunk)
        })
        // A body that arrives in one piece has ended before the request is destroyed, so its size is checked again.
        response.on('end', () => (size > maxBytes ? failed(new Error('too large')) : done(Buffer.concat(chunks))))
        response.on('error', failed)
      },
    )
    request.on('error', failed)
    // After 101 the connection closes without a response or an error. Once the promise is settled, this has no effect.
    request.on('close', () => failed(new Error('no answer')))
    request.end(body ?? undefined)
  })
}
