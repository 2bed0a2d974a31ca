// `quittance verify` as people use it: with nodes that limit and refuse searches, with a bundle that was unpacked or
// packed again, and with key documents that lie. Real processes, a real chain, real HTTP.
import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import JSZip from 'jszip'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { run } from '../../src/cli/verify.ts'
import { keyIdOf } from '../../src/core/key-id.ts'
import { buildBundle, readBundle } from '../../src/modules/evidence/bundle.ts'
import { buildStatementBundle } from '../../src/modules/evidence/statement-bundle.ts'
import type { ZipEntry } from '../../src/modules/evidence/zip.ts'
import type { Signer } from '../../src/ports/signer.ts'
import { type Anvil, startAnvil } from '../kit/anvil.ts'
import { runCommand } from '../kit/command.ts'
import { plainReceipt } from '../kit/receipts.ts'
import { narrowLogs, otherChain, together } from '../kit/rpc-faults.ts'
import { type Fault, type RpcProxy, startRpcProxy } from '../kit/rpc-proxy.ts'

function freshSigner(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const publicKeyPem = publicKey.export({ format: 'pem', type: 'spki' }).toString()
  return { keyId: keyIdOf(publicKeyPem), publicKeyPem, sign: bytes => sign(null, bytes, privateKey) }
}

const ours = freshSigner()
const his = freshSigner()
let folder: string
let anvil: Anvil
let node: RpcProxy
let bundle: Buffer
let files: ZipEntry[]
let txid: string
let document: { keys: Record<string, unknown>[]; chains: Record<string, unknown>[] }

const at = (name: string) => join(folder, name)

async function sealed(createdAt: Date, signer = ours) {
  const receipt = { ...plainReceipt, createdAt }
  return buildBundle(receipt, { name: 'pain001.xml', bytes: Buffer.from('<x/>') }, signer)
}

const headTime = async () =>
  new Date(Number((await anvil.rpc('eth_getBlockByNumber', 'latest', false)).timestamp) * 1000)

/** Mines blocks at this distance. */
const mine = (blocks: number, seconds: number) =>
  anvil.rpc('anvil_mine', `0x${blocks.toString(16)}`, `0x${seconds.toString(16)}`)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-verify-'))
  anvil = await startAnvil(31_501)
  node = await startRpcProxy(anvil.url)
  // The distance of blocks changes, as it does when a chain is upgraded.
  await mine(300, 12)
  await mine(300, 2)
  const { bytes, bundleHash } = await sealed(await headTime())
  bundle = bytes
  await mine(60, 2)
  txid = await anvil.anchor([bundleHash])
  await mine(700, 2)
  const read = await readBundle(bundle)
  if (!read.ok) throw new Error(read.reason)
  const { manifest, signature } = read.parts
  files = [{ name: 'manifest.json', bytes: manifest }, { name: 'manifest.sig', bytes: signature }, ...read.parts.files]
  document = {
    keys: [entryOf(ours)],
    chains: [{ name: 'mine', caip2: 'eip155:31501', contract: anvil.contract, finality: '12 confirmations' }],
  }
  await writeFile(at('good.zip'), bundle)
  await writeFile(at('keys.json'), JSON.stringify(document))
})
afterAll(async () => {
  await node?.stop()
  await anvil?.stop()
  await rm(folder, { recursive: true, force: true })
})

const entryOf = ({ keyId, publicKeyPem }: Signer) => ({
  key_id: keyId,
  algorithm: 'Ed25519',
  public_key_pem: publicKeyPem,
  valid_from: '2020-01-01T00:00:00.000Z',
  valid_to: null as string | null,
})

type Asked = { path?: string; keys?: string; rest?: string[]; input?: Buffer }

/** Runs the command: in this process, which is faster, unless it reads standard input. */
async function verify({ path = at('good.zip'), keys = at('keys.json'), rest = [], input }: Asked = {}) {
  const args = [path, '--keys', keys, ...rest]
  if (input !== undefined) return runCommand(['verify', ...args], {}, input)
  const said = (method: 'log' | 'error') => vi.spyOn(console, method).mockImplementation(() => undefined)
  const [log, fault] = [said('log'), said('error')]
  const linesOf = ({ mock }: typeof log) => mock.calls.map(([line]) => `${line}\n`).join('')
  try {
    return { code: await run(args), out: linesOf(log), err: linesOf(fault) }
  } finally {
    log.mockRestore()
    fault.mockRestore()
  }
}

