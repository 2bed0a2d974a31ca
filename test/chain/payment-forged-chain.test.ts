// `quittance verify` and a payment on a chain of the attacker's own, which has the id of the true one.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createPaymentChain } from '../../src/adapters/evm-payment-chain.ts'
import { run } from '../../src/cli/verify.ts'
import { fromUnits } from '../../src/core/decimal.ts'
import { checkPayments } from '../../src/modules/settlement/check.ts'
import { documentOf } from '../../src/modules/settlement/document.ts'
import { type Anvil, account, startAnvil } from '../kit/anvil.ts'
import { receiptOf, sealed, shop, signerOf } from '../kit/forged-payments.ts'

const chainId = 31_344
const caip2 = `eip155:${chainId}`
const signer = signerOf()
const payer = account(2).address.toLowerCase()
const value = 10n ** 17n
const finality = { confirmations: 1 }
let folder: string
let his: Anvil
let ours: Anvil

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-forged-'))
  ;[his, ours] = await Promise.all([startAnvil(chainId), startAnvil(chainId, ['--timestamp', '1700000000'])])
  const { keyId, publicKeyPem } = signer
  const keys = [
    {
      key_id: keyId,
      algorithm: 'Ed25519',
      public_key_pem: publicKeyPem,
      valid_from: '2020-01-01T00:00:00.000Z',
      valid_to: null,
    },
  ]
  const chains = [{ name: 'mine', caip2, contract: ours.contract, finality: '1 confirmations' }]
  await writeFile(join(folder, 'keys.json'), JSON.stringify({ keys, chains }))
})
afterAll(async () => {
  await his?.stop()
  await ours?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A bundle of a payment on a chain, as a service of these nodes seals it. */
async function paidOn(anvil: Anvil, name: string): Promise<string> {
  const txKey = await anvil.call(shop, '0x', { from: payer, value: `0x${value.toString(16)}` })
  const chain = createPaymentChain({ name: 'forged', caip2, rpcUrls: [anvil.url], finality })
  const known = [{ label: 'ETH', caip19: `${caip2}/slip44:60`, decimals: 18 }]
  const stated = { currency: 'ETH', amount: fromUnits(value, 18), senderKey: payer, receiverKey: shop, assets: [] }
  const [finding] = await checkPayments(chain, known, [{ ...stated, txKey }])
  if (finding === undefined) throw new Error('no finding')
  expect(finding).toMatchObject({ status: 'confirmed', grade: 'proved' })
  const receipt = receiptOf(txKey, { chain: caip2, currency: 'ETH', amount: stated.amount, senderWallet: payer })
  const path = join(folder, name)
  await writeFile(path, await sealed(signer, receipt, documentOf(chain, finding, new Date())))
  return path
}

async function verify(path: string, ...rest: string[]) {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  try {
    const code = await run([path, '--keys', join(folder, 'keys.json'), '--json', ...rest])
    const { errors, checks } = JSON.parse(String(log.mock.calls[0]?.[0]))
    const status = (wanted: string) => checks.find(({ id }: { id: string }) => id === wanted)?.status
    return { code, errors, checked: status('settlement_unchecked'), shown: status('payment_unchecked') }
  } finally {
    log.mockRestore()
  }
}

test('it has vanished for nodes of the true chain, and is unchecked where there are none or none that high', async () => {
  const path = await paidOn(his, 'his.zip')
  const unchecked = { code: 0, errors: [], checked: 'skipped', shown: 'skipped' }
  expect(await verify(path)).toEqual(unchecked)
  expect(await verify(path, '--payment-rpc', ours.url)).toEqual(unchecked)
  await ours.mine(20)
  const vanished = { code: 1, errors: ['settlement_vanished'], checked: 'passed', shown: 'skipped' }
  expect(await verify(path, '--payment-rpc', ours.url)).toEqual(vanished)
  // One of his nodes among those that the auditor trusts.
  const both = ['--payment-rpc', his.url, '--payment-rpc', ours.url]
  expect(await verify(path, ...both)).toEqual(unchecked)
})

test('a payment on the true chain is shown', async () => {
  const path = await paidOn(ours, 'ours.zip')
  expect(await verify(path, '--payment-rpc', ours.url)).toEqual({
    code: 0,
    errors: [],
    checked: 'passed',
    shown: 'passed',
  })
})
