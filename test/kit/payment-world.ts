// An EVM with tokens, wallets and senders (test/contracts/PaymentCases.sol), for payments that are checked on it.
import { Interface, toQuantity } from 'ethers'
import testDollar from '../../contracts/TestDollar.json' with { type: 'json' }
import type { LabelledAsset } from '../../src/core/known-assets.ts'
import { compileCases } from '../contracts/compile.ts'
import { account, startAnvil } from './anvil.ts'

const addressOf = (index: number) => account(index).address.toLowerCase()
export const payer = addressOf(2)
export const relayer = addressOf(5)
export const shop = addressOf(6)
export const nobody = addressOf(7)
export const zero = `0x${'00'.repeat(20)}`

/** Ends before any test does. */
const deadline = 4_102_444_800
const plenty = 1_000_000n * 10n ** 24n
const authorized = ['address from', 'address to', 'uint256 value', 'uint256 validAfter', 'uint256 validBefore']

export type PaymentWorld = Awaited<ReturnType<typeof startPaymentWorld>>
/** As PaymentCases.sol has it. */
export type Call = { to: string; value: bigint; data: string; mayFail: boolean }

/** Starts a chain with a block for each transaction, but for those of `together`. `more`: further anvil arguments. */
export async function startPaymentWorld(chainId: number, more: string[] = []) {
  const anvil = await startAnvil(chainId, more)
  const compiled = compileCases()

  async function deploy(name: string, ...args: unknown[]): Promise<string> {
    const { abi, bytecode } = compiled(name)
    return (await anvil.deploy(bytecode + abi.encodeDeploy(args).slice(2))).toLowerCase()
  }
  const data = (contract: string, method: string, ...args: unknown[]) =>
    compiled(contract).abi.encodeFunctionData(method, args)
  /** The hash of a transaction that is mined, also one that fails. */
  const send = (to: string, content: string, more: object = {}) =>
    anvil.call(to, content, { from: payer, gas: toQuantity(2_000_000), ...more })
  const pay = (to: string, value: bigint, more: object = {}) => send(to, '0x', { value: toQuantity(value), ...more })

  const byDecimals = new Map<number, string>()
  for (const decimals of [0, 6, 8, 18, 24]) byDecimals.set(decimals, await deploy('Token', `T${decimals}`, decimals))
  const token = byDecimals.get(6) ?? ''
  const batch = await deploy('Batch')
  const wallet = await deploy('Wallet')
  const contracts = {
    token,
    batch,
    wallet,
    /** Another with the name and symbol of `token`. */
    fake: await deploy('Token', 'T6', 6),
    feeToken: await deploy('FeeToken'),
    rebasing: await deploy('RebasingToken'),
    proxy: await deploy('Proxy', token),
    nft: await deploy('Nft'),
    unindexed: await deploy('UnindexedToken'),
    noise: await deploy('Noise'),
    entryPoint: await deploy('EntryPoint'),
    halfBack: await deploy('HalfBack'),
    refusing: await deploy('Refusing'),
    dollar: (await anvil.deploy(testDollar.bytecode)).toLowerCase(),
  }
  for (const of of [...byDecimals.values(), contracts.fake, contracts.feeToken, contracts.rebasing, contracts.proxy]) {
    for (const owner of [payer, batch, wallet, relayer]) await send(of, data('Token', 'mint', owner, plenty))
  }
  await send(contracts.dollar, `0xa0712d68${(10n ** 10n).toString(16).padStart(64, '0')}`)
  for (const owner of [batch, wallet]) await pay(owner, 10n ** 20n)

  const asset = (label: string, contract: string | null, decimals: number): LabelledAsset => ({
    label,
    caip19: contract === null ? `eip155:${chainId}/slip44:60` : `eip155:${chainId}/erc20:${contract}`,
    decimals,
  })
  /** The labels that the service knows. */
  const known = [asset('USDC', token, 6), asset('ETH', null, 18), asset('TESTUSD', contracts.dollar, 6)]
  /** The labels that the project configured. */
  const assets = [
    ...[...byDecimals].map(([decimals, contract]) => asset(`T${decimals}`, contract, decimals)),
    asset('FEE', contracts.feeToken, 6),
    asset('REBASE', contracts.rebasing, 6),
    asset('PROXIED', contracts.proxy, 6),
    asset('NFT', contracts.nft, 0),
    asset('UNINDEXED', contracts.unindexed, 6),
    asset('NOISE', contracts.noise, 6),
    asset('FAKE', contracts.fake, 6),
  ]

  const transferOf = (value: bigint, to = shop) => data('Token', 'transfer', to, value)
  /** A call of a batch. */
  const call = (to: string, content = '0x', more: Partial<Call> = {}): Call => ({
    ...{ to, data: content, value: 0n, mayFail: false },
    ...more,
  })
  const run = (calls: readonly Call[], more: object = {}) => send(batch, data('Batch', 'run', calls), more)

  /** Mines what `work` sends in one block, in order; returns the hashes. */
  async function together(sent: readonly object[]): Promise<string[]> {
    await anvil.rpc('evm_setAutomine', false)
    const hashes: string[] = []
    for (const one of sent) {
      hashes.push(await anvil.rpc('eth_sendTransaction', { from: payer, gas: toQuantity(500_000), ...one }))
    }
    await anvil.rpc('evm_mine')
    await anvil.rpc('evm_setAutomine', true)
    return hashes
  }

  /** Signs for the test dollar (EIP-3009), and returns the call that anybody may send. */
  async function authorization(method: 'transfer' | 'receive', to: string, value: bigint, nonce: string) {
    const type = `${method === 'transfer' ? 'Transfer' : 'Receive'}WithAuthorization`
    const domain = { name: 'Test Dollar', version: '1', chainId, verifyingContract: contracts.dollar }
    const message = { from: payer, to, value, validAfter: 0, validBefore: deadline, nonce }
    const fields = [...authorized, 'bytes32 nonce'].map(field => {
      const [kind = '', name = ''] = field.split(' ')
      return { type: kind, name }
    })
    const signature = await account(2).signTypedData(domain, { [type]: fields }, message)
    const abi = [`function ${method}WithAuthorization(${[...authorized, 'bytes32 nonce'].join(', ')}, bytes signature)`]
    return new Interface(abi).encodeFunctionData(`${method}WithAuthorization`, [...Object.values(message), signature])
  }

  /** Lets account 3 take the code of the batch (EIP-7702), and runs calls as that account, sent by another. */
  async function runAsAccount(calls: readonly Call[]): Promise<string> {
    const owner = account(3)
    const nonce = Number(await anvil.rpc('eth_getTransactionCount', owner.address, 'latest'))
    const signed = owner.authorizeSync({ address: batch, nonce, chainId })
    const sender = account(4)
    const raw = await sender.signTransaction({
      ...{ type: 4, chainId, to: owner.address, data: data('Batch', 'run', calls), gasLimit: 1_000_000, value: 0 },
      ...{ maxFeePerGas: 10_000_000_000, maxPriorityFeePerGas: 1, authorizationList: [signed] },
      nonce: Number(await anvil.rpc('eth_getTransactionCount', sender.address, 'latest')),
    })
    const hash = await anvil.rpc('eth_sendRawTransaction', raw)
    while ((await anvil.rpc('eth_getTransactionReceipt', hash)) === null) await anvil.rpc('evm_mine')
    return hash
  }

  const logsOf = async (hash: string): Promise<number[]> => {
    const { logs } = await anvil.rpc('eth_getTransactionReceipt', hash)
    return logs.map(({ logIndex }: { logIndex: string }) => Number(logIndex))
  }
  const bytecodeOf = (name: string, ...args: unknown[]) =>
    compiled(name).bytecode + compiled(name).abi.encodeDeploy(args).slice(2)

  return {
    ...{ anvil, chainId, contracts, byDecimals, known, assets, asset, deploy, data, send, pay, transferOf, call, run },
    ...{ together, authorization, runAsAccount, logsOf, bytecodeOf },
    /** The account that `runAsAccount` runs as. */
    delegated: addressOf(3),
  }
}