/** Verifies through the node with this fault. Returns the parsed output of `--json`, and what the node was asked. */
async function through(fault: Fault | null, asked: Asked = {}) {
  node.fault = fault
  node.requests.length = 0
  const { code, out, err } = await verify({ ...asked, rest: ['--rpc', node.url, '--json', ...(asked.rest ?? [])] })
  node.fault = null
  expect(err).toBe('')
  const count = (method: string) => node.requests.filter(one => one.method === method).length
  return { code, told: JSON.parse(out), searches: count('eth_getLogs'), blocks: count('eth_getBlockByNumber') }
}

/** Fails every so many requests of these methods, as a node that is too busy does. */
function busy(every: number, answer: Awaited<ReturnType<Fault>>): Fault {
  let asked = 0
  return async () => (++asked % every === 0 ? answer : { kind: 'honest' })
}

const error = (code: number, message: string): Awaited<ReturnType<Fault>> => ({
  kind: 'body',
  body: { jsonrpc: '2.0', error: { code, message } },
})
const badRequest = (code: number, message: string): Awaited<ReturnType<Fault>> => ({
  kind: 'raw',
  status: 400,
  text: JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message } }),
})

/** Refuses searches over more blocks, in this way. */
const limited =
  (most: number, answer: Awaited<ReturnType<Fault>>): Fault =>
  async (question, forward) => {
    const { kind } = await narrowLogs(most)(question, forward)
    return kind === 'honest' ? { kind } : answer
  }

describe('with a node that limits searches', () => {
  const verified = { verified: true, matches_onchain: true, errors: [] }

  it.each([
    ['10,000 blocks', limited(10_000, error(-32614, 'eth_getLogs is limited to a 10,000 range')), 20],
    ['500 blocks', limited(500, error(-32005, 'exceed maximum block range: 500')), 20],
    ['10 blocks', limited(10, badRequest(-32600, 'up to a 10 block range is allowed on the free plan')), 20],
    ['100 results', limited(100, error(-32005, 'query returned more than 100 results')), 20],
    ['nothing', null, 1],
  ])('of %s, the anchor is found from the time of the record on', async (_, fault, most) => {
    const { code, told, searches, blocks } = await through(fault)
    expect([code, told]).toEqual([0, expect.objectContaining({ ...verified, ledger_txid: txid })])
    expect(searches).toBeLessThanOrEqual(most)
    expect(blocks).toBeLessThanOrEqual(30)
  })

  it.each([
    ['a JSON-RPC error', error(-32005, 'project ID request rate exceeded')],
    ['a JSON-RPC error without a reason', error(-32005, 'limit exceeded')],
    ['the words alone', error(-32000, 'Too many requests, reason: call rate limit exhausted')],
    ['status 429', { kind: 'raw', status: 429, text: '{"error":"slow down"}' } as const],
  ])('it waits when the node is busy and says so by %s', async (_, answer) => {
    const { code, told } = await through(together(busy(7, answer), limited(50, error(-32602, 'max range is 50'))))
    expect([code, told]).toEqual([0, expect.objectContaining(verified)])
  })

  it('an anchor is found although the clock of the service was ahead of the chain’s', async () => {
    const early = await sealed(new Date((await headTime()).getTime() + 300_000))
    await writeFile(at('early.zip'), early.bytes)
    await anvil.anchor([early.bundleHash])
    await mine(200, 2)
    const { code, told } = await through(limited(50, error(-32602, 'max range is 50')), { path: at('early.zip') })
    expect([code, told]).toEqual([0, expect.objectContaining(verified)])
  })

  it('a search is given up after a bounded number of requests, and --txid is named, which needs none', async () => {
    const unanchored = await sealed(new Date('2021-01-01T00:00:00Z'))
    await writeFile(at('unanchored.zip'), unanchored.bytes)
    const one = limited(1, error(-32602, 'max range is 1'))
    const { code, told, searches } = await through(one, { path: at('unanchored.zip') })
    expect([code, told.verified, told.errors]).toEqual([1, false, ['chain_unavailable']])
    expect(told.node_faults.join()).toMatch(/given up after 1000 requests/)
    expect(searches).toBeLessThanOrEqual(1_000)
    node.fault = limited(0, error(-32601, 'the method eth_getLogs is not available'))
    const text = await verify({ rest: ['--rpc', node.url] })
    expect([text.code, text.out]).toEqual([1, expect.stringMatching(/with --txid/)])
    const named = await verify({ rest: ['--rpc', node.url, '--txid', txid] })
    node.fault = null
    expect([named.code, named.out]).toEqual([0, expect.stringMatching(/^VERIFIED/)])
  })
})

