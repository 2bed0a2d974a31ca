// Payments with slow blocks, missing money, a settlement by another account or a cancelled authorization: never charged
// twice, never charged and finally refused.
import { decodePaymentResponseHeader } from '@x402/core/http'
import { JsonRpcProvider, Wallet } from 'ethers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PaymentRequirement } from '../../src/ports/payment-facilitator.ts'
import { ahead } from '../kit/clock.ts'
import { argumentsOf, createPayer, dollars, inside, type Payer, pay, signCancel } from '../kit/payer.ts'
import { auditPayments } from '../kit/payment-books.ts'
import { type Service, startService } from '../kit/service.ts'

// The time for which a request waits for its settlement.
const settlePatienceMs = 20_000

let service: Service
let node: JsonRpcProvider
let payer: Payer
let requirement: PaymentRequirement
// Payments that were made by hand, without a request to the service.
const gifts: string[] = []
beforeAll(async () => {
  service = await startService({ LOG_LEVEL: 'silent' })
  node = new JsonRpcProvider(service.localChain ?? '', 31337, { staticNetwork: true, cacheTimeout: -1 })
  const { facilitator, paymentsTo: payTo } = service.app
  if (facilitator === null) throw new Error('no facilitator')
  requirement = await facilitator.requirement({ amount: '0.001', payTo, maxTimeoutSeconds: 120 })
  payer = await createPayer(node, requirement.asset, 1_000_000n)
})
afterAll(async () => {
  node?.destroy()
  await service.stop()
})

const buy = (header: string) =>
  service.api.call('POST', '/v1/x402/premium/fx-lookup', { body: {}, headers: { 'PAYMENT-SIGNATURE': header } })
const balance = (address: string): Promise<bigint> => dollars(requirement.asset, node).getFunction('balanceOf')(address)
const token = (wallet: Wallet) => dollars(requirement.asset, wallet)

/**
 * Fees with which a transaction is mined before ours in the same block; its own gas limit, because an estimate includes
 * pending transactions.
 */
const dear = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 9n * 10n ** 11n, gasLimit: 200_000 }

/** Creates a funded account that pays its own gas. */
async function stranger(): Promise<Wallet> {
  const wallet = new Wallet(Wallet.createRandom().privateKey, node)
  await node.send('anvil_setBalance', [wallet.address, '0xde0b6b3a7640000'])
  return wallet
}

async function settleBy(wallet: Wallet, header: string) {
  const { authorization, signature } = inside(header)
  const name = 'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)'
  const sent = await token(wallet).getFunction(name)(...argumentsOf(authorization), signature)
  return sent.wait()
}

it('a slow block means 503 and never 402, then 200 for the same payment, charged once', async () => {
  const header = await pay(payer, requirement)
  const before = await balance(payer.address)
  await node.send('evm_setAutomine', [false])
  const bought = buy(header)
  await expect.poll(async () => (await node.send('txpool_status', [])).pending).toBe('0x1')
  const waiting = await ahead(settlePatienceMs, () => bought)
  expect([waiting.status, waiting.json.detail, waiting.headers.get('retry-after')]).toEqual([
    503,
    'settlement_pending',
    '5',
  ])
  await node.send('evm_setAutomine', [true])
  await node.send('evm_mine', [])
  expect((await buy(header)).status).toBe(200)
  expect(before - (await balance(payer.address))).toBe(1_000n)
})

it('an authorization that another account settles is refused before our verification, and counts after it', async () => {
  const header = await pay(payer, requirement)
  const before = await balance(service.app.paymentsTo)
  const { hash } = await settleBy(await stranger(), header)
  gifts.push(hash)
  const { status, headers } = await buy(header)
  // It was used before we verified it, so it cannot be told from a replayed payment to another service.
  expect(status).toBe(402)
  expect(headers.get('payment-response')).toBeNull()

  const next = await pay(payer, requirement)
  await node.send('evm_setAutomine', [false])
  const bought = buy(next)
  await expect.poll(async () => (await node.send('txpool_status', [])).pending).toBe('0x1')
  const thief = await stranger()
  const { authorization, signature } = inside(next)
  await token(thief).getFunction('transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)')(
    ...argumentsOf(authorization),
    signature,
    dear,
  )
  await node.send('evm_setAutomine', [true])
  await node.send('evm_mine', [])
  const answer = await bought
  expect(answer.status).toBe(200)
  const { transaction } = decodePaymentResponseHeader(answer.headers.get('payment-response') ?? '')
  expect(transaction).not.toBe(hash)
  expect((await node.getTransaction(transaction))?.from).toBe(thief.address)
  expect((await balance(service.app.paymentsTo)) - before).toBe(2_000n)
})

it('a payment whose money moves away in the same block is not delivered, and is valid again once the money is back', async () => {
  const poor = await createPayer(node, requirement.asset, 1_000n)
  const header = await pay(poor, requirement)
  await node.send('evm_setAutomine', [false])
  const bought = buy(header)
  await expect.poll(async () => (await node.send('txpool_status', [])).pending).toBe('0x1')
  await token(poor.wallet).getFunction('transfer')(payer.address, 1_000n, dear)
  await node.send('evm_setAutomine', [true])
  await node.send('evm_mine', [])
  const refused = await bought
  expect(refused.status).toBe(402)
  expect(decodePaymentResponseHeader(refused.headers.get('payment-response') ?? '')).toEqual({
    success: false,
    errorReason: 'settlement_failed',
    payer: poor.address,
    transaction: '',
    network: 'eip155:31337',
  })
  await (await token(payer.wallet).getFunction('transfer')(poor.address, 1_000n)).wait()
  expect((await buy(header)).status).toBe(200)
  expect(await balance(poor.address)).toBe(0n)
})

it('an authorization that its payer cancelled is refused, and nothing is sent for it', async () => {
  const header = await pay(payer, requirement)
  const { authorization } = inside(header)
  const proof = await signCancel(payer.wallet, requirement.asset, authorization.from, authorization.nonce)
  const cancel = token(payer.wallet).getFunction('cancelAuthorization(address,bytes32,bytes)')
  await (await cancel(authorization.from, authorization.nonce, proof)).wait()
  expect((await buy(header)).status).toBe(402)
})

it('finally the payments table equals the chain', async () => {
  const { databaseUrl, localChain, app } = service
  const { asset, address: signer = '' } = app.facilitator ?? {}
  const books = { databaseUrl, rpcUrl: `${localChain}`, asset: `${asset}`, payTo: app.paymentsTo, signer, gifts }
  expect(await auditPayments(books)).toEqual([])
})
