// Payments signed by the official client or forged by attackers, on a real EVM behind a node that fails and lies.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { x402Client } from '@x402/core/client'
import { decodePaymentResponseHeader } from '@x402/core/http'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import { AbiCoder, Contract, concat, JsonRpcProvider, Signature, Transaction } from 'ethers'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import aggregator3 from '../../contracts/Aggregator3.json' with { type: 'json' }
import { createX402Facilitator, type X402Config } from '../../src/adapters/x402-facilitator.ts'
import { AppError } from '../../src/core/errors.ts'
import { type EmbeddedChain, startChain } from '../../src/embedded/chain.ts'
import type {
  PaymentAuthorization,
  PaymentFacilitator,
  PaymentPayload,
  PaymentRequirement,
  Verification,
} from '../../src/ports/payment-facilitator.ts'
import {
  argumentsOf,
  challenge,
  clientOf,
  createPayer,
  dollars,
  type Payer,
  pay,
  random32,
  signCancel,
  signTransfer,
} from '../kit/payer.ts'
import { faults, headAt, limited, otherChain, refused, status, terse } from '../kit/rpc-faults.ts'
import { type Fault, type RpcProxy, startRpcProxy } from '../kit/rpc-proxy.ts'
import { deployWallets } from '../kit/sign-in.ts'

const transferByBytes = 'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)'
const multicall3 = '0xcA11bde05977b3631167028862bE2a173976CA11'
const maxTimeoutSeconds = 60

let folder: string
let local: EmbeddedChain
let node: JsonRpcProvider
let proxy: RpcProxy
let facilitator: PaymentFacilitator
let requirement: PaymentRequirement
let payer: Payer
let stranger: Payer

const facilitatorWith = (change: Partial<X402Config> = {}) =>
  createX402Facilitator({
    network: 'eip155:31337',
    rpcUrls: [proxy.url],
    asset: local.testDollar,
    confirmations: 1,
    privateKey: local.facilitatorPrivateKey,
    maxFeePerGas: 10n ** 12n,
    replaceAfterMs: 60_000,
    ...change,
  })

const automine = (on: boolean) => node.send('evm_setAutomine', [on])
const mine = () => node.send('anvil_mine', ['0x1'])

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-x402-'))
  local = await startChain(folder, pino({ level: 'silent' }))
  const options = { staticNetwork: true, cacheTimeout: -1, pollingInterval: 20 }
  node = new JsonRpcProvider(local.rpcUrl, local.chainId, options)
  proxy = await startRpcProxy(local.rpcUrl)
  payer = await createPayer(node, local.testDollar, 10_000_000n)
  stranger = await createPayer(node, local.testDollar, 1_000_000n)
  facilitator = facilitatorWith()
  requirement = await facilitator.requirement({ amount: '0.001', payTo: local.payTo, maxTimeoutSeconds })
})

afterEach(async () => {
  proxy.fault = null
  proxy.release()
  await automine(true)
  await mine()
})

afterAll(async () => {
  node?.destroy()
  await proxy?.stop()
  await local?.stop()
  await rm(folder, { recursive: true, force: true })
})

function read(header: string): PaymentPayload {
  const decoded = facilitator.decode(header)
  if ('fault' in decoded) throw new Error(decoded.fault)
  return decoded.payload
}

const headerOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
const nowSeconds = () => Math.floor(Date.now() / 1000)

type Change = Partial<PaymentAuthorization> & { token?: string }

/** A payment signed by hand, with any content. */
async function crafted({ token = local.testDollar, ...change }: Change = {}, by = payer): Promise<PaymentPayload> {
  const authorization = {
    from: by.address,
    to: local.payTo,
    value: '1000',
    validAfter: '0',
    validBefore: `${nowSeconds() + maxTimeoutSeconds}`,
    nonce: random32(),
    ...change,
  }
  return { accepted: { ...requirement }, signature: await signTransfer(by.wallet, token, authorization), authorization }
}

const official = async (by = payer) => read(await pay(by, requirement))
const locally = (payload: PaymentPayload, now = new Date()) => facilitator.checkLocally(payload, requirement, now)
const reasonOf = (verified: Verification) => (verified === 'unavailable' || verified.ok ? verified : verified.reason)

async function minedOutcome(txid: string, payload: PaymentPayload) {
  for (;;) {
    const outcome = await facilitator.outcome(txid, payload)
    if (outcome !== 'waiting') return outcome
    await sleep(10)
  }
}

async function signSettlement(by: PaymentFacilitator, payload: PaymentPayload, nonce: number) {
  const sign = await by.prepareSettlement(payload)
  return sign === 'refused' ? sign : sign(nonce)
}

async function signed(payload: PaymentPayload, by = facilitator) {
  const settlement = await signSettlement(by, payload, await by.pendingNonce())
  if (settlement === 'refused') throw new Error('refused')
  return settlement
}

async function settle(payload: PaymentPayload) {
  const settlement = await signed(payload)
  expect(await facilitator.broadcast(settlement.raw)).toBe('accepted')
  return { settlement, outcome: await minedOutcome(settlement.txid, payload) }
}

/** Sends the payment's authorization from another account. */
async function sendAs(by: Payer, { signature, authorization }: PaymentPayload): Promise<string> {
  const token = dollars(local.testDollar, by.wallet)
  const sent = await token.getFunction(transferByBytes)(...argumentsOf(authorization), signature)
  await sent.wait()
  return sent.hash
}

