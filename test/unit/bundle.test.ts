// The evidence bundle: reproducible to the byte, verifiable with openssl and unzip alone, and read strictly.
import { spawnSync } from 'node:child_process'
import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import JSZip from 'jszip'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSigningKey } from '../../src/adapters/ed25519-file.ts'
import { canonicalJson } from '../../src/core/canonical.ts'
import { sha256 } from '../../src/core/hash.ts'
import { buildBundle, readBundle } from '../../src/modules/evidence/bundle.ts'
import { readManifest } from '../../src/modules/evidence/manifest.ts'
import { maxZipBytes, readZip, writeZip, type ZipEntry } from '../../src/modules/evidence/zip.ts'
import { type Facts, inLife } from '../../src/modules/iso20022/facts.ts'
import { pain001 } from '../../src/modules/iso20022/messages/pain001.ts'
import type { Signer } from '../../src/ports/signer.ts'
import { acceptedText, plainFacts, plainReceipt, plainRefund, receiptsOf } from '../kit/receipts.ts'

const folder = mkdtempSync(join(tmpdir(), 'quittance-bundle-'))
const keyFile = join(folder, 'key.pem')
const message = (facts: Facts) => ({ name: 'pain001.xml', bytes: Buffer.from(pain001.build(facts)) })
const sealed: Facts = { ...plainFacts, occasion: inLife(plainReceipt, plainReceipt.createdAt) }
const build = () => buildBundle(plainReceipt, message(sealed), signer)
let signer: Signer
let bytes: Buffer

beforeAll(async () => {
  signer = await openSigningKey(keyFile, { create: true })
  bytes = (await build()).bytes
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Reports whether the bundle is readable, signed by our key, and has every file that the manifest lists. */
async function isSound(bundle: Buffer): Promise<boolean> {
  const read = await readBundle(bundle)
  if (!read.ok) return false
  const manifest = readManifest(read.parts.manifest)
  const listed = read.parts.files.map(({ name, bytes }) => ({ name, sha256: sha256(bytes), size: bytes.length }))
  return (
    manifest !== null &&
    canonicalJson(manifest.files).equals(canonicalJson(listed)) &&
    read.parts.publicKeyPem === signer.publicKeyPem &&
    verify(null, read.parts.manifest, createPublicKey(signer.publicKeyPem), read.parts.signature)
  )
}

async function partsOf(bundle: Buffer): Promise<ZipEntry[]> {
  const zip = await JSZip.loadAsync(bundle)
  return Promise.all(
    Object.values(zip.files).map(async file => ({ name: file.name, bytes: await file.async('nodebuffer') })),
  )
}

describe('a bundle is reproducible', () => {
  test('building a receipt’s bundle twice returns the same bytes', async () => {
    const again = await build()
    expect(again.bytes.equals(bytes)).toBe(true)
    expect(again.bundleHash).toBe(`0x${createHash('sha256').update(bytes).digest('hex')}`)
    expect(await isSound(bytes)).toBe(true)
  })

  test.each(['Pacific/Kiritimati', 'America/St_Johns'])('another process in %s builds the same bytes', async TZ => {
    const source = (path: string) => JSON.stringify(new URL(`../../src/${path}`, import.meta.url))
    const receipt = JSON.stringify({ ...plainReceipt, createdAt: null })
    const script = `
      import { openSigningKey } from ${source('adapters/ed25519-file.ts')}
      import { pain001 } from ${source('modules/iso20022/messages/pain001.ts')}
      import { buildBundle } from ${source('modules/evidence/bundle.ts')}
      import { inLife } from ${source('modules/iso20022/facts.ts')}
      import { plainOrganisation, unnamed } from ${source('modules/settings/organisation.ts')}
      const receipt = { ...${receipt}, createdAt: new Date(${plainReceipt.createdAt.getTime()}) }
      const occasion = inLife(receipt, receipt.createdAt)
      const bytes = Buffer.from(pain001.build({ receipt, anchor: null, organisation: unnamed(plainOrganisation), occasion }))
      const signer = await openSigningKey(${JSON.stringify(keyFile)}, { create: false })
      const { bundleHash } = await buildBundle(receipt, { name: 'pain001.xml', bytes }, signer)
      console.log(new Date(0).getTimezoneOffset(), bundleHash)`
    const child = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
      env: { ...process.env, TZ },
    })
    expect(child.stderr).toBe('')
    const [offset, hash] = child.stdout.trim().split(' ')
    expect(offset).not.toBe('0')
    expect(hash).toBe(sha256(bytes))
  })

  test('every receipt that the API accepts makes a valid bundle that contains its values', async () => {
    await fc.assert(
      fc.asyncProperty(receiptsOf(acceptedText), async receipt => {
        const itsMessage = message({ ...plainFacts, receipt, occasion: inLife(receipt, receipt.createdAt) })
        const bundle = await buildBundle(receipt, itsMessage, signer)
        expect(await isSound(bundle.bytes)).toBe(true)
        const read = await readBundle(bundle.bytes)
        const tip = read.ok ? read.parts.files.find(file => file.name === 'tip.json')?.bytes.toString() : null
        expect(JSON.parse(tip ?? '')).toEqual({
          tip_tx_hash: receipt.tipTxHash,
          chain: receipt.chain,
          amount: receipt.amount,
          currency: receipt.currency,
          sender_wallet: receipt.senderWallet,
          receiver_wallet: receipt.receiverWallet,
          reference: receipt.reference,
          resource_hash: receipt.resourceHash,
        })
        const record = read.ok ? read.parts.files.find(file => file.name === 'receipt.json')?.bytes.toString() : null
        expect(JSON.parse(record ?? '')).toEqual({
          id: receipt.id,
          reference: receipt.reference,
          created_at: receipt.createdAt.toISOString(),
          project: { id: receipt.project.id, owner_wallet: receipt.project.ownerWallet },
          resource_hash: receipt.resourceHash,
          refund_of: receipt.refundOf?.id ?? null,
          refund_tx_hash: receipt.refundTxHash,
        })
      }),
      { numRuns: 150 },
    )
  })

  test('a refund’s bundle names the refunded receipt, and has pacs004.xml in place of pain001.xml', async () => {
    const refund = await buildBundle(plainRefund, { name: 'pacs004.xml', bytes: Buffer.from('<x/>') }, signer)
    expect(await isSound(refund.bytes)).toBe(true)
    expect((await partsOf(refund.bytes)).map(part => part.name)).toEqual([
      'manifest.json',
      'manifest.sig',
      'pacs004.xml',
      'public_key.pem',
      'receipt.json',
      'tip.json',
    ])
    const record = (await partsOf(refund.bytes)).find(({ name }) => name === 'receipt.json')
    expect(JSON.parse(`${record?.bytes}`)).toMatchObject({ id: plainRefund.id, refund_of: plainReceipt.id })
  })
})

