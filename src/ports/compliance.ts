// The port to compliance providers, which decide whether a payment may be recorded or accepted.

export const complianceTypes = ['travel_rule', 'sanctions'] as const
export type ComplianceType = (typeof complianceTypes)[number]

/** A party of a payment. The project states everything but the wallet; null: the project states nothing. */
export type ComplianceParty = { wallet: string; name: string | null; country: string | null; lei: string | null }

export type ComplianceSubject = {
  /** A receipt's payment, or a payment to this service by x402. */
  kind: 'receipt' | 'payment'
  /** UUID of the receipt, or the 32-byte nonce of the payment's authorization in hex. The same in each repetition. */
  id: string
  chain: string
  /** Settlement transaction; null while there is none. */
  txHash: string | null
  /** Exact decimal string in units of `currency`, the asset's label. */
  amount: string
  currency: string
  sender: ComplianceParty
  receiver: ComplianceParty
}

export type ComplianceAnswer = {
  decision: 'allow' | 'flag' | 'deny' | 'unavailable'
  /** For people, at most 500 characters. */
  reason: string | null
}

export type ComplianceProvider = {
  /** Stored with each check. */
  readonly name: string
  /** Queried over a network, so that the answer takes time and may not come. */
  readonly isRemote: boolean
  /** Never throws: a missing or unreadable answer is `unavailable`. */
  ask(type: ComplianceType, subject: ComplianceSubject): Promise<ComplianceAnswer>
  /** Describes the provider's present fault, as this process knows it; null: no fault. */
  fault(): string | null
}

/** A provider as the operator configures it. */
export type ProviderSetting =
  /** `authorization` is sent as the header of that name; null: no header. */
  | { name: string; kind: 'http+json'; url: string; authorization: string | null }
  | { name: string; kind: 'list'; path: string }
  | { name: string; kind: 'fixed'; decision: 'allow' | 'flag' | 'deny' }