const balance = (of: string): Promise<bigint> => dollars(local.testDollar, node).getFunction('balanceOf')(of)

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    value => value,
    (thrown: unknown) => thrown,
  )
  return error instanceof AppError ? error.code : `no AppError but ${JSON.stringify(error)}`
}

describe('the payment requirement', () => {
  test('is complete, in smallest units, with the token’s own domain, to be paid before the request runs', async () => {
    expect(requirement).toEqual({
      scheme: 'exact',
      network: 'eip155:31337',
      amount: '1000',
      asset: local.testDollar,
      payTo: local.payTo,
      maxTimeoutSeconds,
      extra: { name: 'Test Dollar', version: '1', paymentFlow: 'upfront' },
    })
    expect(await facilitator.token()).toEqual({ name: 'Test Dollar', version: '1', symbol: 'TESTUSD', decimals: 6 })
  })

  test('is never rounded: an amount that the token cannot express, or zero, is a fault of the configured price', async () => {
    const { payTo } = local
    const amountOf = async (amount: string) =>
      (await facilitator.requirement({ amount, payTo, maxTimeoutSeconds })).amount
    expect(await amountOf('5')).toBe('5000000')
    expect(await amountOf('0.000001')).toBe('1')
    for (const amount of ['0.0000001', '0', '0.0', '-1', '1e3', '', '0x10']) {
      await expect(amountOf(amount)).rejects.toThrow(RangeError)
    }
  })
})

