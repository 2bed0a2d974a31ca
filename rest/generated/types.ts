// Request and response types of each route, in wire names. Generated from rest/*.graphql. Do not edit: change the operation and generate again.

export type CreateAgentVariables = {
  name: string
  wallet_address: string
  xmtp_address?: string | null
  pricing_rules?: { max_per_call?: string | null; max_per_day?: string | null } | null
}

export type CreateAgentAnswer = { id: string; name: string; wallet_address: string; xmtp_address: string | null; pricing_rules: { max_per_call: string | null; max_per_day: string | null } | null; status: 'active' | 'disabled' | 'paused'; project_id: string; ai_mode: 'custom' | 'shared' | 'simple'; created_at: string; updated_at: string }

export type AgentsVariables = Record<string, never>

export type AgentsAnswer = Array<{ id: string; name: string; wallet_address: string; xmtp_address: string | null; pricing_rules: { max_per_call: string | null; max_per_day: string | null } | null; status: 'active' | 'disabled' | 'paused'; project_id: string; ai_mode: 'custom' | 'shared' | 'simple'; created_at: string; updated_at: string }>

export type AgentVariables = {
  agent_id: string
}

export type AgentAnswer = { id: string; name: string; wallet_address: string; xmtp_address: string | null; pricing_rules: { max_per_call: string | null; max_per_day: string | null } | null; status: 'active' | 'disabled' | 'paused'; project_id: string; ai_mode: 'custom' | 'shared' | 'simple'; created_at: string; updated_at: string }

export type UpdateAgentVariables = {
  agent_id: string
  name?: string | null
  status?: 'active' | 'disabled' | 'paused' | null
  wallet_address?: string | null
  xmtp_address?: string | null
  pricing_rules?: { max_per_call?: string | null; max_per_day?: string | null } | null
}

export type UpdateAgentAnswer = { id: string; name: string; wallet_address: string; xmtp_address: string | null; pricing_rules: { max_per_call: string | null; max_per_day: string | null } | null; status: 'active' | 'disabled' | 'paused'; project_id: string; ai_mode: 'custom' | 'shared' | 'simple'; created_at: string; updated_at: string }

export type DeleteAgentVariables = {
  agent_id: string
}

export type DeleteAgentAnswer = { id: string; status: string }

export type AgentStatsVariables = {
  agent_id: string
  days?: number | null
}

export type AgentStatsAnswer = { agent_id: string; agent_name: string; days: number; payment_count: number; total_spent: string; payments: Array<{ tx_hash: string | null; amount: string; endpoint: string; verified_at: string }> }

export type TestAgentVariables = {
  agent_id: string
  command?: string | null
}

export type TestAgentAnswer = { agent_id: string; agent_name: string; command_received: string; response: string; timestamp: string }

export type ConfigureAgentAiVariables = {
  agent_id: string
  ai_mode?: 'custom' | 'shared' | 'simple' | null
  ai_system_prompt?: string | null
  ai_provider?: string | null
  ai_model?: string | null
  ai_endpoint?: string | null
  ai_api_key?: string | null
}

export type ConfigureAgentAiAnswer = { id: string; name: string; wallet_address: string; xmtp_address: string | null; pricing_rules: { max_per_call: string | null; max_per_day: string | null } | null; status: 'active' | 'disabled' | 'paused'; project_id: string; ai_mode: 'custom' | 'shared' | 'simple'; created_at: string; updated_at: string }

export type TestAgentAiVariables = {
  agent_id: string
  test_message?: string | null
}

export type TestAgentAiAnswer = { mode: 'custom' | 'shared' | 'simple'; test_message: string; parsed_result: { command: string; arguments: Array<string> } | null; ai_provider: string | null; ai_model: string | null }

export type AgentTemplateVariables = {
  agent_id: string
}

export type AgentTemplateAnswer = { name: string; media_type: string; sha256: string; content: string }

export type AgentAnchoringVariables = {
  agent_id: string
}

