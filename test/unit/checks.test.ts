// Verification: the error id of each fault; only a complete proof matches.
import { generateKeyPairSync, sign } from 'node:crypto'
import JSZip from 'jszip'
import { beforeAll, describe, expect, test } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import { sha256 } from '../../src/core/hash.ts'
import { keyIdOf } from '../../src/core/key-id.ts'
import { buildBundle } from '../../src/modules/evidence/bundle.ts'
import { writeZip } from '../../src/modules/evidence/zip.ts'
import { pain001 } from '../../src/modules/iso20022/messages/pain001.ts'
import { checks, type Ports, runChecks, type Subject, type TrustedKey } from '../../src/modules/verification/checks.ts'
import type { BlockStatus, Chain, MinedTransaction } from '../../src/ports/chain.ts'
import type { Signer } from '../../src/ports/signer.ts'
import { plainFacts, plainReceipt } from '../kit/receipts.ts'

const contract = `0x${'c0'.repeat(20)}`
const hex = (byte: string) => `0x${byte.repeat(32)}`
const T = { a: hex('a1'), b: hex('b2'), c: hex('c3') }

type Mined = Partial<MinedTransaction> & { txid: string; blockStatus?: BlockStatus; hashes?: string[]; from?: string }

/**
 * An in-memory chain: the transactions it mined, and whether it answers. Methods that verification must not call throw.
 */
function chainOf(
  mined: Mined[],
  options: {
    name?: string
    silent?: boolean
    fault?: 'chain_unavailable' | 'chain_disagreement' | 'chain_misconfigured'
  } = {},
): Chain & { asked: string[] } {
  const asked: string[] = []
  const transactions = mined.map(({ hashes = [], from = contract, ...rest }, at) => ({
    succeeded: true,
    blockNumber: 100 + at,
    blockHash: hex('0b'),
    blockTime: new Date(Date.UTC(2026, 2, 2, 0, 0, at)),
    events: hashes.map((bundleHash, logIndex) => ({ contract: from, bundleHash, sender: contract, logIndex })),
    ...rest,
  }))
  const answer = async <T>(question: string, value: () => T): Promise<T> => {
    asked.push(question)
    if (options.silent) throw new AppError(options.fault ?? 'chain_unavailable')
    return value()
  }
  const never = () => Promise.reject(new Error('verification does not need this'))
  return {
    asked,
    name: options.name ?? 'base',
    caip2: 'eip155:1',
    contract,
    finality: { confirmations: 1 },
    explorerBaseUrl: null,
    deployedAtBlock: 0,
    account: null,
    head: never,
    commonHead: never,
    isSignedBy: never,
    hasCode: never,
    check: never,
    transaction: txid => answer(`transaction ${txid}`, () => transactions.find(one => one.txid === txid) ?? null),
    findAnchor: hash =>
      answer(`find ${hash}`, () =>
        transactions
          .filter(({ events }) => events.some(event => event.contract === contract && event.bundleHash === hash))
          .map(({ txid }) => txid),
      ),
    blockStatus: block =>
      answer(`status of ${block}`, () => transactions.find(one => one.blockNumber === block)?.blockStatus ?? 'final'),
  }
}

function freshSigner(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const publicKeyPem = publicKey.export({ format: 'pem', type: 'spki' }).toString()
  return {
    keyId: keyIdOf(publicKeyPem),
    publicKeyPem,
    sign: bytes => sign(null, bytes, privateKey),
  }
}

const signer = freshSigner()
const trusted = (over: Partial<TrustedKey> = {}): TrustedKey => ({
  publicKeyPem: signer.publicKeyPem,
  validFrom: new Date('2026-01-01T00:00:00Z'),
  validTo: null,
  ...over,
})
const message = { name: 'pain001.xml', bytes: Buffer.from(pain001.build(plainFacts)) }
let bundle: Buffer
let hash: string
beforeAll(async () => {
  const built = await buildBundle(plainReceipt, message, signer)
  bundle = built.bytes
  hash = built.bundleHash
})

const verify = (
  subject: Partial<Subject>,
  chains: Chain[],
  hints: Awaited<ReturnType<Ports['anchorsOf']>> = [],
  isRecorded = true,
  own: string[] = [],
) =>
  runChecks(
    { bundle: null, expectedHash: null, txid: null, keys: [trusted()], ...subject },
    {
      chains,
      anchorsOf: async () => hints,
      isRecorded: async () => isRecorded,
      ownOf: async () => own,
      paymentChain: () => null,
    },
  )

