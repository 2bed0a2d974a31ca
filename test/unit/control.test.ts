// control.json: what its check accepts and refuses, when the attacker may sign bundles with the service's own key.
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { type BaseWallet, Wallet } from 'ethers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from '../../src/core/canonical.ts'
import { AppError } from '../../src/core/errors.ts'
import { keyIdOf } from '../../src/core/key-id.ts'
import { controlFile, type WalletProof } from '../../src/modules/control/file.ts'
import { buildBundle, readBundle, signed } from '../../src/modules/evidence/bundle.ts'
import { writeManifest, writeStatementManifest } from '../../src/modules/evidence/manifest.ts'
import type { ReceiptFacts } from '../../src/modules/iso20022/facts.ts'
import { runChecks } from '../../src/modules/verification/checks.ts'
import type { Chain } from '../../src/ports/chain.ts'
import type { Signer } from '../../src/ports/signer.ts'
import { plainReceipt } from '../kit/receipts.ts'
import { lacksPython, secondControl } from '../kit/second-control.ts'
import { formsOf, type MessageFields, messageText } from '../kit/sign-in.ts'

const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)])
const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
const publicKeyPem = createPublicKey(privateKey).export({ format: 'pem', type: 'spki' }).toString()
const signer: Signer = { keyId: keyIdOf(publicKeyPem), publicKeyPem, sign: bytes => sign(null, bytes, privateKey) }
const keys = [{ publicKeyPem, validFrom: new Date('2026-01-01T00:00:00Z'), validTo: null }]

const [shop, other] = [new Wallet(`0x${'5e'.repeat(32)}`), new Wallet(`0x${'6f'.repeat(32)}`)]
const key = (wallet: BaseWallet) => wallet.address.toLowerCase()
const receipt: ReceiptFacts = { ...plainReceipt, receiverWallet: key(shop), receiverKey: key(shop) }
const projectId = receipt.project.id
const message = { name: 'pain001.xml', bytes: Buffer.from('<Document/>') }

const linkedAt = new Date('2026-02-03T04:05:06.789Z')
const signIn = (change: Partial<MessageFields> = {}) =>
  messageText({
    domain: 'evidence.example',
    address: shop.address,
    uri: 'https://evidence.example/sign-in',
    chainId: '8453',
    nonce: '0123456789abcdef0123456789abcdef',
    issuedAt: '2026-02-03T04:05:00.000Z',
    ...change,
  })
const noBlock = { network: null, blockNumber: null, blockHash: null }
const someBlock = { network: 'eip155:8453', blockNumber: 25_000_000, blockHash: `0x${'0b'.repeat(32)}` }

async function proofOf(text = signIn(), by: BaseWallet = shop): Promise<WalletProof> {
  const signature = await by.signMessage(text)
  return { address: key(shop), message: text, signature, method: 'eip191', ...noBlock, linkedAt }
}
const genuine = await proofOf()
const ofContract: WalletProof = { ...genuine, signature: '0x1234', method: 'eip1271', ...someBlock }

type Json = Record<string, unknown>
const jsonOf = (proof: WalletProof): Json => JSON.parse(controlFile(projectId, proof).bytes.toString('utf8'))

/** A bundle with this control.json, which the service's own key has signed. */
async function bundleOf(control: Json | Buffer, of: ReceiptFacts = receipt): Promise<Buffer> {
  const bytes = Buffer.isBuffer(control) ? control : canonicalJson(control)
  return (await buildBundle(of, message, signer, [{ name: 'control.json', bytes }])).bytes
}

async function verify(bundle: Buffer, chains: readonly Chain[] = []) {
  const ports = {
    anchorsOf: async () => [],
    isRecorded: async () => false,
    ownOf: async () => [],
    paymentChain: () => null,
  }
  return runChecks({ bundle, expectedHash: null, txid: null, keys }, { chains, ...ports })
}
async function judged(bundle: Buffer, chains: readonly Chain[] = []) {
  const { checks, errors } = await verify(bundle, chains)
  const check = checks.find(({ id }) => id === 'control_invalid')
  expect(errors.includes('control_invalid')).toBe(check?.status === 'failed')
  return { status: check?.status, detail: check?.detail ?? null }
}
/** `linked_at` is the service's word. */
const withoutTime = (bytes: Buffer) => bytes.toString('latin1').replace(/"linked_at":"[-\d:TZ.]*"/, '')
const judgedOf = async (change: Json, of?: ReceiptFacts) =>
  judged(await bundleOf({ ...jsonOf(genuine), ...change }, of))

