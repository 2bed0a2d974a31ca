// The token in which callers pay, and payment requirements in that token. Its name, version, symbol and decimals are
// read from its contract once; a read that failed is repeated at the next use.
import { Interface, parseUnits, TypedDataEncoder, ZeroAddress, ZeroHash } from 'ethers'
import { z } from 'zod'
import { AppError } from '../core/errors.ts'
import type { PaymentFacilitator, PaymentToken } from '../ports/payment-facilitator.ts'
import type { ChainNode } from './chain-node.ts'
import type { Decide, Nodes } from './nodes.ts'
import { isFailedCall } from './refusal.ts'

type TokenConfig = {
  nodes: Nodes
  network: PaymentFacilitator['network']
  chainId: bigint
  /** Lower-case. */
  asset: string
}

const functions = new Interface([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function authorizationState(address, bytes32) view returns (bool)',
  'function balanceOf(address) view returns (uint256)',
])

const text = z.string().nullable()
const described = z.object({
  hasCode: z.boolean(),
  isPayable: z.boolean(),
  name: text,
  version: text,
  symbol: text,
  separator: text,
  decimals: z.bigint().nullable().transform(Number),
})

export function openToken({ nodes, network, chainId, asset }: TokenConfig) {
  const wrong = (why: string) => new AppError('chain_misconfigured', `The token ${asset} on ${network} ${why}.`)

  /** Calls a view function; returns null when the contract has no such function. */
  async function ask(node: ChainNode, name: string, args: readonly unknown[] = []): Promise<unknown> {
    try {
      const answer = await node.call({ to: asset, data: functions.encodeFunctionData(name, args) })
      return answer === '0x' ? null : functions.decodeFunctionResult(name, answer)[0]
    } catch (error) {
      if (isFailedCall(error)) return null
      throw error
    }
  }

  const describe = async (node: ChainNode) => {
    const [code, state, name, version, symbol, decimals, separator] = await Promise.all([
      node.getCode(asset),
      ask(node, 'authorizationState', [ZeroAddress, ZeroHash]),
      ask(node, 'name'),
      ask(node, 'version'),
      ask(node, 'symbol'),
      ask(node, 'decimals'),
      ask(node, 'DOMAIN_SEPARATOR'),
    ])
    return described.parse({
      hasCode: code !== '0x',
      isPayable: state !== null,
      name,
      version,
      symbol,
      decimals,
      separator,
    })
  }

  let known: PaymentToken | null = null
  let asking: Promise<PaymentToken> | null = null

  async function read(): Promise<PaymentToken> {
    const said = await nodes.agreed(describe)
    if (!said.hasCode) throw wrong('does not exist')
    if (!said.isPayable) throw wrong('does not implement EIP-3009')
    const { name, version, symbol, decimals } = said
    if (name === null || version === null) throw wrong('does not report the name and version of its EIP-712 domain')
    const domain = { name, version, chainId, verifyingContract: asset }
    if (said.separator !== null && said.separator !== TypedDataEncoder.hashDomain(domain)) {
      throw wrong('has a DOMAIN_SEPARATOR that does not match its name and version')
    }
    // A token without a symbol is shown by its name.
    known = { name, version, symbol: symbol ?? name, decimals }
    return known
  }

  /** Concurrent callers share one read. */
  const token = async (): Promise<PaymentToken> => {
    if (known !== null) return known
    asking ??= read().finally(() => {
      asking = null
    })
    return asking
  }

  const balanceOf = (wallet: string): Promise<bigint> =>
    nodes.agreed(async node => z.bigint().parse(await ask(node, 'balanceOf', [wallet])), grantedBy(nodes.quorum))

  const requirement: PaymentFacilitator['requirement'] = async ({ amount, payTo, maxTimeoutSeconds }) => {
    const { name, version, decimals } = await token()
    const units = unitsOf(amount, decimals)
    if (units <= 0n) throw new RangeError(`${amount} is no amount of a token with ${decimals} decimals`)
    const extra = { name, version, paymentFlow: 'upfront' as const }
    return { scheme: 'exact', network, amount: `${units}`, asset, payTo: payTo.toLowerCase(), maxTimeoutSeconds, extra }
  }

  return { read, token, balanceOf, requirement }
}

/** Decides for the highest balance that a quorum of nodes reports or exceeds: no lying or stuck node decides alone. */
const grantedBy =
  (quorum: number): Decide<bigint> =>
  (answers, missing) => {
    const sorted = answers.toSorted((a, b) => (a > b ? -1 : 1))
    const granted = sorted[quorum - 1]
    return granted !== undefined && (granted === sorted[0] || missing === 0) ? { answer: granted } : null
  }

/** Returns the amount in smallest units; 0 when it has more decimals than the token, so that no digit is dropped. */
function unitsOf(amount: string, decimals: number): bigint {
  try {
    return /^\d+(\.\d+)?$/.test(amount) ? parseUnits(amount, decimals) : 0n
  } catch {
    return 0n
  }
}