describe('the chain is the one that is expected', () => {
  const rpc = (more: string[] = []) => ({ rest: ['--rpc', node.url, ...more] })

  it.each(['31501', 'eip155:31501'])('--chain-id %s accepts its nodes', async id => {
    expect((await verify(rpc(['--chain-id', id]))).code).toBe(0)
  })

  it('nodes of another chain are refused', async () => {
    const { code, err } = await verify(rpc(['--chain-id', '14']))
    expect([code, err.split('\n')[0]]).toEqual([2, 'These nodes serve eip155:31501, and --chain-id expects eip155:14.'])
  })

  it('a chain that only its node names is not trusted, even with a contract', async () => {
    node.fault = otherChain(99)
    const contract = ['--contract', anvil.contract]
    const alone = await verify(rpc(contract))
    const expected = await verify(rpc([...contract, '--chain-id', '99']))
    node.fault = null
    expect([alone.code, alone.err]).toEqual([2, expect.stringMatching(/does not know eip155:99, .*--chain-id/)])
    expect(expected.code).toBe(0)
  })
})

describe('a bundle that is not as it was downloaded', () => {
  const zipped = async (change: (zip: JSZip) => void, order = files, prefix = '') => {
    const zip = new JSZip()
    for (const { name, bytes } of order) zip.file(prefix + name, bytes)
    change(zip)
    return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE', streamFiles: true })
  }
  const mac = (zip: JSZip) => zip.file('__MACOSX/evidence/._tip.json', 'x').file('evidence/.DS_Store', 'x')

  it.each([
    ['compressed, in another order', () => zipped(() => undefined, files.toReversed())],
    ['in a folder, by macOS', () => zipped(mac, files, 'evidence/')],
  ])('a ZIP that was packed again, %s, is rebuilt, which is said, and has the anchored hash', async (_, make) => {
    await writeFile(at('again.zip'), await make())
    const { code, out } = await verify({ path: at('again.zip'), rest: ['--rpc', node.url] })
    expect([code, out.split('\n').slice(0, 2)]).toEqual([
      0,
      [expect.stringMatching(/^VERIFIED/), expect.stringMatching(/^The ZIP is not the bundle: the bundle was rebuilt/)],
    ])
    const { told } = await through(null, { path: at('again.zip') })
    expect(told).toMatchObject({ verified: true, rebuilt_from: 'zip', ledger_txid: txid })
  })

  it('a folder of its files is read, and what else is in it is named', async () => {
    await mkdir(at('unpacked'))
    for (const { name, bytes } of files) await writeFile(join(at('unpacked'), name), bytes)
    await writeFile(join(at('unpacked'), 'invoice.pdf'), 'x')
    const { code, told } = await through(null, { path: at('unpacked') })
    expect([code, told]).toEqual([0, expect.objectContaining({ verified: true, rebuilt_from: 'folder' })])
    expect(told.not_checked.join()).toContain('invoice.pdf')
    await writeFile(join(at('unpacked'), 'tip.json'), '{"amount":"1000000"}')
    expect((await through(null, { path: at('unpacked') })).told.errors).toContain('file_hash_mismatch')
    await rm(join(at('unpacked'), 'tip.json'))
    const without = await verify({ path: at('unpacked') })
    expect([without.code, without.err]).toEqual([2, expect.stringMatching(/does not hold the files of one bundle/)])
  })

  it('is read from standard input', async () => {
    const { code, told } = await through(null, { path: '-', input: bundle })
    expect([code, told]).toEqual([0, expect.objectContaining({ verified: true, rebuilt_from: null })])
    expect((await verify({ path: '-', input: await zipped(() => undefined) })).code).toBe(0)
    expect(await verify({ path: '-', input: Buffer.alloc(0) })).toMatchObject({
      code: 2,
      err: /^Standard input is empty/,
    })
    const large = await verify({ path: '-', input: Buffer.alloc(9 << 20) })
    expect([large.code, large.out]).toEqual([1, expect.stringMatching(/bundle_malformed.*larger than 4 MiB/)])
  })

  const forged = Buffer.from('{"amount":"1000000"}')
  it.each<[string, () => Promise<Buffer>]>([
    ['with a second tip.json in a folder', () => zipped(zip => zip.file('copy/tip.json', forged))],
    [
      'with two entries of one name',
      async () => {
        const bytes = await zipped(zip => zip.file('tip.jsoX', forged))
        return Buffer.from(bytes.toString('latin1').replaceAll('tip.jsoX', 'tip.json'), 'latin1')
      },
    ],
    [
      'after bytes of something else',
      async () => Buffer.concat([Buffer.from('#!/bin/sh\n'), await zipped(() => undefined)]),
    ],
    [
      'after another ZIP',
      async () => Buffer.concat([await zipped(zip => zip.file('tip.json', forged)), await zipped(() => undefined)]),
    ],
    ['without one of its files', () => zipped(zip => zip.remove('receipt.json'))],
    [
      'with a file that inflates to more than a bundle',
      () => zipped(zip => zip.file('pain001.xml', Buffer.alloc(64 << 20))),
    ],
  ])('a ZIP %s is not rebuilt', async (_, make) => {
    await writeFile(at('hostile.zip'), await make())
    const { code, out } = await verify({ path: at('hostile.zip') })
    expect([code, out]).toEqual([1, expect.stringMatching(/^NOT VERIFIED: bundle_malformed/)])
  })

  it('a file that was changed before it was packed again is found', async () => {
    const path = at('changed.zip')
    await writeFile(path, await zipped(zip => zip.file('tip.json', forged)))
    const { code, told } = await through(null, { path })
    expect([code, told.errors]).toEqual([1, ['file_hash_mismatch', 'anchor_not_found']])
  })
})

