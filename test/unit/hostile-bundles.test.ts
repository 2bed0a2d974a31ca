// A hostile bundle is never verified and never expensive. The attacker is as strong as possible: the forgery is
// anchored and final in the same public contract as the genuine bundle, so only the bundle itself can reveal it.
import { execFile } from 'node:child_process'
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { constants, crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { canonicalJson } from '../../src/core/canonical.ts'
import { sha256 } from '../../src/core/hash.ts'
import { keyIdOf } from '../../src/core/key-id.ts'
import { buildBundle, readBundle } from '../../src/modules/evidence/bundle.ts'
import { readManifest, writeManifest } from '../../src/modules/evidence/manifest.ts'
import { maxZipBytes, writeZip, type ZipEntry } from '../../src/modules/evidence/zip.ts'
import { pain001 } from '../../src/modules/iso20022/messages/pain001.ts'
import { runChecks, type Subject, type TrustedKey } from '../../src/modules/verification/checks.ts'
import type { Chain } from '../../src/ports/chain.ts'
import type { Signer } from '../../src/ports/signer.ts'
import { plainFacts, plainReceipt } from '../kit/receipts.ts'

const mostMs = 2_000
const mostMiB = 64
const mib = 1024 * 1024

// Keys have fixed seeds, so that a forgery which is accepted is the same in the next run.
function signerOf(seed: number): Signer {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, seed)])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const publicKeyPem = createPublicKey(privateKey).export({ format: 'pem', type: 'spki' }).toString()
  return {
    keyId: keyIdOf(publicKeyPem),
    publicKeyPem,
    sign: bytes => sign(null, bytes, privateKey),
  }
}

const ours = signerOf(1)
const older = signerOf(2)
const his = signerOf(3)
const validFrom = new Date('2026-01-01T00:00:00Z')
const keys: TrustedKey[] = [ours, older].map(({ publicKeyPem }) => ({
  publicKeyPem,
  validFrom,
  validTo: null,
}))

const message = { name: 'pain001.xml', bytes: Buffer.from(pain001.build(plainFacts)) }
const { bytes: bundle, bundleHash } = await buildBundle(plainReceipt, message, ours)
const read = await readBundle(bundle)
if (!read.ok) throw new Error(read.reason)
const { manifest, signature, files } = read.parts
const entries: ZipEntry[] = [
  { name: 'manifest.json', bytes: manifest },
  { name: 'manifest.sig', bytes: signature },
  ...files,
]
const names = entries.map(entry => entry.name)

/** Returns the files, with some replaced. */
const withFiles = (changes: Record<string, Buffer>): ZipEntry[] =>
  entries.map(({ name, bytes }) => ({ name, bytes: changes[name] ?? bytes }))

const contract = `0x${'c0'.repeat(20)}`
const anchorTxid = `0x${'a1'.repeat(32)}`

/** A chain on which one final transaction in our contract anchored these hashes. */
function chainWith(hashes: readonly string[]): Chain {
  const transaction = {
    txid: anchorTxid,
    succeeded: true,
    blockNumber: 100,
    blockHash: `0x${'0b'.repeat(32)}`,
    blockTime: new Date('2026-03-02T00:00:00Z'),
    events: hashes.map((hash, logIndex) => ({ contract, bundleHash: hash, sender: contract, logIndex })),
  }
  const never = () => Promise.reject(new Error('verification does not need this'))
  return {
    name: 'base',
    caip2: 'eip155:8453',
    contract,
    finality: 'finalized',
    explorerBaseUrl: null,
    deployedAtBlock: 0,
    account: null,
    transaction: async txid => (txid === anchorTxid ? transaction : null),
    findAnchor: async hash => (hashes.includes(hash) ? [anchorTxid] : []),
    blockStatus: async () => 'final',
    isSignedBy: never,
    hasCode: never,
    head: never,
    commonHead: never,
    check: never,
  }
}

const verify = (subject: Partial<Subject>, anchored: readonly string[]) =>
  runChecks(
    { bundle: null, expectedHash: null, txid: null, keys, ...subject },
    {
      chains: [chainWith(anchored)],
      anchorsOf: async () => [],
      isRecorded: async () => false,
      ownOf: async () => [],
      paymentChain: () => null,
    },
  )

const bundleIds = [
  'bundle_malformed',
  'manifest_invalid',
  'unknown_signing_key',
  'signature_invalid',
  'file_hash_mismatch',
  'bundle_hash_mismatch',
]

/**
 * Verifies a hostile bundle in every way; returns the faults that are found in the bundle although its hash is
 * anchored.
 */
async function faultsOf(hostile: Buffer, what: string): Promise<string[]> {
  const before = process.threadCpuUsage()
  const { errors } = await verify({ bundle: hostile }, [bundleHash, sha256(hostile)])
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1_000, `${what}: ms of the processor`).toBeLessThan(mostMs)
  const found = errors.filter(id => bundleIds.includes(id))
  expect(found, `${what}: what is wrong with it`).not.toEqual([])

  const alone = await verify({ bundle: hostile }, [bundleHash])
  expect(alone.matchesOnchain, `${what}: not anchored`).toBe(false)
  // The anchor and hash of the genuine bundle do not help a hostile bundle that is sent with them.
  const beside = { bundle: hostile, expectedHash: bundleHash, txid: anchorTxid }
  for (const anchored of [[bundleHash], [bundleHash, sha256(hostile)]]) {
    const { matchesOnchain, errors } = await verify(beside, anchored)
    expect([matchesOnchain, errors.includes('bundle_hash_mismatch')], `${what}: beside`).toEqual([false, true])
  }
  return found
}

const none = Buffer.alloc(0)

/** An unsigned integer of `size` bytes, little-endian. */
function le(size: 2 | 4 | 8, value: number): Buffer {
  const bytes = Buffer.alloc(size)
  bytes.writeUIntLE(value, 0, size === 8 ? 6 : size)
  return bytes
}

