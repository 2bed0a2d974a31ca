// Makes a wallet on the local chain with gas and self-minted test dollars.
import { createTestClient, getAddress, http, isHash, parseAbi, publicActions, walletActions } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'

const abi = parseAbi(['function mint(uint256 value)', 'function balanceOf(address owner) view returns (uint256)'])
const oneEther = 10n ** 18n

const newAccount = () => privateKeyToAccount(generatePrivateKey())

type Wanted = { rpcUrl: string; asset: string; units: bigint; account?: PrivateKeyAccount }

/** `asset` is the test dollar's address; amounts are in its smallest units. By default a new account is made. */
export async function testWallet({ rpcUrl, asset, units, account = newAccount() }: Wanted) {
  const chain = createTestClient({ mode: 'anvil', account, chain: foundry, transport: http(rpcUrl) })
    .extend(publicActions)
    .extend(walletActions)
  const token = { address: getAddress(asset), abi }
  await chain.setBalance({ address: account.address, value: oneEther })
  await chain.waitForTransactionReceipt({
    hash: await chain.writeContract({ ...token, functionName: 'mint', args: [units] }),
  })
  return {
    account,
    /** The balance of any account. */
    balanceOf: (owner: string): Promise<bigint> =>
      chain.readContract({ ...token, functionName: 'balanceOf', args: [getAddress(owner)] }),
    /** The receipt of a transaction. */
    receiptOf: async (txid: string) => {
      if (!isHash(txid)) throw new Error(`no transaction: ${txid}`)
      return chain.getTransactionReceipt({ hash: txid })
    },
  }
}
