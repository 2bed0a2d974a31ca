// Proofs of the transactions of a real chain's block.
import { JsonRpcProvider, type TransactionLike } from 'ethers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readProof } from '../../src/modules/settlement/proof.ts'
import { type Anvil, account, startAnvil } from '../kit/anvil.ts'
import { proofsAt, type ReportedBlock } from '../kit/payment-block.ts'

const chainId = 31_338
const sender = account(2)
const receiver = account(1).address.toLowerCase()

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil(chainId)
})
afterAll(() => anvil.stop())

async function mined(): Promise<ReportedBlock> {
  await anvil.rpc('evm_mine')
  const block = await anvil.rpc('eth_getBlockByNumber', 'latest', true)
  return { block, receipts: await anvil.rpc('eth_getBlockReceipts', block.hash) }
}

async function read({ block, receipts }: ReportedBlock) {
  const proofs = await proofsAt(block, receipts, [...block.transactions.keys()])
  return proofs.map((proof, index) =>
    readProof(proof, { blockHash: block.hash, transactionHash: String(block.transactions[index]?.hash), index }),
  )
}

it('each transaction of a block is proved: legacy, with access list, of London, with an authorization, and one that fails', async () => {
  const node = new JsonRpcProvider(anvil.url, chainId, { staticNetwork: true })
  await anvil.rpc('evm_setAutomine', false)
  const gasPrice = 3_000_000_000
  const fees = { maxFeePerGas: gasPrice, maxPriorityFeePerGas: 1 }
  const entry = { address: account(3).address, storageKeys: [`0x${'01'.repeat(32)}`] }
  const authorization = await account(3)
    .connect(node)
    .authorize({ address: account(4).address, nonce: 0, chainId })
  const kinds: TransactionLike[] = [
    { type: 0, gasPrice },
    { type: 1, gasPrice, accessList: [entry] },
    { type: 2, ...fees },
    { type: 4, ...fees, authorizationList: [authorization] },
    // No contract takes this call.
    { type: 2, ...fees, to: anvil.contract, data: '0xffffffff' },
  ]
  for (const [nonce, kind] of kinds.entries()) {
    const common = { chainId, nonce, to: receiver, value: nonce + 7, gasLimit: 200_000 }
    await anvil.rpc('eth_sendRawTransaction', await sender.signTransaction({ ...common, ...kind }))
  }
  const block = await mined()
  expect(block.block.transactions).toHaveLength(5)
  const from = sender.address.toLowerCase()
  expect(await read(block)).toMatchObject(
    kinds.map(({ type, to = receiver }, at) => ({
      ok: true,
      header: { hash: block.block.hash, number: Number(block.block.number), timestamp: Number(block.block.timestamp) },
      receipt: { succeeded: at !== 4, logs: [] },
      transaction: { from, to: String(to).toLowerCase(), value: BigInt(at + 7), type },
    })),
  )
  node.destroy()
})