export type AgentAnchoringAnswer = { id: string; auto_anchor_enabled: boolean; anchor_on_payment: boolean; anchor_wallet: string | null }

export type ConfigureAgentAnchoringVariables = {
  agent_id: string
  auto_anchor_enabled?: boolean | null
  anchor_on_payment?: boolean | null
  anchor_wallet_address?: string | null
}

export type ConfigureAgentAnchoringAnswer = { id: string; auto_anchor_enabled: boolean; anchor_on_payment: boolean; anchor_wallet: string | null }

export type AnchorForAgentVariables = {
  agent_id: string
  bundle_hash: string
  receipt_id?: string | null
}

export type AnchorForAgentAnswer = { anchor_id: string; bundle_hash: string; status: 'confirmed' | 'failed' | 'pending'; message: string }

export type AgentAnchorsVariables = {
  agent_id: string
  days?: number | null
  status?: 'confirmed' | 'failed' | 'pending' | null
}

export type AgentAnchorsAnswer = Array<{ id: string; bundle_hash: string; anchor_txid: string | null; chain: string; status: 'confirmed' | 'failed' | 'pending'; anchored_at: string | null; created_at: string }>

export type AgentActivityVariables = {
  agent_id: string
  days?: number | null
}

export type AgentActivityAnswer = { agent_id: string; agent_name: string; days: number; activities: Array<{ type: string; id: string; content: string; timestamp: string; details: unknown }>; summary: { total_payments: number; total_anchors: number; anchored_payments: number } }

export type AssistVariables = {
  messages: Array<{ content: string; role: 'assistant' | 'user' }>
  scope?: { allow_read_artifacts?: boolean | null; allow_read_receipts?: boolean | null; allowed_receipt_ids?: Array<string> | null } | null
  session_id?: string | null
}

export type AssistAnswer = { reply: string; used_tools: Array<{ tool: string; ok: boolean; receipt_ids: Array<string> }> }

export type AssistantStatusVariables = Record<string, never>

export type AssistantStatusAnswer = { enabled: boolean; provider: string | null; model: string | null; features: { tools: Array<string>; streaming: boolean; transcript_days: number; agent_keys: boolean } }

export type AuditEventsVariables = {
  action?: string | null
  object_type?: string | null
  object_id?: string | null
  date_from?: string | null
  date_to?: string | null
  limit?: number | null
  offset?: number | null
}

export type AuditEventsAnswer = Array<{ id: string; action: string; object_type: string; object_id: string; project_id: string | null; actor: string; created_at: string; details: unknown }>

export type MeVariables = Record<string, never>

export type MeAnswer = { role: string; project_id: string | null; is_admin: boolean }

export type ProjectsVariables = Record<string, never>

export type ProjectsAnswer = Array<{ id: string; name: string; owner_wallet: string | null; created_at: string }>

export type ApiKeysVariables = Record<string, never>

export type ApiKeysAnswer = Array<{ id: string; label: string; role: 'project' | 'project_admin' | 'viewer'; project_id: string; created_at: string; last_used_at: string | null; expires_at: string | null; revoked_at: string | null }>

export type CreateApiKeyVariables = {
  label: string
  role?: 'project' | 'project_admin' | 'viewer' | null
  expires_at?: string | null
  project_id?: string | null
}

export type CreateApiKeyAnswer = { id: string; label: string; role: 'project' | 'project_admin' | 'viewer'; project_id: string; created_at: string; last_used_at: string | null; expires_at: string | null; revoked_at: string | null }

export type RevokeApiKeyVariables = {
  id: string
}

export type RevokeApiKeyAnswer = { status: string; id: string; revoked_at: string | null }

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

export type PaymentsVariables = {
  limit?: number | null
  offset?: number | null
  currency?: string | null
  chain?: string | null
  status?: 'delivered' | 'failed' | 'settled' | 'settling' | 'verified' | null
  payment_type?: 'bulk_verify' | 'fx_lookup' | 'generate_statement' | 'iso_message' | 'refund' | 'verify_bundle' | null
}