/** The bundle with some files replaced, and not signed again. */
async function altered(changes: Record<string, Buffer>): Promise<Buffer> {
  const zip = await JSZip.loadAsync(bundle)
  const entries = Object.values(zip.files).map(async file => ({
    name: file.name,
    bytes: changes[file.name] ?? (await file.async('nodebuffer')),
  }))
  return writeZip(await Promise.all(entries))
}

test('the ids of the checks and their order never change', () => {
  expect(checks.map(check => check.id)).toEqual([
    'bundle_unavailable',
    'cid_mismatch',
    'bundle_malformed',
    'bundle_hash_mismatch',
    'manifest_invalid',
    'unknown_signing_key',
    'signature_invalid',
    'file_hash_mismatch',
    'chain_unavailable',
    'chain_disagreement',
    'chain_not_served',
    'anchor_not_found',
    'bundle_hash_ambiguous',
    'transaction_failed',
    'wrong_contract',
    'event_hash_mismatch',
    'block_not_canonical',
    'not_final',
    'issuer_unchecked',
    'control_invalid',
    'settlement_invalid',
    'settlement_unchecked',
    'settlement_vanished',
    'payment_unchecked',
  ])
  expect(checks.every(check => check.title.length > 0)).toBe(true)
})

describe('a complete proof is confirmed', () => {
  test.each(['bundle', 'hash', 'txid', 'all'])('by %s', async by => {
    const chain = chainOf([{ txid: T.a, hashes: [hash] }])
    const all = { bundle, expectedHash: hash.toUpperCase().replace('0X', '0x'), txid: T.a }
    const one = { bundle: { bundle }, hash: { expectedHash: hash }, txid: { txid: T.a } }
    const result = await verify(by === 'bundle' || by === 'hash' || by === 'txid' ? one[by] : all, [chain])
    expect(result).toMatchObject({
      matchesOnchain: true,
      bundleHash: hash,
      ledgerTxid: T.a,
      anchoredAt: new Date('2026-03-02T00:00:00Z'),
      errors: [],
    })
    if (by === 'all') {
      const open = result.checks.filter(check => check.status !== 'passed').map(check => check.id)
      expect(open).toEqual([
        ...['bundle_hash_ambiguous', 'issuer_unchecked', 'control_invalid', 'settlement_invalid'],
        ...['settlement_unchecked', 'settlement_vanished', 'payment_unchecked'],
      ])
    }
    // No proof of evidence says anything of the payment, and that is no error.
    expect(result.checks.at(-1)).toEqual({
      id: 'payment_unchecked',
      title: 'The payment took place on its chain',
      status: 'skipped',
      detail: 'Stated by the project, not checked on its chain.',
    })
  })

  test('a stored anchor spares the search, and is checked on chain like any other', async () => {
    const chain = chainOf([{ txid: T.a, hashes: [hash] }])
    expect(await verify({ bundle }, [chain], [{ chain: 'base', txid: T.a, contract }])).toMatchObject({ errors: [] })
    expect(chain.asked.some(question => question.startsWith('find'))).toBe(false)

    const lying = chainOf([{ txid: T.a, hashes: [hex('99')] }])
    const refused = await verify({ bundle }, [lying], [{ chain: 'base', txid: T.a, contract }])
    expect(refused).toMatchObject({ matchesOnchain: false, errors: ['event_hash_mismatch'], anchoredAt: null })
    const stale = await verify({ bundle }, [lying], [{ chain: 'base', txid: T.b, contract }])
    expect(stale).toMatchObject({ matchesOnchain: false, errors: ['anchor_not_found'], ledgerTxid: null })
    expect(await verify({ bundle }, [chain], [{ chain: 'base', txid: T.b, contract }])).toMatchObject({
      errors: [],
      ledgerTxid: T.a,
    })
  })

  test('the earliest final anchor on any chain counts', async () => {
    const base = chainOf([
      { txid: T.a, hashes: [hash], blockStatus: 'vanished' },
      { txid: T.b, hashes: [hash] },
      { txid: T.c, hashes: [hash] },
    ])
    const blockTime = new Date('2026-03-01T23:00:00Z')
    const flare = chainOf([{ txid: T.c, hashes: [hash], blockTime }], { name: 'flare' })
    expect(await verify({ expectedHash: hash }, [base])).toMatchObject({ ledgerTxid: T.b, errors: [] })
    const both = await verify({ expectedHash: hash }, [base, flare])
    expect(both).toMatchObject({ matchesOnchain: true, ledgerTxid: T.c, anchoredAt: blockTime, errors: [] })
  })

  test('a flood of anchors of one hash is not read to its end', async () => {
    const flood = Array.from({ length: 500 }, (_, at) => ({
      txid: `0x${at.toString(16).padStart(64, '0')}`,
      hashes: [hash],
      blockStatus: 'included' as const,
    }))
    const chain = chainOf(flood)
    expect(await verify({ bundle }, [chain])).toMatchObject({ matchesOnchain: false, errors: ['not_final'] })
    expect(chain.asked.length).toBeLessThan(40)
  })
})

