// Why a node refused a transaction. Every kind of node words it differently; JSON-RPC has no codes for it.
import { reason } from './nodes.ts'

/**
 * known: it has this very transaction · overtaken: the nonce is used · underpriced: the fee is too low, for its pool or to
 * replace the one it has · unfunded: the signer cannot pay · other: anything else, also no answer at all.
 */
export type Refusal = 'known' | 'overtaken' | 'underpriced' | 'unfunded' | 'other'

// As geth, erigon, nethermind, besu, reth, anvil, hardhat and the sequencers of roll-ups say it.
const wordings: readonly [Refusal, RegExp][] = [
  [
    'known',
    /already[ _-]?known|known transaction|already (imported|in (the )?(tx|transaction )?(pool|mempool))|alreadyknown|transaction already exists|same hash was already imported/i,
  ],
  [
    'overtaken',
    /nonce (is )?(too low|too small|has already been used|already used)|nonce_too_low|oldnonce|old nonce|invalid nonce.*expected nonce to be|is lower than the current nonce|nonce.*(below|less than).*(current|account|next)/i,
  ],
  [
    'underpriced',
    /under-?priced|fee ?too ?low|gas ?price (is )?(too low|below)|max fee per gas (is )?(less|lower) than block base fee|maxfeepergas.*(below|less|lower)|cannot be lower than|fee cap (less|lower) than|replacement.*(fee|price)|tip.*(too low|below)|effective priority fee.*(low|below)/i,
  ],
  [
    'unfunded',
    /insufficient (funds|balance)|insufficientfunds|not enough (funds|balance)|doesn't have enough funds|upfront cost exceeds|out of fund/i,
  ],
]

export function refusalOf(thrown: unknown): Refusal {
  const words = reason(thrown)
  return wordings.find(([, wording]) => wording.test(words))?.[0] ?? 'other'
}
