// The port to a chain on which payments take place. It is only read. Hex is lower-case, amounts are in smallest units.
import type { PaymentProof } from '../core/payment-proof.ts'
import type { FinalityPolicy } from './chain.ts'

/** An event of a contract. `index`: its number in the block; `position`: its place among those of the transaction. */
type TransactionLog = {
  contract: string
  topics: readonly string[]
  data: string
  index: number
  position: number
}

/** A transaction in a block, as a quorum of nodes reports it. */
export type PaidTransaction = {
  txid: string
  succeeded: boolean
  blockNumber: number
  blockHash: string
  blockTime: Date
  /** Its place in the block. */
  index: number
  from: string
  /** Null: it made a contract. */
  to: string | null
  /** In the smallest unit of the chain's own currency. */
  value: bigint
  /** No more than a transfer of value, which calls no contract. */
  isPlain: boolean
  /** The gas, with what a roll-up charges for its data; null where the node does not say. */
  fee: bigint | null
  logs: readonly TransactionLog[]
  /** Its block is in the canonical chain; whether it is final by the chain's policy. */
  isFinal: boolean
}

/** unknown: no node has it in a block · unavailable: too few nodes answered, or they contradict each other. */
export type Looked = { found: PaidTransaction } | 'unknown' | { unavailable: string }

/** A transfer of the chain's own currency, in the order of execution; 0 is the transaction's own. */
export type ValueTransfer = { index: number; from: string; to: string; amount: bigint }

/** A transfer of a token, as an event of its contract says. `index`: the number of the log in its block. */
export type TokenTransfer = {
  txid: string
  blockNumber: number
  index: number
  from: string
  to: string
  units: bigint
}

export type PaymentChain = {
  readonly name: string
  readonly caip2: string
  readonly finality: FinalityPolicy
  /** How many nodes are queried, and how many of them must agree. */
  readonly nodes: number
  readonly quorum: number
  /** Base URL of the chain's block explorer, without a trailing slash. */
  readonly explorerBaseUrl: string | null
  /** Looks transactions up; an answer for each, in order. Never throws for what nodes do. */
  look(txids: readonly string[]): Promise<Looked[]>
  /** The transfers of value in a transaction, also by contracts; null where too few nodes can tell. */
  valueTransfers(txid: string): Promise<ValueTransfer[] | null>
  /** Proofs of transactions that `look` found, in order; null where the nodes give none that holds. */
  prove(transactions: readonly PaidTransaction[]): Promise<(PaymentProof | null)[]>
  /** The hash of the block at this height and its status; null where the nodes have none. Throws AppError. */
  block(blockNumber: number): Promise<{ hash: string; isFinal: boolean } | null>
  /** The number of the last block that is final; -1 while none is. Throws AppError. */
  finalBlock(): Promise<number>
  /** The last block that is older than `time`, up to `last`; -1 where none is. Throws AppError. */
  blockBefore(time: Date, last: number): Promise<number>
  /** The times of blocks, in order. Throws AppError. */
  timesOf(blockNumbers: readonly number[]): Promise<Date[]>
  /**
   * The transfers of a token from or to a wallet in a range of final blocks, in the order of the chain; null where they
   * are more than 20,000. All nodes are queried: `disagreed` counts the transfers that a node withheld, or reported
   * without the others. Throws AppError.
   */
  transfersOf(range: {
    token: string
    wallet: string
    fromBlock: number
    toBlock: number
  }): Promise<{ transfers: TokenTransfer[]; disagreed: number } | null>
  /** A wallet's units of a token at the end of a block; null where the nodes do not have its state. */
  balanceAt(token: string | null, wallet: string, blockNumber: number): Promise<bigint | null>
}