type Local = {
  needed: number
  flags: number
  method: number
  time: number
  date: number
  crc: number
  packed: number
  size: number
  name: Buffer
  extra: Buffer
}
type Central = Local & {
  made: number
  comment: Buffer
  disk: number
  internal: number
  external: number
  offset: number
}
type End = { disk: number; centralDisk: number; here: number; total: number; size: number; offset: number }
/** An entry, and its deviations from the canonical layout; `before` and `after` are bytes around it. */
type Part = ZipEntry & { local?: Partial<Local>; central?: Partial<Central>; before?: Buffer; after?: Buffer }
type Around = { beforeDirectory?: Buffer; beforeEnd?: Buffer; end?: Partial<End>; comment?: Buffer }

const shared = (header: Local): Buffer[] => [
  ...[header.needed, header.flags, header.method, header.time, header.date].map(value => le(2, value)),
  ...[header.crc, header.packed, header.size].map(value => le(4, value)),
  ...[header.name, header.extra].map(bytes => le(2, bytes.length)),
]

const centralOf = (header: Central): Buffer =>
  Buffer.concat([
    le(4, 0x02014b50),
    le(2, header.made),
    ...shared(header),
    ...[header.comment.length, header.disk, header.internal].map(value => le(2, value)),
    ...[header.external, header.offset].map(value => le(4, value)),
    ...[header.name, header.extra, header.comment],
  ])

const endOf = ({ disk, centralDisk, here, total, size, offset }: End, comment: Buffer): Buffer =>
  Buffer.concat([
    le(4, 0x06054b50),
    ...[disk, centralDisk, here, total].map(value => le(2, value)),
    ...[size, offset].map(value => le(4, value)),
    le(2, comment.length),
    comment,
  ])

/** Writes a ZIP in the canonical layout, except for the given deviations. */
function zipOf(parts: readonly Part[], around: Around = {}): Buffer {
  const { beforeDirectory = none, beforeEnd = none, end = {}, comment = none } = around
  const contents: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, bytes, local, central, before = none, after = none } of parts) {
    const plain: Local = {
      needed: 10,
      flags: 0,
      method: 0,
      time: 0,
      date: 33,
      crc: crc32(bytes),
      packed: bytes.length,
      size: bytes.length,
      name: Buffer.from(name),
      extra: none,
    }
    const header = { ...plain, ...local }
    const offset = at + before.length
    const unix = { made: 0x31e, comment: none, disk: 0, internal: 0, external: 0o100644 * 0x10000, offset }
    directory.push(centralOf({ ...plain, ...unix, ...central }))
    const content = [before, le(4, 0x04034b50), ...shared(header), header.name, header.extra, bytes, after]
    contents.push(...content)
    for (const piece of content) at += piece.length
  }
  const listed = Buffer.concat(directory)
  const count = parts.length
  const offset = at + beforeDirectory.length
  const told = { disk: 0, centralDisk: 0, here: count, total: count, size: listed.length, offset, ...end }
  return Buffer.concat([...contents, beforeDirectory, listed, beforeEnd, endOf(told, comment)])
}

/** The genuine files, one of them written differently. */
const odd = (name: string, change: Partial<Part>, around: Around = {}): Buffer =>
  zipOf(
    entries.map(entry => (entry.name === name ? { ...entry, ...change } : entry)),
    around,
  )
/** The same value in both headers. */
const both = (fields: Partial<Local>): Partial<Part> => ({ local: fields, central: fields })

/** Like the genuine bundle, but with the attacker's files, key and claims. */
function forged(claims: { signer?: Signer; keyId?: string; pem?: string; changes?: Record<string, Buffer> } = {}) {
  const { signer = his, keyId = ours.keyId, pem = ours.publicKeyPem, changes = {} } = claims
  const changed = { ...changes, 'public_key.pem': Buffer.from(pem) }
  const listed = withFiles(changed).filter(({ name }) => !name.startsWith('manifest.'))
  const text = writeManifest(plainReceipt, keyId, listed)
  return writeZip(withFiles({ ...changed, 'manifest.json': text, 'manifest.sig': signer.sign(text) }))
}

const richer = { 'tip.json': Buffer.from(entries.at(-1)?.bytes.toString().replace('"12.5"', '"99999.5"') ?? '') }
/** Some readers take the first of two members with one name, and others the last. */
const twoAmounts = {
  'tip.json': Buffer.from(entries.at(-1)?.bytes.toString().replace('{', '{"amount":"99999.5",') ?? ''),
}

// 2 GiB of zeros in about 2 MiB: blocks that need no previous data can be repeated.
const bombBlocks = 128
const bombBlock = deflateRawSync(Buffer.alloc(16 * mib), { finishFlush: constants.Z_FULL_FLUSH })
const bomb = Buffer.concat([...Array.from({ length: bombBlocks }, () => bombBlock), deflateRawSync(none)])
const deflated = (bytes: Buffer, size: number): Partial<Part> => ({ bytes, ...both({ needed: 20, method: 8, size }) })
const bombZip = zipOf([{ name: 'a', bytes: bomb, ...both({ needed: 20, method: 8, size: 2048 * mib - 1 }) }])

const zip64Extra = (size: number) => Buffer.concat([le(2, 1), le(2, 16), le(8, size), le(8, size)])
const zip64End = (count: number, size: number, offset: number) =>
  Buffer.concat([
    ...[le(4, 0x06064b50), le(8, 44), le(2, 45), le(2, 45), le(4, 0), le(4, 0), le(8, count), le(8, count)],
    ...[le(8, size), le(8, offset), le(4, 0x07064b50), le(4, 0), le(8, offset + size), le(4, 1)],
  ])