describe('is passed', () => {
  test('for the signature of the receiver’s key, and names the service that it signed in to', async () => {
    const bundle = await bundleOf(jsonOf(genuine))
    expect(await judged(bundle)).toEqual({
      status: 'passed',
      detail: `${key(shop)} signed in to evidence.example, at 2026-02-03T04:05:06.789Z.`,
    })
    expect((await verify(bundle)).errors).toEqual([])
    const elsewhere = await proofOf(signIn({ domain: 'other.example', uri: 'https://other.example/' }))
    expect((await judged(await bundleOf(jsonOf(elsewhere)))).detail).toContain('in to other.example')
  })

  test.each(['v 27 or 28', 'v 0 or 1', 'compact (EIP-2098)'] as const)('with %s', async form => {
    const bundle = await bundleOf({ ...jsonOf(genuine), signature: formsOf(genuine.signature)[form] })
    expect((await judged(bundle)).status).toBe('passed')
    if (lacksPython === null)
      expect(secondControl([bundle])).toEqual([{ listed: true, receiver: true, project: true, signed: true }])
  })

  test('for a nonce alone, which names neither wallet nor service, and says so', async () => {
    const { status, detail } = await judged(await bundleOf(jsonOf(await proofOf('0123456789abcdef'.repeat(2)))))
    expect([status, detail]).toEqual([
      'passed',
      expect.stringContaining('a nonce, which names neither it nor a service'),
    ])
  })

  test('for a receiver in another notation', async () => {
    const receiverWallet = `eip155:8453:${shop.address}`
    expect((await judged(await bundleOf(jsonOf(genuine), { ...receipt, receiverWallet }))).status).toBe('passed')
  })

  test('for the longest message, which is still read', async () => {
    const begin = signIn({ tail: '\nResources:' })
    const lines = '\n- a:'.repeat(Math.floor((4_096 - begin.length) / 5))
    const bundle = await bundleOf(jsonOf(await proofOf(begin + lines)))
    expect((await judged(bundle)).status).toBe('passed')
    const contracts = { ...ofContract, message: begin + lines, signature: `0x${'ab'.repeat(4_096)}` }
    expect((await readBundle(await bundleOf(jsonOf(contracts)))).ok).toBe(true)
  })
})

test('is skipped where a bundle does not state it, and these are the bytes of before', async () => {
  const { bytes } = await buildBundle(receipt, message, signer)
  expect(await judged(bytes)).toEqual({ status: 'skipped', detail: 'The bundle does not state it.' })
  expect(bytes.equals((await buildBundle(receipt, message, signer, [])).bytes)).toBe(true)
})

