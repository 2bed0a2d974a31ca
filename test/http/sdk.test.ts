// The downloaded SDK clients do the main job unchanged, and contain what was requested.
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { encodePaymentSignatureHeader } from '@x402/core/http'
import { JsonRpcProvider } from 'ethers'
import JSZip from 'jszip'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ClientWorld, clients, clientWorld, run } from '../kit/clients.ts'
import { clientOf, createPayer, dollars } from '../kit/payer.ts'
import { pythonOf } from '../kit/python.ts'
import { tipOf } from '../kit/service.ts'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
const compilerOptions = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  noEmit: true,
}

let world: ClientWorld
beforeAll(async () => {
  world = await clientWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** Runs a program that uses webhooks, statements and the iterators. */
async function expectMore(command: string, args: string[], env: Record<string, string> = {}) {
  const { api } = world.service
  const { key } = await api.project()
  const given = {
    KEY: key,
    VIEWER: await api.key(key, 'viewer'),
    TIP: JSON.stringify(tipOf()),
    ABSENT: randomUUID(),
    HOOK: 'https://hooks.example/quittance',
  }
  const { code, stdout, stderr } = await run(command, args, { ...env, ...given })
  expect([code, stderr]).toEqual([0, ''])
  expect(JSON.parse(stdout)).toEqual({
    listed: true,
    events: true,
    rotated: [true, true],
    changed: ['Books', ['RECEIPT_ANCHORED']],
    delivered: ['WEBHOOK_TEST', true, true],
    enabled: [false, true],
    endpoints: [true, true],
    statement: [true, true],
    absent: true,
    invalid: true,
    denied: true,
    pays: 'function',
  })
}

const build = (body: object) => world.service.api.call('POST', '/v1/sdk/build', { body })

async function download(body: object): Promise<Buffer> {
  const headers = { 'Content-Type': 'application/json' }
  const url = `${world.service.base}/v1/sdk/build`
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip'])
  return Buffer.from(await answer.arrayBuffer())
}

async function filesOf(body: object): Promise<Map<string, string>> {
  const { files } = await JSZip.loadAsync(await download(body))
  const texts = Object.entries(files).map(async ([name, file]) => [name, await file.async('text')] as const)
  return new Map(await Promise.all(texts))
}

async function unpack(body: object, folder: string): Promise<string> {
  for (const [name, text] of await filesOf(body)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return folder
}

describe('the TypeScript client', () => {
  let folder: string
  let installed: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quittance-sdk-ts-'))
    installed = await unpack({ lang: 'ts' }, join(folder, 'node_modules', 'quittance-client'))
    await symlink(join(modules, '@types'), join(folder, 'node_modules', '@types'))
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    await copyFile(join(clients, 'programs', 'sdk.ts'), join(folder, 'sdk.ts'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('compiles in strict mode with a program that uses it and cannot pass an amount as a number', async () => {
    const compiler = join(modules, 'typescript/bin/tsc')
    expect(await run(process.execPath, [compiler, '-p', folder])).toMatchObject({ code: 0, stdout: '' })
  })

  it('records, waits for the anchor, verifies, lists, downloads, reads the audit trail and both kinds of error', () =>
    world.expectAll(process.execPath, [join(folder, 'sdk.ts')]))

  const old = fileURLToPath(new URL('../clients/node_modules/typescript/bin/tsc', import.meta.url))
  const now = join(modules, 'typescript/bin/tsc')
  it.each([
    // Jest’s and that of many older projects; newer compilers no longer have it.
    ['node10', { compiler: old, module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '5.0' }, 'ts'],
    ['node16 for CommonJS', { compiler: old, module: 'node16', moduleResolution: 'node16' }, 'cts'],
    ['node16 for ES modules', { compiler: old, module: 'node16', moduleResolution: 'node16' }, 'mts'],
    ['nodenext for CommonJS', { compiler: now, module: 'nodenext', moduleResolution: 'nodenext' }, 'cts'],
    ['bundler', { compiler: now, module: 'preserve', moduleResolution: 'bundler' }, 'ts'],
  ])('has its types under the module resolution %s', async (_, { compiler, ...options }, extension) => {
    const place = await mkdtemp(join(folder, 'typed-'))
    await copyFile(join(clients, 'programs', 'sdk-typed.ts'), join(place, `typed.${extension}`))
    const all = { ...compilerOptions, lib: [...compilerOptions.lib, 'esnext.disposable'], types: [], ...options }
    const text = JSON.stringify({ compilerOptions: all, include: [`typed.${extension}`] })
    await writeFile(join(place, 'tsconfig.json'), text)
    expect(await run(process.execPath, [compiler, '-p', place])).toMatchObject({ code: 0, stdout: '' })
  })

  it('as CommonJS manages webhooks and statements, and lists all pages', async () => {
    await copyFile(join(clients, 'programs', 'sdk-commonjs.cjs'), join(folder, 'sdk.cjs'))
    await expectMore(process.execPath, [join(folder, 'sdk.cjs')])
  })

  it('of an old Node too', async ({ skip }) => {
    const found = ['/usr/bin/node', '/usr/local/bin/node'].find(file => {
      const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' })
      return /^v(2[02]|23)\./.test(stdout ?? '')
    })
    if (found === undefined) return skip('there is no Node 20 to 23 here')
    const script = `
      const { NotFoundError, Quittance } = require('quittance-client')
      const isCommonJs = /dist.cjs.index.js$/.test(require.resolve('quittance-client'))
      new Quittance().receipt('${randomUUID()}').catch(error => console.log(isCommonJs, error instanceof NotFoundError))`
    expect(await run(found, ['-e', script], {}, folder)).toEqual({ code: 0, stdout: 'true true\n', stderr: '' })
  })

  it('pays once for a paid call, and without a payment reports its price', async () => {
    const { Quittance }: typeof import('../../sdk/typescript/dist/index.js') = await import(
      join(installed, 'dist/index.js')
    )
    const { paidFetch }: typeof import('../../sdk/typescript/dist/paid-fetch.js') = await import(
      join(installed, 'dist/paid-fetch.js')
    )
    const node = new JsonRpcProvider(world.service.localChain ?? '', 31337, { staticNetwork: true, cacheTimeout: -1 })
    const [{ network, asset } = { network: '', asset: '' }] = await new Quittance().pricing()
    if (!network.startsWith('eip155:')) throw new Error(network)
    const payer = await createPayer(node, asset, 1_000_000n)
    const wallet = clientOf(payer, { network: network as `eip155:${number}`, asset })
    const pay = paidFetch({
      sign: async required => encodePaymentSignatureHeader(await wallet.createPaymentPayload(required as never)),
    })
    const question = { base_ccy: 'USD', quote_ccy: 'USD' }
    const client = new Quittance({ apiKey: (await world.service.api.project()).key, pay })
    const agent = await client.createAgent({ name: 'Buyer', wallet_address: payer.address })
    expect(await client.premiumFxLookup(question)).toMatchObject({ rate: '1' })
    expect(await client.agentStats(agent.id)).toMatchObject({ payment_count: 1, total_spent: '0.001' })
    expect(await dollars(asset, node).getFunction('balanceOf')(payer.address)).toBe(999_000n)
    node.destroy()
    const unpaid = await new Quittance().premiumFxLookup(question).catch(error => error)
    expect(unpaid).toMatchObject({ status: 402, code: 'payment_required', body: { x402Version: 2 } })
  })
})

it('the Python client records, waits for the anchor, verifies, lists, downloads, reads the audit trail and both kinds of error', async ({
  skip,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-sdk-python-'))
  const { command, args, env, lacks } = pythonOf(join(folder, 'src'))
  if (lacks) return skip(lacks)
  await unpack({ lang: 'python' }, folder)
  await world.expectAll(command, [...args, join(clients, 'programs', 'sdk.py')], env)
  // And the one for asyncio, with webhooks and statements.
  await expectMore(command, [...args, join(clients, 'programs', 'sdk_asyncio.py')], env)
  await rm(folder, { recursive: true, force: true })
})

describe('a build', () => {
  it.each(['ts', 'python'])('of %s has the same bytes each time, without dates and local paths', async lang => {
    const [first, again] = [await download({ lang }), await download({ lang, auth: 'api_key', packaging: 'package' })]
    expect(first.equals(again)).toBe(true)
    expect(first.includes(process.cwd())).toBe(false)
  })

  it('contains the requested families and that of receipts, and the types that they need', async () => {
    const files = await filesOf({ lang: 'ts', families: ['audit', 'audit'] })
    const operations = files.get('dist/generated/operations.d.ts') ?? ''
    expect(operations.match(/^ {2}\w+(?=\(.*Promise)/gm)?.map(name => name.trim())).toEqual(
      expect.arrayContaining(['auditEvents', 'recordTip', 'receipt', 'file']),
    )
    expect(operations).not.toMatch(/agents|siwe|premium/)
    const types = files.get('dist/generated/types.d.ts') ?? ''
    expect(types).toContain('export type AuditEvent =')
    expect(types).toContain('export type AgentAnchoredWebhook =')
    expect(types).not.toContain('AgentStats')
    expect((await filesOf({ lang: 'python', families: [] })).get('src/quittance_client/types.py')).not.toContain(
      'Audit',
    )
  })

  it('without keys contains only public operations; without x402 no paid ones', async () => {
    const open = (await filesOf({ lang: 'python', auth: 'none' })).get('src/quittance_client/operations.py') ?? ''
    expect(open).toContain('def verify(')
    expect(open).not.toContain('def record_tip(')
    const free = await filesOf({ lang: 'ts', include_x402: false })
    expect(free.get('dist/generated/operations.js')).not.toContain('premiumFxLookup')
    expect([...free.keys()].filter(name => name.includes('paid-fetch'))).toEqual([])
    expect(free.get('README.md')).not.toMatch(/premium|paidFetch/)
    expect(Object.keys(JSON.parse(free.get('package.json') ?? '').exports)).toEqual(['.'])
  })

  it('as sources contains files to copy, and nothing of a package', async () => {
    expect([...(await filesOf({ lang: 'ts', packaging: 'sources' })).keys()]).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'src/client.ts', 'src/generated/types.ts']),
    )
    const names = [...(await filesOf({ lang: 'python', packaging: 'sources' })).keys()]
    expect(names).toContain('quittance_client/client.py')
    expect(names.filter(name => /toml|dist|src/.test(name))).toEqual([])
  })

  it('uses the base URL that it was built for, which cannot inject code', async () => {
    const base_url = `https://pay.example/a/'";\${process.exit(1)}\`//\\x</x>é/`
    const { pathname } = new URL(base_url)
    const told = `https://pay.example${pathname.slice(0, -1).replaceAll("'", '%27')}`
    const [ts, python] = [await filesOf({ lang: 'ts', base_url }), await filesOf({ lang: 'python', base_url })]
    expect(ts.get('dist/generated/settings.js')?.split('\n')[1]).toBe(
      `export const defaultBaseUrl = ${JSON.stringify(told)}`,
    )
    expect(python.get('src/quittance_client/settings.py')?.split('\n')[1]).toBe(
      `DEFAULT_BASE_URL: str | None = ${JSON.stringify(told)}`,
    )
    expect(told).toMatch(/^[\x21-\x7e]+$/)
    expect(told).not.toMatch(/["'`\\<>]/)
    for (const text of [...ts.values(), ...python.values()]) expect(text).not.toContain('quittance.example')
  })

  const wrong: [object, (string | number)[]][] = [
    [{}, ['body', 'lang']],
    [{ lang: 'go' }, ['body', 'lang']],
    ...[
      'ftp://a.example',
      'javascript:alert(1)',
      '//a.example',
      'http://user:pw@a.example',
      'http://a.example/?q',
      'http://a.example/#f',
      'http://a.example/\n',
      `http://a.example/${'a'.repeat(2048)}`,
    ].map((base_url): [object, string[]] => [{ lang: 'ts', base_url }, ['body', 'base_url']]),
    [{ lang: 'ts', families: ['receipts', '__proto__'] }, ['body', 'families', 1]],
    [{ lang: 'ts', families: ['../../etc/passwd'] }, ['body', 'families', 0]],
    [{ lang: 'ts', families: Array(51).fill('receipts') }, ['body', 'families']],
    [{ lang: 'ts', auth: 'siwe' }, ['body', 'auth']],
    [{ lang: 'ts', packaging: '../..' }, ['body', 'packaging']],
    [{ lang: 'ts', name: 'x' }, ['body', 'name']],
  ]
  it.each(wrong)('refuses %j', async (body, loc) => {
    expect(await build(body)).toMatchObject({ status: 422, json: { detail: [{ loc }] } })
  })
})