const ownEnd = bundle.subarray(-22)
const ownDirectorySize = ownEnd.readUInt32LE(12)
const ownDirectoryAt = ownEnd.readUInt32LE(16)
const ownDirectory = bundle.subarray(ownDirectoryAt, ownDirectoryAt + ownDirectorySize)

type Forms = Record<string, () => Buffer | Promise<Buffer>>

const brokenZips: Forms = {
  'nothing at all': () => none,
  'four bytes': () => Buffer.from('PK\x03\x04', 'latin1'),
  'an empty ZIP': () => zipOf([]),
  'a directory alone': () => Buffer.concat([ownDirectory, ownEnd]),
  'an end alone': () => ownEnd,
  zeros: () => Buffer.alloc(1000),

  'bytes before it': () => Buffer.concat([Buffer.from('#!/bin/sh\n'), bundle]),
  'bytes before it, offsets corrected': () => odd('manifest.json', { before: Buffer.from('#!/bin/sh\n') }),
  'a byte after it': () => Buffer.concat([bundle, Buffer.from([0])]),
  'itself after it': () => Buffer.concat([bundle, bundle]),
  'a forgery before it': async () => Buffer.concat([await forged({ changes: richer }), bundle]),
  'a forgery after it': async () => Buffer.concat([bundle, await forged({ changes: richer })]),
  'an archive comment': () => zipOf(entries, { comment: Buffer.from('hello') }),
  'a comment of 65,535 bytes': () => zipOf(entries, { comment: Buffer.alloc(65_535, 'x') }),
  'a comment that is an end': () => zipOf(entries, { comment: ownEnd }),
  'two ends': () => Buffer.concat([bundle, ownEnd]),
  'two ends that differ': () =>
    zipOf(entries, { beforeEnd: endOf({ disk: 0, centralDisk: 0, here: 0, total: 0, size: 0, offset: 0 }, none) }),
  'two directories': () => zipOf(entries, { beforeEnd: ownDirectory }),
  'a directory of another bundle first': () => zipOf(entries, { beforeDirectory: ownDirectory }),
  'a gap between entries': () => odd('tip.json', { before: Buffer.from('gap') }),
  'a gap before the directory': () => zipOf(entries, { beforeDirectory: Buffer.from('gap') }),
  'a gap before the end': () => zipOf(entries, { beforeEnd: Buffer.from('gap') }),
  'a hidden entry before the directory': () =>
    zipOf(entries, { beforeDirectory: zipOf([{ name: 'x', bytes: none }]).subarray(0, 31) }),

  'one file more': () => zipOf([...entries, { name: 'zzz.txt', bytes: Buffer.from('x') }]),
  'one file fewer': () => zipOf(entries.slice(0, -1)),
  'no manifest': () => zipOf(entries.slice(1)),
  'no signature': () => zipOf(entries.filter(({ name }) => name !== 'manifest.sig')),
  'a file twice': () => zipOf([...entries, ...entries.slice(-1)]),
  'a file twice, the second another': () => zipOf([...entries, { name: 'tip.json', bytes: richer['tip.json'] }]),
  'a file twice in place of another': () => odd('receipt.json', { name: 'tip.json' }),
  'the manifest twice': () => zipOf([...entries.slice(0, 1), ...entries]),
  'both messages': () =>
    zipOf([...entries, { name: 'pacs004.xml', bytes: message.bytes }].toSorted((a, b) => (a.name < b.name ? -1 : 1))),
  'a folder': () => zipOf([...entries, { name: 'x/', bytes: none }]),
  'entries out of order': () => zipOf(entries.toReversed()),
  'two entries changed about': () => zipOf([...entries.slice(0, 4), ...entries.slice(4).toReversed()]),
  'a directory in another order': () => {
    const sizes = names.map(name => 46 + name.length)
    const listed = sizes.map((size, i) =>
      ownDirectory.subarray(sizes.slice(0, i).reduce((a, b) => a + b, 0)).subarray(0, size),
    )
    return Buffer.concat([bundle.subarray(0, ownDirectoryAt), ...listed.toReversed(), ownEnd])
  },
  'a directory without one entry': () => zipOf(entries, { end: { here: 5, total: 5 } }),
  'a directory that is empty': () =>
    Buffer.concat([
      bundle.subarray(0, ownDirectoryAt),
      endOf({ disk: 0, centralDisk: 0, here: 0, total: 0, size: 0, offset: ownDirectoryAt }, none),
    ]),

  'no checksum': () => odd('tip.json', both({ crc: 0 })),
  'another checksum in the entry': () => odd('tip.json', { local: { crc: 1 } }),
  'another checksum in the directory': () => odd('tip.json', { central: { crc: 1 } }),
  'other content, old checksum': () =>
    odd('tip.json', { bytes: richer['tip.json'], ...both({ crc: crc32(entries.at(-1)?.bytes ?? none) }) }),
  'a size of one, in the entry': () => odd('tip.json', { local: { size: 1, packed: 1 } }),
  'a size of one, in the directory': () => odd('tip.json', { central: { size: 1, packed: 1 } }),
  'sizes that contradict each other in the entry': () => odd('tip.json', { local: { size: 1 } }),
  'sizes that contradict each other in the directory': () => odd('tip.json', { central: { packed: 1 } }),
  'an uncompressed size of nothing': () => odd('tip.json', both({ size: 0 })),
  'a compressed size of nothing': () => odd('tip.json', both({ packed: 0 })),
  'sizes of nothing': () => odd('tip.json', both({ size: 0, packed: 0 })),
  'sizes of 4 GiB': () => odd('tip.json', both({ size: 0xffffffff, packed: 0xffffffff })),
  'sizes past the end': () => odd('tip.json', both({ size: 100_000, packed: 100_000 })),
  'an entry over the next one': () => odd('receipt.json', both({ size: 400, packed: 400 })),
  'the last entry over the directory': () =>
    odd('tip.json', both({ size: ownDirectorySize, packed: ownDirectorySize })),
  'all entries at one place': () => zipOf(entries.map(entry => ({ ...entry, central: { offset: 0 } }))),
  'an entry in the directory at another place': () => odd('tip.json', { central: { offset: 0 } }),
  'an entry in the directory past the end': () => odd('tip.json', { central: { offset: 0xfffffffe } }),
  'a directory elsewhere': () => zipOf(entries, { end: { offset: 0 } }),
  'a directory of another size': () => zipOf(entries, { end: { size: 0 } }),

  'Zip64 fields in the entry': () => odd('tip.json', { local: { extra: zip64Extra(9) } }),
  'Zip64 fields in the directory': () => odd('tip.json', { central: { extra: zip64Extra(9) } }),
  'Zip64 sizes': () =>
    odd(
      'tip.json',
      both({ size: 0xffffffff, packed: 0xffffffff, extra: zip64Extra(entries.at(-1)?.bytes.length ?? 0) }),
    ),
  'Zip64 sizes of 2^47': () =>
    odd('tip.json', both({ size: 0xffffffff, packed: 0xffffffff, extra: zip64Extra(2 ** 47) })),
  'a Zip64 end': () =>
    zipOf(entries, {
      beforeEnd: zip64End(6, ownDirectorySize, ownDirectoryAt),
      end: { here: 0xffff, total: 0xffff, size: 0xffffffff, offset: 0xffffffff },
    }),
  'a Zip64 end that says otherwise': () => zipOf(entries, { beforeEnd: zip64End(0, 0, 2 ** 40) }),
  'Zip64 marks without a record': () =>
    zipOf(entries, { end: { total: 0xffff, size: 0xffffffff, offset: 0xffffffff } }),

  'deflated, honestly': () =>
    odd('tip.json', deflated(deflateRawSync(entries.at(-1)?.bytes ?? none), entries.at(-1)?.bytes.length ?? 0)),
  'a tip.json of brackets': () => filled('tip.json', Buffer.from(nested('[', ']', most / 2 - 10))),
  'a bomb declared small': () => odd('tip.json', deflated(bomb, 100)),
  'a bomb declared as it is': () => odd('tip.json', deflated(bomb, 2048 * mib - 1)),
  'a bomb said to be stored': () => odd('tip.json', { bytes: bomb, local: { size: 100 }, central: { method: 8 } }),
  'a bomb for a manifest': () => odd('manifest.json', deflated(bomb, 700)),
  'a bomb alone': () => bombZip,
  'a bomb within a bomb': () => odd('tip.json', deflated(deflateRawSync(bombZip), bombZip.length)),
  'other methods': () =>
    zipOf(entries.map((entry, i) => ({ ...entry, ...both({ method: [9, 12, 14, 93, 95, 99][i] ?? 1 }) }))),
  'a method in the entry alone': () => odd('tip.json', { local: { method: 8 } }),
  'a method in the directory alone': () => odd('tip.json', { central: { method: 8 } }),
  encrypted: () => odd('tip.json', both({ flags: 1 })),
  'encrypted, says the entry': () => odd('tip.json', { local: { flags: 1 } }),
  'encrypted, says the directory': () => odd('tip.json', { central: { flags: 1 } }),
  'strongly encrypted': () => odd('tip.json', both({ flags: 0x41 })),
  'a directory that is encrypted': () => odd('tip.json', both({ flags: 0x2000 })),
  'a data descriptor': () => {
    const { bytes } = entries.at(-1) ?? { bytes: none }
    const after = Buffer.concat([le(4, 0x08074b50), le(4, crc32(bytes)), le(4, bytes.length), le(4, bytes.length)])
    return odd('tip.json', { local: { flags: 8, crc: 0, size: 0, packed: 0 }, central: { flags: 8 }, after })
  },
  'a data descriptor, but only said': () => odd('tip.json', both({ flags: 8 })),
  'a data descriptor, but not said': () => odd('tip.json', { after: Buffer.alloc(16) }),
  'names in UTF-8, it says': () => odd('tip.json', both({ flags: 0x800 })),

  'a link': () => odd('tip.json', { central: { external: 0o120777 * 0x10000 } }),
  'a link, for another system': () => odd('tip.json', { central: { made: 0x131e, external: 0o120777 * 0x10000 } }),
  'a program': () => odd('tip.json', { central: { external: 0o100755 * 0x10000 } }),
  'a program of its owner’s': () => odd('tip.json', { central: { external: 0o104755 * 0x10000 } }),
  'a device': () => odd('tip.json', { central: { external: 0o060666 * 0x10000 } }),
  'a folder by its mode': () => odd('tip.json', { central: { external: 0o040755 * 0x10000 + 16 } }),
  'from DOS': () => odd('tip.json', { central: { made: 20, external: 0 } }),
  'text, it says': () => odd('tip.json', { central: { internal: 1 } }),
  'of another version': () => odd('tip.json', both({ needed: 20 })),
  'of another day': () => odd('tip.json', both({ date: 34 })),
  'of another hour': () => odd('tip.json', { central: { time: 1 } }),
  'a comment on a file': () => odd('tip.json', { central: { comment: Buffer.from('hello') } }),
  'an extra field in the entry': () => odd('tip.json', { local: { extra: Buffer.from('xx\x00\x00') } }),
  'an extra field in the directory': () => odd('tip.json', { central: { extra: Buffer.from('xx\x00\x00') } }),
  'another name in UTF-8, in an extra field': () =>
    odd(
      'tip.json',
      both({
        extra: Buffer.concat([
          Buffer.from('up'),
          le(2, 6),
          Buffer.from([1]),
          le(4, crc32('tip.json')),
          Buffer.from('x'),
        ]),
      }),
    ),

  'another name in the entry': () => odd('tip.json', { local: { name: Buffer.from('tip.jsoo') } }),
  'another name in the directory': () => odd('tip.json', { central: { name: Buffer.from('tip.jsoo') } }),
  'the names of two files changed about in the directory': () =>
    zipOf(
      entries.map(entry => ({
        ...entry,
        central: {
          name: Buffer.from({ 'tip.json': 'receipt.json', 'receipt.json': 'tip.json' }[entry.name] ?? entry.name),
        },
      })),
    ),
  ...Object.fromEntries(
    [
      ...['../tip.json', '/tip.json', '//host/tip.json', './tip.json', 'x/../tip.json', '..\\tip.json', '\\tip.json'],
      ...[
        'C:\\tip.json',
        'C:tip.json',
        'tip.json/',
        'tip.json\\',
        '/etc/passwd',
        '../../../../etc/cron.d/x',
        '~/tip.json',
      ],
      ...[
        'TIP.JSON',
        'Tip.json',
        'tip.jsоn',
        'ｔip.json',
        'tip．json',
        'tip.json\u0301',
        '\u200btip.json',
        '\u202enosj.pit',
        'tıp.json',
      ],
      ...[
        '',
        ' ',
        'tip.json ',
        ' tip.json',
        'tip.json.',
        'tip.json\0',
        'tip.json\0.xml',
        'tip.json:x',
        'tip.json::$DATA',
        'CON',
        '__proto__',
      ],
      ...['constructor', 'x'.repeat(65_535)],
    ].map(name => [`a file named ${JSON.stringify(name.slice(0, 40))}`, () => odd('tip.json', { name })]),
  ),
  'a name that says it has 65,535 bytes': () => {
    const bytes = Buffer.from(bundle)
    bytes.writeUInt16LE(0xffff, 26)
    return bytes
  },

  '65,535 entries': () => zipOf(Array.from({ length: 65_535 }, () => ({ name: 'x', bytes: none }))),
  '65,535 entries and no directory': () =>
    Buffer.concat(Array.from({ length: 65_535 }, () => zipOf([{ name: 'x', bytes: none }]).subarray(0, 31))),
  '65,535 entries, it says': () => zipOf(entries, { end: { here: 65_535, total: 65_535 } }),
  'fewer entries here than in all': () => zipOf(entries, { end: { here: 3 } }),
  'another disk': () => zipOf(entries, { end: { disk: 1, centralDisk: 1 } }),
  'a directory on another disk': () => zipOf(entries, { end: { centralDisk: 1 } }),
  'a file on another disk': () => odd('tip.json', { central: { disk: 1 } }),
  'a mark of a ZIP in several parts': () => Buffer.concat([Buffer.from('PK\x07\x08', 'latin1'), bundle]),
}

