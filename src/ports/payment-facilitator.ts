// The port to the payment facilitator: payments to this service by x402 version 2, scheme "exact", with EIP-3009
// authorizations of one token on one network. It is stateless: the payment ledger keeps which payment is for which
// request, and the order of nonces. All hex is lower-case. Unless its comment says otherwise, a method that no node
// answers throws AppError `chain_unavailable`, `chain_disagreement` or `chain_misconfigured`. No result contains a
// node's text or URL.
import type { Account, SignedTransaction } from './chain.ts'

/** The token: name and version of its EIP-712 domain, its ticker, and the number of digits after the point. */
export type PaymentToken = { name: string; version: string; symbol: string; decimals: number }

/** One entry of `accepts`: what is to be paid, in the token's smallest units. */
export type PaymentRequirement = {
  scheme: 'exact'
  network: `eip155:${string}`
  amount: string
  asset: string
  payTo: string
  maxTimeoutSeconds: number
  /** `upfront`: paid before the request is carried out. */
  extra: { name: string; version: string; paymentFlow: 'upfront' }
}

/** A requirement as any client may write it, with whatever other members. */
export type RequestedRequirement = Record<string, unknown> &
  Pick<PaymentRequirement, 'amount' | 'asset' | 'payTo' | 'maxTimeoutSeconds'>

/** Times in seconds since 1970, amounts in smallest units: decimal strings below 2^256 without leading zeros. */
export type PaymentAuthorization = {
  from: string
  to: string
  value: string
  validAfter: string
  validBefore: string
  /** 32 bytes. With network, asset and `from` it identifies the payment, however the payment was encoded. */
  nonce: string
}

/** The content of PAYMENT-SIGNATURE as JSON, in canonical form: the same bytes are always written the same way. */
export type PaymentPayload = {
  /** The complete entry of `accepts` that the client states it pays. */
  accepted: Record<string, unknown>
  /** Never an identifier: one authorization can have several signatures. */
  signature: string
  authorization: PaymentAuthorization
  /**
   * The secret of the challenge, which only its client knows: all else of a payment can be read in the block that
   * settled the payment. Missing where a client echoes no extensions.
   */
  secret?: string | undefined
  /** The payer's name for this purchase: 16 to 128 letters, digits, hyphens and underscores. Missing where unnamed. */
  identifier?: string | undefined
}

/** Why a payment is refused, in the codes of x402 where one exists. Clients are sent no other detail. */
export type PaymentRefusal =
  /** `accepted` is not the present requirement. */
  | 'invalid_payment_requirements'
  | 'invalid_exact_evm_scheme'
  | 'invalid_exact_evm_network_mismatch'
  | 'invalid_exact_evm_asset_mismatch'
  | 'invalid_exact_evm_recipient_mismatch'
  | 'invalid_exact_evm_payload_authorization_value_mismatch'
  | 'invalid_exact_evm_payload_authorization_valid_after'
  /** Expired, or about to expire. */
  | 'invalid_exact_evm_payload_authorization_valid_before'
  | 'invalid_exact_evm_payload_authorization_valid_too_long'
  | 'invalid_exact_evm_signature'
  /** Used or cancelled. */
  | 'invalid_exact_evm_nonce_already_used'
  | 'invalid_exact_evm_insufficient_balance'
  /** The wallet is a contract that is not deployed yet (ERC-6492). */
  | 'eip6492_factory_not_allowed'
  | 'invalid_exact_evm_transaction_simulation_failed'
  | 'unexpected_verify_error'

export type LocalCheck = {
  /** Faults of the payload itself. */
  reasons: PaymentRefusal[]
  /** Faults of its time window now. For a payment that is stored already they are no reason to refuse it. */
  timeReasons: PaymentRefusal[]
  /**
   * payer: signed by the key of `from`, for this token on this network · unknown: by another key or none, which a
   * paying contract (ERC-1271) may still accept. Then `verify` decides, or a match with the signature verified before.
   */
  signedBy: 'payer' | 'unknown'
}

/** `gas`: what the settlement needs, if the verification has shown it. */
export type Verification =
  | { ok: true; payer: string; gas?: number }
  | { ok: false; reason: PaymentRefusal }
  | 'unavailable'

/**
 * The mined transaction that paid this service, whoever sent it. `transferIndex`: log index of the transfer in the
 * block. `isShared`: the transaction made other transfers of the token too.
 */
