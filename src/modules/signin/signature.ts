// Checks whether a wallet signed a text (EIP-191): by its key, or, for a contract wallet, by ERC-1271 and ERC-6492.
import { hashMessage } from 'ethers'
import { isErc6492Signature } from 'viem/utils'
import { AppError } from '../../core/errors.ts'
import type { Context } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'
import { createSemaphore } from '../../kit/semaphore.ts'
import { semaphoreLimits } from '../../kit/semaphore-limits.ts'
import type { Block, Chain } from '../../ports/chain.ts'
import type { Checked } from '../control/proof.ts'
import { signerOf } from '../control/signature.ts'

const contractSemaphore = perApp(() => createSemaphore(semaphoreLimits.contractSignatures))

type Claim = { text: string; signature: string; address: string }

/** Returns the ids of the chains on which contract wallets can be checked. */
export const chainIdsOf = ({ chains }: Pick<Context, 'chains'>): number[] =>
  chains.flatMap(({ caip2 }) => (caip2?.startsWith('eip155:') ? [Number(caip2.slice('eip155:'.length))] : []))

/**
 * Returns how the signature was checked; throws unless the wallet signed the text. A key's signature is valid on every
 * chain; a contract wallet is checked on `chainId`, and only a key is accepted if that is null. Errors:
 * `invalid_signature`, `chain_unavailable`, `too_many_requests`.
 */
export async function demandSignature(
  context: Context,
  { text, signature, address }: Claim,
  chainId: number | null,
): Promise<Checked> {
  const hash = hashMessage(text)
  if (signerOf(hash, signature) === address) return { method: 'eip191', at: null }
  const network = `eip155:${chainId}`
  const chain = context.chains.find(({ caip2 }) => caip2 === network)
  if (chain === undefined && chainId !== null) throw notServed(chainId, chainIdsOf(context))
  const block = chain && (await contractSemaphore(context).run(context.allowance, () => accepts(chain)))
  if (!block) throw new AppError('invalid_signature', 'The signature is not one that the wallet made for this text.')
  return { method: isErc6492Signature(`0x${signature.slice(2)}`) ? 'eip6492' : 'eip1271', at: { network, ...block } }

  /** Returns the block at which the contract accepts the signature, or null. */
  async function accepts(chain: Chain): Promise<Block | null> {
    const block = await chain.commonHead()
    return (await chain.isSignedBy(address, hash, signature, block)) ? block : null
  }
}

const notServed = (chainId: number, chain_ids: number[]) =>
  new AppError(
    'invalid_signature',
    `The wallet’s key did not make this signature. A contract wallet signs in with the Chain ID of a chain of this service (${chain_ids.join(', ')}), and ${chainId} is not one of these.`,
    { body: { chain_ids } },
  )