describe('the key document', () => {
  const text = () => JSON.stringify(document, null, 2)
  const utf16 = (order: 'le' | 'be', mark = '\ufeff') => {
    const bytes = Buffer.from(`${mark}${text()}`, 'utf16le')
    return order === 'le' ? bytes : bytes.swap16()
  }

  it.each([
    ['UTF-8 with a byte order mark', () => Buffer.from(`\ufeff${text()}`)],
    ['UTF-16, as PowerShell writes it', () => utf16('le')],
    ['UTF-16, the other way round', () => utf16('be')],
    ['UTF-16 without a mark', () => utf16('le', '')],
    ['Windows line ends', () => Buffer.from(text().replaceAll('\n', '\r\n'))],
    ['a PEM with Windows line ends', () => Buffer.from(text().replaceAll('\\n', '\\r\\n'))],
  ])('may be in %s', async (_, make) => {
    await writeFile(at('encoded.json'), make())
    expect(await verify({ keys: at('encoded.json') })).toMatchObject({ code: 0, err: '' })
  })

  type Entry = ReturnType<typeof entryOf>
  const withKeys = (...keys: Partial<Entry>[]) => JSON.stringify({ ...document, keys })
  const own = entryOf(ours)
  const lies: [string, () => string | Buffer, RegExp][] = [
    [
      'has another key under our id',
      () => withKeys({ ...own, public_key_pem: his.publicKeyPem }),
      /keys\.0\.key_id is not the id of public_key_pem, which is [0-9a-f]{64}/,
    ],
    [
      'has another key under the short form of our id',
      () => withKeys({ ...own, key_id: own.key_id.slice(0, 16), public_key_pem: his.publicKeyPem }),
      /keys\.0\.key_id is not the id of public_key_pem/,
    ],
    [
      'has one key twice, the second retired',
      () => withKeys(own, { ...own, valid_to: '2021-01-01T00:00:00.000Z' }),
      /keys\.1\.key_id is the same as that of entry 0/,
    ],
    [
      'has one key twice, in both forms of its id',
      () => withKeys(own, { ...own, key_id: own.key_id.slice(0, 16), valid_to: '2021-01-01T00:00:00.000Z' }),
      /keys\.1\.public_key_pem is the same as that of entry 0/,
    ],
    [
      'has a duplicate valid_to',
      () => withKeys(own).replace('"valid_to":null', '"valid_to":"2021-01-01T00:00:00.000Z","valid_to":null'),
      /an object has two members "valid_to"/,
    ],
    [
      'has a duplicate list of keys',
      () => withKeys(entryOf(his)).replace('{', `{"keys":[${JSON.stringify(own)}],`),
      /an object has two members "keys"/,
    ],
    [
      'ends a key before it begins',
      () => withKeys({ ...own, valid_to: '2019-01-01T00:00:00.000Z' }),
      /keys\.0\.valid_to is before valid_from/,
    ],
    [
      'has a key id in capitals',
      () => withKeys({ ...own, key_id: own.key_id.toUpperCase() }),
      /keys\.0\.key_id must be/,
    ],
    [
      'has two keys in one entry',
      () => withKeys({ ...own, public_key_pem: ours.publicKeyPem + his.publicKeyPem }),
      /keys\.0\.public_key_pem must be one Ed25519 public key/,
    ],
    [
      'has two contracts for one chain',
      () => JSON.stringify({ ...document, chains: [...document.chains, { ...document.chains[0], name: 'b' }] }),
      /chains\.1\.caip2 is the same as that of entry 0/,
    ],
    [
      'has two chains of one name',
      () => JSON.stringify({ ...document, chains: [...document.chains, { ...document.chains[0], caip2: 'eip155:1' }] }),
      /chains\.1\.name is the same as that of entry 0/,
    ],
    ['is cut off', () => text().slice(0, -3), /it is not JSON/],
    ['is no text', () => Buffer.from([0x80, 0x81, 0x82]), /is not text in UTF-8 or UTF-16/],
  ]
  it.each(lies)('that %s is refused in a sentence that names the member', async (_, make, sentence) => {
    await writeFile(at('lying.json'), make())
    const { code, out, err } = await verify({ keys: at('lying.json') })
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(sentence)
  })

  it('a forgery that was signed with the other key is not verified under any of our ids', async () => {
    const forged = await sealed(new Date('2021-01-01T00:00:00Z'), {
      ...his,
      keyId: ours.keyId,
      publicKeyPem: ours.publicKeyPem,
    })
    await writeFile(at('forged.zip'), forged.bytes)
    const { code, out } = await verify({ path: at('forged.zip') })
    expect([code, out.split('\n')[0]]).toEqual([1, 'NOT VERIFIED: signature_invalid.'])
  })

  it('of before, with ids of 16 digits, verifies bundles of before, and shows the whole id', async () => {
    const short = own.key_id.slice(0, 16)
    const old = await sealed(new Date('2021-01-01T00:00:00Z'), { ...ours, keyId: short })
    await writeFile(at('old.zip'), old.bytes)
    await writeFile(at('old.json'), withKeys({ ...own, key_id: short }))
    for (const keys of ['old.json', 'keys.json']) {
      for (const path of ['old.zip', 'good.zip']) {
        const { code, out } = await verify({ path: at(path), keys: at(keys) })
        expect([code, out]).toEqual([0, expect.stringContaining(own.key_id)])
      }
    }
  })
})

