// Who says whether a payment may be written up. A provider that cannot be reached answers `unavailable`.

export type ScreenedPayment = {
  id: string
  amount: string
  currency: string
  senderWallet: string
  receiverWallet: string
}
export type ComplianceFinding = {
  type: 'travel_rule' | 'sanctions'
  decision: 'allow' | 'flag' | 'deny' | 'unavailable'
  reason: string | null
}

export type ComplianceProvider = {
  /** Stands in each stored check. */
  readonly name: string
  screen(payment: ScreenedPayment): Promise<ComplianceFinding[]>
}
