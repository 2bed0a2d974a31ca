// A separate chain for payments: it has the test dollar and accounts that settle payments in it.
import { getCreateAddress, JsonRpcProvider, Wallet } from 'ethers'
import aggregator3 from '../../contracts/Aggregator3.json' with { type: 'json' }
import testDollar from '../../contracts/TestDollar.json' with { type: 'json' }
import { account, startAnvil } from './anvil.ts'
import { random32 } from './payer.ts'

const chainId = 31_337
const asset = getCreateAddress({ from: account(9).address, nonce: 0 }).toLowerCase()
export const multicall3 = '0xca11bde05977b3631167028862be2a173976ca11'

export type PaidChain = Awaited<ReturnType<typeof startPaidChain>>

/** `more`: further anvil arguments. */
export async function startPaidChain(more: string[] = []) {
  const anvil = await startAnvil(chainId, more)
  const { url, rpc, caip2, contract } = anvil
  await rpc('anvil_setCode', asset, testDollar.deployedBytecode)
  await rpc('anvil_setCode', multicall3, aggregator3.deployedBytecode)
  const node = new JsonRpcProvider(url, chainId, { staticNetwork: true, cacheTimeout: -1 })

  /**
   * Creates a settling account and a payee, and returns the settings of a service that uses them through this RPC URL.
   */
  async function till(rpcUrl = url) {
    const signer = new Wallet(random32())
    const payTo = Wallet.createRandom().address.toLowerCase()
    await rpc('anvil_setBalance', signer.address, '0x56bc75e2d63100000')
    const settings = {
      ANCHOR_CHAIN: caip2,
      ANCHOR_RPC_URL: rpcUrl,
      ANCHOR_CONTRACT: contract,
      X402_NETWORK: caip2,
      X402_RPC_URL: rpcUrl,
      X402_ASSET: asset,
      X402_PAY_TO: payTo,
      X402_FACILITATOR_PRIVATE_KEY: signer.privateKey,
      X402_CONFIRMATIONS: '1',
      FX_ECB_URL: 'off',
    }
    return { signer: signer.address.toLowerCase(), payTo, settings }
  }

  const stop = async () => {
    node.destroy()
    await anvil.stop()
  }
  return { url, rpc, node, asset, till, stop }
}
