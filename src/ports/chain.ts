// The port to a chain that carries evidence anchors. A query throws AppError `chain_unavailable` when no node, or not
// enough nodes, answer it, and `chain_disagreement` when the nodes contradict each other. A missing object is null, not
// an error.

/** One EvidenceAnchored event, whichever parameters its contract indexes. All hex lower-case. */
export type AnchorEvent = { contract: string; bundleHash: string; sender: string; logIndex: number }

/** Its hash is lower-case. */
export type Block = { blockNumber: number; blockHash: string }

/** A mined transaction. `blockTime` is the block's own clock. */
export type MinedTransaction = {
  txid: string
  succeeded: boolean
  blockNumber: number
  blockHash: string
  blockTime: Date
  events: AnchorEvent[]
}

/**
 * vanished: the chain has another block at this height · unknown: the nodes do not have this height yet, or no longer ·
 * included: in the canonical chain · safe, final: by the chain's finality policy.
 */
export type BlockStatus = 'vanished' | 'unknown' | 'included' | 'safe' | 'final'

/** When a block is final: at a number of confirmations, its own block counted, or by the nodes' block tag. */
export type FinalityPolicy = { confirmations: number } | 'safe' | 'finalized'

export type Chain = {
  readonly name: string
  /** CAIP-2, for instance `eip155:31337`; null for a project's own chain. */
  readonly caip2: string | null
  /** The evidence anchor contract, lower-case 0x. */
  readonly contract: string
  readonly finality: FinalityPolicy
  /** Base URL of the chain's block explorer, without a trailing slash. */
  readonly explorerBaseUrl: string | null
  /** First block worth searching for anchors. */
  readonly deployedAtBlock: number
  /** Sends platform anchors; null where this process cannot sign. */
  readonly account: AnchorAccount | null
  /** Returns the mined transaction, or null while it is unknown or pending. */
  transaction(txid: string): Promise<MinedTransaction | null>
  /**
   * Returns transactions with an event of this hash from `contract`, those that most nodes return first: of any age, or
   * with `since`, before which the hash did not exist, the earliest ones after it.
   */
  findAnchor(bundleHash: string, since?: Date): Promise<string[]>
  blockStatus(blockNumber: number, blockHash: string): Promise<BlockStatus>
  /**
   * Whether the contract at this address accepts the signature of the hash at this block (ERC-1271), or would after it
   * is deployed as the signature says (ERC-6492). Otherwise, without code there: false. `chain_unavailable` too where
   * the chain has another block at this height by now.
   */
  isSignedBy(address: string, hash: string, signature: string, block: Block): Promise<boolean>
  /** Whether there is code at this address. */
  hasCode(address: string): Promise<boolean>
  /** The newest block of one node. */
  head(): Promise<Block>
  /** The newest block that enough nodes have: a question about it is not refused by those that lag behind. */
  commonHead(): Promise<Block>
  /** Throws AppError unless chain id and contract code are as configured. */
  check(): Promise<void>
}

/** A signed transaction, and its highest fee per unit of gas, in wei. */
export type SignedTransaction = { txid: string; raw: string; nonce: number; maxFeePerGas: bigint }

/**
 * accepted: a node has it, pending or mined · overtaken: another took its nonce · underpriced: its fee is too low ·
 * unfunded: its account cannot pay its gas.
 */
export type BroadcastOutcome = 'accepted' | 'overtaken' | 'underpriced' | 'unfunded'

/** An account of the service that sends transactions on one chain. */
export type Account = {
  /** Lower-case 0x. */
  readonly address: string
  /** How long a transaction may wait before it is replaced by one with a higher fee. */
  readonly replaceAfterMs: number
  /** The next nonce as the nodes count it, pending transactions included. */
  pendingNonce(): Promise<number>
  /** Number of mined transactions of the address. */
  minedNonce(): Promise<number>
  /** Signs a transaction without effect, to fill an unused nonce. */
  signFiller(nonce: number): Promise<SignedTransaction>
  /** Signs the same transaction with a higher fee; null when the fee would exceed the cap. */
  signReplacement(raw: string): Promise<SignedTransaction | null>
  /** Broadcasts a signed transaction to every node. */
  broadcast(raw: string): Promise<BroadcastOutcome>
  /** Returns the balance of the address and about what a transaction of its purpose costs at present, in wei. */
  funds(): Promise<Funds>
}

export type Funds = { balance: bigint; cost: bigint }

/** The account that sends anchors. Its `cost` is that of a transaction of 500 anchors. */
export type AnchorAccount = Account & {
  /** Signs one anchorEvidenceBatch (or anchorEvidence for one hash); sends nothing. */
  signAnchor(hashes: readonly string[], nonce: number): Promise<SignedTransaction>
}

/** Opens a chain that a project configured: its node is untrusted, and only the project may rely on its answers. */
export type OpenProjectChain = (chain: { name: string; rpcUrl: string; contract: string }) => Chain