describe('the check of the anchor', () => {
  const cases: [string, Mined[], Partial<Subject>][] = [
    ['anchor_not_found', [], {}],
    ['anchor_not_found', [{ txid: T.a, hashes: ['hash'] }], { txid: T.b }],
    ['transaction_failed', [{ txid: T.a, succeeded: false }], { txid: T.a }],
    ['wrong_contract', [{ txid: T.a, hashes: ['hash'], from: `0x${'ee'.repeat(20)}` }], { txid: T.a }],
    ['wrong_contract', [{ txid: T.a }], { txid: T.a }],
    [
      'event_hash_mismatch',
      [
        { txid: T.a, hashes: [hex('99')] },
        { txid: T.b, hashes: ['hash'] },
      ],
      { txid: T.a },
    ],
    ['block_not_canonical', [{ txid: T.a, hashes: ['hash'], blockStatus: 'vanished' }], {}],
    ['not_final', [{ txid: T.a, hashes: ['hash'], blockStatus: 'included' }], {}],
    ['not_final', [{ txid: T.a, hashes: ['hash'], blockStatus: 'safe' }], { txid: T.a }],
  ]
  test.each(cases)('%s', async (id, mined, subject) => {
    const real = mined.map(one => ({ ...one, hashes: one.hashes?.map(name => (name === 'hash' ? hash : name)) ?? [] }))
    for (const by of [{ bundle }, { expectedHash: hash }]) {
      const result = await verify({ ...by, ...subject }, [chainOf(real)])
      expect(result).toMatchObject({ matchesOnchain: false, anchoredAt: null, errors: [id], bundleHash: hash })
    }
  })

  test('a transaction hash alone verifies its only bundle hash, is ambiguous with several, and has no anchor with none', async () => {
    const of = (...hashes: string[]) => verify({ txid: T.a }, [chainOf([{ txid: T.a, hashes }])])
    expect(await of(hash, hash)).toMatchObject({ matchesOnchain: true, bundleHash: hash, errors: [] })
    const ambiguous = await of(hash, hex('99'))
    expect(ambiguous).toMatchObject({ matchesOnchain: true, bundleHash: null, errors: ['bundle_hash_ambiguous'] })
    const withoutEvent = await of()
    expect(withoutEvent).toMatchObject({ matchesOnchain: false, bundleHash: null, errors: ['wrong_contract'] })
    const because = ({ checks }: typeof withoutEvent) => checks.find(({ id }) => id === 'bundle_hash_ambiguous')?.detail
    expect(because(withoutEvent)).toBe('There is no transaction with an anchor event.')
    expect(because(await verify({ bundle }, [chainOf([])]))).toMatch(
      /^The hash is known from the bundle or the request/,
    )
    const batch = [chainOf([{ txid: T.a, hashes: [hex('99'), hash] }])]
    expect(await verify({ txid: T.a, expectedHash: hash }, batch)).toMatchObject({ matchesOnchain: true, errors: [] })
  })

  test('of several bundles in a transaction, the one of the caller’s project is meant', async () => {
    const batch = (more: object = {}) => [chainOf([{ txid: T.a, hashes: [hex('98'), hash, hex('99')], ...more }])]
    const of = (own: string[], chains = batch()) => verify({ txid: T.a }, chains, [], true, own)
    const unclear = { bundleHash: null, errors: ['bundle_hash_ambiguous'] }
    expect(await of([hash])).toMatchObject({ matchesOnchain: true, bundleHash: hash, errors: [] })
    expect(await of([])).toMatchObject({ matchesOnchain: true, ledgerTxid: T.a, ...unclear })
    expect(await of([hash, hex('99')])).toMatchObject({ matchesOnchain: true, ...unclear })
    // Without a proof for all of them nothing matches, and the reason is reported too.
    for (const [more, error] of [
      [{ blockStatus: 'included' }, 'not_final'],
      [{ blockStatus: 'vanished' }, 'block_not_canonical'],
      [{ succeeded: false }, 'transaction_failed'],
    ] as const) {
      const errors = ['bundle_hash_ambiguous', error]
      expect(await of([], batch(more))).toMatchObject({ matchesOnchain: false, bundleHash: null, errors })
      expect(await of([hash], batch(more))).toMatchObject({ matchesOnchain: false, errors: [error] })
    }
  })

  test('a chain that does not answer is an error, never a result', async () => {
    const silent = chainOf([{ txid: T.a, hashes: [hash] }], { silent: true, name: 'flare' })
    for (const subject of [{ bundle }, { expectedHash: hash }, { txid: T.a }]) {
      const result = await verify(subject, [silent])
      expect(result).toMatchObject({ matchesOnchain: false, ledgerTxid: null, errors: ['chain_unavailable'] })
    }
    const empty = chainOf([])
    expect(await verify({ bundle }, [empty, silent])).toMatchObject({ errors: ['chain_unavailable'] })
    const proving = chainOf([{ txid: T.a, hashes: [hash] }])
    expect(await verify({ bundle }, [proving, silent])).toMatchObject({ matchesOnchain: true, errors: [] })
  })

  test('unavailable, disagreeing, not served, not found and mismatching are different errors', async () => {
    const silentBy = (fault: 'chain_unavailable' | 'chain_disagreement' | 'chain_misconfigured') =>
      verify({ bundle }, [chainOf([], { silent: true, fault })])
    expect((await silentBy('chain_unavailable')).errors).toEqual(['chain_unavailable'])
    expect((await silentBy('chain_misconfigured')).errors).toEqual(['chain_unavailable'])
    expect((await silentBy('chain_disagreement')).errors).toEqual(['chain_disagreement'])
    const elsewhere = [{ chain: 'a project’s own', txid: T.a, contract }]
    for (const subject of [{ bundle }, { txid: T.a }]) {
      expect(await verify(subject, [chainOf([])], elsewhere)).toMatchObject({
        matchesOnchain: false,
        errors: ['chain_not_served'],
      })
    }
    expect(await verify({ bundle }, [chainOf([{ txid: T.b, hashes: [hash] }])], elsewhere)).toMatchObject({
      matchesOnchain: true,
      errors: [],
    })
  })

  test('a project’s own contract counts for the transaction that our records name, and for no other', async () => {
    const own = `0x${'ee'.repeat(20)}`
    const chain = chainOf([
      { txid: T.a, hashes: [hash], from: own },
      { txid: T.b, hashes: [hash], from: `0x${'dd'.repeat(20)}` },
    ])
    const hints = [{ chain: 'base', txid: T.a, contract: own }]
    for (const subject of [{ bundle }, { txid: T.a }, { bundle, txid: T.a }]) {
      expect(await verify(subject, [chain], hints)).toMatchObject({ matchesOnchain: true, errors: [], ledgerTxid: T.a })
    }
    expect(await verify({ bundle, txid: T.b }, [chain], hints)).toMatchObject({ errors: ['wrong_contract'] })
    const other = chainOf([{ txid: T.a, hashes: [hash], from: own }], { name: 'flare' })
    const both = [chainOf([]), other]
    expect(await verify({ bundle, txid: T.a }, both, hints)).toMatchObject({ errors: ['wrong_contract'] })
  })

  test('an error that is not the chain’s is not reported as an unavailable chain', async () => {
    const broken = { ...chainOf([]), findAnchor: () => Promise.reject(new TypeError('a bug')) }
    await expect(verify({ bundle }, [broken])).rejects.toThrow('a bug')
  })

  test('a verification without bundle, hash and transaction fails with anchor_not_found', async () => {
    expect(await verify({}, [chainOf([])])).toMatchObject({ matchesOnchain: false, errors: ['anchor_not_found'] })
  })

  test('without a chain to query, only the bundle is judged, and no anchor error is reported', async () => {
    expect(await verify({ bundle }, [])).toMatchObject({ matchesOnchain: false, anchoredAt: null, errors: [] })
  })
})