const lacks = (program: string) => spawnSync(program, ['-h']).error !== undefined
const missing = ['openssl', 'unzip'].filter(lacks)
if (missing.length > 0)
  console.warn(`Skipped: verifying a bundle with standard programs; missing: ${missing.join(', ')}.`)

describe.skipIf(missing.length > 0)('a bundle can be verified with unzip and openssl alone', () => {
  const place = join(folder, 'unpacked')
  const run = (program: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, TZ: 'UTC', LC_ALL: 'C' },
    })
    expect(`${status} ${stderr}`).toBe('0 ')
    return stdout
  }
  beforeAll(() => {
    writeFileSync(join(folder, 'evidence.zip'), bytes)
    run('unzip', '-q', 'evidence.zip', '-d', place)
  })

  test('unzip finds all entries intact, stored, dated 1980-01-01, with mode 0644', () => {
    expect(run('unzip', '-t', 'evidence.zip')).toContain('No errors detected')
    const lines = run('unzip', '-Z', '-T', '-l', 'evidence.zip').split('\n')
    const entries = lines.filter(line => line.startsWith('-'))
    expect(entries).toHaveLength(6)
    for (const line of entries) expect(line).toMatch(/^-rw-r--r-- .* unx .* b- .* stor 19800101\.000000 \S+$/)
    expect(entries.map(line => line.split(' ').at(-1))).toEqual(readdirSync(place).sort())
  })

  test('openssl confirms the hashes of the files and the signature', () => {
    const at = (name: string) => join(place, name)
    const listed = readManifest(readFileSync(at('manifest.json')))?.files ?? []
    expect(listed.map(file => file.name)).toEqual(['pain001.xml', 'public_key.pem', 'receipt.json', 'tip.json'])
    for (const { name, sha256: hash, size } of listed) {
      expect(`0x${run('openssl', 'dgst', '-sha256', '-r', at(name)).slice(0, 64)}`).toBe(hash)
      expect(statSync(at(name)).size).toBe(size)
    }
    const told = run(
      'openssl',
      ...['pkeyutl', '-verify', '-pubin', '-inkey', at('public_key.pem'), '-rawin'],
      ...['-in', at('manifest.json'), '-sigfile', at('manifest.sig')],
    )
    expect(told).toContain('Signature Verified Successfully')
  })
})