export type PaymentsAnswer = Array<{ id: string; status: 'delivered' | 'failed' | 'settled' | 'settling' | 'verified'; payment_type: 'bulk_verify' | 'fx_lookup' | 'generate_statement' | 'iso_message' | 'refund' | 'verify_bundle' | null; tx_hash: string | null; amount: string; currency: string; chain: string; payer: string; recipient: string; endpoint: string; receipt_id: string | null; verified_at: string; settled_at: string | null }>

export type PaymentVariables = {
  payment_id: string
}

export type PaymentAnswer = { id: string; status: 'delivered' | 'failed' | 'settled' | 'settling' | 'verified'; payment_type: 'bulk_verify' | 'fx_lookup' | 'generate_statement' | 'iso_message' | 'refund' | 'verify_bundle' | null; tx_hash: string | null; amount: string; currency: string; chain: string; payer: string; recipient: string; endpoint: string; receipt_id: string | null; verified_at: string; settled_at: string | null; receipt_status: 'anchored' | 'awaiting_anchor' | 'failed' | 'pending' | null; bundle_hash: string | null; ledger_txid: string | null; flare_txid: string | null }

export type RecordPaymentVariables = {
  payment_id: string
  project_id?: string | null
}

export type RecordPaymentAnswer = { payment_id: string; receipt_id: string; status: 'anchored' | 'awaiting_anchor' | 'failed' | 'pending'; created: boolean }

export type PaymentComplianceChecksVariables = {
  payment_id: string
}

export type PaymentComplianceChecksAnswer = { payment_id: string; receipt_id: string | null; decision: 'allow' | 'deny' | 'flag' | 'unavailable'; checks: Array<{ type: 'sanctions' | 'travel_rule'; decision: 'allow' | 'deny' | 'flag' | 'unavailable'; reason: string | null; provider: string; checked_at: string }> }

export type RevenueVariables = {
  days?: number | null
}

export type RevenueAnswer = { total_revenue: string; payment_count: number; days: number; currency: string; by_endpoint: Array<{ endpoint: string; count: number; revenue: string }>; by_day: Array<{ date: string; count: number; revenue: string }> }

export type FacilitatorConfigVariables = Record<string, never>

export type FacilitatorConfigAnswer = { x402_version: number; scheme: string; network: string; chain_id: number; asset: string; asset_decimals: number; asset_domain: { name: string; version: string }; pay_to: string; facilitator: string; max_timeout_seconds: number }

export type VerifyPaymentVariables = {
  payment_payload: unknown
  payment_requirements: unknown
}

export type VerifyPaymentAnswer = { valid: boolean; payer: string | null; reason: string | null }

export type PremiumFxLookupVariables = {
  base_ccy?: string | null
  quote_ccy?: string | null
  provider?: string | null
}

export type PremiumFxLookupAnswer = { base_ccy: string; quote_ccy: string; rate: string; source: string; as_of: string }

export type PremiumVerifyBundleVariables = {
  bundle_url?: string | null
  bundle_hash?: string | null
  txid?: string | null
}

export type PremiumVerifyBundleAnswer = { matches_onchain: boolean; bundle_hash: string | null; ledger_txid: string | null; flare_txid: string | null; anchored_at: string | null; errors: Array<string> }

export type PremiumStatementVariables = {
  date?: string | null
  window?: string | null
}

export type PremiumStatementAnswer = { type: string; date: string; window: string; count: number; url: string; sha256: string }

export type PremiumIsoMessageVariables = {
  receipt_id: string
  type: string
}

export type PremiumIsoMessageAnswer = { type: string; url: string; sha256: string; created_at: string; xml: string }

export type PremiumBulkVerifyVariables = {
  items?: Array<{ bundle_hash?: string | null; bundle_url?: string | null; txid?: string | null }> | null
  bundle_urls?: Array<string> | null
}