describe('the bundle of a numbered statement', () => {
  const pages = ['1', '2'].map(text => Buffer.from(`<Document>${text}</Document>`))
  const pageFiles = pages.map((bytes, index) => ({ name: `camt053-000${index + 1}.xml`, bytes }))
  let statement: Buffer
  beforeAll(async () => {
    const createdAt = await headTime()
    const facts = {
      id: '0b8f6f5e-1d1c-4c7b-9a55-2f2b8f0f9a01',
      number: 1,
      account: { id: `A-${'5a'.repeat(16)}`, wallet: 'shop', chain: 'base', currency: 'USDC' },
      ...{ day: '2026-03-01', timeZone: 'UTC', from: new Date(0), to: new Date(86_400_000) },
      ...{ opening: '0', closing: '3', entries: 2, createdAt, project: plainReceipt.project },
    }
    statement = (await buildStatementBundle(facts, pageFiles, ours)).bytes
  })

  async function folderOf(name: string, given: ZipEntry[]) {
    await mkdir(at(name))
    for (const file of given) await writeFile(join(at(name), file.name), file.bytes)
    return at(name)
  }
  const zipped = () => ({ name: 'evidence.zip', bytes: statement })

  it('is judged with the pages beside it, in a folder with the ZIP or with its files', async () => {
    const read = await readBundle(statement)
    if (!read.ok) throw new Error(read.reason)
    const { manifest, signature, files: inside } = read.parts
    const loose = [{ name: 'manifest.json', bytes: manifest }, { name: 'manifest.sig', bytes: signature }, ...inside]
    for (const given of [[zipped()], loose]) {
      const path = await folderOf(`pages-${given.length}`, [...given, ...pageFiles])
      const { code, out } = await verify({ path, rest: ['--json'] })
      const { errors, checks, not_checked } = JSON.parse(out)
      expect([code, errors]).toEqual([0, []])
      expect(checks.at(-1)).toMatchObject({ id: 'statement_page_mismatch', status: 'passed' })
      expect(not_checked.join()).not.toMatch(/no part of the bundle|tip\.json/)
    }
  })

  it('names pages that are missing, and refuses one that was changed', async () => {
    const { code, out } = await verify({ path: await folderOf('pages-missing', [zipped(), ...pageFiles.slice(1)]) })
    expect([code, out]).toEqual([0, expect.stringContaining('Missing: camt053-0001.xml.')])
    const changed = { name: 'camt053-0002.xml', bytes: Buffer.from('<Document>3</Document>') }
    const wrong = await verify({ path: await folderOf('pages-changed', [zipped(), ...pageFiles.slice(0, 1), changed]) })
    expect([wrong.code, wrong.out]).toEqual([1, expect.stringMatching(/^NOT VERIFIED: statement_page_mismatch\./)])
    expect(wrong.out).toContain('Not the pages that the bundle names: camt053-0002.xml.')
  })
})
