// Payments to us by x402 version 2, scheme "exact", with EIP-3009 authorizations of one token on one network, as the rest
// of the code sees them. It keeps nothing: which payment is for which request, and the order of nonces, is the ledger's.
// All hex is lower-case. Unless it says otherwise, a method whose question no node answers throws AppError
// `chain_unavailable`, `chain_disagreement` or `chain_misconfigured`. No answer holds a node's words or its URL.
import type { Handover, SignedTransaction } from './chain.ts'

/** Of the token: what its signatures are made for (EIP-712), its ticker, and how many digits follow the point. */
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

/** The same as somebody else may write it, with whatever else it says. */
export type AskedRequirement = Record<string, unknown> &
  Pick<PaymentRequirement, 'amount' | 'asset' | 'payTo' | 'maxTimeoutSeconds'>

/** Times in seconds since 1970, amounts in smallest units: decimal strings below 2^256 without leading zeros. */
export type PaymentAuthorization = {
  from: string
  to: string
  value: string
  validAfter: string
  validBefore: string
  /** 32 bytes. With network, asset and `from` it names the payment, whatever the text it came in. */
  nonce: string
}

/** What PAYMENT-SIGNATURE says, in a form of which there is one only for the same bytes. It is JSON. */
export type PaymentPayload = {
  /** The entry of `accepts` that the client says it pays, whole. */
  accepted: Record<string, unknown>
  /** Never a key for anything: there are several for one authorization. */
  signature: string
  authorization: PaymentAuthorization
  /**
   * What the challenge gave along and only its client knows: all else of a payment can be read in the block that settled
   * it. Missing where a client echoes no extensions.
   */
  secret?: string | undefined
  /** What its payer calls this purchase: 16 to 128 letters, digits, hyphens and underscores. Missing where it has no name. */
  identifier?: string | undefined
}

/** Why a payment is refused, in the words of x402 where it has one. Nothing else is ever told. */
export type PaymentRefusal =
  /** `accepted` is not what we ask for at present. */
  | 'invalid_payment_requirements'
  | 'invalid_exact_evm_scheme'
  | 'invalid_exact_evm_network_mismatch'
  | 'invalid_exact_evm_asset_mismatch'
  | 'invalid_exact_evm_recipient_mismatch'
  | 'invalid_exact_evm_payload_authorization_value_mismatch'
  | 'invalid_exact_evm_payload_authorization_valid_after'
  /** Over, or nearly. */
  | 'invalid_exact_evm_payload_authorization_valid_before'
  | 'invalid_exact_evm_payload_authorization_valid_too_long'
  | 'invalid_exact_evm_signature'
  /** Or cancelled. */
  | 'invalid_exact_evm_nonce_already_used'
  | 'invalid_exact_evm_insufficient_balance'
  /** The wallet is a contract that is not deployed yet (ERC-6492). */
  | 'eip6492_factory_not_allowed'
  | 'invalid_exact_evm_transaction_simulation_failed'
  | 'unexpected_verify_error'

export type LocalCheck = {
  /** What is wrong with the payload itself. */
  reasons: PaymentRefusal[]
  /** What is wrong with it at this time. Of a payment that is known already this is no reason to refuse it. */
  untimely: PaymentRefusal[]
  /**
   * payer: by the key of `from`, for this token on this network · unknown: by another or none, which a contract that pays
   * (ERC-1271) may accept all the same. Then `verify` tells, or that it is the same signature as one that was verified.
   */
  signedBy: 'payer' | 'unknown'
}

export type Verification = { ok: true; payer: string } | { ok: false; reason: PaymentRefusal } | 'unavailable'

/** The mined transaction that paid us, whoever sent it. `blockTime` is the block's own clock. */
export type Settlement = { txid: string; blockNumber: number; blockHash: string; blockTime: Date }

/**
 * cancelled: the authorization is gone for good and did not pay this, because it was cancelled or its nonce used for
 * something else · none: it was not used up to now.
 */
export type SettlementSearch = Settlement | 'cancelled' | 'none' | 'unavailable'