export type Settlement = {
  txid: string
  blockNumber: number
  blockHash: string
  transferIndex: number
  isShared: boolean
}

/**
 * cancelled: the authorization can never pay this, because it was cancelled or its nonce was used for something else ·
 * none: the authorization was not used up to now.
 */
export type SettlementSearch = Settlement | 'cancelled' | 'none' | 'unavailable'

/** reverted: the transaction is mined and did not pay this · waiting: it is not mined, or not known. */
export type SettlementOutcome = Settlement | 'reverted' | 'waiting' | 'unavailable'

/** As an account it sends settlements and pays their gas. Its `cost` is that of a settlement. */
export type PaymentFacilitator = Account & {
  readonly network: `eip155:${string}`
  readonly asset: string
  /** Number of blocks, including its own, after which a settlement is final. */
  readonly confirmations: number
  /** Returns the token as configured, or as its contract reports it, which is queried until it answers. */
  token(): Promise<PaymentToken>
  /** Throws AppError unless network, token and its EIP-712 domain are as configured. */
  check(): Promise<void>
  /** `amount` is a decimal string of the token's units, above 0; RangeError when the token has fewer decimals. */
  requirement(price: { amount: string; payTo: string; maxTimeoutSeconds: number }): Promise<PaymentRequirement>
  /**
   * Decodes a received PAYMENT-SIGNATURE. `fault` is the rest of a sentence for a 400 that begins with the place of the
   * payment, and quotes nothing.
   */
  decode(header: string): { payload: PaymentPayload } | { fault: string }
  /** Reads a PAYMENT-SIGNATURE that is decoded already; `fault` as in `decode`. */
  read(decoded: unknown): { payload: PaymentPayload } | { fault: string }
  /** Reads an entry of any client's `accepts`; amount above 0, addresses lower-case. `fault` is a sentence. */
  readRequirement(entry: unknown): { requested: RequestedRequirement } | { fault: string }
  /** Restores a payload of `decode` that was stored as JSON; throws for anything else. */
  restore(stored: unknown): PaymentPayload
  /** Returns PAYMENT-REQUIRED and its content for the body. Each challenge has its own secret, see `PaymentPayload`. */
  encodeRequired(challenge: {
    error: string
    resource: { url: string; description: string; mimeType: string }
    accepts: PaymentRequirement[]
    /** In addition to the extensions of every challenge. */
    extensions: Record<string, unknown>
  }): { header: string; body: Record<string, unknown> }
  /** Returns PAYMENT-RESPONSE. `transaction` is empty where there is none. */
  encodeResponse(response: { payer: string; transaction: string } | { payer: string; errorReason: string }): string
  /** Checks a payload without any network request. */
  checkLocally(payload: PaymentPayload, requirement: PaymentRequirement, now: Date): LocalCheck
  /**
   * Verifies by simulation on the chain; call after `checkLocally`, which it does not repeat. `signedBy` is what
   * `checkLocally` found for this requirement; unless it is `payer`, the signature is verified here. Never throws.
   */
  verify(
    payload: PaymentPayload,
    requirement: PaymentRequirement,
    signedBy?: LocalCheck['signedBy'],
  ): Promise<Verification>
  /** Returns a wallet's balance of the token, in the token's smallest units. */
  balanceOf(wallet: string): Promise<bigint>
  /**
   * Returns the number of the newest block, or of one a second older; read before `verify`, it is the `sinceBlock` of a
   * later search.
   */
  head(): Promise<number>
  /**
   * Simulates the settlement, unless its `gas` is given; returns a function that signs it with a nonce, without any
   * network request. refused: it would revert, or need more gas than the service pays.
   */
  prepareSettlement(
    payload: PaymentPayload,
    gas?: number,
  ): Promise<((nonce: number) => Promise<SignedTransaction>) | 'refused'>
  /** Searches for the settlement from this block on, whoever sent it. Never throws. */
  findSettlement(payload: PaymentPayload, sinceBlock: number): Promise<SettlementSearch>
  /** Whether the newest block is later than the authorization allows: no further one accepts it. Never throws. */
  isOver(payload: PaymentPayload): Promise<boolean | 'unavailable'>
  /** Whether any account used or cancelled the authorization. Never throws. */
  isUsed(payload: PaymentPayload): Promise<boolean | 'unavailable'>
  /** Returns the outcome of this transaction. Never throws. */
  outcome(txid: string, payload: PaymentPayload): Promise<SettlementOutcome>
}
