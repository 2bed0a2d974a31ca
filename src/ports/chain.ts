// A chain that carries evidence anchors, as the rest of the code sees it. Every method that asks a node throws
// AppError `chain_unavailable` when no answer can be had; "not there" is an answer (null), never an error.

/** One EvidenceAnchored event, whatever its contract's indexing. All hex lower-case. */
export type AnchorEvent = { contract: string; bundleHash: string; logIndex: number }

/** A mined transaction. `blockTime` is the block's own clock. */
export type MinedTransaction = {
  txid: string
  succeeded: boolean
  blockNumber: number
  blockHash: string
  blockTime: Date
  events: AnchorEvent[]
}

export type SignedTransaction = { txid: string; raw: string; nonce: number }

/** included: in the canonical chain · safe, final: as the chain's policy says · vanished: no longer canonical. */
export type BlockStanding = 'vanished' | 'included' | 'safe' | 'final'

export type Chain = {
  readonly name: string
  /** CAIP-2, for instance `eip155:31337`. */
  readonly caip2: string
  /** The evidence anchor contract, lower-case 0x. */
  readonly contract: string
  /** Address that signs platform anchors; null where this process cannot sign. */
  readonly signer: string | null
  /** Nonce the node would give the signer's next transaction, pending ones counted. */
  pendingNonce(): Promise<number>
  /** Signs one anchorEvidenceBatch (or anchorEvidence for one hash); sends nothing. */
  signAnchor(hashes: readonly string[], nonce: number): Promise<SignedTransaction>
  /** Hands over a signed transaction. One the node already has, or has already mined, counts as handed over. */
  broadcast(raw: string): Promise<void>
  /** The mined transaction, or null while unknown or waiting. */
  transaction(txid: string): Promise<MinedTransaction | null>
  /** Transactions that carry an event of this hash from `contract`, oldest first. */
  findAnchor(bundleHash: string): Promise<string[]>
  standing(blockNumber: number, blockHash: string): Promise<BlockStanding>
  /** Whether the contract at this address accepts the signature of the hash (ERC-1271). No code there: false. */
  isSignedBy(address: string, hash: string, signature: string): Promise<boolean>
  /** Whether there is code at this address. */
  hasCode(address: string): Promise<boolean>
  /** Chain id and contract code are as configured; throws AppError otherwise. */
  check(): Promise<void>
}