export type PremiumBulkVerifyAnswer = { verified: number; results: Array<{ input: { bundle_url?: string; bundle_hash?: string; txid?: string }; error: string } | { input: { bundle_url?: string; bundle_hash?: string; txid?: string }; result: { matches_onchain: boolean; bundle_hash: string | null; ledger_txid: string | null; flare_txid: string | null; anchored_at: string | null; errors: Array<string> } }> }

export type PremiumRefundVariables = {
  original_receipt_id: string
  reason_code?: string | null
  refund_tx_hash?: string | null
}

export type PremiumRefundAnswer = { refund_receipt_id: string; status: 'anchored' | 'awaiting_anchor' | 'failed' | 'pending' }

export type PricingVariables = Record<string, never>

export type PricingAnswer = Array<{ path: string; price: string; currency: string; network: string; asset: string; recipient: string; enabled: boolean }>

export type SetPricingVariables = {
  prices: Array<{ enabled?: boolean | null; path: string; price?: string | null; recipient?: string | null }>
}

export type SetPricingAnswer = { status: string }

export type ProjectConfigVariables = {
  project_id: string
}

export type ProjectConfigAnswer = { anchoring: { execution_mode: 'platform' | 'tenant'; chains: Array<{ name: string; contract: string | null; rpc_url: string | null; explorer_base_url: string | null }> }; parties: { initiator: { name: string | null; country: string | null; lei: string | null }; debtor: { name: string | null; country: string | null; lei: string | null }; creditor: { name: string | null; country: string | null; lei: string | null } }; fx_policy: { mode: 'at_record' | 'none' | 'organisation'; base_ccy: string | null } }

export type ConfigureProjectVariables = {
  project_id: string
  anchoring: { chains: Array<{ contract?: string | null; explorer_base_url?: string | null; name: string; rpc_url?: string | null }>; execution_mode: 'platform' | 'tenant' }
  parties?: { creditor?: { country?: string | null; lei?: string | null; name?: string | null } | null; debtor?: { country?: string | null; lei?: string | null; name?: string | null } | null; initiator?: { country?: string | null; lei?: string | null; name?: string | null } | null } | null
  fx_policy?: { base_ccy?: string | null; mode?: 'at_record' | 'none' | 'organisation' | null } | null
}

export type ConfigureProjectAnswer = { anchoring: { execution_mode: 'platform' | 'tenant'; chains: Array<{ name: string; contract: string | null; rpc_url: string | null; explorer_base_url: string | null }> }; parties: { initiator: { name: string | null; country: string | null; lei: string | null }; debtor: { name: string | null; country: string | null; lei: string | null }; creditor: { name: string | null; country: string | null; lei: string | null } }; fx_policy: { mode: 'at_record' | 'none' | 'organisation'; base_ccy: string | null } }

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

export type ReceiptAnswer = { id: string; status: 'anchored' | 'awaiting_anchor' | 'failed' | 'pending'; bundle_hash: string | null; ledger_txid: string | null; flare_txid: string | null; xml_url: string | null; bundle_url: string | null; resource_hash: string | null; created_at: string; anchored_at: string | null }

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

export type EventsAnswer = { receipt_id: string; status: 'anchored' | 'awaiting_anchor' | 'failed' | 'pending'; bundle_hash: string | null; ledger_txid: string | null; flare_txid: string | null; xml_url: string | null; bundle_url: string | null; created_at: string; anchored_at: string | null }

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

export type BuildSdkVariables = {
  lang: 'python' | 'ts'
  base_url?: string | null
  auth?: 'api_key' | 'none' | null
  packaging?: 'package' | 'sources' | null
  families?: Array<string> | null
  include_x402?: boolean | null
}

export type BuildSdkAnswer = { name: string; media_type: string; sha256: string; content: string }

export type OrganisationVariables = Record<string, never>

