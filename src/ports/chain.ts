// A chain that carries evidence anchors, as the rest of the code sees it. A question that no node, or not enough of them,
// answers throws AppError `chain_unavailable`; one on which they contradict each other `chain_disagreement`. "Not there" is
// an answer (null), never an error.

/** One EvidenceAnchored event, whatever its contract's indexing. All hex lower-case. */
export type AnchorEvent = { contract: string; bundleHash: string; sender: string; logIndex: number }

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
 * vanished: another block has its place · unknown: the nodes have not come that far, or no longer · included: in the
 * canonical chain · safe, final: as the chain's policy says.
 */
export type BlockStanding = 'vanished' | 'unknown' | 'included' | 'safe' | 'final'

/** When a block is final: at a depth, its own block counted, or when the nodes call it so. */
export type FinalityPolicy = { confirmations: number } | 'safe' | 'finalized'

export type Chain = {
  readonly name: string
  /** CAIP-2, for instance `eip155:31337`; null for a project's own chain. */
  readonly caip2: string | null
  /** The evidence anchor contract, lower-case 0x. */
  readonly contract: string
  readonly finality: FinalityPolicy
  /** Where people look at its transactions, without a trailing slash. */
  readonly explorerBaseUrl: string | null
  /** First block worth searching for anchors. */
  readonly deployedAtBlock: number
  /** Sends platform anchors; null where this process cannot sign. */
  readonly sender: Sender | null
  /** The mined transaction, or null while unknown or waiting. */
  transaction(txid: string): Promise<MinedTransaction | null>
  /** Transactions that carry an event of this hash from `contract`, at any age; those most nodes name first. */
  findAnchor(bundleHash: string): Promise<string[]>
  standing(blockNumber: number, blockHash: string): Promise<BlockStanding>
  /** Whether the contract at this address accepts the signature of the hash (ERC-1271). No code there: false. */
  isSignedBy(address: string, hash: string, signature: string): Promise<boolean>
  /** Whether there is code at this address. */
  hasCode(address: string): Promise<boolean>
  /** Number and hash of the newest block. */
  head(): Promise<{ blockNumber: number; blockHash: string }>
  /** Chain id and contract code are as configured; throws AppError otherwise. */
  check(): Promise<void>
}

/** A transaction, and what it may cost at most a unit of gas, in wei. */
export type SignedTransaction = { txid: string; raw: string; nonce: number; maxFeePerGas: bigint }

/** accepted: a node has it, waiting or mined · overtaken: another took its nonce · underpriced: none takes it at its fee. */
export type Handover = 'accepted' | 'overtaken' | 'underpriced'

export type Sender = {
  /** Lower-case 0x. */
  readonly address: string
  /** How long a transaction may wait before it is replaced by one with a higher fee. */
  readonly replaceAfterMs: number
  /** The nonce nodes would give the next transaction, waiting ones counted. */
  pendingNonce(): Promise<number>
  /** Transactions of the address that are mined. */
  minedNonce(): Promise<number>
  /** Signs one anchorEvidenceBatch (or anchorEvidence for one hash); sends nothing. */
  signAnchor(hashes: readonly string[], nonce: number): Promise<SignedTransaction>
  /** Signs a transaction that does nothing, to fill a nonce that nothing else has. */
  signFiller(nonce: number): Promise<SignedTransaction>
  /** Signs the same again with a higher fee; null when it would be above the cap. */
  signReplacement(raw: string): Promise<SignedTransaction | null>
  /** Hands a signed transaction to every node. */
  broadcast(raw: string): Promise<Handover>
  /** What the address has, and what a transaction of 500 anchors costs at present, in wei. */
  funds(): Promise<{ balance: bigint; fullBatch: bigint }>
}

/** A chain that a project named: its node is a stranger's, and nobody but the project is to believe it. */
export type OpenProjectChain = (chain: { name: string; rpcUrl: string; contract: string }) => Chain
