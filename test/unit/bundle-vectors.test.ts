// docs/bundle.md is enough to write a second implementation: its vectors are what the service builds, and a program in
// Python that was written from it alone (test/kit/second_bundle.py) builds the same bytes.
import { spawnSync } from 'node:child_process'
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { Wallet } from 'ethers'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { canonicalJson } from '../../src/core/canonical.ts'
import { sha256 } from '../../src/core/hash.ts'
import { keyIdOf } from '../../src/core/key-id.ts'
import { controlFile, type WalletProof } from '../../src/modules/control/file.ts'
import { buildBundle, readBundle } from '../../src/modules/evidence/bundle.ts'
import { readManifest } from '../../src/modules/evidence/manifest.ts'
import { buildStatementBundle, type SealedStatement } from '../../src/modules/evidence/statement-bundle.ts'
import { maxZipBytes, writeZip } from '../../src/modules/evidence/zip.ts'
import { inLife, type ReceiptFacts } from '../../src/modules/iso20022/facts.ts'
import { pacs004 } from '../../src/modules/iso20022/messages/pacs004.ts'
import { pain001 } from '../../src/modules/iso20022/messages/pain001.ts'
import { runChecks } from '../../src/modules/verification/checks.ts'
import type { Signer } from '../../src/ports/signer.ts'
import { pythonOf } from '../kit/python.ts'
import { acceptedText, announcedRefund, plainFacts, plainReceipt, plainRefund, receiptsOf } from '../kit/receipts.ts'
import { messageText } from '../kit/sign-in.ts'

const file = new URL('../../docs/bundle-vectors.json', import.meta.url)

function signerOf(seed: Buffer): Signer {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const publicKeyPem = createPublicKey(key).export({ format: 'pem', type: 'spki' }).toString()
  return { keyId: keyIdOf(publicKeyPem), publicKeyPem, sign: bytes => sign(null, bytes, key) }
}

const seed = Buffer.from('5155495454414e4345204558414d504c45204b45592c204e4f20534543524554', 'hex')
const example = signerOf(seed)

type Form = { version: 1 | 2; key_id: 'whole' | 'short' }
type Message = { name: string; text: string } | null
type Input = Form & { message: Message } & ({ receipt: object; tip: object; control?: object } | { statement: object })
type Vector = Input & { what: string; manifest: string; signature: string; zip: string; bundle_hash: string }

const written: Form = { version: 2, key_id: 'whole' }

/** Returns what the service seals for this receipt. Which message it is does not matter to the bundle. */
async function vectorOf(
  what: string,
  receipt: ReceiptFacts,
  signer: Signer,
  text = '<Document/>',
  proof?: WalletProof,
): Promise<Vector> {
  const message = { name: receipt.refundOf === null ? 'pain001.xml' : 'pacs004.xml', text }
  const optional = proof ? [controlFile(receipt.project.id, proof)] : []
  const { bytes } = await buildBundle(receipt, { name: message.name, bytes: Buffer.from(text) }, signer, optional)
  return told(what, written, message, bytes)
}

const messageOf = (receipt: ReceiptFacts): string =>
  (receipt.refundOf === null ? pain001 : pacs004).build({
    ...plainFacts,
    receipt,
    anchor: null,
    occasion: inLife(receipt, receipt.createdAt),
  })

/** A bundle in a form of before: the same files, under another manifest. */
async function older(vector: Vector, form: Form): Promise<Vector> {
  const read = await readBundle(Buffer.from(vector.zip, 'base64'))
  if (!read.ok) throw new Error(read.reason)
  const { algorithm, project, ...rest } = JSON.parse(vector.manifest)
  const more = form.version === 2 ? { algorithm, project } : {}
  const manifest = canonicalJson({ ...rest, ...more, version: form.version, key_id: example.keyId.slice(0, 16) })
  const signed = [
    { name: 'manifest.json', bytes: manifest },
    { name: 'manifest.sig', bytes: example.sign(manifest) },
  ]
  return told(
    `${vector.what}, as version ${form.version} with a short key id`,
    form,
    vector.message,
    await writeZip([...signed, ...read.parts.files]),
  )
}

