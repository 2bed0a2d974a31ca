// The form of a setting in which it may be printed: nothing of it lets anybody in anywhere.
import { readPostgresUrl } from '../core/postgres-url.ts'

const isSet = 'set'
const hidden = '***'

/** Returns the value of a setting that is secret as a whole, that consists of URLs, or that is no secret. */
export function shown(secrecy: 'whole' | 'url' | null, value: string): string {
  if (secrecy === 'whole') return isSet
  if (secrecy === null) return value.replace(/\/\/[^/@\s]*@/g, `//${hidden}@`)
  // A value that is not understood may contain a secret anywhere.
  return postgresUrls(value) ?? urls(value) ?? isSet
}

function postgresUrls(value: string): string | null {
  if (!/^postgres(ql)?:/.test(value)) return null
  // The URL of several servers has commas itself.
  return partsOf(value.split(/,\s*(?=postgres(?:ql)?:\/\/)/), postgresUrl)
}

// Parameters that `pg` and PostgreSQL read, and that are no password.
const plainParameters =
  /^(sslmode|sslrootcert|sslcert|sslkey|application_name|options|uselibpqcompat|target_session_attrs)$/

function postgresUrl(text: string): string | null {
  const read = readPostgresUrl(text.trim())
  if (typeof read === 'string') return null
  const servers = read.servers.map(server => new URL(server))
  const [{ protocol, username, password, pathname } = new URL(read.servers[0])] = servers
  const login = username === '' ? '' : `${username}${password === '' ? '' : `:${hidden}`}@`
  const parameters = [...new URL(text.trim().replace(/\/\/[^?#]*/, '//')).searchParams].map(
    ([name, value]) => `${name}=${plainParameters.test(name) ? value : hidden}`,
  )
  const query = parameters.length === 0 ? '' : `?${parameters.join('&')}`
  return `${protocol}//${login}${servers.map(({ host }) => host).join()}${pathname}${query}`
}

/** URLs, or entries of `COMPLIANCE_PROVIDERS`, comma-separated. */
const urls = (value: string): string | null =>
  value === 'off' ? value : partsOf(value.split(','), part => entry(part.trim()))

function entry(text: string): string | null {
  if (/^[a-z0-9-]+=(list:[^:@]+|fixed:[a-z]+)$/.test(text)) return text
  const [, name = '', url = ''] = /^([a-z0-9-]+=http\+json:)?(https?:\/\/.+)$/.exec(text) ?? []
  if (!URL.canParse(url)) return null
  const { protocol, host, username, pathname, search, hash } = new URL(url)
  // The providers of nodes and of rates have their keys in the path or in the query.
  const rest = pathname === '/' && search === '' && hash === '' ? '' : `/${hidden}`
  return `${name}${protocol}//${username === '' ? '' : `${hidden}@`}${host}${rest}`
}

function partsOf(parts: readonly string[], show: (part: string) => string | null): string | null {
  const all = parts.map(show)
  return all.includes(null) ? null : all.join(',')
}
