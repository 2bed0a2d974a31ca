// Tests which key a bundle names: the id is computed from the key, and the short form of earlier bundles never decides.
import { createHash, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from '../../src/core/canonical.ts'
import { sha256 } from '../../src/core/hash.ts'
import { DuplicateMember, parseJson } from '../../src/core/json.ts'
import { keyIdOf, keysWrittenAs } from '../../src/core/key-id.ts'
import { buildBundle, readBundle } from '../../src/modules/evidence/bundle.ts'
import { writeZip } from '../../src/modules/evidence/zip.ts'
import { runChecks, type TrustedKey } from '../../src/modules/verification/checks.ts'
import type { Signer } from '../../src/ports/signer.ts'
import { plainReceipt } from '../kit/receipts.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const publicKeyPem = publicKey.export({ format: 'pem', type: 'spki' }).toString()
const id = keyIdOf(publicKeyPem)
const signer = (keyId: string): Signer => ({ keyId, publicKeyPem, sign: bytes => sign(null, bytes, privateKey) })
const trusted = (pem: string): TrustedKey => ({ publicKeyPem: pem, validFrom: new Date(0), validTo: null })
const pemOf = (raw: Buffer) =>
  createPublicKey({
    key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw]),
    format: 'der',
    type: 'spki',
  })
    .export({ format: 'pem', type: 'spki' })
    .toString()

const errorsOf = async (bundle: Buffer, keys: TrustedKey[]) => {
  const ports = {
    chains: [],
    anchorsOf: async () => [],
    isRecorded: async () => false,
    ownOf: async () => [],
    paymentChain: () => null,
  }
  return (await runChecks({ bundle, expectedHash: null, txid: null, keys }, ports)).errors
}
const sealedAs = async (keyId: string) =>
  (await buildBundle(plainReceipt, { name: 'pain001.xml', bytes: Buffer.from('<x/>') }, signer(keyId))).bytes

test('the id of a key is the SHA-256 of its SPKI DER, whatever the line ends of its PEM', () => {
  const der = publicKey.export({ format: 'der', type: 'spki' })
  expect(id).toBe(createHash('sha256').update(der).digest('hex'))
  expect(keyIdOf(publicKeyPem.replaceAll('\n', '\r\n'))).toBe(id)
})

test('a bundle is verified with the key that it names in whole, or by its first 16 digits', async () => {
  const keys = [trusted(pemOf(Buffer.alloc(32, 7))), trusted(publicKeyPem)]
  expect(await errorsOf(await sealedAs(id), keys)).toEqual([])
  expect(await errorsOf(await sealedAs(id.slice(0, 16)), keys)).toEqual([])
  const lastDigit = id.endsWith('0') ? '1' : '0'
  expect(await errorsOf(await sealedAs(id.slice(0, -1) + lastDigit), keys)).toEqual(['unknown_signing_key'])
  expect(await errorsOf(await sealedAs(id), keys.slice(0, 1))).toEqual(['unknown_signing_key'])
})

test('an id that fits several trusted keys names none of them', async () => {
  const retired = { ...trusted(publicKeyPem), validTo: new Date(1) }
  for (const keys of [
    [trusted(publicKeyPem), retired],
    [retired, trusted(publicKeyPem)],
  ]) {
    expect(await errorsOf(await sealedAs(id), keys)).toEqual(['unknown_signing_key'])
    expect(await errorsOf(await sealedAs(id.slice(0, 16)), keys)).toEqual(['unknown_signing_key'])
  }
})

test('a bundle of version 1 still verifies', async () => {
  const read = await readBundle(await sealedAs(id))
  if (!read.ok) throw new Error(read.reason)
  const manifest = canonicalJson({
    version: 1,
    receipt_id: plainReceipt.id,
    reference: plainReceipt.reference,
    created_at: plainReceipt.createdAt.toISOString(),
    key_id: id.slice(0, 16),
    files: read.parts.files.map(({ name, bytes }) => ({ name, sha256: sha256(bytes), size: bytes.length })),
  })
  const signed = [
    { name: 'manifest.json', bytes: manifest },
    { name: 'manifest.sig', bytes: signer(id).sign(manifest) },
  ]
  expect(await errorsOf(await writeZip([...signed, ...read.parts.files]), [trusted(publicKeyPem)])).toEqual([])
})

describe('JSON with two members of one name', () => {
  test.each([
    '{"a":1,"a":1}',
    '{"a":1,"b":{"a":2},"a":3}',
    '[{"a":[{"b":1,"c":2,"b":3}]}]',
    String.raw`{"a":1,"\u0061":2}`,
    String.raw`{"a\"b":1,"a\"b":2}`,
    '{"":0,"":0}',
    '{"__proto__":1,"__proto__":2}',
    '{"a" \n : 1, "a":2}',
    '{"1":0,"a":0,"1":0}',
  ])('%s is refused', text => {
    expect(() => parseJson(text)).toThrow(DuplicateMember)
    expect(JSON.parse(text)).toBeDefined()
  })

  test.each([
    '{"a":"a","b":{"a":"\\"a\\":1"},"c":[{"a":1},{"a":1}]}',
    String.raw`{"a":"{\"a\":1,\"a\":2}","b\\":":\\","\\\"":0}`,
    ' [1, "x" , null, {"__proto__": {"__proto__": 1}}] ',
    '"a"',
    '0',
  ])('%s has none', text => {
    expect(parseJson(text)).toEqual(JSON.parse(text))
  })

  test('the message names the member, and text that is no JSON is refused as before', () => {
    expect(() => parseJson('{"keys":[{"valid_to":null,"valid_to":"x"}]}')).toThrow('"valid_to"')
    for (const text of ['', '{', '{"a":1,}', "{'a':1}"]) expect(() => parseJson(text)).toThrow(SyntaxError)
    expect(() => parseJson(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).not.toThrow()
  })
})

test('keysWrittenAs finds no key by less or more than the two forms', () => {
  const keys = [{ publicKeyPem }]
  for (const length of [0, 8, 15, 17, 32, 63]) expect(keysWrittenAs(id.slice(0, length), keys)).toEqual([])
  for (const length of [16, 64]) expect(keysWrittenAs(id.slice(0, length), keys)).toEqual(keys)
})