async function told(what: string, form: Form, message: Message, zip: Buffer): Promise<Vector> {
  const read = await readBundle(zip)
  if (!read.ok) throw new Error(read.reason)
  const { manifest, signature, files } = read.parts
  const inside = (name: string) => JSON.parse(files.find(one => one.name === name)?.bytes.toString('utf8') ?? '')
  const has = (name: string) => files.some(file => file.name === name)
  return {
    what,
    ...form,
    message,
    ...(has('statement.json')
      ? { statement: inside('statement.json') }
      : { receipt: inside('receipt.json'), tip: inside('tip.json') }),
    ...(has('control.json') && { control: inside('control.json') }),
    manifest: manifest.toString('utf8'),
    signature: signature.toString('hex'),
    bundle_hash: sha256(zip),
    zip: zip.toString('base64'),
  }
}

/** Returns what the service seals for a numbered statement with these pages. */
async function statementVector(what: string, pages: string[], signer: Signer, texts: Partial<SealedStatement> = {}) {
  const entries = pages.map((text, index) => ({
    name: pages.length === 1 ? 'camt053.xml' : `camt053-000${index + 1}.xml`,
    bytes: Buffer.from(text),
  }))
  const { bytes } = await buildStatementBundle({ ...plainStatement, ...texts }, entries, signer)
  const read = await readBundle(bytes)
  const isInside = read.ok && read.parts.files.some(({ name }) => name === 'camt053.xml')
  return told(what, written, isInside ? { name: 'camt053.xml', text: pages[0] ?? '' } : null, bytes)
}

const plainStatement: SealedStatement = {
  id: '0b8f6f5e-1d1c-4c7b-9a55-2f2b8f0f9a01',
  number: 7,
  account: { id: `A-${'5a'.repeat(16)}`, wallet: plainReceipt.receiverWallet, chain: 'base', currency: 'USDC' },
  day: '2026-03-01',
  timeZone: 'America/New_York',
  from: new Date('2026-03-01T05:00:00.000Z'),
  to: new Date('2026-03-02T05:00:00.000Z'),
  opening: '-3.5',
  closing: '9',
  entries: 2,
  createdAt: new Date('2026-03-02T05:01:00.000Z'),
  project: plainReceipt.project,
}

// A key for this page alone.
const shop = new Wallet(`0x${'5e'.repeat(32)}`)
const to = (wallet: string): ReceiptFacts => ({ ...plainReceipt, receiverWallet: wallet.toLowerCase() })
const linkedAt = new Date('2026-02-03T04:05:06.789Z')
const signIn = (address: string) =>
  messageText({
    domain: 'evidence.example',
    address,
    statement: '\nLink this wallet to the shop.\n\n',
    uri: 'https://evidence.example/sign-in',
    chainId: '8453',
    nonce: '0123456789abcdef0123456789abcdef',
    issuedAt: '2026-02-03T04:05:00.000Z',
  })
const noBlock = { network: null, blockNumber: null, blockHash: null }
const keyProof: WalletProof = {
  address: shop.address.toLowerCase(),
  message: signIn(shop.address),
  signature: await shop.signMessage(signIn(shop.address)),
  method: 'eip191',
  ...noBlock,
  linkedAt,
}
const contract = '0x52908400098527886E0F7030069857D2E4169EE7'
const toContract: ReceiptFacts = { ...plainRefund, receiverWallet: contract.toLowerCase() }
const contractProof: WalletProof = {
  address: contract.toLowerCase(),
  message: signIn(contract),
  signature: '0x1234',
  method: 'eip1271',
  network: 'eip155:8453',
  blockNumber: 25_000_000,
  blockHash: `0x${'0b'.repeat(32)}`,
  linkedAt,
}

const texts = 'Ünïcode "quoted" \\ back/slash 支払い 💶 \u2028'
let vectors: Vector[]

beforeAll(async () => {
  const payment = await vectorOf('a payment', plainReceipt, example)
  vectors = [
    payment,
    await vectorOf('a payment to a wallet that its key proved', to(shop.address), example, undefined, keyProof),
    await vectorOf('a refund', plainRefund, example),
    await vectorOf('a refund to a contract that proved itself', toContract, example, undefined, contractProof),
    await vectorOf('a refund that is only announced', announcedRefund, example),
    await vectorOf(
      'a payment with nulls, a leg and text of all kinds',
      {
        ...plainReceipt,
        reference: texts,
        tipTxHash: `${plainReceipt.tipTxHash}#3`,
        resourceHash: null,
        project: { ...plainReceipt.project, ownerWallet: null },
      },
      example,
    ),
    await older(payment, { version: 2, key_id: 'short' }),
    await older(payment, { version: 1, key_id: 'short' }),
    await statementVector('a statement', ['<Document/>'], example),
    await statementVector('a statement of two pages', ['<Document>1</Document>', '<Document>2</Document>'], example),
  ]
})