/** reverted: it is mined and did not pay this · waiting: it is not mined, or not known. */
export type SettlementOutcome = Settlement | 'reverted' | 'waiting' | 'unavailable'

export type PaymentFacilitator = {
  readonly network: `eip155:${string}`
  readonly asset: string
  /** Who sends settlements and pays their gas. */
  readonly address: string
  /** How long a settlement may wait before it is replaced by one with a higher fee. */
  readonly replaceAfterMs: number
  /** As configured, or as the token says, which is asked until it answers. */
  token(): Promise<PaymentToken>
  /** Network, token and its EIP-712 domain are as configured; throws AppError otherwise. */
  check(): Promise<void>
  /** `amount` is a decimal string of the token's units, above 0; RangeError when the token has not that many digits. */
  requirement(price: { amount: string; payTo: string; maxTimeoutSeconds: number }): Promise<PaymentRequirement>
  /** PAYMENT-SIGNATURE as it came in. A fault is a sentence that quotes nothing, for a 400. */
  decode(header: string): { payload: PaymentPayload } | { fault: string }
  /** What PAYMENT-SIGNATURE says once it is decoded; a fault as of `decode`. */
  read(decoded: unknown): { payload: PaymentPayload } | { fault: string }
  /** An entry of some `accepts`, not necessarily of ours; amount above 0, addresses lower-case. A fault as of `decode`. */
  readRequirement(entry: unknown): { asked: AskedRequirement } | { fault: string }
  /** What `decode` gave and was kept as JSON; throws when it is something else. */
  restore(stored: unknown): PaymentPayload
  /** PAYMENT-REQUIRED, and the same for the body. Each has a secret of its own in it, see `PaymentPayload`. */
  encodeRequired(challenge: {
    error: string
    resource: { url: string; description: string; mimeType: string }
    accepts: PaymentRequirement[]
    /** Beside those that every challenge has. */
    extensions: Record<string, unknown>
  }): { header: string; body: Record<string, unknown> }
  /** PAYMENT-RESPONSE. `transaction` is empty where there is none. */
  encodeResponse(response: { payer: string; transaction: string } | { payer: string; errorReason: string }): string
  /** Without asking anyone. */
  checkLocally(payload: PaymentPayload, requirement: PaymentRequirement, now: Date): LocalCheck
  /** By simulation on the chain; after `checkLocally`, which it does not repeat. Never throws. */
  verify(payload: PaymentPayload, requirement: PaymentRequirement): Promise<Verification>
  /** What a wallet has of the token, in the token's smallest units. */
  balanceOf(wallet: string): Promise<bigint>
  /** Number of the newest block; before `verify`, it is the `sinceBlock` of a later search. */
  head(): Promise<number>
  /**
   * Simulates the settlement; what it answers signs it under a nonce, without asking anyone. refused: it would revert, or need
   * more gas than we pay.
   */
  prepareSettlement(payload: PaymentPayload): Promise<((nonce: number) => Promise<SignedTransaction>) | 'refused'>
  /** Signs a transaction that does nothing, to fill a nonce that nothing else has. */
  signFiller(nonce: number): Promise<SignedTransaction>
  /** Signs the same again with a higher fee; null when it would be above the cap. */
  signReplacement(raw: string): Promise<SignedTransaction | null>
  /** Hands a signed transaction to every node. unfunded: our address cannot pay for it. */
  broadcast(raw: string): Promise<Handover | 'unfunded'>
  /** The nonce nodes would give the next transaction, waiting ones counted. */
  pendingNonce(): Promise<number>
  /** Transactions of our address that are mined. */
  minedNonce(): Promise<number>
  /** What our address has, and about what a settlement costs at present, in wei. */
  funds(): Promise<{ balance: bigint; settlement: bigint }>
  /** Whoever sent it, since this block. Never throws. */
  findSettlement(payload: PaymentPayload, sinceBlock: number): Promise<SettlementSearch>
  /** Whether the authorization was used or cancelled, by whomever. Never throws. */
  isUsed(payload: PaymentPayload): Promise<boolean | 'unavailable'>
  /** Of this transaction. Never throws. */
  outcome(txid: string, payload: PaymentPayload): Promise<SettlementOutcome>
}