export type OrganisationAnswer = { org: { name: string | null; jurisdiction: string | null; lei: string | null; default_message_families: Array<string> }; ledger: { network: string | null; asset: { symbol: string; decimals: number | null; contract_address: string | null } | null }; mapping: { charge_bearer: 'CRED' | 'DEBT' | 'SHAR' | 'SLEV'; purpose: string | null; category_purpose: string | null; structured_remittance: boolean; debtor_defaults: { name: string | null; country: string | null; lei: string | null }; creditor_defaults: { name: string | null; country: string | null; lei: string | null }; assets: Array<{ label: string; chain: string | null; currency: string | null; dti: string | null }> }; status: { emit_pain002: boolean | null; emit_pacs002: boolean | null; enable_cancellation: boolean; enable_returns: boolean }; anchoring: { chains: Array<string> }; evidence: { store: { mode: 'ipfs' | 'local' } }; id_strategy: { end_to_end_id: 'receipt_id' | 'reference'; uetr: 'receipt_id' | 'settlement' }; fx_policy: { mode: 'at_record' | 'none'; base_ccy: string | null; provider: string | null }; compliance: { travel_rule_threshold: string | null; travel_rule_provider: string | null; travel_rule_enforce: boolean; sanctions_provider: string | null; sanctions_enforce: boolean } }

export type ConfigureOrganisationVariables = {
  config: { anchoring?: { chains?: Array<string> | null } | null; compliance?: { sanctions_enforce?: boolean | null; sanctions_provider?: string | null; travel_rule_enforce?: boolean | null; travel_rule_provider?: string | null; travel_rule_threshold?: string | null } | null; evidence?: { store?: { mode?: 'ipfs' | 'local' | null } | null } | null; fx_policy?: { base_ccy?: string | null; mode?: 'at_record' | 'none' | null; provider?: string | null } | null; id_strategy?: { end_to_end_id?: 'receipt_id' | 'reference' | null; uetr?: 'receipt_id' | 'settlement' | null } | null; ledger?: { asset?: { contract_address?: string | null; decimals?: number | null; symbol: string } | null; network?: string | null } | null; mapping?: { assets?: Array<{ chain?: string | null; currency?: string | null; dti?: string | null; label: string }> | null; category_purpose?: string | null; charge_bearer?: 'CRED' | 'DEBT' | 'SHAR' | 'SLEV' | null; creditor_defaults?: { country?: string | null; lei?: string | null; name?: string | null } | null; debtor_defaults?: { country?: string | null; lei?: string | null; name?: string | null } | null; purpose?: string | null; structured_remittance?: boolean | null } | null; org?: { default_message_families?: Array<string> | null; jurisdiction?: string | null; lei?: string | null; name?: string | null } | null; status?: { emit_pacs002?: boolean | null; emit_pain002?: boolean | null; enable_cancellation?: boolean | null; enable_returns?: boolean | null } | null }
}

export type ConfigureOrganisationAnswer = { org: { name: string | null; jurisdiction: string | null; lei: string | null; default_message_families: Array<string> }; ledger: { network: string | null; asset: { symbol: string; decimals: number | null; contract_address: string | null } | null }; mapping: { charge_bearer: 'CRED' | 'DEBT' | 'SHAR' | 'SLEV'; purpose: string | null; category_purpose: string | null; structured_remittance: boolean; debtor_defaults: { name: string | null; country: string | null; lei: string | null }; creditor_defaults: { name: string | null; country: string | null; lei: string | null }; assets: Array<{ label: string; chain: string | null; currency: string | null; dti: string | null }> }; status: { emit_pain002: boolean | null; emit_pacs002: boolean | null; enable_cancellation: boolean; enable_returns: boolean }; anchoring: { chains: Array<string> }; evidence: { store: { mode: 'ipfs' | 'local' } }; id_strategy: { end_to_end_id: 'receipt_id' | 'reference'; uetr: 'receipt_id' | 'settlement' }; fx_policy: { mode: 'at_record' | 'none'; base_ccy: string | null; provider: string | null }; compliance: { travel_rule_threshold: string | null; travel_rule_provider: string | null; travel_rule_enforce: boolean; sanctions_provider: string | null; sanctions_enforce: boolean } }

