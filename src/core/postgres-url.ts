// URLs of PostgreSQL. Like libpq, and unlike `pg`, they may name several servers, one of which takes writes.

export type PostgresUrl = {
  /** A URL for each server, in which nothing but the server differs; never empty. */
  servers: readonly [string, ...string[]]
  /** Whether connections are for writing: `target_session_attrs=read-write`. */
  writes: boolean
}

const attribute = 'target_session_attrs'

/** Reads `postgres://user:password@a:5432,b:5432/database?target_session_attrs=read-write`. A string is the fault. */
export function readPostgresUrl(text: string): PostgresUrl | string {
  const [, scheme, login = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#@]*)(.*)$/s.exec(text) ?? []
  if (scheme === undefined) return 'must be a URL that begins with postgres://'
  const [first = '', ...others] = hosts.split(',').map(host => `${scheme}${login}${host}${withoutAttribute(rest)}`)
  const servers: PostgresUrl['servers'] = [first, ...others]
  if (!servers.every(server => URL.canParse(server))) return 'must be a URL'
  if (others.length > 0 && hosts.split(',').includes('')) return 'names an empty host'
  const wanted = new URL(`${scheme}${rest}`).searchParams.get(attribute) ?? 'any'
  if (!['any', 'read-write'].includes(wanted)) return `may have ${attribute}=read-write or any, and no other`
  if (others.length > 0 && wanted === 'any')
    return `names several hosts: add ${attribute}=read-write, so that each connection goes to the one that takes writes`
  return { servers, writes: wanted === 'read-write' }
}

const withoutAttribute = (rest: string): string =>
  rest.replace(new RegExp(`([?&])${attribute}=[^&#]*(&?)`), (_, before, after) => (after === '' ? '' : before))
