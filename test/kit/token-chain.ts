// A chain with a token that many wallets are paid in, whose blocks have the times that a test wants.
import { Interface } from 'ethers'
import aggregator3 from '../../contracts/Aggregator3.json' with { type: 'json' }
import testDollar from '../../contracts/TestDollar.json' with { type: 'json' }
import { account, startAnvil } from './anvil.ts'
import { multicall3 } from './paid-chain.ts'

const dollar = new Interface(testDollar.abi)
const calls = new Interface(aggregator3.abi)

/** Pays these amounts in units, in one transaction. */
export type Payment = { to: string; units: bigint }
export type Leg = { hash: string; index: number; block: number; from: string; to: string; units: bigint }

export type TokenChain = Awaited<ReturnType<typeof startTokenChain>>

/** `at`: the time of its first block. */
export async function startTokenChain(chainId: number, at: Date) {
  const seconds = Math.floor(at.getTime() / 1_000)
  const chain = await startAnvil(chainId, ['--timestamp', `${seconds}`, '--disable-block-gas-limit'])
  await chain.rpc('anvil_setCode', multicall3, aggregator3.deployedBytecode)
  const deploy = () => chain.deploy(testDollar.bytecode)
  const token = (await deploy()).toLowerCase()

  /** The next block has this time, and blocks after it follow from there. */
  const next = (time: Date) => chain.rpc('evm_setNextBlockTimestamp', Math.floor(time.getTime() / 1_000))

  async function legsOf(hash: string, contract: string): Promise<Leg[]> {
    const { logs } = await chain.rpc('eth_getTransactionReceipt', hash)
    return logs.flatMap(
      (log: { address: string; topics: string[]; data: string; logIndex: string; blockNumber: string }) => {
        const transfer = log.address === contract ? dollar.parseLog(log) : null
        if (transfer?.name !== 'Transfer') return []
        const [from, to, units] = transfer.args
        const [index, block] = [Number(log.logIndex), Number(log.blockNumber)]
        return [{ hash, index, block, from: from.toLowerCase(), to: to.toLowerCase(), units }]
      },
    )
  }

  /** Pays from a contract, which mints what it pays. Returns the transfers but for the minting. */
  async function pay(payments: readonly Payment[], contract = token): Promise<Leg[]> {
    const total = payments.reduce((sum, { units }) => sum + units, 0n)
    const call = (callData: string) => ({ target: contract, allowFailure: false, callData })
    const made = [
      call(dollar.encodeFunctionData('mint', [total])),
      ...payments.map(({ to, units }) => call(dollar.encodeFunctionData('transfer', [to, units]))),
    ]
    const hash = await chain.call(multicall3, calls.encodeFunctionData('aggregate3', [made]), { gas: '0x77359400' })
    return (await legsOf(hash, contract)).slice(1)
  }

  /** Pays from an unlocked account. */
  async function send(from: string, { to, units }: Payment): Promise<Leg> {
    const hash = await chain.call(token, dollar.encodeFunctionData('transfer', [to, units]), { from })
    const [leg] = await legsOf(hash, token)
    if (leg === undefined) throw new Error('nothing was transferred')
    return leg
  }

  return { ...chain, token, deployToken: deploy, payerContract: multicall3, next, pay, send }
}

/** The address of an account that anvil signs for. */
export const unlocked = (index: number) => account(index).address.toLowerCase()
