// An agent of Quittance: it buys a rate with a wallet of its own, records the payment as a receipt, and waits until the
// evidence is anchored. Change it to your needs.
import { setTimeout as sleep } from 'node:timers/promises'
import { x402Client } from '@x402/core/client'
import { decodePaymentResponseHeader } from '@x402/core/http'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { appendPaymentIdentifierToExtensions, generatePaymentId } from '@x402/extensions/payment-identifier'
import { wrapFetchWithPayment } from '@x402/fetch'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

const { QUITTANCE_URL = '', QUITTANCE_API_KEY = '', WALLET_PRIVATE_KEY = '', MOST_PER_PAYMENT = '' } = process.env
const buys = '/v1/x402/premium/fx-lookup'

if (WALLET_PRIVATE_KEY === '') {
  const key = generatePrivateKey()
  console.log(`This agent has no wallet yet. Put this line into .env, and keep the key to yourself:\n`)
  console.log(`WALLET_PRIVATE_KEY=${key}\n`)
  console.log(`Then send it some of the token that the server is paid in: ${privateKeyToAccount(key).address}`)
  process.exit(1)
}
if (QUITTANCE_API_KEY === '') fail('Put an API key of your project into .env, as QUITTANCE_API_KEY.')

const headers = { 'Content-Type': 'application/json', 'X-API-Key': QUITTANCE_API_KEY }

function fail(why: string): never {
  console.error(why)
  process.exit(1)
}

async function ask(method: string, path: string) {
  const response = await fetch(QUITTANCE_URL + path, { method, headers })
  const answer = await response.json()
  if (!response.ok) fail(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}

const offer = (await ask('GET', '/v1/x402/pricing')).find(({ path }: { path: string }) => path === buys)
const wallet = privateKeyToAccount(`0x${WALLET_PRIVATE_KEY.replace(/^0x/, '')}`)
// Requests with the same payment identifier are one purchase and are charged once, however often they are sent.
const purchase = generatePaymentId()
const { network, asset } = offer
const client = new x402Client()
  .register(network, new ExactEvmScheme(wallet))
  // The agent never pays more than this, whatever the server requests, in the token's smallest units.
  .setSpendControls({ allowedAssets: [{ network, asset, maxAmountPerPayment: MOST_PER_PAYMENT }] })
  .onBeforePaymentCreation(async ({ paymentRequired: { extensions = {} } }) => {
    appendPaymentIdentifierToExtensions(extensions, purchase)
  })
const paid = wrapFetchWithPayment(fetch, client)

console.log(`${wallet.address} buys ${buys} for ${offer.price} ${offer.currency}`)
let bought = await paid(QUITTANCE_URL + buys, { method: 'POST', headers, body: '{}' })
for (let tries = 1; tries < 10 && (bought.status === 503 || bought.status === 409); tries++) {
  await sleep(Number(bought.headers.get('Retry-After') ?? 2) * 1000)
  bought = await paid(QUITTANCE_URL + buys, { method: 'POST', headers, body: '{}' })
}
if (!bought.ok) fail(`The purchase was refused: ${bought.status} ${await bought.text()}`)
console.log(await bought.json())
const { transaction } = decodePaymentResponseHeader(bought.headers.get('PAYMENT-RESPONSE') ?? '')

const payments = await ask('GET', '/v1/x402/payments?limit=200')
const payment = payments.find((one: { tx_hash: string }) => one.tx_hash === transaction)
if (payment === undefined) fail('The payment is not among those of the project.')
const { receipt_id: receipt } = await ask('POST', `/v1/x402/payments/${payment.id}/receipt`)
console.log(`recorded as receipt ${receipt}`)

for (let tries = 0; tries < 300; tries++) {
  const { status, bundle_url: bundle, ledger_txid: anchor } = await ask('GET', `/v1/iso/receipts/${receipt}`)
  if (status === 'failed') fail('The receipt failed.')
  if (status === 'anchored') {
    console.log(`anchored in ${anchor}\n${bundle}`)
    process.exit(0)
  }
  await sleep(1000)
}
fail('The receipt is not anchored yet; it will be.')