const document = () => ({
  seed: seed.toString('hex'),
  key_id: example.keyId,
  public_key_pem: example.publicKeyPem,
  bundles: vectors,
})

test('the vectors are what the service builds, and verify with its checks', async () => {
  if (process.env.UPDATE_GOLDEN) writeFileSync(file, `${JSON.stringify(document(), null, 2)}\n`)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(document())
  const keys = [{ publicKeyPem: example.publicKeyPem, validFrom: new Date(0), validTo: null }]
  const ports = {
    chains: [],
    anchorsOf: async () => [],
    isRecorded: async () => false,
    ownOf: async () => [],
    paymentChain: () => null,
  }
  for (const { what, zip, manifest } of vectors) {
    const bundle = Buffer.from(zip, 'base64')
    const { errors } = await runChecks({ bundle, expectedHash: null, txid: null, keys }, ports)
    expect([what, errors]).toEqual([what, []])
    expect(readManifest(Buffer.from(manifest))).not.toBeNull()
  }
})

test('a page that would make the bundle of a statement too large is beside it', async () => {
  const large = await statementVector('large', ['x'.repeat(maxZipBytes - 1_000)], example)
  expect([large.message, 'statement' in large && large.statement]).toMatchObject([
    null,
    { pages: [{ name: 'camt053.xml', size: maxZipBytes - 1_000 }] },
  ])
})

const { command, args, env, lacks } = pythonOf('')
if (lacks !== null) console.warn(`Skipped: bundles by a second implementation; ${lacks}.`)

/** Returns what the program builds of these inputs. */
function secondly(inputs: (Input & { seed: string })[]): Omit<Vector, 'what'>[] {
  const program = new URL('../kit/second_bundle.py', import.meta.url).pathname
  const { status, stdout, stderr } = spawnSync(command, [...args, program], {
    input: JSON.stringify(
      inputs.map(({ seed: secret, version, key_id, message, ...input }) => ({
        seed: secret,
        version,
        key_id,
        message,
        ...('statement' in input ? { statement: input.statement } : { receipt: input.receipt, tip: input.tip }),
        ...('control' in input && { control: input.control }),
      })),
    ),
    env: { ...env, PATH: process.env.PATH, PYTHONIOENCODING: 'utf-8' },
    encoding: 'utf8',
    maxBuffer: 256 << 20,
  })
  expect([status, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

describe.skipIf(lacks !== null)('a program that was written from docs/bundle.md alone', () => {
  test('builds every vector', () => {
    const {
      seed: secret,
      key_id,
      public_key_pem,
      bundles,
    } = JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof document>
    const built = secondly(bundles.map(bundle => ({ ...bundle, seed: secret })))
    expect(built).toEqual(
      bundles.map(({ zip, manifest, signature, bundle_hash }) => ({
        zip,
        manifest,
        signature,
        bundle_hash,
        key_id,
        public_key_pem,
      })),
    )
  })

  test('builds 100 of 100 bundles of receipts with any accepted text, of as many keys', async () => {
    const sample = fc.sample(fc.tuple(receiptsOf(acceptedText), fc.uint8Array({ minLength: 32, maxLength: 32 })), {
      numRuns: 100,
      seed: Date.now() & 0x7fffffff,
    })
    const wanted = await Promise.all(
      sample.map(async ([receipt, bytes], index) => {
        const secret = Buffer.from(bytes)
        return {
          ...(await vectorOf(`${index}`, receipt, signerOf(secret), messageOf(receipt))),
          seed: secret.toString('hex'),
        }
      }),
    )
    expect(new Set(wanted.map(({ message }) => message?.name))).toEqual(new Set(['pain001.xml', 'pacs004.xml']))
    const built = secondly(wanted)
    const equal = built.filter(
      ({ zip, bundle_hash }, index) => zip === wanted[index]?.zip && bundle_hash === wanted[index]?.bundle_hash,
    )
    expect(`${equal.length} of ${wanted.length}`).toBe('100 of 100')
  })
})
