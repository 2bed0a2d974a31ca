// The token of the local chain moves by signed authorization (EIP-3009) as the dollar tokens in use do, and by
// transfer.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Contract, isError, JsonRpcProvider, Signature, type TransactionResponse, TypedDataEncoder } from 'ethers'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import testDollar from '../../contracts/TestDollar.json' with { type: 'json' }
import { type EmbeddedChain, startChain } from '../../src/embedded/chain.ts'
import type { PaymentAuthorization } from '../../src/ports/payment-facilitator.ts'
import {
  argumentsOf,
  createPayer,
  dollars,
  domainOf,
  type Payer,
  random32,
  signCancel,
  signTransfer,
  split,
} from '../kit/payer.ts'
import { deployWallets } from '../kit/sign-in.ts'

const log = pino({ level: 'silent' })
const bySplit = 'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)'
const byBytes = 'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)'
const receiveByBytes = byBytes.replace('transfer', 'receive')
const cancelByBytes = 'cancelAuthorization(address,bytes32,bytes)'

let folder: string
let local: EmbeddedChain
let node: JsonRpcProvider
let token: Contract
let payer: Payer
let payee: Payer

/** The port may change at a restart, if another process took the former one meanwhile. */
async function startLocal(): Promise<void> {
  local = await startChain(folder, log)
  const options = { staticNetwork: true, cacheTimeout: -1, pollingInterval: 20 }
  node = new JsonRpcProvider(local.rpcUrl, local.chainId, options)
  token = dollars(local.testDollar, await node.getSigner(8))
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-dollar-'))
  await startLocal()
  const { testDollar: address } = local
  payer = await createPayer(node, address, 1_000_000n)
  payee = await createPayer(node, address, 1n)
})

afterAll(async () => {
  node?.destroy()
  await local?.stop()
  await rm(folder, { recursive: true, force: true })
})

const now = async () => (await node.getBlock('latest'))?.timestamp ?? 0

const authorization = (change: Partial<PaymentAuthorization> = {}): PaymentAuthorization => ({
  from: payer.address,
  to: payee.address,
  value: '1000',
  validAfter: '0',
  validBefore: `${2n ** 64n}`,
  nonce: random32(),
  ...change,
})

async function send(contract: Contract, method: string, ...args: unknown[]) {
  const sent: TransactionResponse = await contract.getFunction(method)(...args)
  const receipt = await sent.wait()
  return (receipt?.logs ?? []).map(entry => token.interface.parseLog(entry)?.name)
}

/** Returns the name of the contract's error. */
async function refusal(contract: Contract, method: string, ...args: unknown[]): Promise<string | undefined> {
  try {
    await contract.getFunction(method).staticCall(...args)
    return 'accepted'
  } catch (error) {
    if (!isError(error, 'CALL_EXCEPTION')) throw error
    return error.revert?.name ?? error.reason ?? 'no reason'
  }
}

const balance = (of: string): Promise<bigint> => token.getFunction('balanceOf')(of)
const isUsed = (of: string, nonce: string): Promise<boolean> => token.getFunction('authorizationState')(of, nonce)

