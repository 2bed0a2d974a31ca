// Checks a configured chain node by node: reachable, right chain, our contract, the block tag its finality needs, a
// recent block.
import evidenceAnchor from '../../../contracts/EvidenceAnchor.json' with { type: 'json' }
import type { ChainNode } from '../../adapters/chain-node.ts'
import type { ChainConfig } from '../../adapters/ethers-chain.ts'
import { reason } from '../../adapters/node-request.ts'
import { majorityOf, openNodes } from '../../adapters/nodes.ts'
import { AppError } from '../../core/errors.ts'
import { about, type Finding } from './finding.ts'

const staleAfterMs = 5 * 60_000

/** The report on one node: the contract's code, why it does not serve the block tag, and its newest block. */
type NodeReport = { code: string; tagFault: string | null; number: number; ageMs: number }

/** `isReachable`: enough nodes for the quorum answer and have the contract, so that the chain can be queried. */
export async function inspectChain(config: ChainConfig): Promise<{ isReachable: boolean; findings: Finding[] }> {
  const { name, caip2, rpcUrls, contract } = config
  const { ok, warn, fail } = about(`chain ${name}`)
  const quorum = config.quorum ?? majorityOf(rpcUrls.length)
  const chainId = caip2 === null ? null : BigInt(caip2.slice('eip155:'.length))
  const nodes = openNodes({ name, chainId, rpcUrls, quorum })
  const settled = await Promise.allSettled(nodes.each(node => look(node, config)))
  const sound = settled.filter(result => result.status === 'fulfilled' && result.value.code !== '0x').length
  const isReachable = sound >= quorum

  function ofNode(result: PromiseSettledResult<NodeReport>, at: number): Finding[] {
    // Identified by its position in the configuration, because node URLs contain keys.
    const node = `Node ${at + 1} of ${rpcUrls.length}`
    if (result.status === 'rejected') {
      const fault: unknown = result.reason
      if (fault instanceof AppError) return [fail(`${node}: ${fault.message} Correct its address, or the chain’s id.`)]
      const text = `${node} does not answer: ${reason(fault)}. Check its address, or configure another.`
      return [isReachable ? warn(text) : fail(text)]
    }
    const { code, tagFault, number, ageMs } = result.value
    const findings: Finding[] = []
    if (code === '0x')
      findings.push(
        fail(
          `${node}: there is no contract at ${contract}. Correct its address, or deploy it: node bin/quittance.js deploy.`,
        ),
      )
    else if (code !== evidenceAnchor.deployedBytecode) {
      findings.push(
        warn(`${node}: the code at ${contract} is not ours. Look-ups by hash may be slow, and batches may fail.`),
      )
    }
    if (tagFault !== null) {
      findings.push(
        fail(`${node} does not serve the block “${config.finality}”: ${tagFault}. Use {"confirmations": n}.`),
      )
    }
    const age = `${Math.round(ageMs / 1000)} s old`
    if (ageMs > staleAfterMs)
      findings.push(warn(`${node}: its newest block, ${number}, is ${age}. Is it still syncing?`))
    if (findings.length > 0) return findings
    return [ok(`${node}: ${caip2 ?? 'any chain'}, our contract, newest block ${number}, ${age}.`)]
  }

  function ofQuorum(): Finding {
    const text = `${sound} of ${rpcUrls.length} nodes can be used; ${quorum} must agree.`
    if (!isReachable) return fail(`${text} Nothing can be confirmed or verified on this chain.`)
    if (quorum * 2 <= rpcUrls.length) return warn(`${text} A second quorum could agree on the opposite: raise quorum.`)
    return sound === quorum && quorum < rpcUrls.length ? warn(`${text} No further node may fail.`) : ok(text)
  }

  return { isReachable, findings: [...settled.flatMap(ofNode), ofQuorum()] }
}

async function look(node: ChainNode, { contract, finality }: ChainConfig): Promise<NodeReport> {
  const [code, newest, tagFault] = await Promise.all([
    node.getCode(contract),
    node.getBlock('latest'),
    typeof finality === 'string' ? faultOfTag(node, finality) : null,
  ])
  if (newest === null) throw new Error('it has no newest block')
  return { code, tagFault, number: newest.number, ageMs: Date.now() - newest.timestamp * 1000 }
}

const faultOfTag = (node: ChainNode, tag: 'safe' | 'finalized'): Promise<string | null> =>
  node.getBlock(tag).then(
    block => (block === null ? 'it has none' : null),
    error => reason(error),
  )