describe('a bundle is refused', () => {
  test('when it is cut off at any byte', async () => {
    for (let length = 0; length < bytes.length; length += 97) {
      expect((await readBundle(bytes.subarray(0, length))).ok, `first ${length} bytes`).toBe(false)
    }
    expect((await readBundle(bytes.subarray(0, -1))).ok).toBe(false)
  })

  test('when any one bit is changed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length * 8 - 1), async bit => {
        const changed = Buffer.from(bytes)
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        expect(await isSound(changed)).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  test('when random bytes overwrite part of it, or when it is random bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.uint8Array({ minLength: 1, maxLength: 40 }), async (at, junk) => {
        const changed = Buffer.concat([bytes.subarray(0, at), junk, bytes.subarray(at + junk.length)])
        if (!changed.equals(bytes)) expect(await isSound(changed)).toBe(false)
        expect((await readBundle(Buffer.from(junk))).ok).toBe(false)
      }),
      { numRuns: 300 },
    )
  })

  test('when bytes or files precede, follow, are added or are missing', async () => {
    const entries = await partsOf(bytes)
    const tip = entries.at(-1) ?? { name: '', bytes: Buffer.alloc(0) }
    const renamed = entries.map(entry => (entry === tip ? { ...entry, name: '../tip.json' } : entry))
    const hostile: Record<string, Buffer> = {
      empty: Buffer.alloc(0),
      prefix: Buffer.concat([Buffer.from('#!/bin/sh\n'), bytes]),
      suffix: Buffer.concat([bytes, Buffer.from([0])]),
      twice: Buffer.concat([bytes, bytes]),
      extra: await writeZip([...entries, { name: 'zzz.txt', bytes: Buffer.from('x') }]),
      missing: await writeZip(entries.slice(0, -1)),
      renamed: await writeZip(renamed),
      none: await writeZip([]),
    }
    for (const [what, changed] of Object.entries(hostile)) expect((await readBundle(changed)).ok, what).toBe(false)
  })

  test('when an entry is repeated, compressed, dated, commented, a link or executable', async () => {
    const entries = await partsOf(bytes)
    // No ZIP writer gives two entries one name, so a name of the same length is changed afterwards in every header.
    const twin = async (kept: ZipEntry[]) => {
      const zip = await writeZip([...kept, { name: 'tip.jsoo', bytes: Buffer.from('{}') }])
      return Buffer.from(zip.toString('latin1').replaceAll('tip.jsoo', 'tip.json'), 'latin1')
    }
    const rewrite = async (options: JSZip.JSZipGeneratorOptions<'nodebuffer'>, file: JSZip.JSZipFileOptions) => {
      const zip = new JSZip()
      for (const entry of entries)
        zip.file(entry.name, entry.bytes, { date: new Date(0), createFolders: false, ...file })
      return zip.generateAsync({ platform: 'UNIX', ...options, type: 'nodebuffer' })
    }
    const epoch = new Date(Date.UTC(1980, 0, 1))
    const canonical = { date: epoch, unixPermissions: 0o100644 }
    expect((await rewrite({}, canonical)).equals(bytes)).toBe(true)
    const hostile: Record<string, Buffer> = {
      seventh: await twin(entries),
      inPlaceOfAnother: await twin(entries.filter(entry => entry.name !== 'receipt.json')),
      compressed: await rewrite({ compression: 'DEFLATE' }, canonical),
      streamed: await rewrite({ streamFiles: true }, canonical),
      commented: await rewrite({ comment: 'hello' }, canonical),
      fileComment: await rewrite({}, { ...canonical, comment: 'hello' }),
      dated: await rewrite({}, { ...canonical, date: new Date(Date.UTC(2026, 0, 1)) }),
      executable: await rewrite({}, { ...canonical, unixPermissions: 0o100755 }),
      link: await rewrite({}, { ...canonical, unixPermissions: 0o120777 }),
      dos: await rewrite({ platform: 'DOS' }, canonical),
    }
    for (const [what, changed] of Object.entries(hostile)) expect((await readBundle(changed)).ok, what).toBe(false)
  })

  test('when it is larger than 4 MiB, without being read', async () => {
    const result = await readZip(Buffer.alloc(maxZipBytes + 1), [['a']])
    expect(result).toEqual({ ok: false, reason: 'It is larger than 4 MiB.' })
  })

  test('when its manifest is not canonical JSON, or has more or fewer members', () => {
    const manifest = readManifest(Buffer.from(bytes.subarray(bytes.indexOf('{"algorithm"'), bytes.indexOf('PK', 40))))
    const { id, ownerWallet } = plainReceipt.project
    expect(manifest).toMatchObject({ receipt_id: plainReceipt.id, project: { id, owner_wallet: ownerWallet } })
    expect(readManifest(Buffer.from(JSON.stringify(manifest, null, 1)))).toBeNull()
    expect(readManifest(canonicalJson({ ...manifest, status: 'anchored' }))).toBeNull()
    expect(readManifest(canonicalJson({ ...manifest, version: 1 }))).toBeNull()
    expect(readManifest(canonicalJson({ ...manifest, version: 3 }))).toBeNull()
    const keyId = (id: string) => readManifest(canonicalJson({ ...manifest, key_id: id }))?.key_id
    expect([keyId(signer.keyId), keyId(signer.keyId.slice(0, 16))]).toEqual([signer.keyId, signer.keyId.slice(0, 16)])
    for (const length of [0, 15, 17, 63]) expect(keyId(signer.keyId.slice(0, length))).toBeUndefined()
    expect(readManifest(Buffer.from('null'))).toBeNull()
    expect(readManifest(Buffer.from('{'))).toBeNull()
  })
})

