// Checks an EIP-4361 message without network access. The request's Host header is ignored: the message
// must name the host of PUBLIC_BASE_URL as its domain, and a URI of the service or of a configured front end.
import type { SiweMessage } from 'siwe'
import { AppError } from '../../core/errors.ts'
import { parseMessage } from '../control/message.ts'
import { nonceLifeMs } from './nonce.ts'

/** The site that a message must name. `allowedOrigins`: origins of front ends; null (any origin) permits none here. */
export type Site = { publicBaseUrl: string; allowedOrigins: readonly string[] | null }

/** Address in lower-case. */
export type SignInMessage = { address: string; nonce: string; chainId: number }

// How far the wallet's clock may be ahead of or behind ours.
const skewMs = 60_000

const refused = (why: string) => new AppError('invalid_signature', why)

/** Host and port that a message must name as its domain. */
export const domainOf = ({ publicBaseUrl }: Pick<Site, 'publicBaseUrl'>): string => new URL(publicBaseUrl).host

/**
 * Parses and checks a message. Throws `validation_failed` for a text that is no such message, and `invalid_signature`,
 * which names the failed check.
 */
export function readMessage(text: string, site: Site, now = Date.now()): SignInMessage {
  const message = parseMessage(text)
  const base = new URL(site.publicBaseUrl)
  if (message.domain !== base.host) throw refused(`The message’s domain is not ${base.host}.`)
  if (message.scheme !== undefined && `${message.scheme}:` !== base.protocol)
    throw refused(`The message’s scheme is not that of ${base.origin}.`)
  const origins = [base.origin, ...(site.allowedOrigins ?? [])]
  if (!origins.some(origin => isOf(origin, message.uri)))
    throw refused(`The message’s URI is not one of ${origins.join(' or ')}.`)
  if (!Number.isSafeInteger(message.chainId) || message.chainId < 1)
    throw refused('The message’s Chain ID is no whole number from 1 to 9007199254740991.')
  checkTimes(message, now)
  return { address: message.address.toLowerCase(), nonce: message.nonce, chainId: message.chainId }
}

/**
 * Compares the text too, because a URL parser, unlike people, reads `evil.example@host` or `2130706433` as this host.
 */
function isOf(origin: string, uri: string): boolean {
  if (!URL.canParse(uri) || (uri !== origin && !uri.startsWith(`${origin}/`))) return false
  // `URL.origin` is not compared, because a blob: URL has the origin of the URL inside it.
  const [stated, own] = [new URL(uri), new URL(origin)]
  return stated.protocol === own.protocol && stated.host === own.host
}

function checkTimes({ issuedAt, expirationTime, notBefore }: SiweMessage, now: number): void {
  const issued = moment('Issued At', issuedAt)
  if (issued > now + skewMs) throw refused('The message’s Issued At is in the future.')
  if (issued < now - nonceLifeMs - skewMs) throw refused('The message’s Issued At is more than ten minutes ago.')
  if (expirationTime !== undefined && moment('Expiration Time', expirationTime) <= now)
    throw refused('The message’s Expiration Time has passed.')
  if (notBefore !== undefined && moment('Not Before', notBefore) > now)
    throw refused('The message’s Not Before has not come yet.')
}

function moment(field: string, value: string | undefined): number {
  const time = Date.parse(value ?? '')
  // For example a leap second, which the grammar of EIP-4361 allows.
  if (Number.isNaN(time)) throw refused(`The message’s ${field} is not a timestamp that this service can read.`)
  return time
}