describe('the bundle', () => {
  const chain = () => chainOf([{ txid: T.a, hashes: [hash] }])

  test('bundle_unavailable leaves what the hash or the transaction proves', async () => {
    expect(await verify({ bundle: 'unavailable' }, [chain()])).toMatchObject({
      matchesOnchain: false,
      bundleHash: null,
      errors: ['bundle_unavailable'],
    })
    expect(await verify({ bundle: 'unavailable', expectedHash: hash }, [chain()])).toMatchObject({
      matchesOnchain: true,
      errors: ['bundle_unavailable'],
    })
  })

  test('bundle_malformed is reported, although the hash of the malformed file is anchored', async () => {
    const junk = Buffer.from('not a zip')
    expect(await verify({ bundle: junk }, [chainOf([{ txid: T.a, hashes: [sha256(junk)] }])])).toMatchObject({
      matchesOnchain: true,
      errors: ['bundle_malformed'],
    })
    const longer = Buffer.concat([bundle, Buffer.from([0])])
    expect(await verify({ bundle: longer }, [chain()])).toMatchObject({
      matchesOnchain: false,
      errors: ['bundle_malformed', 'anchor_not_found'],
    })
  })

  test('bundle_hash_mismatch is reported even when the expected hash is anchored as well', async () => {
    const both = chainOf([{ txid: T.a, hashes: [hash, hex('99')] }])
    expect(await verify({ bundle, expectedHash: hex('99') }, [both])).toMatchObject({
      matchesOnchain: false,
      bundleHash: hash,
      errors: ['bundle_hash_mismatch'],
    })
  })

  test('unknown_signing_key: the key is not in the set, differs from the ZIP’s key, or was not valid at the time', async () => {
    const other = freshSigner()
    const late = { validFrom: new Date('2026-06-01T00:00:00Z') }
    const early = { validTo: new Date('2026-02-01T00:00:00Z') }
    for (const keys of [[], [trusted({ publicKeyPem: other.publicKeyPem })], [trusted(late)], [trusted(early)]]) {
      const { errors, matchesOnchain } = await verify({ bundle, keys }, [chain()])
      expect({ errors, matchesOnchain }).toEqual({ errors: ['unknown_signing_key'], matchesOnchain: true })
    }
    // This also applies when no chain is queried, whose block could show the time.
    expect(await verify({ bundle, keys: [trusted(early)] }, [])).toMatchObject({ errors: ['unknown_signing_key'] })
  })

  test('unknown_signing_key: only the signer states the record’s time, so a block must prove it to be before the key’s end', async () => {
    const minutes = (count: number) => new Date(Date.UTC(2026, 2, 2, 0, count))
    const retired = trusted({ validTo: minutes(0) })
    const at = (blockTime: Date) =>
      verify({ bundle, keys: [retired] }, [chainOf([{ txid: T.a, hashes: [hash], blockTime }])])
    expect((await at(minutes(-60))).errors).toEqual([])
    expect((await at(minutes(10))).errors).toEqual([])
    expect((await at(minutes(20))).errors).toEqual(['unknown_signing_key'])
  })

  test('a bundle signed by a forger’s own key is refused', async () => {
    const forger = { ...freshSigner(), keyId: signer.keyId }
    const forged = await buildBundle(plainReceipt, message, forger)
    const result = await verify({ bundle: forged.bytes }, [chainOf([{ txid: T.a, hashes: [forged.bundleHash] }])])
    expect(result.errors).toEqual(['unknown_signing_key', 'signature_invalid'])
  })

  test('signature_invalid, file_hash_mismatch and manifest_invalid are reported for the changed file', async () => {
    const errorsOf = async (changes: Record<string, Buffer>) => {
      const changed = await altered(changes)
      return (await verify({ bundle: changed }, [chainOf([{ txid: T.a, hashes: [sha256(changed)] }])])).errors
    }
    expect(await errorsOf({})).toEqual([])
    expect(await errorsOf({ 'manifest.sig': Buffer.alloc(64) })).toEqual(['signature_invalid'])
    expect(await errorsOf({ 'manifest.sig': Buffer.alloc(3) })).toEqual(['signature_invalid'])
    expect(await errorsOf({ 'tip.json': Buffer.from('{"amount":"1000000"}') })).toEqual(['file_hash_mismatch'])
    expect(await errorsOf({ 'manifest.json': Buffer.from('{"files":[]}') })).toEqual(['manifest_invalid'])
  })
})

describe('the issuer of an anchor', () => {
  const proving = () => [chainOf([{ txid: T.a, hashes: [hash] }])]

  test.each(['expectedHash', 'txid'] as const)(
    'is not confirmed by %s alone when no stored record has the anchor',
    async by => {
      const subject = by === 'txid' ? { txid: T.a } : { expectedHash: hash }
      const stranger = await verify(subject, proving(), [], false)
      expect(stranger).toMatchObject({ matchesOnchain: true, errors: ['issuer_unchecked'] })
      expect(await verify(subject, proving(), [], true)).toMatchObject({ matchesOnchain: true, errors: [] })
    },
  )

  test('is proven by the signature when a bundle is given, and not checked when no anchor is found', async () => {
    expect(await verify({ bundle }, proving(), [], false)).toMatchObject({ matchesOnchain: true, errors: [] })
    expect((await verify({ expectedHash: hash }, [chainOf([])], [], false)).errors).toEqual(['anchor_not_found'])
  })
})
