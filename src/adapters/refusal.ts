// Classifies the errors of nodes by their wording, because every node software words them differently and JSON-RPC has
// no codes for them.
import { isError } from 'ethers'
import { nodeMessageOf, reason } from './node-request.ts'

/**
 * known: the node has this transaction · overtaken: the nonce is used · underpriced: the fee is too low for the node's
 * pool or to replace the transaction that the pool has · unfunded: the signer cannot pay · other: anything else,
 * including no response.
 */
export type Refusal = 'known' | 'overtaken' | 'underpriced' | 'unfunded' | 'other'

// The wordings of geth (also of Optimism, Arbitrum, Avalanche, Polygon), erigon, nethermind, besu, reth, anvil and
// hardhat.
const wordings: readonly [Refusal, RegExp][] = [
  [
    'known',
    /already[ _-]?known|\bknown transaction|already (imported|in (the )?(tx|transaction )?(pool|mempool))|alreadyimported|transaction already exists|same hash/i,
  ],
  [
    'overtaken',
    /nonce (is )?(too low|too small|has already been used|already used)|nonce_too_low|\bold ?nonce\b|invalid nonce.*expected nonce to be|is lower than the current nonce|nonce.*(below|less than).*(current|account|next)/i,
  ],
  [
    'underpriced',
    /under-?priced|fee ?too ?low|gas ?price\b.{0,40}(too low|below|less than)|insufficient gas price|max ?fee ?per ?gas\b.{0,60}(too low|below|less|lower)|cannot be lower than|fee cap (less|lower) than|replacement.*(not ?allowed|fee|price)|could not replace|replaced by transaction with higher|tip\b.*(too low|below)|priority fee\b.{0,40}(too low|low|below)/i,
  ],
  [
    'unfunded',
    /insufficient (funds|balance)|insufficientfunds|not enough (funds|balance)|doesn't have enough funds|upfront cost exceeds|out of fund|cause overdraft/i,
  ],
]

const meaning = (words: string) => wordings.find(([, wording]) => wording.test(words))?.[0]

/** Reads the node's own message first, because ethers words different errors alike. */
export const refusalOf = (thrown: unknown): Refusal =>
  meaning(nodeMessageOf(thrown) ?? '') ?? meaning(reason(thrown)) ?? 'other'

const failures =
  /revert|out of ?gas|intrinsic gas|gas required exceeds|invalid ?(opcode|jump|feopcode)|bad (instruction|jump)|stack ?(under|over)flow|\be?vm (execution )?(error|exception)|write protection|return data out of bounds|call depth|could not be completed due to an exception/i

/**
 * Returns whether the node executed the call and the call failed, which is an answer. A node that could not execute it
 * gave no answer.
 */
export const isFailedCall = (thrown: unknown): boolean =>
  isError(thrown, 'CALL_EXCEPTION') && (thrown.data !== null || failures.test(nodeMessageOf(thrown) ?? ''))