/** Signs with our own key, so that only the content can be refused. */
const signedByUs = (text: string | Buffer) => {
  const bytes = Buffer.from(text)
  return writeZip(withFiles({ 'manifest.json': bytes, 'manifest.sig': ours.sign(bytes) }))
}
const text = manifest.toString()
const told = JSON.parse(text)
const nested = (open: string, close: string, depth = 100_000) => open.repeat(depth) + close.repeat(depth)
const mostMembers = Math.floor((maxZipBytes - 10_000) / 3)

const brokenManifests: Forms = Object.fromEntries(
  Object.entries<string | Buffer>({
    nothing: '',
    null: 'null',
    'a number': '1',
    'a list': '[]',
    'no members': '{}',
    'half of it': text.slice(0, 200),
    'a line end after it': `${text}\n`,
    'a space before it': ` ${text}`,
    'a NUL after it': `${text}\0`,
    'itself after it': text + text,
    'laid out for people': JSON.stringify(told, null, 2),
    'members in another order': JSON.stringify(Object.fromEntries(Object.entries(told).toReversed())),
    'an escape that is not needed': text.replace('"version"', '"\\u0076ersion"'),
    'an escaped slash': text.replace('pain001', 'pain\\/001'),
    'a comment': text.replace('{', '{/**/'),
    'a comma too many': text.replace(/}$/, ',}'),
    'a number with a point': text.replace('"version":2', '"version":2.0'),
    'a number with an exponent': text.replace('"version":2', '"version":2e0'),
    'a version in quotes': text.replace('"version":2', '"version":"2"'),
    'the next version': text.replace('"version":2', '"version":3'),
    'the version before': text.replace('"version":2', '"version":1'),
    'no version': text.replace(',"version":2', ''),
    'a member twice': text.replace('"version":2', '"version":2,"version":2'),
    'a member twice, the second another': text.replace('"version":2', '"version":2,"version":1'),
    'the files twice': text.replace('{', '{"files":[],'),
    'the key twice': text.replace('"key_id"', `"key_id":"${his.keyId}","key_id"`),
    'one member more': canonicalJson({ ...told, status: 'anchored' }),
    'a member in a file more': canonicalJson({ ...told, files: [{ ...told.files[0], x: 1 }, ...told.files.slice(1)] }),
    '__proto__ beside the rest': text.replace('{', '{"__proto__":{"version":1},'),
    '__proto__ for the rest': `{"__proto__":${text}}`,
    '__proto__ in a file': text.replace('"files":[{', '"files":[{"__proto__":{"size":0},'),
    constructor: text.replace('{', '{"constructor":{"prototype":{"version":1}},'),
    'a byte order mark': `\ufeff${text}`,
    'UTF-16': Buffer.from(text, 'utf16le'),
    'UTF-16 with a mark': Buffer.from(`\ufeff${text}`, 'utf16le'),
    'UTF-16, the other way round': Buffer.from(text, 'utf16le').swap16(),
    'a lone surrogate, escaped': text.replace(plainReceipt.reference, '\\ud800'),
    'a lone surrogate, escaped, the other': text.replace(plainReceipt.reference, '\\udfff\\ud800'),
    'a lone surrogate, in bytes': Buffer.from(text.replace(plainReceipt.reference, '\xed\xa0\x80'), 'latin1'),
    'a byte that is no UTF-8': Buffer.from(text.replace(plainReceipt.reference, '\xff'), 'latin1'),
    'UTF-8 longer than needed': Buffer.from(text.replace(plainReceipt.reference, '\xc1\x81'), 'latin1'),
    'a size below nothing': text.replace(/"size":\d+/, '"size":-1'),
    'a size of minus nothing': text.replace(/"size":\d+/, '"size":-0'),
    'half a size': text.replace(/"size":\d+/, '"size":0.5'),
    'a size beyond whole numbers': text.replace(/"size":\d+/, '"size":9007199254740993'),
    'a size beyond numbers': text.replace(/"size":\d+/, '"size":1e400'),
    'a size of 100,000 digits': text.replace(/"size":\d+/, `"size":${'9'.repeat(100_000)}`),
    'a size of a few digits and 100,000 zeros': text.replace(/"size":(\d+)/, `"size":$1.${'0'.repeat(100_000)}`),
    'a hash in capitals': text.replace(/"sha256":"0x(\w+)"/, (_, hex) => `"sha256":"0x${hex.toUpperCase()}"`),
    'a key in capitals': text.replace(ours.keyId, ours.keyId.toUpperCase()),
    'a key with a line end': text.replace(ours.keyId, `${ours.keyId}\\n`),
    'a day that is none': text.replace('2026-03-01T', '2026-02-30T'),
    'a time of another zone': text.replace('.789Z', '.789+00:00'),
    'files that are no list': canonicalJson({ ...told, files: { length: 4 } }),
    '2,000 brackets in a member more': text.replace('{', `{"a":${nested('[', ']', 2_000)},`),
    '2,000 braces for files': text.replace(
      /"files":\[.*\]/,
      `"files":${nested('{"a":', '}', 1_000).replace('}', '0}')}`,
    ),
    '100,000 brackets': '['.repeat(100_000),
    '100,000 brackets, closed': nested('[', ']'),
    '100,000 braces, closed': `${nested('{"a":', '}').replace('}', '0}')}`,
    '100,000 brackets for files': `{"files":${nested('[', ']')}}`,
    '100,000 brackets in a member more': text.replace('{', `{"a":${nested('[', ']')},`),
  }).map(([what, hostile]) => [what, () => signedByUs(hostile)]),
)

