// `npm run demo:pay`: the official x402 client receives a 402, pays with the local chain's test dollar and gets the
// response; then the same payment is sent again and charges nothing more.
import { inspect, isDeepStrictEqual } from 'node:util'
import { x402Client } from '@x402/core/client'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader, decodePaymentSignatureHeader } from '@x402/core/http'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import { formatUnits, parseUnits } from 'viem'
import { ask, line, type Stage, stage, step } from './stage.ts'
import { testWallet } from './test-wallet.ts'

/** Decimals of the test dollar. */
const decimals = 6

const path = '/v1/x402/premium/fx-lookup'
const body = JSON.stringify({ base_ccy: 'USD', quote_ccy: 'FLR' })
const headers = { 'Content-Type': 'application/json' }

await stage(demonstrate)

async function demonstrate({ base, rpcUrl }: Stage): Promise<boolean> {
  step('What is for sale: GET /v1/x402/pricing')
  const prices = await ask(base, 'GET', '/v1/x402/pricing')
  for (const offer of prices) line(`${offer.price} ${offer.currency}`, offer.path)
  const { price, currency, network, asset, recipient } = prices.find((offer: { path: string }) => offer.path === path)

  step('A fresh wallet, with test dollars that it makes for itself')
  const { account, balanceOf, receiptOf } = await testWallet({ rpcUrl, asset, units: parseUnits('5', decimals) })
  const balances = async () => {
    const found = { payer: await balanceOf(account.address), payee: await balanceOf(recipient) }
    line('payer', `${formatUnits(found.payer, decimals)} ${currency}, ${account.address}`)
    line('payee', `${formatUnits(found.payee, decimals)} ${currency}, ${recipient}`)
    return found
  }
  const before = await balances()

  step(`The official client buys: POST ${path} ${body}`)
  const client = new x402Client()
    .register(network, new ExactEvmScheme(account))
    // Allows a token that the client does not know by itself. The limit is in the token's smallest units.
    .setSpendControls({ allowedAssets: [{ network, asset, maxAmountPerPayment: '1000' }] })
  const seen = { required: '', signature: '' }
  const watched: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const response = await fetch(request)
    seen.required ||= response.headers.get('PAYMENT-REQUIRED') ?? ''
    seen.signature ||= request.headers.get('PAYMENT-SIGNATURE') ?? ''
    return response
  }
  const bought = await wrapFetchWithPayment(watched, client)(base + path, { method: 'POST', headers, body })
  const answer = await bought.json()
  print('402, PAYMENT-REQUIRED', decodePaymentRequiredHeader(seen.required))
  print('sent again with PAYMENT-SIGNATURE', decodePaymentSignatureHeader(seen.signature))
  const receipt = decodePaymentResponseHeader(bought.headers.get('PAYMENT-RESPONSE') ?? '')
  print(`${bought.status}, PAYMENT-RESPONSE`, receipt)
  line('the answer', JSON.stringify(answer))

  step('What the chain says')
  const { status, blockNumber } = await receiptOf(receipt.transaction)
  line('settled by', `${receipt.transaction}: ${status}, block ${blockNumber}`)
  const after = await balances()

  step('The same PAYMENT-SIGNATURE again, as after an answer that was lost on its way')
  const paidHeaders = { ...headers, 'PAYMENT-SIGNATURE': seen.signature }
  const again = await fetch(base + path, { method: 'POST', headers: paidHeaders, body })
  const answerAgain = await again.json()
  line(again.status, JSON.stringify(answerAgain))
  const inTheEnd = await balances()

  step('Checked')
  const due = parseUnits(price, decimals)
  const checks = {
    'paid and answered': bought.status === 200 && receipt.success && status === 'success',
    'the price went from payer to payee': before.payer - after.payer === due && after.payee - before.payee === due,
    'the same payment got the same answer': again.status === 200 && isDeepStrictEqual(answerAgain, answer),
    'and was charged once': isDeepStrictEqual(inTheEnd, after),
  }
  for (const [title, passed] of Object.entries(checks)) console.log(`  ${passed ? '✓' : '✗'} ${title}`)
  const isProven = Object.values(checks).every(Boolean)
  console.log(
    isProven
      ? `\nPaid: ${price} ${currency} charged once, answered twice.`
      : '\nNOT as it should be: see what failed above.',
  )
  return isProven
}

function print(title: string, value: unknown): void {
  console.log(`  ${title}`)
  console.log(inspect(value, { depth: null, breakLength: 120, compact: 4 }).replace(/^/gm, '    '))
}
