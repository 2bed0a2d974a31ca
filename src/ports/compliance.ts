// Who says whether a payment may be written up, or taken.

export const complianceTypes = ['travel_rule', 'sanctions'] as const
export type ComplianceType = (typeof complianceTypes)[number]

/** A side of a payment. What is said beside the wallet is stated by the project; null: nothing. */
export type ComplianceParty = { wallet: string; name: string | null; country: string | null; lei: string | null }

export type ComplianceSubject = {
  /** A receipt's payment, or a payment to this service by x402. */
  kind: 'receipt' | 'payment'
  /** UUID of the receipt; of a payment the 32 bytes of its authorization's nonce in hex. The same whenever it is asked again. */
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
  /** Stands in each stored check. */
  readonly name: string
  /** Asked over a network, so that an answer takes its time and may not come. */
  readonly isRemote: boolean
  /** Never throws: what gives no answer that can be read is `unavailable`. */
  ask(type: ComplianceType, subject: ComplianceSubject): Promise<ComplianceAnswer>
  /** What is wrong with it at present, in words, as this process knows; null: nothing. */
  fault(): string | null
}

/** A provider as the operator of the service names it. */
export type ProviderSetting =
  /** `authorization` is sent as that header; null: none. */
  | { name: string; kind: 'http+json'; url: string; authorization: string | null }
  | { name: string; kind: 'list'; path: string }
  | { name: string; kind: 'fixed'; decision: 'allow' | 'flag' | 'deny' }