test('a manifest of version 1, which did not name the project yet, is still read', () => {
  const before = {
    version: 1,
    receipt_id: plainReceipt.id,
    reference: plainReceipt.reference,
    created_at: plainReceipt.createdAt.toISOString(),
    key_id: '0123456789abcdef',
    files: [],
  }
  expect(readManifest(canonicalJson(before))).toEqual(before)
})

describe('the signing key file', () => {
  const file = (name: string) => join(folder, name)

  test('is created once, readable for its owner only, and reused afterwards', async () => {
    const path = file('new/key.pem')
    const opened = await Promise.all(Array.from({ length: 8 }, () => openSigningKey(path, { create: true })))
    expect(new Set(opened.map(key => key.keyId)).size).toBe(1)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(file('new'))).toEqual(['key.pem'])
    const again = await openSigningKey(path, { create: false })
    const der = createPublicKey(again.publicKeyPem).export({ format: 'der', type: 'spki' })
    expect(again.keyId).toBe(createHash('sha256').update(der).digest('hex'))
    expect(again.sign(Buffer.from('x'))).toHaveLength(64)
  })

  test('is refused in one sentence when it cannot be used', async () => {
    const pem = (type: 'ed25519' | 'x25519') =>
      (type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('x25519')).privateKey.export({
        format: 'pem',
        type: 'pkcs8',
      })
    writeFileSync(file('open.pem'), pem('ed25519'))
    chmodSync(file('open.pem'), 0o644)
    writeFileSync(file('other.pem'), pem('x25519'), { mode: 0o600 })
    writeFileSync(file('junk.pem'), 'hello', { mode: 0o600 })
    const open = (name: string) => openSigningKey(file(name), { create: false })
    await expect(open('open.pem')).rejects.toThrow('open to everyone (mode 644)')
    await expect(open('other.pem')).rejects.toThrow('is of type x25519; Ed25519 is needed.')
    await expect(open('junk.pem')).rejects.toThrow('is not an unencrypted PKCS#8 PEM private key.')
    await expect(open('absent.pem')).rejects.toThrow('does not exist.')
    await expect(open('.')).rejects.toThrow('is not a regular file.')
  })
})