describe('the official client', () => {
  test('refuses an unlisted token until its spend controls allow it, as our documentation must explain', async () => {
    const plain = new x402Client().register(requirement.network, new ExactEvmScheme(payer.account))
    await expect(plain.createPaymentPayload(challenge(requirement))).rejects.toThrow(/allowedAssets/)
    await expect(clientOf(payer, requirement).createPaymentPayload(challenge(requirement))).resolves.toBeDefined()
  })

  test('reads our challenge, pays, is verified and settled, and reads our answer', async () => {
    const before = await balance(local.payTo)
    const server = createServer(async (request, response) => {
      const sent = request.headers['payment-signature']
      if (typeof sent !== 'string') {
        const { error, resource, accepts } = challenge(requirement)
        const { header, body } = facilitator.encodeRequired({ error, resource, accepts, extensions: {} })
        return void response.writeHead(402, { 'PAYMENT-REQUIRED': header }).end(JSON.stringify(body))
      }
      const payload = read(sent)
      expect(locally(payload)).toEqual({ reasons: [], timeReasons: [], signedBy: 'payer' })
      expect(await facilitator.verify(payload, requirement)).toEqual({ ok: true, payer: payer.address })
      const { settlement } = await settle(payload)
      const header = facilitator.encodeResponse({ payer: payer.address, transaction: settlement.txid })
      response.writeHead(200, { 'PAYMENT-RESPONSE': header }).end('paid')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const response = await wrapFetchWithPayment(fetch, clientOf(payer, requirement))(`http://127.0.0.1:${port}`)
    expect([response.status, await response.text()]).toEqual([200, 'paid'])
    expect(decodePaymentResponseHeader(response.headers.get('PAYMENT-RESPONSE') ?? '')).toEqual({
      success: true,
      network: 'eip155:31337',
      payer: payer.address,
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
    expect(await balance(local.payTo)).toBe(before + 1000n)
    server.close()
  })

  test('gets the reason of a failed payment in the same header', () => {
    const header = facilitator.encodeResponse({ payer: payer.address, errorReason: 'invalid_exact_evm_signature' })
    expect(decodePaymentResponseHeader(header)).toEqual({
      success: false,
      network: 'eip155:31337',
      payer: payer.address,
      transaction: '',
      errorReason: 'invalid_exact_evm_signature',
    })
  })
})

describe('decoding', () => {
  const wire = async () => {
    const { accepted, ...payload } = await crafted()
    return { x402Version: 2, accepted, payload }
  }

  test('normalises different spellings of one payment, because it could otherwise be claimed twice', async () => {
    const { x402Version, accepted, payload } = await wire()
    const shout = (hex: string) => `0x${hex.slice(2).toUpperCase()}`
    const { signature, authorization } = payload
    const { from, to, nonce } = authorization
    const loud = {
      x402Version,
      resource: null,
      extensions: { anything: [] },
      accepted: { ...accepted, asset: shout(local.testDollar), payTo: shout(local.payTo) },
      payload: {
        signature: shout(signature),
        authorization: { ...authorization, from: shout(from), to: shout(to), nonce: shout(nonce) },
      },
    }
    expect(read(headerOf(loud))).toEqual(read(headerOf({ x402Version, accepted, payload })))
    expect(locally(read(headerOf(loud)))).toEqual({ reasons: [], timeReasons: [], signedBy: 'payer' })
    expect(await facilitator.verify(read(headerOf(loud)), requirement)).toEqual({ ok: true, payer: payer.address })
  })

  test('restores the same payload from JSON with its fields in any order, and refuses anything else', async () => {
    const payload = await official()
    const { accepted, signature, authorization } = payload
    const shuffled = { signature, authorization: Object.fromEntries(Object.entries(authorization).reverse()), accepted }
    const restored = facilitator.restore(JSON.parse(JSON.stringify(shuffled)))
    expect(restored).toEqual(payload)
    expect(JSON.stringify(restored.authorization)).toBe(JSON.stringify(authorization))
    expect(() => facilitator.restore({ ...payload, signature: 'none' })).toThrow()
  })

  test('names each fault without quoting the input', async () => {
    const good = await wire()
    const changed = (change: object) => headerOf({ ...good, payload: { ...good.payload, ...change } })
    const authorized = (change: object) => changed({ authorization: { ...good.payload.authorization, ...change } })
    const bad: Record<string, string> = {
      empty: '',
      'not base64': '!!!',
      'with padding in the middle': `${headerOf(good).slice(0, 40)}==${headerOf(good).slice(40)}`,
      'with too much padding': `${headerOf(good).replace(/=+$/, '')}===`,
      'with a line feed': `${headerOf(good).slice(0, 40)}\n${headerOf(good).slice(40)}`,
      'not UTF-8': Buffer.from([0x7b, 0xff, 0x7d]).toString('base64'),
      'not JSON': Buffer.from('{"x402Version":2').toString('base64'),
      'a list': headerOf([good]),
      null: headerOf(null),
      'version 1': headerOf({ ...good, x402Version: 1 }),
      'nothing accepted': headerOf({ x402Version: 2, payload: good.payload }),
      'permit2 in place of EIP-3009': headerOf({ ...good, payload: { signature: '0x01', permit2Authorization: {} } }),
      'no signature': changed({ signature: undefined }),
      'an empty signature': changed({ signature: '0x' }),
      'half a byte': changed({ signature: '0x123' }),
      'a short nonce': authorized({ nonce: '0x12' }),
      'a capital X': authorized({ nonce: good.payload.authorization.nonce.replace('0x', '0X') }),
      'a short address': authorized({ from: '0x12' }),
      'a number for an amount': authorized({ value: 1000 }),
      'leading zeros': authorized({ value: '01000' }),
      hex: authorized({ value: '0x3e8' }),
      'an exponent': authorized({ value: '1e3' }),
      'a sign': authorized({ value: '-1000' }),
      'more than 256 bits': authorized({ validBefore: `${2n ** 256n}` }),
      'seventeen kilobytes': headerOf({ ...good, pad: 'x'.repeat(13_000) }),
      'deep nesting': Buffer.from(`${'['.repeat(6_000)}${']'.repeat(6_000)}`).toString('base64'),
    }
    for (const [what, header] of Object.entries(bad)) {
      const decoded = facilitator.decode(header)
      if (!('fault' in decoded)) throw new Error(`${what} was read`)
      expect(decoded.fault).toMatch(/^(: | is ).*\.$/)
      expect(decoded.fault).not.toContain(good.payload.signature)
    }
    expect(facilitator.decode(authorized({ nonce: '0x12' }))).toEqual({
      fault: ': payload.authorization.nonce must be 0x and 32 bytes as hex digits.',
    })
  })

  test('reads both base64 alphabets, with or without padding', async () => {
    // Characters whose base64 differs between the alphabets, with every possible remainder.
    for (const size of [1, 2, 3]) {
      const header = headerOf({
        ...JSON.parse(atob(await pay(payer, requirement))),
        pad: '~~?>ÿÿ'.repeat(9) + 'x'.repeat(size),
      })
      const safe = header.replaceAll('+', '-').replaceAll('/', '_')
      expect(safe).not.toBe(header)
      for (const written of [safe, header.replace(/=+$/, ''), safe.replace(/=+$/, '')])
        expect(facilitator.decode(written)).toEqual(facilitator.decode(header))
    }
  })

  test('never throws, whatever the input', () => {
    const anything = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.json().map(json => Buffer.from(json).toString('base64')),
      fc
        .anything()
        .map(value =>
          Buffer.from(JSON.stringify({ x402Version: 2, accepted: value, payload: value }) ?? '').toString('base64'),
        ),
    )
    fc.assert(fc.property(anything, header => 'fault' in facilitator.decode(header)))
  })
})

describe('checks without any query', () => {
  const accepted = async (change: object) => ({ ...(await crafted()), accepted: { ...requirement, ...change } })

  test('a payment that differs from the requirement is refused with the reason of each difference', async () => {
    const told = async (payload: PaymentPayload | Promise<PaymentPayload>) => locally(await payload).reasons
    expect(await told(crafted({ value: '999' }))).toEqual(['invalid_exact_evm_payload_authorization_value_mismatch'])
    expect(await told(crafted({ value: '1001' }))).toEqual(['invalid_exact_evm_payload_authorization_value_mismatch'])
    expect(await told(crafted({ to: stranger.address }))).toEqual(['invalid_exact_evm_recipient_mismatch'])
    expect(await told(accepted({ network: 'eip155:1' }))).toContain('invalid_exact_evm_network_mismatch')
    expect(await told(accepted({ asset: stranger.address }))).toContain('invalid_exact_evm_asset_mismatch')
    expect(await told(accepted({ scheme: 'upto' }))).toContain('invalid_exact_evm_scheme')
    for (const change of [
      { amount: '1' },
      { payTo: stranger.address },
      { maxTimeoutSeconds: 3600 },
      { extra: { ...requirement.extra, name: 'Other Dollar' } },
      { extra: { name: 'Test Dollar', version: '1' } },
      { extra: { ...requirement.extra, assetTransferMethod: 'permit2' } },
      { outputSchema: {} },
    ]) {
      expect(await told(accepted(change))).toEqual(['invalid_payment_requirements'])
    }
  })

  test('a payment is refused that is not valid yet, about to expire, or valid for much longer than an hour', async () => {
    const told = async (change: Change) => locally(await crafted(change)).timeReasons
    const now = nowSeconds()
    expect(await told({ validAfter: `${now + 30}` })).toEqual(['invalid_exact_evm_payload_authorization_valid_after'])
    for (const over of [0, now - 1, now + 4]) {
      expect(await told({ validBefore: `${over}` })).toEqual(['invalid_exact_evm_payload_authorization_valid_before'])
    }
    for (const late of [BigInt(now + 3_720), 2n ** 256n - 1n]) {
      expect(await told({ validBefore: `${late}` })).toEqual(['invalid_exact_evm_payload_authorization_valid_too_long'])
    }
    for (const timely of [now + 90, now + 3_600])
      expect(await told({ validAfter: `${now - 5}`, validBefore: `${timely}` })).toEqual([])
  })

  test('a payment is accepted to the second: from after its start, until six seconds before its end, for up to 3,700 s', async () => {
    const at = 1_800_000_000
    const last = at + 3_700
    const told = async (validAfter: number, validBefore: number) =>
      locally(await crafted({ validAfter: `${validAfter}`, validBefore: `${validBefore}` }), new Date(at * 1_000 + 999))
        .timeReasons
    expect(await told(at - 1, at + 6)).toEqual([])
    expect(await told(at - 1, last)).toEqual([])
    expect(await told(at, last)).toEqual(['invalid_exact_evm_payload_authorization_valid_after'])
    expect(await told(at - 1, at + 5)).toEqual(['invalid_exact_evm_payload_authorization_valid_before'])
    expect(await told(at - 1, last + 1)).toEqual(['invalid_exact_evm_payload_authorization_valid_too_long'])
  })

  test('time is reported separately, because a settled payment is still served after its expiry', async () => {
    const later = new Date(Date.now() + 86_400_000)
    expect(locally(await official(), later)).toEqual({
      reasons: [],
      timeReasons: ['invalid_exact_evm_payload_authorization_valid_before'],
      signedBy: 'payer',
    })
  })

  test('a signature of another key, token, chain or text is not the payer’s', async () => {
    const good = await crafted()
    const { r, s, v } = Signature.from(good.signature)
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const mirrored = `0x${(order - BigInt(s)).toString(16).padStart(64, '0')}`
    const forged = [
      { ...good, signature: (await crafted({}, stranger)).signature },
      { ...good, authorization: { ...good.authorization, nonce: random32() } },
      await crafted({ token: stranger.address }),
      { ...good, signature: concat([r, mirrored, v === 27 ? '0x1c' : '0x1b']) },
      { ...good, signature: `0x${'00'.repeat(65)}` },
      { ...good, signature: `0x${'ff'.repeat(64)}1b` },
      { ...good, signature: concat([r, s, '0x25']) },
      { ...good, signature: `${good.signature}00` },
      { ...good, signature: '0x01' },
    ]
    for (const payload of forged) expect(locally(payload).signedBy).toBe('unknown')
    expect(locally(good).signedBy).toBe('payer')
    expect(locally({ ...good, signature: concat([r, s, v === 27 ? '0x00' : '0x01']) }).signedBy).toBe('payer')
  })
})

describe('verification on the chain', () => {
  test('refuses a forged payment, whatever was accepted before', async () => {
    const good = await crafted()
    const told = async (payload: PaymentPayload) => reasonOf(await facilitator.verify(payload, requirement))
    expect(await told({ ...good, signature: (await crafted({}, stranger)).signature })).toBe(
      'invalid_exact_evm_signature',
    )
    expect(await told(await crafted({ token: stranger.address }))).toBe('invalid_exact_evm_signature')
    expect(await told({ ...good, signature: '0x01' })).toBe('invalid_exact_evm_signature')
    expect(await told(await crafted({ to: stranger.address }))).toBe('invalid_exact_evm_recipient_mismatch')
    expect(await told(await crafted({ value: '1' }))).toBe('invalid_exact_evm_payload_authorization_value_mismatch')
    expect(await told(await crafted({ validBefore: '1' }))).toBe('invalid_exact_evm_payload_authorization_valid_before')
    const other = { ...requirement, network: 'eip155:1' as const }
    expect(reasonOf(await facilitator.verify(good, other))).not.toEqual({ ok: true, payer: payer.address })
    expect(await told(good)).toEqual({ ok: true, payer: payer.address })
  })

  test('reports a payer without the money, and a used or cancelled authorization, as such', async () => {
    const told = async (payload: PaymentPayload) => {
      const { signedBy } = locally(payload)
      expect(signedBy).toBe('payer')
      return reasonOf(await facilitator.verify(payload, requirement, signedBy))
    }
    const poor = await createPayer(node, local.testDollar, 999n)
    expect(await told(await crafted({}, poor))).toBe('invalid_exact_evm_insufficient_balance')
    const used = await crafted()
    await settle(used)
    expect(await told(used)).toBe('invalid_exact_evm_nonce_already_used')
    const cancelled = await crafted()
    await cancel(cancelled)
    expect(await told(cancelled)).toBe('invalid_exact_evm_nonce_already_used')
    expect(await told(await crafted())).toMatchObject({ ok: true, payer: payer.address })
  })

  test('verifies and settles a signature with v 0 or 1 in place of 27 or 28', async () => {
    const good = await crafted()
    const { r, s, v } = Signature.from(good.signature)
    const payload = { ...good, signature: concat([r, s, v === 27 ? '0x00' : '0x01']) }
    expect(await facilitator.verify(payload, requirement)).toEqual({ ok: true, payer: payer.address })
    expect((await settle(payload)).outcome).toMatchObject({ txid: expect.any(String) })
  })

  test('moves no money', async () => {
    const [before, payload] = [await balance(local.payTo), await crafted()]
    await Promise.all(Array.from({ length: 8 }, () => facilitator.verify(payload, requirement)))
    expect(await balance(local.payTo)).toBe(before)
  })
})

async function cancel({ authorization: { from, nonce } }: PaymentPayload) {
  const proof = await signCancel(payer.wallet, local.testDollar, from, nonce)
  const token = dollars(local.testDollar, stranger.wallet)
  await (await token.getFunction('cancelAuthorization(address,bytes32,bytes)')(from, nonce, proof)).wait()
}

describe('a contract that pays', () => {
  test('is verified and settled by its ERC-1271 answer; what it refuses is refused', async () => {
    const wallets = await deployWallets(local.rpcUrl, payer.wallet.address)
    const from = wallets.OwnerWallet.toLowerCase()
    await (await dollars(local.testDollar, payer.wallet).getFunction('transfer')(from, 10_000n)).wait()
    const payload = await crafted({ from })
    expect(locally(payload)).toEqual({ reasons: [], timeReasons: [], signedBy: 'unknown' })
    expect(await facilitator.verify(payload, requirement)).toEqual({ ok: true, payer: from })
    expect((await settle(payload)).outcome).toMatchObject({ txid: expect.any(String) })
    // One bytes argument: longer than a key's signature.
    const long = await crafted({ from })
    const padded = { ...long, signature: `${long.signature}00` }
    expect(await facilitator.verify(padded, requirement)).toEqual({ ok: true, payer: from })
    expect((await settle(padded)).outcome).toMatchObject({ txid: expect.any(String) })
    const forged = await crafted({ from }, stranger)
    expect(
      reasonOf(await facilitator.verify({ ...forged, authorization: { ...forged.authorization, from } }, requirement)),
    ).toBe('invalid_exact_evm_signature')
    for (const other of [wallets.Reverting, wallets.Burning, wallets.SaysOne, wallets.SaysNothing]) {
      const refusedOne = await crafted({ from: other.toLowerCase() })
      expect(reasonOf(await facilitator.verify(refusedOne, requirement))).toBe('invalid_exact_evm_signature')
      expect(await signSettlement(facilitator, refusedOne, 0)).toBe('refused')
    }
  })

  test('that is not deployed yet is refused with that reason; a deployed one’s ERC-6492 wrapper is removed', async () => {
    const { OwnerWallet } = await deployWallets(local.rpcUrl, payer.wallet.address)
    await (await dollars(local.testDollar, payer.wallet).getFunction('transfer')(OwnerWallet, 10_000n)).wait()
    const wrapped = (payload: PaymentPayload): PaymentPayload => {
      const inner = AbiCoder.defaultAbiCoder().encode(
        ['address', 'bytes', 'bytes'],
        [multicall3, '0x', payload.signature],
      )
      return { ...payload, signature: concat([inner, `0x${'6492'.repeat(16)}`]) }
    }
    const counterfactual = wrapped(await crafted({ from: `0x${'42'.repeat(20)}` }))
    expect(reasonOf(await facilitator.verify(counterfactual, requirement))).toBe('eip6492_factory_not_allowed')
    const payload = wrapped(await crafted({ from: OwnerWallet.toLowerCase() }))
    expect(await facilitator.verify(payload, requirement)).toEqual({ ok: true, payer: OwnerWallet.toLowerCase() })
    expect((await settle(payload)).outcome).toMatchObject({ txid: expect.any(String) })
  })

  test('decides itself, also at the address of a key that signed', async () => {
    const { SaysNothing } = await deployWallets(local.rpcUrl, payer.wallet.address)
    const delegating = await createPayer(node, local.testDollar, 10_000n)
    const payload = await crafted({}, delegating)
    const { signedBy } = locally(payload)
    expect(signedBy).toBe('payer')
    await node.send('anvil_setCode', [delegating.address, await node.getCode(SaysNothing)])
    expect(reasonOf(await facilitator.verify(payload, requirement, signedBy))).toBe('invalid_exact_evm_signature')
  })

  test('cannot make us pay for an unlimited amount of gas', async () => {
    const frugal = facilitatorWith({ mostGas: 60_000n })
    const payload = await crafted()
    expect(await signSettlement(frugal, payload, 0)).toBe('refused')
    const { raw } = await signed(payload, facilitatorWith({ mostGas: 100_000n }))
    expect(Transaction.from(raw).gasLimit).toBeLessThanOrEqual(100_000n)
  })
})

const outages: Record<string, Fault> = {
  'closes the connection': faults.resetBefore,
  'answers 500': status(500),
  'is out of quota': status(429),
  'answers with a page': faults.html,
  'answers half': faults.truncated,
  'answers something else': faults.wrongTypes,
  'has no state': refused('missing trie node'),
}

/** Applies the fault from query number `count` on; earlier queries are answered. */
function after(count: number, fault: Fault): Fault {
  let seen = 0
  return async (question, forward) => {
    seen += question.method === 'eth_chainId' ? 0 : 1
    return seen > count ? fault(question, forward) : { kind: 'honest' }
  }
}

describe('while the node is down', () => {
  test.each(Object.entries(outages))(
    'because it %s: a payment is not refused, and no error ends the process, at whichever query it occurs',
    async (_, fault) => {
      const payload = await crafted()
      const poor = await crafted({}, await createPayer(node, local.testDollar, 1n))
      // A valid payment takes two queries, an invalid one three.
      for (const [given, questions, signedBy] of [
        [payload, 2, 'unknown'],
        [payload, 2, 'payer'],
        [poor, 3, 'payer'],
      ] as const) {
        for (let answered = 0; answered < questions; answered++) {
          const warm = facilitatorWith()
          await warm.check()
          proxy.fault = after(answered, fault)
          expect(await warm.verify(given, requirement, signedBy)).toBe('unavailable')
          proxy.fault = null
          expect(await warm.verify(given, requirement, signedBy)).toHaveProperty('ok', given === payload)
        }
      }
      proxy.fault = fault
      const txid = random32()
      const cold = facilitatorWith()
      expect(await cold.verify(payload, requirement)).toBe('unavailable')
      expect(await cold.findSettlement(payload, 0)).toBe('unavailable')
      expect(await cold.outcome(txid, payload)).toBe('unavailable')
      for (const question of [
        cold.check(),
        cold.token(),
        cold.head(),
        cold.pendingNonce(),
        cold.minedNonce(),
        cold.funds(),
        signSettlement(cold, payload, 0),
        cold.requirement({ amount: '1', payTo: local.payTo, maxTimeoutSeconds }),
      ]) {
        expect(await codeOf(question)).toBe('chain_unavailable')
      }
    },
  )

  test('a token that the official code reads for the first time leaves no unhandled rejection, which would end the process', async () => {
    const asset = `0x${'51'.repeat(20)}`
    await node.send('anvil_setCode', [asset, await node.getCode(local.testDollar)])
    const cold = facilitatorWith({ asset })
    await cold.check()
    const wanted = await cold.requirement({ amount: '0.001', payTo: local.payTo, maxTimeoutSeconds })
    proxy.fault = faults.resetBefore
    const forged = { ...(await crafted({ token: asset }, stranger)), accepted: { ...wanted } }
    expect(
      await cold.verify({ ...forged, authorization: { ...forged.authorization, from: payer.address } }, wanted),
    ).toBe('unavailable')
    // An unhandled rejection fails the test run.
    await sleep(50)
  })

  test('the facilitator starts, and works as soon as the node is up', async () => {
    proxy.fault = faults.resetBefore
    const started = facilitatorWith()
    const payload = await crafted()
    expect(await started.verify(payload, requirement)).toBe('unavailable')
    expect(await codeOf(started.requirement({ amount: '0.001', payTo: local.payTo, maxTimeoutSeconds }))).toBe(
      'chain_unavailable',
    )
    proxy.fault = null
    expect(await started.requirement({ amount: '0.001', payTo: local.payTo, maxTimeoutSeconds })).toEqual(requirement)
    expect(await started.verify(payload, requirement)).toEqual({ ok: true, payer: payer.address })
  })

  test('neither the node’s URL nor signed data is revealed', async () => {
    const dead = facilitatorWith({ rpcUrls: ['http://127.0.0.1:9/v3/secret-key'] })
    const payload = await crafted()
    const { raw } = await signed(payload)
    const told: unknown[] = [
      await dead.verify(payload, requirement),
      await dead.findSettlement(payload, 0),
      await dead.outcome(random32(), payload),
    ]
    for (const question of [dead.check(), dead.broadcast(raw), signSettlement(dead, payload, 0), dead.funds()]) {
      await question.catch((error: Error) => told.push(error.message, String(error.cause)))
    }
    expect(told).toHaveLength(11)
    expect(JSON.stringify(told)).not.toMatch(/secret|127\.0\.0\.1:9\/|0x02f8|http:/)
  })

  test('a hanging node is waited for once, for ten seconds, and then the payment stays open', async () => {
    const payload = await crafted()
    const before = proxy.requests.length
    proxy.fault = faults.hangBefore
    expect(await facilitator.verify(payload, requirement)).toBe('unavailable')
    expect(proxy.requests.length - before).toBe(1)
  })

  test('other nodes that agree are enough', async () => {
    const others = await Promise.all([startRpcProxy(local.rpcUrl), startRpcProxy(local.rpcUrl)])
    const three = facilitatorWith({ rpcUrls: [proxy.url, ...others.map(({ url }) => url)] })
    proxy.fault = faults.hangBefore
    const payload = await crafted()
    expect(await three.verify(payload, requirement)).toEqual({ ok: true, payer: payer.address })
    await Promise.all(others.map(other => other.stop()))
  })
})

describe('a node that lies', () => {
  const code = (result: string): Fault =>
    limited(async () => ({ kind: 'body', body: { jsonrpc: '2.0', result } }), { methods: ['eth_getCode'] })

  test('about the token’s code is detected at the start, and has no effect later', async () => {
    proxy.fault = code('0x')
    expect(await codeOf(facilitatorWith().check())).toBe('chain_misconfigured')
    expect(await facilitatorWith().verify(await crafted(), requirement)).toBe('unavailable')
    expect(await facilitator.verify(await crafted(), requirement)).toEqual({ ok: true, payer: payer.address })
  })

  test('about the payer’s code can only prevent that payer from paying, and not where other nodes contradict it', async () => {
    const others = await Promise.all([startRpcProxy(local.rpcUrl), startRpcProxy(local.rpcUrl)])
    const three = facilitatorWith({ rpcUrls: [proxy.url, ...others.map(({ url }) => url)] })
    await three.check()
    proxy.fault = code('0x01')
    const payload = await crafted()
    expect(reasonOf(await facilitator.verify(payload, requirement))).toBe('invalid_exact_evm_signature')
    expect(await three.verify(payload, requirement)).toEqual({ ok: true, payer: payer.address })
    await Promise.all(others.map(other => other.stop()))
  })

  test.each([0n, 10n ** 12n])('about a balance (%d) is not trusted alone, however fast it answers', async lie => {
    const told = Promise.withResolvers<void>()
    const result = AbiCoder.defaultAbiCoder().encode(['uint256'], [lie])
    const lies = async () => {
      setImmediate(told.resolve)
      return { kind: 'body', body: { jsonrpc: '2.0', result } } as const
    }
    proxy.fault = limited(lies, { methods: ['eth_call'] })
    const others = await Promise.all([startRpcProxy(local.rpcUrl), startRpcProxy(local.rpcUrl)])
    for (const other of others) other.fault = () => told.promise.then(() => ({ kind: 'honest' }))
    const three = facilitatorWith({ rpcUrls: [proxy.url, ...others.map(({ url }) => url)] })
    expect(await three.balanceOf(payer.address)).toBe(await balance(payer.address))
    await Promise.all(others.map(other => other.stop()))
  })

  test('about logs does not make a payment look unpaid: the query is repeated', async () => {
    const payload = await crafted()
    const { settlement } = await settle(payload)
    proxy.fault = faults.hidesAnchors
    expect(await facilitator.findSettlement(payload, 0)).toBe('unavailable')
    proxy.fault = null
    expect(await facilitator.findSettlement(payload, 0)).toMatchObject({ txid: settlement.txid })
  })

  test('is not needed to report a wrong configuration', async () => {
    expect(await codeOf(facilitatorWith({ asset: local.contract }).check())).toBe('chain_misconfigured')
    expect(await codeOf(facilitatorWith({ network: 'eip155:1' }).check())).toBe('chain_misconfigured')
    await expect(facilitatorWith().check()).resolves.toBeUndefined()
  })
})

describe('settling', () => {
  test('is signed before it is sent, and confirmed by the token’s logs', async () => {
    await automine(false)
    const payload = await official()
    const nonce = await facilitator.pendingNonce()
    const settlement = await signed(payload)
    expect(settlement).toMatchObject({ nonce, maxFeePerGas: expect.any(BigInt) })
    expect(await facilitator.outcome(settlement.txid, payload)).toBe('waiting')
    expect(await facilitator.broadcast(settlement.raw)).toBe('accepted')
    expect(await facilitator.broadcast(settlement.raw)).toBe('accepted')
    expect([await facilitator.pendingNonce(), await facilitator.minedNonce()]).toEqual([nonce + 1, nonce])
    expect(await facilitator.outcome(settlement.txid, payload)).toBe('waiting')
    expect(await facilitator.findSettlement(payload, 0)).toBe('none')
    await automine(true)
    await mine()
    const settled = await minedOutcome(settlement.txid, payload)
    const receipt = await node.getTransactionReceipt(settlement.txid)
    // The block of this receipt is still being built, as far as the node says.
    proxy.fault = headAt((receipt?.blockNumber ?? 0) - 1)
    expect(await facilitator.outcome(settlement.txid, payload)).toBe('waiting')
    proxy.fault = null
    expect(settled).toEqual({
      txid: settlement.txid,
      blockNumber: receipt?.blockNumber,
      blockHash: receipt?.blockHash,
      // The first log is the use of the authorization.
      transferIndex: 1,
      isShared: false,
    })
    expect(await facilitator.findSettlement(payload, receipt?.blockNumber ?? 0)).toEqual(settled)
    expect(await facilitator.outcome(settlement.txid.toUpperCase().replace('0X', '0x'), payload)).toEqual(settled)
  })

  test('works through a node that answers with the fields that are used alone, and in its own notation', async () => {
    proxy.fault = terse
    const paying = facilitatorWith()
    await paying.check()
    const payload = await official()
    expect(await paying.verify(payload, requirement)).toMatchObject({ ok: true })
    const settlement = await signed(payload, paying)
    expect(await paying.broadcast(settlement.raw)).toBe('accepted')
    await expect.poll(() => paying.outcome(settlement.txid, payload)).toMatchObject({ txid: settlement.txid })
    expect(await paying.findSettlement(payload, 0)).toEqual(await paying.outcome(settlement.txid, payload))
    expect((await paying.funds()).balance).toBeGreaterThan(0n)
  })

  test('is not confirmed by a transaction that paid for something else', async () => {
    const [first, second] = [await crafted(), await crafted()]
    const { settlement } = await settle(first)
    expect(await facilitator.outcome(settlement.txid, second)).toBe('reverted')
    expect(
      await facilitator.outcome(settlement.txid, { ...first, authorization: { ...first.authorization, value: '1' } }),
    ).toBe('reverted')
    expect(await facilitator.findSettlement(second, 0)).toBe('none')
  })

  test('counts, whoever sent it first: ours reverts and the other transaction is found', async () => {
    await automine(false)
    const payload = await official()
    const since = await facilitator.head()
    const settlement = await signed(payload)
    await automine(true)
    const txid = await sendAs(stranger, payload)
    expect(await signSettlement(facilitator, payload, 0)).toBe('refused')
    expect(await facilitator.broadcast(settlement.raw)).toBe('accepted')
    expect(await minedOutcome(settlement.txid, payload)).toBe('reverted')
    expect(await facilitator.findSettlement(payload, since)).toMatchObject({ txid })
    expect(await facilitator.outcome(txid, payload)).toMatchObject({ txid })
  })

  test('does not count one transfer for two payments: an authorization that paid another payee in the same transaction is void', async () => {
    const [first, second] = [await crafted(), await crafted()]
    const elsewhere = await crafted({ to: stranger.address, nonce: second.authorization.nonce })
    const aggregator = new Contract(multicall3, aggregator3.abi, stranger.wallet)
    const { interface: token } = dollars(local.testDollar, node)
    const call = ({ authorization, signature }: PaymentPayload) => ({
      target: local.testDollar,
      allowFailure: false,
      callData: token.encodeFunctionData(transferByBytes, [...argumentsOf(authorization), signature]),
    })
    for (const order of [
      [first, elsewhere],
      [elsewhere, first],
    ]) {
      const snapshot: unknown = await node.send('evm_snapshot', [])
      const sent = await aggregator.getFunction('aggregate3')(order.map(call))
      await sent.wait()
      expect(await facilitator.outcome(sent.hash, first)).toMatchObject({ txid: sent.hash })
      expect(await facilitator.outcome(sent.hash, second)).toBe('reverted')
      expect(await facilitator.findSettlement(first, 0)).toMatchObject({ txid: sent.hash })
      expect(await facilitator.findSettlement(second, 0)).toBe('cancelled')
      await node.send('evm_revert', [snapshot])
    }
  })

  test('is refused once the payer has cancelled the authorization', async () => {
    const payload = await official()
    await cancel(payload)
    expect(await facilitator.findSettlement(payload, 0)).toBe('cancelled')
    expect(await signSettlement(facilitator, payload, 0)).toBe('refused')
  })

  test('that reverts because the payer moved the money away is reported as reverted, not as void', async () => {
    const poor = await createPayer(node, local.testDollar, 1000n)
    const payload = await crafted({}, poor)
    const settlement = await signed(payload)
    await (await dollars(local.testDollar, poor.wallet).getFunction('transfer')(stranger.address, 1n)).wait()
    expect(await facilitator.broadcast(settlement.raw)).toBe('accepted')
    expect(await minedOutcome(settlement.txid, payload)).toBe('reverted')
    expect(await facilitator.findSettlement(payload, 0)).toBe('none')
    expect(await signSettlement(facilitator, payload, 0)).toBe('refused')
  })

  test('reports a nonce that is already used, and a signer that cannot pay for gas', async () => {
    const nonce = await facilitator.pendingNonce()
    const loser = await signSettlement(facilitator, await crafted(), nonce)
    if (loser === 'refused') throw new Error('refused')
    await settle(await crafted())
    expect(await facilitator.broadcast(loser.raw)).toBe('overtaken')
    const poor = facilitatorWith({ privateKey: random32() })
    expect(await poor.broadcast((await signed(await crafted(), poor)).raw)).toBe('unfunded')
    expect((await poor.funds()).balance).toBe(0n)
    const { balance: has, cost: costs } = await facilitator.funds()
    expect(has).toBeGreaterThan(costs)
    proxy.fault = limited(refused('txpool is full'), { methods: ['eth_sendRawTransaction'] })
    expect(await codeOf(facilitator.broadcast((await signed(await crafted())).raw))).toBe('chain_unavailable')
  })

  test('signs nothing more once a node serves another chain', async () => {
    const payload = await crafted()
    const warm = facilitatorWith()
    await signed(payload, warm)
    proxy.fault = otherChain(1)
    expect(await codeOf(signSettlement(warm, payload, 0))).toBe('chain_misconfigured')
    expect(await warm.verify(payload, requirement)).toBe('unavailable')
  })

  test('fills a nonce gap, and replaces a stuck settlement at the same nonce', async () => {
    await automine(false)
    const payload = await crafted()
    const nonce = await facilitator.pendingNonce()
    const filler = await facilitator.signFiller(nonce)
    const first = await signSettlement(facilitator, payload, nonce + 1)
    if (first === 'refused') throw new Error('refused')
    const second = await facilitator.signReplacement(first.raw)
    for (const raw of [first.raw, filler.raw, second?.raw ?? ''])
      expect(await facilitator.broadcast(raw)).toBe('accepted')
    await automine(true)
    await mine()
    expect(await minedOutcome(second?.txid ?? '', payload)).toMatchObject({ txid: second?.txid })
    expect(await facilitator.outcome(first.txid, payload)).toBe('waiting')
  })

  test('pays twenty at once, each with its own nonce', async () => {
    const before = await balance(local.payTo)
    const first = await facilitator.pendingNonce()
    const payloads = await Promise.all(Array.from({ length: 20 }, () => official()))
    const settled = await Promise.all(
      payloads.map(async (payload, at) => {
        const settlement = await signSettlement(facilitator, payload, first + at)
        if (settlement === 'refused') throw new Error('refused')
        await facilitator.broadcast(settlement.raw)
        return minedOutcome(settlement.txid, payload)
      }),
    )
    expect(settled.filter(outcome => typeof outcome === 'object')).toHaveLength(20)
    expect(await balance(local.payTo)).toBe(before + 20_000n)
  })
})
