// The package for auditors, as they get it: packed, installed into an empty folder without a registry, and run with
// good and forged bundles. It says what the command of the service says.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { readBundle } from '../../src/modules/evidence/bundle.ts'
import { writeZip } from '../../src/modules/evidence/zip.ts'
import { type Anvil, startAnvil } from '../kit/anvil.ts'
import { runCommand } from '../kit/command.ts'

const source = fileURLToPath(new URL('../../packages/verify', import.meta.url))
const vectors: {
  key_id: string
  public_key_pem: string
  bundles: { what: string; bundle_hash: string; zip: string }[]
} = JSON.parse(readFileSync(new URL('../../docs/bundle-vectors.json', import.meta.url), 'utf8'))

let folder: string
let anvil: Anvil
const at = (name: string) => join(folder, name)

// The registry answers to nobody.
const npm = (args: string[], cwd: string) =>
  promisify(execFile)('npm', args, {
    cwd,
    env: {
      ...process.env,
      npm_config_registry: 'http://127.0.0.1:1',
      npm_config_offline: 'true',
      npm_config_cache: at('cache'),
    },
  })

async function verify(args: string[]) {
  const { error, stdout, stderr } = await new Promise<{
    error: { code?: unknown } | null
    stdout: string
    stderr: string
  }>(resolve =>
    execFile(at('node_modules/.bin/quittance-verify'), args, { cwd: folder }, (error, stdout, stderr) =>
      resolve({ error, stdout, stderr }),
    ),
  )
  return { code: error === null ? 0 : error.code, out: stdout, err: stderr }
}

async function both(args: string[]) {
  const [packed, own] = await Promise.all([verify(args), runCommand(['verify', ...args])])
  expect(packed).toEqual({ code: own.code, out: own.out, err: own.err })
  return packed
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-verify-package-'))
  anvil = await startAnvil(31_502)
  const { stdout } = await npm(['pack', '--json', '--pack-destination', folder], source)
  const { filename } = JSON.parse(stdout.slice(stdout.indexOf('[')))[0]
  await writeFile(at('package.json'), '{}')
  await npm(['install', at(filename)], folder)
  const key = {
    key_id: vectors.key_id,
    algorithm: 'Ed25519',
    public_key_pem: vectors.public_key_pem,
    valid_from: '2020-01-01T00:00:00.000Z',
    valid_to: null,
  }
  const chain = { name: 'mine', caip2: 'eip155:31502', contract: anvil.contract, finality: '1 confirmations' }
  await writeFile(at('keys.json'), JSON.stringify({ keys: [key], chains: [chain] }))
  await writeFile(at('other-keys.json'), JSON.stringify({ keys: [], chains: [chain] }))
  for (const [n, { zip }] of vectors.bundles.entries()) await writeFile(at(`${n}.zip`), Buffer.from(zip, 'base64'))
})
afterAll(async () => {
  await anvil?.stop()
  await rm(folder, { recursive: true, force: true })
})

it('is one program without dependencies, with its licences', async () => {
  expect(await readdir(at('node_modules'))).toEqual(['.bin', '.package-lock.json', 'quittance-verify'])
  const installed = at('node_modules/quittance-verify')
  expect((await readdir(installed)).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json'])
  expect((await readdir(join(installed, 'dist'))).sort()).toEqual(['licenses.md', 'verify.js'])
  const program = await readFile(join(installed, 'dist/verify.js'), 'utf8')
  for (const [, name] of program.matchAll(/^import .* from "([^"]+)"/gm)) expect(name).toMatch(/^(node:)?[a-z_/]+$/)
  expect((await verify(['--version'])).out).toBe(`${packageJson.version}\n`)
  expect((await verify(['--help'])).out).toMatch(/^usage: quittance-verify <bundle> --keys/)
})

/** A bundle with another text in its first file, packed as the service packs it. */
async function forged(n: number): Promise<string> {
  const read = await readBundle(await readFile(at(`${n}.zip`)))
  if (!read.ok) throw new Error(read.reason)
  const { manifest, signature, files } = read.parts
  const [first, ...others] = files
  if (first === undefined) throw new Error('no file')
  const changed = { ...first, bytes: Buffer.concat([first.bytes, Buffer.from(' ')]) }
  const entries = [
    { name: 'manifest.json', bytes: manifest },
    { name: 'manifest.sig', bytes: signature },
    changed,
    ...others,
  ]
  await writeFile(at(`forged-${n}.zip`), await writeZip(entries))
  return at(`forged-${n}.zip`)
}

const trusted = () => ['--keys', at('keys.json')]

it.each(vectors.bundles.map(({ what }, n) => [what, n] as const))(
  '%s is verified with its anchor, and forged it is not',
  async (_, n) => {
    const txid = await anvil.anchor([vectors.bundles[n]?.bundle_hash ?? ''])
    const { code, out } = await (n === 0 ? both : verify)([
      at(`${n}.zip`),
      ...trusted(),
      '--rpc',
      anvil.url,
      '--txid',
      txid,
      '--json',
    ])
    expect([code, out]).toEqual([0, expect.stringContaining(txid)])
    expect(await verify([await forged(n), ...trusted()])).toMatchObject({
      code: 1,
      out: expect.stringContaining('NOT VERIFIED'),
    })
  },
)

it('without a node everything but the anchor is checked', async () => {
  expect(await both([at('0.zip'), ...trusted()])).toMatchObject({ code: 0, err: '' })
  expect(await both([await forged(0), ...trusted()])).toMatchObject({ code: 1 })
  expect(await both([at('0.zip'), '--keys', at('other-keys.json')])).toMatchObject({ code: 1 })
  await writeFile(at('cut.zip'), (await readFile(at('0.zip'))).subarray(0, -40))
  expect((await both([at('cut.zip'), ...trusted()])).code).not.toBe(0)
})

it('an anchor that is not on chain is not believed', async () => {
  const elsewhere = ['--rpc', anvil.url, '--txid', `0x${'11'.repeat(32)}`]
  expect(await both([at('0.zip'), ...trusted(), ...elsewhere])).toMatchObject({ code: 1 })
})

it('wrong usage is told in a sentence', async () => {
  expect(await both([])).toMatchObject({ code: 2, out: '' })
  expect(await both([at('0.zip')])).toMatchObject({ code: 2, err: expect.stringContaining('--keys is missing') })
  expect(await both([at('gone.zip'), '--keys', at('keys.json')])).toMatchObject({ code: 2 })
})