describe('an authorization', () => {
  test.each(['signature in three parts', 'signature in one piece'])('moves its amount once: %s', async kind => {
    const given = authorization()
    const signature = await signTransfer(payer.wallet, local.testDollar, given)
    const [method, proof] =
      kind === 'signature in one piece' ? [byBytes, [signature]] : [bySplit, split(Signature.from(signature))]
    const before = [await balance(payer.address), await balance(payee.address)]
    expect(await isUsed(payer.address, given.nonce)).toBe(false)
    expect(await send(token, method, ...argumentsOf(given), ...proof)).toEqual(['AuthorizationUsed', 'Transfer'])
    expect(await isUsed(payer.address, given.nonce)).toBe(true)
    expect([await balance(payer.address), await balance(payee.address)]).toEqual([
      (before[0] ?? 0n) - 1000n,
      (before[1] ?? 0n) + 1000n,
    ])
    for (const [again, repeated] of [
      [byBytes, [signature]],
      [bySplit, split(Signature.from(signature))],
    ] as const) {
      expect(await refusal(token, again, ...argumentsOf(given), ...repeated)).toBe('AuthorizationUsedOrCanceled')
    }
  })

  test('is invalid for another payee, amount, time, nonce, payer or domain', async () => {
    const given = authorization()
    const signature = await signTransfer(payer.wallet, local.testDollar, given)
    for (const change of [
      { to: payer.address },
      { value: '1001' },
      { validAfter: '1' },
      { validBefore: `${2n ** 63n}` },
      { nonce: random32() },
      { from: payee.address },
    ]) {
      expect(await refusal(token, byBytes, ...argumentsOf({ ...given, ...change }), signature)).toBe('InvalidSignature')
    }
    const elsewhere = await signTransfer(payer.wallet, payee.address, given)
    expect(await refusal(token, byBytes, ...argumentsOf(given), elsewhere)).toBe('InvalidSignature')
    expect(await refusal(token, byBytes, ...argumentsOf(given), signature)).toBe('accepted')
  })

  test('is refused with a malleable signature: one with the higher s, or a compact one', async () => {
    const given = authorization()
    const { r, s, v, compactSerialized } = Signature.from(await signTransfer(payer.wallet, local.testDollar, given))
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const mirrored = `0x${(order - BigInt(s)).toString(16).padStart(64, '0')}`
    expect(await refusal(token, bySplit, ...argumentsOf(given), v === 27 ? 28 : 27, r, mirrored)).toBe(
      'InvalidSignature',
    )
    expect(await refusal(token, bySplit, ...argumentsOf(given), v - 27, r, s)).toBe('InvalidSignature')
    for (const signature of [compactSerialized, '0x', `0x${'00'.repeat(65)}`]) {
      expect(await refusal(token, byBytes, ...argumentsOf(given), signature)).toBe('InvalidSignature')
    }
  })

  test('is valid from after its first second until before its last', async () => {
    const time = await now()
    const tried = async (change: Partial<PaymentAuthorization>) => {
      const given = authorization(change)
      const signature = await signTransfer(payer.wallet, local.testDollar, given)
      return refusal(token, byBytes, ...argumentsOf(given), signature)
    }
    expect(await tried({ validBefore: `${time - 1}` })).toBe('AuthorizationExpired')
    expect(await tried({ validAfter: `${time + 3600}` })).toBe('AuthorizationNotYetValid')
    expect(await tried({ validAfter: `${time - 1}`, validBefore: `${time + 3600}` })).toBe('accepted')
  })

  test('for more than the payer’s balance moves nothing and stays valid', async () => {
    const poor = await createPayer(node, local.testDollar, 999n)
    const given = authorization({ from: poor.address })
    const signature = await signTransfer(poor.wallet, local.testDollar, given)
    expect(await refusal(token, byBytes, ...argumentsOf(given), signature)).toBe('InsufficientBalance')
    expect(await isUsed(poor.address, given.nonce)).toBe(false)
  })

  test('that only its payer can cancel moves nothing once cancelled', async () => {
    const given = authorization()
    const signature = await signTransfer(payer.wallet, local.testDollar, given)
    const forged = await signCancel(payee.wallet, local.testDollar, payer.address, given.nonce)
    expect(await refusal(token, cancelByBytes, payer.address, given.nonce, forged)).toBe('InvalidSignature')
    const cancel = await signCancel(payer.wallet, local.testDollar, payer.address, given.nonce)
    expect(await send(token, cancelByBytes, payer.address, given.nonce, cancel)).toEqual(['AuthorizationCanceled'])
    expect(await refusal(token, byBytes, ...argumentsOf(given), signature)).toBe('AuthorizationUsedOrCanceled')
    expect(await refusal(token, cancelByBytes, payer.address, given.nonce, cancel)).toBe('AuthorizationUsedOrCanceled')
  })

  test('to receive can only be sent by the payee, and is no authorization to transfer', async () => {
    const given = authorization()
    const signature = await signTransfer(payer.wallet, local.testDollar, given, 'ReceiveWithAuthorization')
    expect(await refusal(token, receiveByBytes, ...argumentsOf(given), signature)).toBe('CallerIsNotPayee')
    expect(await refusal(token, byBytes, ...argumentsOf(given), signature)).toBe('InvalidSignature')
    const asPayee = dollars(local.testDollar, payee.wallet)
    expect(await send(asPayee, receiveByBytes, ...argumentsOf(given), signature)).toEqual([
      'AuthorizationUsed',
      'Transfer',
    ])
  })
})

