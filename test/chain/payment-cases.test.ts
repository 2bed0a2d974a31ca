// The result of the check of a payment for each kind of transaction, on a real EVM.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPaymentChain } from '../../src/adapters/evm-payment-chain.ts'
import { assetNamed } from '../../src/core/known-assets.ts'
import { checkPayments, type StatedPayment } from '../../src/modules/settlement/check.ts'
import type { PaymentChain } from '../../src/ports/payment-chain.ts'
import type { Made, PaymentCase } from '../kit/payment-cases/case.ts'
import { legCases } from '../kit/payment-cases/legs.ts'
import { nameCases } from '../kit/payment-cases/names.ts'
import { tokenCases } from '../kit/payment-cases/tokens.ts'
import { valueCases } from '../kit/payment-cases/value.ts'
import { type PaymentWorld, payer, shop, startPaymentWorld } from '../kit/payment-world.ts'

let world: PaymentWorld
let chain: PaymentChain

beforeAll(async () => {
  world = await startPaymentWorld(31_341)
  const { url: rpcUrl, caip2 } = world.anvil
  chain = createPaymentChain({ name: 'cases', caip2, rpcUrls: [rpcUrl], finality: { confirmations: 1 } })
})
afterAll(() => world?.anvil.stop())

const statedOf = ({ tx, leg, ...more }: Made) => ({
  ...{ currency: 'USDC', amount: '12.5', senderKey: payer, receiverKey: shop, assets: world.assets },
  txKey: leg === undefined ? tx : `${tx}#${leg}`,
  ...more,
})

/** In differences, a label stands for its asset and a name for the contract of the tests. */
const meant = (stated: Pick<StatedPayment, 'assets'>) => (text: string | null) =>
  text === null
    ? null
    : (assetNamed(text, world.anvil.caip2, world.known, stated.assets)?.id ??
      Object.entries(world.contracts).find(([name]) => name === text)?.[1] ??
      text)

const groups = { token: tokenCases, leg: legCases, value: valueCases, name: nameCases }
const all = Object.values(groups).flat()

test('there are at least 90 cases, each with a name of its own', () => {
  expect(all.length).toBeGreaterThanOrEqual(90)
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
})

describe.each(Object.entries(groups))('%s', (_, cases) => {
  test.each(cases.map(one => [one.name, one] as const))('%s', async (_name, one) => {
    const stated = statedOf(await one.make(world))
    const [found] = await checkPayments(chain, world.known, [stated])
    const { status, grade, differences, legs } = found ?? {}
    expect({ status, grade, differences, candidates: legs?.length }).toEqual({
      status: one.status,
      grade: one.status === 'confirmed' ? (one.grade ?? 'proved') : 'stated',
      differences: differencesOf(one, stated),
      candidates: one.candidates ?? 0,
    })
  })
})

function differencesOf({ differences = [] }: PaymentCase, stated: Pick<StatedPayment, 'assets'>) {
  const of = meant(stated)
  return differences.map(([field, first, found]) => ({ field, stated: of(first), found: of(found) }))
}
