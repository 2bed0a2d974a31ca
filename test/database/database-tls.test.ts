// TLS to the database: a server is accepted with the right certificate alone, and the doctor tells how far it is
// verified.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPool } from '../../src/adapters/pg-pool.ts'
import { inspectTls } from '../../src/cli/doctor/database-tls.ts'
import { type EmbeddedPostgres, startPostgres } from '../../src/embedded/postgres.ts'

const lacksOpenssl = spawnSync('openssl', ['version']).status !== 0
if (lacksOpenssl) console.warn('SKIPPED: TLS to the database; there is no openssl here.')

const folder = mkdtempSync(join(tmpdir(), 'quittance-tls-'))
const file = (name: string) => join(folder, name)
const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })

const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
const request = (name: string, subject: string, out: string, ...more: string[]) =>
  openssl('req', ...more, ...curve, '-subj', `/CN=${subject}`, '-keyout', `${name}.key`, '-out', `${name}.${out}`)

const authority = (name: string) => request(name, name, 'crt', '-x509', '-days', '3650')
/** Makes a key and a certificate by the authority `ca`. */
function certificate(name: string, subject: string, extension: string): void {
  request(name, subject, 'csr', '-new')
  writeFileSync(file(`${name}.ext`), extension)
  const by = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '3650']
  openssl('x509', '-req', '-in', `${name}.csr`, ...by, '-extfile', `${name}.ext`, '-out', `${name}.crt`)
  chmodSync(file(`${name}.key`), 0o600)
}

describe.skipIf(lacksOpenssl)('a PostgreSQL with TLS', () => {
  let postgres: EmbeddedPostgres
  beforeAll(async () => {
    authority('ca')
    authority('other')
    certificate('server', 'localhost', 'subjectAltName=DNS:localhost')
    postgres = await startPostgres(join(folder, 'postgres'), pino({ level: 'silent' }))
    const admin = new pg.Client({ connectionString: postgres.url })
    await admin.connect()
    const { rows } = await admin.query('select current_user as role, oid from pg_authid where rolname = current_user')
    certificate('client', rows[0].role, 'extendedKeyUsage=clientAuth')
    // The server's own user reads these files.
    for (const [name, value] of [
      ['ssl_cert_file', 'server.crt'],
      ['ssl_key_file', 'server.key'],
      ['ssl_ca_file', 'ca.crt'],
    ])
      await admin.query(`alter system set ${name} = '${file(value ?? '')}'`)
    execFileSync('chmod', ['-R', 'a+rX', folder])
    const { uid, gid } = statSync(join(folder, 'postgres', 'cluster'))
    execFileSync('chown', [`${uid}:${gid}`, file('server.key')])
    chmodSync(file('server.key'), 0o600)
    await admin.query('alter system set ssl = on')
    await admin.query('select pg_reload_conf()')
    await admin.end()
  })
  afterAll(async () => {
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const at = (host: string, parameters: string) => {
    const url = new URL(postgres.url)
    url.hostname = host
    return `${url}?${parameters}`
  }
  /** Returns how the server sees the connection, or the error of the client. */
  async function connected(host: string, parameters: string): Promise<string> {
    const pool = openPool(at(host, parameters), 1, { warn: () => undefined })
    try {
      const { rows } = await pool.query('select ssl, client_dn as client from pg_stat_ssl where pid = pg_backend_pid()')
      return `${rows[0].ssl ? 'encrypted' : 'plain'}${rows[0].client ? `, client ${rows[0].client}` : ''}`
    } catch (error) {
      return error instanceof Error ? `${Reflect.get(error, 'code')} ${error.message}` : String(error)
    } finally {
      await pool.end()
    }
  }
  const ca = `sslrootcert=${file('ca.crt')}`
  const other = `sslrootcert=${file('other.crt')}`

  it.each([
    ['localhost', `sslmode=verify-full&${ca}`, /^encrypted$/],
    // With the names of pg 8, all but disable and no-verify are verify-full.
    ['localhost', `sslmode=require&${ca}`, /^encrypted$/],
    ['localhost', 'sslmode=require', /SELF_SIGNED|UNABLE_TO/],
    ['localhost', 'sslmode=no-verify', /^encrypted$/],
    ['localhost', 'uselibpqcompat=true&sslmode=require', /^encrypted$/],
    ['localhost', 'sslmode=disable', /^plain$/],
    ['localhost', '', /^plain$/],
    ['localhost', `sslmode=verify-full&${other}`, /SELF_SIGNED|UNABLE_TO|CERT_/],
    ['127.0.0.1', `sslmode=verify-full&${ca}`, /ERR_TLS_CERT_ALTNAME_INVALID/],
    [
      'localhost',
      `sslmode=verify-full&${ca}&sslcert=${file('client.crt')}&sslkey=${file('client.key')}`,
      /^encrypted, client \/CN=/,
    ],
  ])('%s with %s', async (host, parameters, seen) => {
    expect(await connected(host, parameters)).toMatch(seen)
  })

  it('the doctor tells how far the connection is protected', async () => {
    const told = async (parameters: string, host = 'localhost') => {
      const client = new pg.Client({ connectionString: at(host, parameters) })
      await client.connect()
      try {
        return inspectTls(client)
          .map(({ status, text }) => `${status} ${text}`)
          .join()
      } finally {
        await client.end()
      }
    }
    expect(await told(`sslmode=verify-full&${ca}`)).toMatch(/^ok The connection is encrypted \(TLSv1\.3\)/)
    expect(await told('sslmode=no-verify')).toMatch(/^warn .*not verified/)
    expect(await told('sslmode=disable')).toBe('')
  })
})

it('the doctor warns of a database elsewhere without TLS', () => {
  const client = (host: string) => new pg.Client({ host })
  for (const host of ['db.example.com', '10.0.0.5', '2001:db8::1'])
    expect(inspectTls(client(host))[0]?.text).toContain(`travel to ${host} unencrypted`)
  for (const host of ['localhost', '127.0.0.1', '::1', '/var/run/postgresql'])
    expect(inspectTls(client(host))).toEqual([])
})