describe('is failed', () => {
  test.each<[string, Json]>([
    ['version', { version: 2 }],
    ['wallet', { wallet: key(other) }],
    ['wallet in upper-case', { wallet: shop.address }],
    ['project', { project: { id: '16fd2706-8baf-433b-82eb-8c7fada847db' } }],
    ['project with more', { project: { id: projectId, owner_wallet: null } }],
    ['message', { message: genuine.message.replace('sign-in', 'sign-up') }],
    ['message with a space at its end', { message: `${genuine.message} ` }],
    ['signature', { signature: `0x${'12'.repeat(64)}1b` }],
    ['signature with a byte more', { signature: `${genuine.signature}00` }],
    ['signature in upper-case', { signature: formsOf(genuine.signature)['upper-case hex'] }],
    ['signature with a high s', { signature: formsOf(genuine.signature)['high s'] }],
    ['signature with the other v', { signature: formsOf(genuine.signature)['the other v'] }],
    ['signature of a transaction’s form', { signature: formsOf(genuine.signature)['v of a transaction (EIP-155)'] }],
    ['method', { method: 'eip1271' }],
    ['unknown method', { method: 'eip712' }],
    ['chain', { chain: 'eip155:1' }],
    ['block_number', { block_number: 1 }],
    ['block_hash', { block_hash: `0x${'0b'.repeat(32)}` }],
    ['linked_at, a day later', { linked_at: '2026-02-04T04:05:06.789Z' }],
    ['linked_at, a day earlier', { linked_at: '2026-02-02T04:05:06.789Z' }],
    ['linked_at without fractions', { linked_at: '2026-02-03T04:05:06Z' }],
    ['one member more', { more: 1 }],
  ])('with another %s', async (_, change) => {
    expect((await judgedOf(change)).status).toBe('failed')
  })

  test.each(Object.keys(jsonOf(genuine)))('without %s', async member => {
    expect((await judgedOf({ [member]: undefined })).status).toBe('failed')
  })

  test('as another project’s proof, or in another project’s bundle that the same key has signed', async () => {
    const theirs = { ...receipt, project: { id: 'b2c1d7d6-0a63-4b8b-9d3e-0f3e5f0a1c11', ownerWallet: null } }
    expect(await judged(await bundleOf(jsonOf(genuine), theirs))).toEqual({
      status: 'failed',
      detail: 'It is about another project than the one that recorded the receipt.',
    })
  })

  test('in the bundle of a payment to another wallet', async () => {
    const receiverWallet = key(other)
    expect(await judged(await bundleOf(jsonOf(genuine), { ...receipt, receiverWallet }))).toMatchObject({
      status: 'failed',
      detail: 'It is about another wallet than the receiver’s.',
    })
  })

  test('when another key signed, or the message names another wallet', async () => {
    const detail = async (proof: WalletProof) => (await judged(await bundleOf(jsonOf(proof)))).detail
    expect(await detail(await proofOf(signIn(), other))).toMatch(/not one that the wallet’s key made/)
    expect(await detail(await proofOf(signIn({ address: other.address })))).toMatch(/names another wallet/)
    expect(await detail(await proofOf('I pay you a million'))).toMatch(/no EIP-4361 message/)
    expect(await detail(await proofOf(`${signIn()}\nand more`))).toMatch(/no EIP-4361 message/)
    expect(await detail(await proofOf(signIn({ issuedAt: '2025-02-03T04:05:00.000Z' })))).toMatch(/another time/)
  })

  test('beside a manifest of version 1, which names no project', async () => {
    const read = await readBundle(await bundleOf(jsonOf(genuine)))
    if (!read.ok) throw new Error(read.reason)
    const { algorithm: _, project: __, ...rest } = JSON.parse(read.parts.manifest.toString('utf8'))
    const old = canonicalJson({ ...rest, version: 1, key_id: signer.keyId.slice(0, 16) })
    const content = read.parts.files.filter(({ name }) => name !== 'public_key.pem')
    expect((await judged((await signed(content, signer, () => old)).bytes)).status).toBe('failed')
  })

  test('whichever byte of it is changed and signed again, unless only the time of the link changes', async () => {
    const bytes = canonicalJson(jsonOf(genuine))
    let failures = 0
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ by
        const { errors, checks } = await verify(await bundleOf(changed))
        if (withoutTime(changed) === withoutTime(bytes)) return
        failures++
        expect(checks.find(({ id }) => id === 'control_invalid')?.status).not.toBe('passed')
        expect(errors).not.toEqual([])
      }),
      { numRuns: 500, seed: 75 },
    )
    expect(failures).toBeGreaterThan(400)
  })
})

