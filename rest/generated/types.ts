// What each route takes and answers, in wire names. Generated from rest/*.graphql. Do not edit: change the operation and generate again.

export type HealthVariables = Record<string, never>

export type HealthAnswer = { status: string; version: string; ts: string; deps: { db: { ok: boolean; detail: string }; chain: { ok: boolean; detail: string }; worker: { ok: boolean; detail: string } } }

export type PingVariables = Record<string, never>

export type PingAnswer = string

export type ReceiptPageRedirectVariables = {
  rid: string
}

export type ReceiptPageRedirectAnswer = string

export type EmbedPageRedirectVariables = {
  rid?: string | null
  theme?: 'dark' | 'light' | null
}

export type EmbedPageRedirectAnswer = string

export type RecordTipVariables = {
  tip_tx_hash: string
  chain: string
  amount: string
  currency: string
  sender_wallet: string
  receiver_wallet: string
  reference: string
  resource_hash?: string | null
  callback_url?: string | null
}

export type RecordTipAnswer = { receipt_id: string; status: 'anchored' | 'awaiting_anchor' | 'failed' | 'pending' }

export type ReceiptVariables = {
  rid: string
}

export type ReceiptAnswer = { id: string; status: 'anchored' | 'awaiting_anchor' | 'failed' | 'pending'; bundle_hash: string | null; ledger_txid: string | null; xml_url: string | null; bundle_url: string | null; resource_hash: string | null; created_at: string; anchored_at: string | null }

export type ReceiptsVariables = {
  scope?: 'all' | 'mine' | null
  status?: 'anchored' | 'awaiting_anchor' | 'failed' | 'pending' | null
  chain?: string | null
  reference?: string | null
  since?: string | null
  until?: string | null
  project_id?: string | null
  page?: number | null
  page_size?: number | null
}

export type ReceiptsAnswer = { items: Array<{ id: string; status: 'anchored' | 'awaiting_anchor' | 'failed' | 'pending'; amount: string; currency: string; chain: string; reference: string; created_at: string; anchored_at: string | null }>; total: number; page: number; page_size: number }

export type MessagesVariables = {
  rid: string
  type?: string | null
}

export type MessagesAnswer = Array<{ type: string; url: string; sha256: string; created_at: string }>

export type EventsVariables = {
  rid: string
  'last-event-id'?: string | null
}

export type EventsAnswer = { receipt_id: string; status: 'anchored' | 'awaiting_anchor' | 'failed' | 'pending'; bundle_hash: string | null; ledger_txid: string | null; xml_url: string | null; bundle_url: string | null; created_at: string; anchored_at: string | null }

export type AnchorsVariables = {
  rid: string
}

export type AnchorsAnswer = Array<{ chain: string; txid: string | null; anchored_at: string | null; block_number: number | null; block_hash: string | null; contract: string | null; finality: 'final' | 'included' | 'safe' | null }>

export type ComplianceChecksVariables = {
  receipt_id: string
}

export type ComplianceChecksAnswer = { receipt_id: string; decision: 'allow' | 'deny' | 'flag' | 'unavailable'; checks: Array<{ type: 'sanctions' | 'travel_rule'; decision: 'allow' | 'deny' | 'flag' | 'unavailable'; reason: string | null; provider: string; checked_at: string }> }

export type FileVariables = {
  rid: string
  name: string
}

export type FileAnswer = { name: string; media_type: string; sha256: string; content: string }

export type VerifyVariables = {
  bundle_url?: string | null
  bundle_hash?: string | null
  txid?: string | null
}

export type VerifyAnswer = { matches_onchain: boolean; bundle_hash: string | null; ledger_txid: string | null; anchored_at: string | null; errors: Array<string> }

export type EvidenceKeysVariables = Record<string, never>

export type EvidenceKeysAnswer = { keys: Array<{ key_id: string; algorithm: string; public_key_pem: string; valid_from: string; valid_to: string | null }> }