export type NonceVariables = Record<string, never>

export type NonceAnswer = { nonce: string; domain: string; chain_ids: Array<number> }

export type RegisterProjectVariables = {
  name: string
  message: string
  signature: string
}

export type RegisterProjectAnswer = { project: { id: string; name: string; owner_wallet: string | null; created_at: string }; api_key: string }

export type SiweVerifyVariables = {
  message?: string | null
  address?: string | null
  nonce?: string | null
  signature: string
}

export type SiweVerifyAnswer = { linked: boolean; address: string; domain: string; chain_id: number | null }

export type SiweMintKeyVariables = {
  message: string
  signature: string
  label?: string | null
  project_id?: string | null
}

export type SiweMintKeyAnswer = { id: string; label: string; role: 'project' | 'project_admin' | 'viewer'; project_id: string; created_at: string }

export type LinkedWalletsVariables = Record<string, never>

export type LinkedWalletsAnswer = Array<{ address: string; created_at: string }>

export type UnlinkWalletVariables = {
  address: string
}

export type UnlinkWalletAnswer = { status: string; address: string }

export type VerifyVariables = {
  bundle_url?: string | null
  bundle_hash?: string | null
  txid?: string | null
}

export type VerifyAnswer = { matches_onchain: boolean; bundle_hash: string | null; ledger_txid: string | null; flare_txid: string | null; anchored_at: string | null; errors: Array<string> }

export type VerifyCidVariables = {
  cid: string
  store?: 'arweave' | 'auto' | 'ipfs' | null
  receipt_id?: string | null
}

export type VerifyCidAnswer = { matches_onchain: boolean; bundle_hash: string | null; ledger_txid: string | null; flare_txid: string | null; anchored_at: string | null; errors: Array<string> }

export type EvidenceKeysVariables = Record<string, never>

export type EvidenceKeysAnswer = { chains: Array<{ name: string; caip2: string | null; contract: string; finality: string; deployed_at_block: number; explorer_base_url: string | null }>; keys: Array<{ key_id: string; algorithm: string; public_key_pem: string; valid_from: string; valid_to: string | null }> }

export type ConfirmAnchorVariables = {
  receipt_id: string
  ledger_txid?: string
  flare_txid?: string
  chain?: string | null
}

export type ConfirmAnchorAnswer = { receipt_id: string; status: 'anchored' | 'awaiting_anchor' | 'failed' | 'pending'; ledger_txid: string | null; flare_txid: string | null; anchored_at: string | null }

export type DebugAnchorVariables = {
  bundle_hash: string
}

export type DebugAnchorAnswer = { ledger_txid: string; flare_txid: string; block_number: number }

export type Camt056Variables = {
  rid: string
  reason_code?: string | null
  resolution_code?: string | null
}

export type Camt056Answer = { message_id: string; type: string; receipt_id: string; url: string }

export type Camt029Variables = {
  rid: string
  reason_code?: string | null
  resolution_code?: string | null
}

export type Camt029Answer = { message_id: string; type: string; receipt_id: string; url: string }

export type Pacs007Variables = {
  rid: string
  reason_code?: string | null
  resolution_code?: string | null
}

export type Pacs007Answer = { message_id: string; type: string; receipt_id: string; url: string }

export type Pacs009Variables = {
  rid: string
}

export type Pacs009Answer = { message_id: string; type: string; receipt_id: string; url: string }

export type RefundVariables = {
  original_receipt_id: string
  reason_code?: string | null
  refund_tx_hash?: string | null
}

export type RefundAnswer = { refund_receipt_id: string; status: 'anchored' | 'awaiting_anchor' | 'failed' | 'pending' }