describe('a contract’s proof', () => {
  const chainOf = (answer: boolean | AppError, caip2 = 'eip155:8453') => {
    const asked: unknown[][] = []
    const never = () => Promise.reject(new Error('not needed'))
    const chain: Chain = {
      ...{
        name: 'base',
        caip2,
        contract: key(other),
        finality: 'finalized',
        explorerBaseUrl: null,
        deployedAtBlock: 0,
      },
      ...{ account: null, head: never, commonHead: never, hasCode: never, check: never },
      transaction: async () => null,
      findAnchor: async () => [],
      blockStatus: async () => 'final',
      isSignedBy: async (...question) => {
        asked.push(question)
        if (typeof answer === 'boolean') return answer
        throw answer
      },
    }
    return { chain, asked }
  }

  test('is skipped with its block, where no node is asked, or one without the state of that block', async () => {
    const bundle = await bundleOf(jsonOf(ofContract))
    const sentence = {
      status: 'skipped',
      detail: expect.stringContaining('A contract accepted it at block 25000000 of eip155:8453'),
    }
    expect(await judged(bundle)).toEqual(sentence)
    for (const fault of ['chain_unavailable', 'chain_disagreement'] as const)
      expect(await judged(bundle, [chainOf(new AppError(fault)).chain])).toEqual(sentence)
    const elsewhere = chainOf(true, 'eip155:1')
    expect([await judged(bundle, [elsewhere.chain]), elsewhere.asked]).toEqual([sentence, []])
  })

  test('is passed or failed as the contract says at that block', async () => {
    const bundle = await bundleOf(jsonOf(ofContract))
    const [yes, no] = [chainOf(true), chainOf(false)]
    expect((await judged(bundle, [yes.chain])).status).toBe('passed')
    expect((await judged(bundle, [no.chain])).status).toBe('failed')
    const { blockNumber, blockHash } = someBlock
    expect(yes.asked).toEqual([[key(shop), expect.stringMatching(/^0x/), '0x1234', { blockNumber, blockHash }]])
  })

  test('is not asked for by a bundle that no trusted key has signed', async () => {
    const { chain, asked } = chainOf(true)
    const forger = { ...signer, sign: () => Buffer.alloc(64) }
    const control = { name: 'control.json', bytes: canonicalJson(jsonOf(ofContract)) }
    const { bytes } = await buildBundle(receipt, message, forger, [control])
    expect((await judged(bytes, [chain])).status).toBe('skipped')
    const unlisted = [control, { name: 'pain001.xml', bytes: Buffer.from('<x/>') }]
    const listed = (await readBundle(await bundleOf(jsonOf(genuine)))) as { parts: { manifest: Buffer } }
    const read = await readBundle(bytes)
    const rest = read.ok ? read.parts.files.filter(({ name }) => /^(receipt|tip)/.test(name)) : []
    const { bytes: other } = await signed([...unlisted, ...rest], signer, () => listed.parts.manifest)
    expect((await judged(other, [chain])).status).toBe('skipped')
    expect(asked).toEqual([])
  })

  test.each<[string, Json, ReceiptFacts?]>([
    ['whose message names another chain', { message: signIn({ chainId: '1' }) }],
    ['whose message names another wallet', { message: signIn({ address: other.address }) }],
    ['of a nonce alone', { message: '0123456789abcdef'.repeat(2) }],
    ['without a block', { block_number: null, block_hash: null }],
    ['without a chain', { chain: null }],
    ['of a form that is not ERC-6492', { method: 'eip6492' }],
    ['of the form of ERC-6492', { signature: `0x${'6492'.repeat(16)}` }],
    ['on another chain than the payment', {}, { ...receipt, chain: 'ethereum' }],
    ['for another time', { linked_at: '2026-03-03T04:05:06.789Z' }],
  ])('%s is failed, whatever the contract says', async (_, change, of) => {
    const bundle = await bundleOf({ ...jsonOf(ofContract), ...change }, of)
    expect((await judged(bundle, [chainOf(true).chain])).status).toBe('failed')
  })
})

describe('no bundle at all', () => {
  const malformed = async (bundle: Buffer) => (await verify(bundle)).errors.includes('bundle_malformed')

  test('is one whose control.json is not canonical, or too large', async () => {
    expect(await malformed(await bundleOf(Buffer.from(JSON.stringify(jsonOf(genuine), null, 1))))).toBe(true)
    const twice = canonicalJson(jsonOf(genuine))
      .toString('utf8')
      .replace('{', `{"wallet":"${key(other)}",`)
    expect(await malformed(await bundleOf(Buffer.from(twice)))).toBe(true)
    expect(await malformed(await bundleOf({ ...jsonOf(genuine), message: 'a'.repeat(17_000) }))).toBe(true)
  })

  test('is one with another optional file, or a statement with this one', async () => {
    const files = [message, { name: 'other.json', bytes: Buffer.from('{}') }]
    const tip = { name: 'tip.json', bytes: Buffer.from('{}') }
    const facts = { name: 'receipt.json', bytes: Buffer.from('{}') }
    const listed = (content: { name: string; bytes: Buffer }[]) => writeManifest(receipt, signer.keyId, content)
    expect(await malformed((await signed([...files, tip, facts], signer, all => listed([...all]))).bytes)).toBe(true)
    const statement = [{ name: 'statement.json', bytes: Buffer.from('{}') }, controlFile(projectId, genuine)]
    const manifest = (all: readonly { name: string; bytes: Buffer }[]) =>
      writeStatementManifest(receipt, signer.keyId, all)
    expect(await malformed((await signed(statement, signer, manifest)).bytes)).toBe(true)
    expect(await malformed((await signed(statement.slice(0, 1), signer, manifest)).bytes)).toBe(false)
  })
})