describe('a contract that pays', () => {
  test('confirms its signature itself (ERC-1271), in every signature form; its owner’s own key alone is not enough', async () => {
    const { OwnerWallet, Reverting, SaysOne, SaysNothing } = await deployWallets(local.rpcUrl, payer.wallet.address)
    await send(dollars(local.testDollar, payer.wallet), 'transfer', OwnerWallet, 5000n)
    for (const [method, kind] of [
      [byBytes, 'bytes'],
      [bySplit, 'parts'],
    ] as const) {
      const given = authorization({ from: OwnerWallet })
      const signature = await signTransfer(payer.wallet, local.testDollar, given)
      const proof = kind === 'bytes' ? [signature] : split(Signature.from(signature))
      expect(await send(token, method, ...argumentsOf(given), ...proof)).toEqual(['AuthorizationUsed', 'Transfer'])
      const forged = await signTransfer(payee.wallet, local.testDollar, authorization({ from: OwnerWallet }))
      expect(await refusal(token, byBytes, ...argumentsOf(authorization({ from: OwnerWallet })), forged)).toBe(
        'InvalidSignature',
      )
    }
    for (const from of [Reverting, SaysOne, SaysNothing]) {
      const given = authorization({ from })
      const signature = await signTransfer(payer.wallet, local.testDollar, given)
      expect(await refusal(token, byBytes, ...argumentsOf(given), signature)).toBe('InvalidSignature')
    }
  })
})

describe('the balance', () => {
  test('can be minted by any account for itself, a million at a time', async () => {
    const rich = await createPayer(node, local.testDollar, 10n ** 12n)
    expect(await balance(rich.address)).toBe(10n ** 12n)
    expect(await refusal(token, 'mint', 10n ** 12n + 1n)).toBe('TooMuchAtOnce')
  })

  test('moves by transfer and allowance, never below zero and never to the zero address', async () => {
    const asPayer = dollars(local.testDollar, payer.wallet)
    const asPayee = dollars(local.testDollar, payee.wallet)
    expect(await send(asPayer, 'transfer', payer.address, 7n)).toEqual(['Transfer'])
    expect(await refusal(asPayer, 'transfer', payee.address, 10n ** 13n)).toBe('InsufficientBalance')
    expect(await refusal(asPayer, 'transfer', `0x${'0'.repeat(40)}`, 1n)).toBe('InvalidReceiver')
    expect(await refusal(asPayee, 'transferFrom', payer.address, payee.address, 5n)).toBe('InsufficientAllowance')
    await send(asPayer, 'approve', payee.address, 5n)
    expect(await send(asPayee, 'transferFrom', payer.address, payee.address, 5n)).toEqual(['Transfer'])
    expect(await refusal(asPayee, 'transferFrom', payer.address, payee.address, 1n)).toBe('InsufficientAllowance')
  })
})

test('name, version and domain match the x402 challenge, because every signature would otherwise be refused', async () => {
  const ask = (name: string): Promise<unknown> => token.getFunction(name)()
  expect([await ask('name'), await ask('version'), await ask('decimals')]).toEqual(['Test Dollar', '1', 6n])
  expect(await ask('DOMAIN_SEPARATOR')).toBe(TypedDataEncoder.hashDomain(domainOf(local.testDollar)))
})

test('both contracts are added to an older chain at the same addresses, and balances survive a restart', async () => {
  const before = await balance(payee.address)
  const { testDollar: address } = local
  const multicall3 = '0xca11bde05977b3631167028862be2a173976ca11'
  expect(await node.getCode(multicall3)).not.toBe('0x')
  const height = await node.getBlockNumber()
  for (const contract of [address, multicall3]) await node.send('anvil_setCode', [contract, '0x'])
  await node.send('anvil_mine', ['0x1'])
  node.destroy()
  await local.stop()
  await startLocal()
  expect(local.testDollar).toBe(address)
  expect(await node.getCode(address)).toBe(testDollar.deployedBytecode)
  expect(await node.getCode(multicall3)).not.toBe('0x')
  expect(await balance(payee.address)).toBe(before)
  expect(await node.getBlockNumber()).toBe(height + 1)
})
