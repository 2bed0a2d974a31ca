// Checks the chains on which payments are checked, node by node: reachable, right chain, the block tag its finality
// needs, and the requests that a proof and a transfer by a contract need.
import type { ChainNode } from '../../adapters/chain-node.ts'
import { readPaymentChainsFile } from '../../adapters/chains-file.ts'
import type { PaymentChainConfig } from '../../adapters/evm-payment-chain.ts'
import { reason } from '../../adapters/node-request.ts'
import { majorityOf, openNodes } from '../../adapters/nodes.ts'
import type { Env } from '../../env.ts'
import { about, type Finding } from './finding.ts'

export async function inspectPaymentChains({ PAYMENT_CHAINS_FILE: path }: Env): Promise<Finding[]> {
  if (path === null) return []
  const read = await readPaymentChainsFile(path)
  if ('faults' in read) return read.faults.map(about('payment chains').fail)
  return (await Promise.all(read.chains.map(inspect))).flat()
}

type Report = { number: number; lacksFinality: boolean; lacksReceipts: boolean; lacksTraces: boolean }

async function inspect(config: PaymentChainConfig): Promise<Finding[]> {
  const { name, caip2, rpcUrls } = config
  const { ok, warn, fail } = about(`payment chain ${name}`)
  const quorum = config.quorum ?? majorityOf(rpcUrls.length)
  const nodes = openNodes({ name, chainId: BigInt(caip2.slice('eip155:'.length)), rpcUrls, quorum })
  const settled = await Promise.allSettled(nodes.each(node => look(node, config)))
  const isReachable = settled.filter(({ status }) => status === 'fulfilled').length >= quorum
  return settled.map((result, at) => {
    // Identified by its position in the configuration, because node URLs contain keys.
    const node = `Node ${at + 1} of ${rpcUrls.length}`
    if (result.status === 'rejected') {
      const text = `${node} does not answer as it must: ${reason(result.reason)}`
      return isReachable ? warn(text) : fail(`${text} Payments on ${caip2} stay unchecked.`)
    }
    const { number, lacksFinality, lacksReceipts, lacksTraces } = result.value
    if (lacksFinality) return fail(`${node} does not serve the block “${config.finality}”. Use {"confirmations": n}.`)
    if (lacksReceipts) return warn(`${node} has no eth_getBlockReceipts: payments are observed, and not proved.`)
    const traces = lacksTraces ? ' It does not trace: transfers of the chain’s currency by contracts stay unknown.' : ''
    return ok(`${node}: ${caip2}, newest block ${number}.${traces}`)
  })
}

async function look(node: ChainNode, { finality }: PaymentChainConfig): Promise<Report> {
  const number = await node.getBlockNumber()
  const works = (request: Promise<unknown>) => request.then(answer => answer !== null).catch(() => false)
  const [hasFinality, hasReceipts, hasTraces] = await Promise.all([
    typeof finality === 'string' ? works(node.getBlock(finality)) : true,
    works(node.send('eth_getBlockReceipts', ['latest'])),
    works(node.send('debug_traceBlockByNumber', ['latest', { tracer: 'callTracer' }])),
  ])
  return { number, lacksFinality: !hasFinality, lacksReceipts: !hasReceipts, lacksTraces: !hasTraces }
}
