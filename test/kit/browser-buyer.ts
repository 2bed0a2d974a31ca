// A page script that buys with the official clients. It is bundled for a browser and sets the global `buy` for its
// test.
import { x402Client as AxiosClient, wrapAxiosWithPayment } from '@x402/axios'
import { x402Client } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import axios from 'axios'
import { privateKeyToAccount } from 'viem/accounts'

type Order = { url: string; body: object; asset: string; network: `eip155:${string}`; privateKey: `0x${string}` }

const buyers = {
  async fetch({ url, body, asset, network, privateKey }: Order) {
    const client = new x402Client()
      .register(network, new ExactEvmScheme(privateKeyToAccount(privateKey)))
      .setSpendControls({ allowedAssets: [{ network, asset }] })
    const headers = { 'Content-Type': 'application/json' }
    const answer = await wrapFetchWithPayment(fetch, client)(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return { status: answer.status, answer: await answer.json(), receipt: answer.headers.get('payment-response') }
  },
  async axios({ url, body, network, privateKey }: Order) {
    const client = new AxiosClient().register(network, new ExactEvmScheme(privateKeyToAccount(privateKey)))
    const { status, data, headers } = await wrapAxiosWithPayment(axios.create(), client).post(url, body)
    return { status, answer: data, receipt: headers['payment-response'] }
  },
}

Object.assign(globalThis, { buy: (by: keyof typeof buyers, order: Order) => buyers[by](order) })