const ed25519Order = 2n ** 252n + 27742317777372353535851937790883648493n
/**
 * Returns a second encoding of the same signature for verifiers that do not require the smallest scalar: other bytes,
 * so another hash.
 */
function malleable(bytes: Buffer): Buffer {
  const scalar = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + ed25519Order
  return Buffer.concat([bytes.subarray(0, 32), Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').reverse()])
}
const withSignature = (bytes: Buffer) => writeZip(withFiles({ 'manifest.sig': bytes }))
const other = await buildBundle({ ...plainReceipt, amount: '99999.5', reference: 'another' }, message, ours)
const otherParts = await readBundle(other.bytes)
if (!otherParts.ok) throw new Error(otherParts.reason)
const { parts: another } = otherParts

/** Each forgery, with the exact faults that verification must report. */
const forgeries: Record<string, [string[], () => Buffer | Promise<Buffer>]> = {
  'his key, said to be ours, and his in public_key.pem': [
    ['unknown_signing_key', 'signature_invalid'],
    () => forged({ pem: his.publicKeyPem }),
  ],
  'his key and his own id': [['unknown_signing_key'], () => forged({ keyId: his.keyId, pem: his.publicKeyPem })],
  'his key and his own id, our public_key.pem': [['unknown_signing_key'], () => forged({ keyId: his.keyId })],
  'his key, our id and our public_key.pem': [['signature_invalid'], () => forged()],
  'his key and richer files': [['signature_invalid'], () => forged({ changes: richer })],
  'our older key’s id, our public_key.pem': [
    ['unknown_signing_key', 'signature_invalid'],
    () => forged({ signer: ours, keyId: older.keyId }),
  ],
  'our older key’s id and public_key.pem': [
    ['signature_invalid'],
    () => forged({ signer: ours, keyId: older.keyId, pem: older.publicKeyPem }),
  ],
  'public_key.pem with a line end more': [
    ['unknown_signing_key'],
    () => forged({ signer: ours, pem: `${ours.publicKeyPem}\n` }),
  ],
  'public_key.pem with his after ours': [
    ['unknown_signing_key'],
    () => forged({ signer: ours, pem: ours.publicKeyPem + his.publicKeyPem }),
  ],
  'public_key.pem exchanged, nothing signed again': [
    ['unknown_signing_key', 'file_hash_mismatch'],
    () => writeZip(withFiles({ 'public_key.pem': Buffer.from(his.publicKeyPem) })),
  ],
  'an id exchanged, nothing signed again': [
    ['unknown_signing_key'],
    () => writeZip(withFiles({ 'manifest.json': Buffer.from(text.replace(ours.keyId, his.keyId)) })),
  ],
  'our other id, nothing signed again': [
    ['unknown_signing_key', 'signature_invalid'],
    () => writeZip(withFiles({ 'manifest.json': Buffer.from(text.replace(ours.keyId, older.keyId)) })),
  ],
  'another receipt’s id, nothing signed again': [
    ['signature_invalid'],
    () =>
      writeZip(
        withFiles({ 'manifest.json': Buffer.from(text.replace(plainReceipt.id, plainReceipt.id.replace('7', '8'))) }),
      ),
  ],
  'richer files, nothing signed again': [['file_hash_mismatch'], () => writeZip(withFiles(richer))],
  'an empty file': [['file_hash_mismatch'], () => writeZip(withFiles({ 'pain001.xml': none }))],
  'tip.json with two amounts, signed by us': [
    ['bundle_malformed'],
    () => forged({ signer: ours, changes: twoAmounts }),
  ],
  'receipt.json in a second spelling, signed by us': [
    ['bundle_malformed'],
    () => forged({ signer: ours, changes: { 'receipt.json': Buffer.from(` ${entries[4]?.bytes}`) } }),
  ],
  'two files changed about': [
    ['file_hash_mismatch'],
    () => writeZip(withFiles({ 'tip.json': entries[4]?.bytes ?? none, 'receipt.json': entries[5]?.bytes ?? none })),
  ],
  'the message under the name of the other kind': [
    ['file_hash_mismatch'],
    () => writeZip(entries.map(entry => (entry === entries[2] ? { ...entry, name: 'pacs004.xml' } : entry))),
  ],
  'manifest and signature of another bundle of ours': [
    ['file_hash_mismatch'],
    () => writeZip(withFiles({ 'manifest.json': another.manifest, 'manifest.sig': another.signature })),
  ],
  'signature of another bundle of ours': [['signature_invalid'], () => withSignature(another.signature)],
  'a file listed twice': [
    ['file_hash_mismatch'],
    () => signedByUs(canonicalJson({ ...told, files: [...told.files, told.files[3]] })),
  ],
  'a file listed twice in place of another': [
    ['file_hash_mismatch'],
    () => signedByUs(canonicalJson({ ...told, files: [...told.files.slice(0, 3), told.files[2]] })),
  ],
  'a file not listed': [
    ['file_hash_mismatch'],
    () => signedByUs(canonicalJson({ ...told, files: told.files.slice(0, 3) })),
  ],
  'no file listed': [['file_hash_mismatch'], () => signedByUs(canonicalJson({ ...told, files: [] }))],
  'a file listed that is not there': [
    ['file_hash_mismatch'],
    () => signedByUs(canonicalJson({ ...told, files: [...told.files, { ...told.files[3], name: 'x' }] })),
  ],
  'a file listed as __proto__': [
    ['file_hash_mismatch'],
    () =>
      signedByUs(
        canonicalJson({ ...told, files: [...told.files.slice(0, 3), { ...told.files[3], name: '__proto__' }] }),
      ),
  ],
  'a size that is not the file’s': [
    ['file_hash_mismatch'],
    () => signedByUs(canonicalJson({ ...told, files: [...told.files.slice(0, 3), { ...told.files[3], size: 0 }] })),
  ],
  'a signature of nothing': [['signature_invalid'], () => withSignature(none)],
  'a signature of zeros': [['signature_invalid'], () => withSignature(Buffer.alloc(64))],
  'a signature of ones': [['signature_invalid'], () => withSignature(Buffer.alloc(64, 255))],
  'a signature with a byte more': [
    ['signature_invalid'],
    () => withSignature(Buffer.concat([signature, Buffer.from([0])])),
  ],
  'a signature with a byte fewer': [['signature_invalid'], () => withSignature(signature.subarray(0, -1))],
  'a signature in hex': [['signature_invalid'], () => withSignature(Buffer.from(signature.toString('hex')))],
  'a signature in another form of the same': [['signature_invalid'], () => withSignature(malleable(signature))],
  'a bomb for a message': [['file_hash_mismatch'], () => writeZip(withFiles({ 'pain001.xml': bombZip }))],
  'a bomb for a message, signed by him': [['signature_invalid'], () => forged({ changes: { 'pain001.xml': bombZip } })],
}

describe('the attacks of this file are real', () => {
  test('the genuine bundle is verified on the same chain that confirms the forgeries', async () => {
    expect(await verify({ bundle }, [bundleHash])).toMatchObject({ matchesOnchain: true, bundleHash, errors: [] })
  })

  test('a ZIP without deviations is the genuine one, so that only its deviation can be the reason for a refusal', () => {
    expect(zipOf(entries).equals(bundle)).toBe(true)
  })

  test('a manifest that is signed again without a change is accepted', async () => {
    const again = await signedByUs(text)
    expect((await verify({ bundle: again }, [sha256(again)])).errors).toEqual([])
    expect((await verify({ bundle: await forged({ signer: ours }) }, [bundleHash])).errors).toEqual([])
  })

  test('the bomb inflates to 2 GiB', () => {
    expect(inflateRawSync(bombBlock, { finishFlush: constants.Z_SYNC_FLUSH })).toHaveLength(16 * mib)
    expect(inflateRawSync(Buffer.concat([bombBlock, bombBlock, deflateRawSync(none)]))).toHaveLength(32 * mib)
    expect(bomb.length).toBeLessThan(maxZipBytes / 1.5)
  })
})

describe('a forgery is never verified, even when its own hash is anchored', () => {
  test('a bundle cut off at any of every 97th byte is malformed', async () => {
    for (let length = 0; length < bundle.length; length += 97) {
      const what = `the first ${length} bytes`
      expect(await faultsOf(bundle.subarray(0, length), what), what).toEqual(['bundle_malformed'])
    }
    expect(await faultsOf(bundle.subarray(0, -1), 'all but one byte')).toEqual(['bundle_malformed'])
  })

  test('any of 2,000 single-bit changes is detected', async () => {
    const seed = Date.now() & 0x7fffffff
    const bits = fc.sample(fc.nat(bundle.length * 8 - 1), { numRuns: 2_000, seed })
    for (const bit of bits) {
      const changed = Buffer.from(bundle)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      await faultsOf(changed, `bit ${bit}, seed ${seed}`)
    }
  })

  test.each(Object.entries(brokenZips))(
    'another ZIP that some readers might accept in its place: %s',
    async (what, make) => {
      expect(await faultsOf(await make(), what)).toEqual(['bundle_malformed'])
    },
  )

  test.each(Object.entries(brokenManifests))('an ambiguous or broken manifest: %s', async (what, make) => {
    expect(await faultsOf(await make(), what)).toEqual(['manifest_invalid'])
  })

  test.each(Object.entries(forgeries))(
    'signed by another key, or about another receipt: %s',
    async (what, [faults, make]) => {
      expect(await faultsOf(await make(), what)).toEqual(faults)
    },
  )
})

/** A bundle in the right layout and of the largest permitted size, one file of which is filled with `bytes`. */
const filled = (name: string, bytes: Buffer, room = 10_000) =>
  writeZip(withFiles({ [name]: bytes.subarray(0, maxZipBytes - room) }))
const most = maxZipBytes - 10_000

const dear: Forms = {
  '65 MiB in the right layout': () => writeZip(withFiles({ 'pain001.xml': Buffer.alloc(65 * mib, 'x') })),
  '65 MiB of zeros': () => Buffer.alloc(65 * mib),
  'as large as is looked at, filled by a message': () => filled('pain001.xml', Buffer.alloc(most, 'x')),
  'filled by a message, signed by him': () => forged({ changes: { 'pain001.xml': Buffer.alloc(most, 'x') } }),
  'filled by a key': () => filled('public_key.pem', Buffer.alloc(most, 0xff)),
  'filled by a signature': () => filled('manifest.sig', Buffer.alloc(most)),
  'a manifest of a million wrong files': () =>
    filled('manifest.json', Buffer.from(`{"files":[${'{},'.repeat(mostMembers - 10)}{}]}`)),
  'a manifest of two million numbers for files': () =>
    filled('manifest.json', Buffer.from(`{"files":[${'0,'.repeat(most / 2 - 10)}0]}`)),
  'a manifest of unknown members': () =>
    filled(
      'manifest.json',
      Buffer.from(`{${Array.from({ length: 350_000 }, (_, i) => `"${i.toString(36)}k":0`).join(',')}}`),
    ),
  'a manifest of brackets': () => filled('manifest.json', Buffer.from('['.repeat(most))),
  'a manifest of closed brackets': () =>
    filled('manifest.json', Buffer.from(`{"files":${nested('[', ']', most / 2 - 10)}}`)),
  'a manifest of one number': () => filled('manifest.json', Buffer.alloc(most, '9')),
  'a manifest of one reference': () =>
    filled('manifest.json', canonicalJson({ ...told, reference: 'é'.repeat(most / 2 - 1_000) })),
  'a bomb declared small': () => odd('tip.json', deflated(bomb, 100)),
  'a bomb within a bomb': () => odd('tip.json', deflated(deflateRawSync(bombZip), bombZip.length)),
  'a bomb for a message, signed by him': () => forged({ changes: { 'pain001.xml': bombZip } }),
  '65,535 entries': () => zipOf(Array.from({ length: 65_535 }, () => ({ name: 'x', bytes: none }))),
}

describe('a hostile bundle is refused cheaply', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-hostile-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const source = (path: string) => JSON.stringify(new URL(`../../src/${path}`, import.meta.url))

  test(`none costs more than ${mostMiB} MiB beside its own bytes, or ${mostMs} ms`, { timeout: 60_000 }, async () => {
    writeFileSync(join(folder, 'genuine'), bundle)
    const hostile = Object.entries(dear)
    for (const [i, [, make]] of hostile.entries()) writeFileSync(join(folder, `${i}`), await make())
    const measure = `
      import { readFileSync } from 'node:fs'
      import { runChecks } from ${source('modules/verification/checks.ts')}
      const keys = ${JSON.stringify(keys)}.map(key => ({ ...key, validFrom: new Date(key.validFrom) }))
      const verify = bundle =>
        runChecks({ bundle, expectedHash: null, txid: null, keys }, { chains: [], anchorsOf: async () => [], isRecorded: async () => false, ownOf: async () => [] })
      const genuine = await verify(readFileSync('genuine'))
      const bundle = readFileSync(process.argv[1])
      const before = process.memoryUsage().rss
      const began = process.threadCpuUsage()
      const { errors } = await verify(bundle)
      const { user, system } = process.threadCpuUsage(began)
      const ms = (user + system) / 1_000
      const grown = (process.resourceUsage().maxRSS * 1024 - before) / ${mib}
      console.log(JSON.stringify({ genuine: genuine.errors, errors, ms, grown }))`
    // On Linux a process can inherit its parent's peak memory, so a small process starts the measured ones, not this
    // large one.
    const starter = `
      const { spawnSync } = require('node:child_process')
      for (let i = 0; i < ${hostile.length}; i++) {
        const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', ${JSON.stringify(measure)}, String(i)])
        process.stdout.write(stdout.length > 0 ? stdout : JSON.stringify({ failed: stderr.toString().slice(-2000) }) + '\\n')
      }`
    const { stdout } = await promisify(execFile)(process.execPath, ['--eval', starter], { cwd: folder })
    const measured = stdout.trim().split('\n')
    expect(measured).toHaveLength(hostile.length)
    const tooDear = measured.flatMap((line, i) => {
      const { genuine, errors, ms, grown } = JSON.parse(line)
      const [accused, refused] = [genuine, errors].map(ids => ids && bundleIds.some(id => ids.includes(id)))
      return accused === false && refused && ms < mostMs && grown < mostMiB ? [] : [`${hostile[i]?.[0]}: ${line}`]
    })
    expect(tooDear).toEqual([])
  })

  test('every manifest that the service can write is short enough to be read', () => {
    const reference = '\u{10ffff}'.repeat(255)
    const listed = entries.filter(({ name }) => !name.startsWith('manifest.'))
    const longest = { ...plainReceipt, reference, refundOf: { ...plainReceipt, reference, createdAt: validFrom } }
    expect(readManifest(writeManifest(longest, ours.keyId, listed))).toMatchObject({ reference })
  })
})
