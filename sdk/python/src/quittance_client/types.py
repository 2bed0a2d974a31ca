# Generated from the OpenAPI document: changes are lost.
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class APIKeyCreate(TypedDict):
    label: str
    role: NotRequired[Literal["project_admin", "project", "viewer", None]]
    expires_at: NotRequired[str | None]
    project_id: NotRequired[str | None]


class APIKeyInfo(TypedDict):
    id: str
    label: str
    role: Literal["project", "project_admin", "viewer"]
    project_id: str
    created_at: str
    last_used_at: str | None
    expires_at: str | None
    revoked_at: str | None


class AgentPricingRules(TypedDict):
    max_per_call: NotRequired[str | None]
    max_per_day: NotRequired[str | None]


class Agent(TypedDict):
    id: str
    name: str
    wallet_address: str
    xmtp_address: str | None
    pricing_rules: AgentPricingRules | None
    status: Literal["active", "disabled", "paused"]
    project_id: str
    ai_mode: Literal["custom", "shared", "simple"]
    created_at: str
    updated_at: str


class AgentActivity(TypedDict):
    type: str
    id: str
    content: str
    timestamp: str
    details: dict[str, Any]


class AgentActivitySummary(TypedDict):
    total_payments: int
    total_anchors: int
    anchored_payments: int


class AgentAiRequest(TypedDict):
    ai_mode: NotRequired[Literal["simple", "shared", "custom"]]
    ai_system_prompt: NotRequired[str | None]
    ai_provider: NotRequired[Literal["openai-compatible", "openai", "anthropic", "google", "custom", None]]
    ai_model: NotRequired[str | None]
    ai_endpoint: NotRequired[str | None]
    ai_api_key: NotRequired[str | None]


class AgentAiTest(TypedDict):
    mode: Literal["custom", "shared", "simple"]
    test_message: str
    parsed_result: AgentParsedCommand | None
    ai_provider: str | None
    ai_model: str | None


class AgentAiTestRequest(TypedDict):
    test_message: NotRequired[str | None]


class AgentAnchor(TypedDict):
    id: str
    bundle_hash: str
    anchor_txid: str | None
    chain: str
    status: Literal["confirmed", "failed", "pending"]
    anchored_at: str | None
    created_at: str


class AgentAnchorEvent(TypedDict):
    id: str
    bundle_hash: str
    anchor_txid: str | None
    chain: str
    status: Literal["confirmed", "failed", "pending"]
    anchored_at: str | None
    created_at: str
    agent_id: str


class AgentAnchorRequest(TypedDict):
    bundle_hash: str
    receipt_id: NotRequired[str | None]


class AgentAnchoredWebhook(TypedDict):
    type: Literal["agent.anchored"]
    timestamp: str
    data: AgentAnchorEvent


class AgentAnchoring(TypedDict):
    id: str
    auto_anchor_enabled: bool
    anchor_on_payment: bool
    anchor_wallet: str | None


class AgentAnchoringRequest(TypedDict):
    auto_anchor_enabled: NotRequired[bool]
    anchor_on_payment: NotRequired[bool]
    anchor_wallet_address: NotRequired[str | None]
    anchor_wallet: NotRequired[str | None]
    id: NotRequired[str]


class AgentCreateRequestPricingRules(TypedDict):
    max_per_call: NotRequired[str | None]
    max_per_day: NotRequired[str | None]


class AgentCreateRequest(TypedDict):
    name: str
    wallet_address: str
    xmtp_address: NotRequired[str | None]
    pricing_rules: NotRequired[AgentCreateRequestPricingRules | None]


class AgentParsedCommand(TypedDict):
    command: str
    arguments: list[str]


class AgentPayment(TypedDict):
    tx_hash: str | None
    amount: str
    endpoint: str
    verified_at: str


class AgentStats(TypedDict):
    agent_id: str
    agent_name: str
    days: int
    payment_count: int
    total_spent: str
    payments: list[AgentPayment]


class AgentTestAnswer(TypedDict):
    agent_id: str
    agent_name: str
    command_received: str
    response: str
    timestamp: str


class AgentTestRequest(TypedDict):
    command: NotRequired[str | None]


class AgentUnifiedActivity(TypedDict):
    agent_id: str
    agent_name: str
    days: int
    activities: list[AgentActivity]
    summary: AgentActivitySummary


class AgentUpdateRequestPricingRules(TypedDict):
    max_per_call: NotRequired[str | None]
    max_per_day: NotRequired[str | None]


class AgentUpdateRequest(TypedDict):
    name: NotRequired[str]
    status: NotRequired[Literal["active", "paused", "disabled"]]
    wallet_address: NotRequired[str]
    xmtp_address: NotRequired[str | None]
    pricing_rules: NotRequired[AgentUpdateRequestPricingRules | None]
    id: NotRequired[str]
    project_id: NotRequired[str]
    ai_mode: NotRequired[Literal["custom", "shared", "simple"]]
    created_at: NotRequired[str]
    updated_at: NotRequired[str]


class AnchorResponse(TypedDict):
    chain: str
    txid: str | None
    anchored_at: str | None
    block_number: int | None
    block_hash: str | None
    contract: str | None
    finality: Literal["final", "included", "safe", None]


class AssistAnswer(TypedDict):
    reply: str
    used_tools: list[AssistUsedTool]


class AssistRequestMessagesItem(TypedDict):
    content: str
    role: Literal["user", "assistant"]


class AssistRequestScope(TypedDict):
    allow_config_changes: NotRequired[bool | None]
    allow_read_artifacts: NotRequired[bool | None]
    allow_read_receipts: NotRequired[bool | None]
    allowed_receipt_ids: NotRequired[list[str] | None]


class AssistRequest(TypedDict):
    messages: list[AssistRequestMessagesItem]
    scope: NotRequired[AssistRequestScope | None]
    params: NotRequired[dict[str, Any] | None]
    session_id: NotRequired[str | None]


class AssistUsedTool(TypedDict):
    tool: str
    ok: bool
    receipt_ids: list[str]


class AssistantFeatures(TypedDict):
    tools: list[str]
    streaming: bool
    transcript_days: int
    agent_keys: bool


class AssistantStatus(TypedDict):
    enabled: bool
    provider: str | None
    model: str | None
    features: AssistantFeatures


class AuditEvent(TypedDict):
    id: str
    action: str
    object_type: str
    object_id: str
    project_id: str | None
    actor: str
    created_at: str
    details: dict[str, Any]


class ComplianceCheck(TypedDict):
    type: Literal["sanctions", "settlement", "travel_rule"]
    decision: Literal["allow", "deny", "flag", "unavailable"]
    reason: str | None
    provider: str
    checked_at: str


class ComplianceReport(TypedDict):
    receipt_id: str
    decision: Literal["allow", "deny", "flag", "unavailable"]
    checks: list[ComplianceCheck]


class ConfirmAnchorRequest(TypedDict):
    receipt_id: str
    ledger_txid: NotRequired[str | None]
    flare_txid: NotRequired[str | None]
    chain: NotRequired[str | None]


class ConfirmAnchorResponse(TypedDict):
    receipt_id: str
    status: Literal["anchored", "awaiting_anchor", "failed", "pending"]
    ledger_txid: str | None
    flare_txid: str | None
    anchored_at: str | None


class DayRevenue(TypedDict):
    date: str
    count: int
    revenue: str


class DebugAnchorRequest(TypedDict):
    bundle_hash: str


class DebugAnchorResponse(TypedDict):
    ledger_txid: str
    flare_txid: str
    block_number: int


class DeletedAgent(TypedDict):
    id: str
    status: str


class DependencyHealth(TypedDict):
    ok: bool
    detail: str


class EndpointRevenue(TypedDict):
    endpoint: str
    count: int
    revenue: str


class EndpointTestWebhookData(TypedDict):
    endpoint_id: str


class EndpointTestWebhook(TypedDict):
    type: Literal["webhook.test"]
    timestamp: str
    data: EndpointTestWebhookData


class ErrorResponse(TypedDict):
    detail: str
    message: str
    request_id: str
    left: NotRequired[str]


class EvidenceChain(TypedDict):
    name: str
    caip2: str | None
    contract: str
    finality: str
    deployed_at_block: int
    explorer_base_url: str | None


class EvidenceKey(TypedDict):
    key_id: str
    algorithm: str
    public_key_pem: str
    valid_from: str
    valid_to: str | None


class EvidenceKeys(TypedDict):
    chains: list[EvidenceChain]
    keys: list[EvidenceKey]


class FIMessageRequest(TypedDict):
    reason_code: NotRequired[str | None]
    resolution_code: NotRequired[str | None]


class FIMessageResponse(TypedDict):
    message_id: str
    type: str
    receipt_id: str
    url: str


class FacilitatorConfig(TypedDict):
    x402_version: int
    scheme: str
    network: str
    chain_id: int
    asset: str
    asset_decimals: int
    asset_domain: TokenDomain
    pay_to: str
    facilitator: str
    max_timeout_seconds: int


class HTTPValidationError(TypedDict):
    detail: list[ValidationError]


class HealthResponseDeps(TypedDict):
    db: DependencyHealth
    chain: DependencyHealth
    worker: DependencyHealth


class HealthResponse(TypedDict):
    status: Literal["ok", "degraded"]
    version: str
    ts: str
    deps: HealthResponseDeps


class ISOArtifactResponse(TypedDict):
    type: str
    url: str
    sha256: str
    created_at: str


class LinkedWallet(TypedDict):
    address: str
    created_at: str


class MessageParty(TypedDict):
    name: str | None
    country: str | None
    lei: str | None
    wallets: list[PartyWallet]


class NonceResponse(TypedDict):
    nonce: str
    domain: str
    chain_ids: list[float]


class OrgAnchoring(TypedDict):
    chains: list[str]


class OrgAsset(TypedDict):
    label: str
    chain: str | None
    currency: str | None
    dti: str | None


class OrgCompliance(TypedDict):
    travel_rule_threshold: str | None
    travel_rule_provider: str | None
    travel_rule_enforce: bool
    sanctions_provider: str | None
    sanctions_enforce: bool


class OrgConfigModelAnchoring(TypedDict):
    chains: NotRequired[list[str] | None]


class OrgConfigModelCompliance(TypedDict):
    sanctions_enforce: NotRequired[bool | None]
    sanctions_provider: NotRequired[str | None]
    travel_rule_enforce: NotRequired[bool | None]
    travel_rule_provider: NotRequired[str | None]
    travel_rule_threshold: NotRequired[str | None]


class OrgConfigModelEvidenceStore(TypedDict):
    mode: NotRequired[Literal["local", "ipfs", None]]


class OrgConfigModelEvidence(TypedDict):
    store: NotRequired[OrgConfigModelEvidenceStore | None]


class OrgConfigModelFxPolicy(TypedDict):
    base_ccy: NotRequired[str | None]
    mode: NotRequired[Literal["none", "at_record", None]]
    provider: NotRequired[str | None]


class OrgConfigModelIdStrategy(TypedDict):
    end_to_end_id: NotRequired[Literal["reference", "receipt_id", None]]
    uetr: NotRequired[Literal["receipt_id", "settlement", None]]


class OrgConfigModelLedgerAsset(TypedDict):
    contract_address: NotRequired[str | None]
    decimals: NotRequired[int | None]
    symbol: str


class OrgConfigModelLedger(TypedDict):
    asset: NotRequired[OrgConfigModelLedgerAsset | None]
    network: NotRequired[str | None]


class OrgConfigModelMappingAssetsItem(TypedDict):
    chain: NotRequired[str | None]
    currency: NotRequired[str | None]
    dti: NotRequired[str | None]
    label: str


class OrgConfigModelMappingCreditorDefaultsWalletsItem(TypedDict):
    address: str
    chain: NotRequired[str | None]


class OrgConfigModelMappingCreditorDefaults(TypedDict):
    country: NotRequired[str | None]
    lei: NotRequired[str | None]
    name: NotRequired[str | None]
    wallets: NotRequired[list[OrgConfigModelMappingCreditorDefaultsWalletsItem] | None]


class OrgConfigModelMappingDebtorDefaultsWalletsItem(TypedDict):
    address: str
    chain: NotRequired[str | None]


class OrgConfigModelMappingDebtorDefaults(TypedDict):
    country: NotRequired[str | None]
    lei: NotRequired[str | None]
    name: NotRequired[str | None]
    wallets: NotRequired[list[OrgConfigModelMappingDebtorDefaultsWalletsItem] | None]


class OrgConfigModelMapping(TypedDict):
    assets: NotRequired[list[OrgConfigModelMappingAssetsItem] | None]
    category_purpose: NotRequired[str | None]
    charge_bearer: NotRequired[Literal["SLEV", "SHAR", "DEBT", "CRED", None]]
    creditor_defaults: NotRequired[OrgConfigModelMappingCreditorDefaults | None]
    debtor_defaults: NotRequired[OrgConfigModelMappingDebtorDefaults | None]
    purpose: NotRequired[str | None]
    structured_remittance: NotRequired[bool | None]


class OrgConfigModelOrgWalletsItem(TypedDict):
    address: str
    chain: NotRequired[str | None]


class OrgConfigModelOrg(TypedDict):
    default_message_families: NotRequired[list[Literal["pain.002", "camt.054", "pacs.002", "pacs.008", "remt.001"]] | None]
    jurisdiction: NotRequired[str | None]
    lei: NotRequired[str | None]
    name: NotRequired[str | None]
    wallets: NotRequired[list[OrgConfigModelOrgWalletsItem] | None]


class OrgConfigModelStatus(TypedDict):
    emit_pacs002: NotRequired[bool | None]
    emit_pain002: NotRequired[bool | None]
    enable_cancellation: NotRequired[bool | None]
    enable_returns: NotRequired[bool | None]


class OrgConfigModel(TypedDict):
    anchoring: NotRequired[OrgConfigModelAnchoring | None]
    compliance: NotRequired[OrgConfigModelCompliance | None]
    evidence: NotRequired[OrgConfigModelEvidence | None]
    fx_policy: NotRequired[OrgConfigModelFxPolicy | None]
    id_strategy: NotRequired[OrgConfigModelIdStrategy | None]
    ledger: NotRequired[OrgConfigModelLedger | None]
    mapping: NotRequired[OrgConfigModelMapping | None]
    org: NotRequired[OrgConfigModelOrg | None]
    status: NotRequired[OrgConfigModelStatus | None]


class OrgConfigResponse(TypedDict):
    org: OrgIdentity
    ledger: OrgLedger
    mapping: OrgMapping
    status: OrgStatusPolicy
    anchoring: OrgAnchoring
    evidence: OrgEvidence
    id_strategy: OrgIdStrategy
    fx_policy: OrgFxPolicy
    compliance: OrgCompliance


class OrgEvidence(TypedDict):
    store: OrgEvidenceStore


class OrgEvidenceStore(TypedDict):
    mode: Literal["ipfs", "local"]


class OrgFxPolicy(TypedDict):
    mode: Literal["at_record", "none"]
    base_ccy: str | None
    provider: str | None


class OrgIdStrategy(TypedDict):
    end_to_end_id: Literal["receipt_id", "reference"]
    uetr: Literal["receipt_id", "settlement"]


class OrgIdentity(TypedDict):
    name: str | None
    jurisdiction: str | None
    lei: str | None
    wallets: list[PartyWallet]
    default_message_families: list[str]


class OrgLedger(TypedDict):
    network: str | None
    asset: OrgLedgerAsset | None


class OrgLedgerAsset(TypedDict):
    symbol: str
    decimals: int | None
    contract_address: str | None


class OrgMapping(TypedDict):
    charge_bearer: Literal["CRED", "DEBT", "SHAR", "SLEV"]
    purpose: str | None
    category_purpose: str | None
    structured_remittance: bool
    debtor_defaults: OrgParty
    creditor_defaults: OrgParty
    assets: list[OrgAsset]


class OrgParty(TypedDict):
    name: str | None
    country: str | None
    lei: str | None
    wallets: list[PartyWallet]


class OrgStatusPolicy(TypedDict):
    emit_pain002: bool | None
    emit_pacs002: bool | None
    enable_cancellation: bool
    enable_returns: bool


class PaidEndpoint(TypedDict):
    path: str
    price: str
    currency: str
    network: str
    asset: str
    recipient: str
    enabled: bool


class PartyWallet(TypedDict):
    address: str
    chain: str | None


class PaymentComplianceReport(TypedDict):
    payment_id: str
    receipt_id: str | None
    decision: Literal["allow", "deny", "flag", "unavailable"]
    checks: list[ComplianceCheck]


class PaymentReceiptRequest(TypedDict):
    project_id: NotRequired[str | None]


class PaymentReceiptResponse(TypedDict):
    payment_id: str
    receipt_id: str
    status: Literal["anchored", "awaiting_anchor", "failed", "pending"]
    created: bool


class PaymentRequiredResource(TypedDict):
    url: str
    description: str
    mimeType: str


class PaymentRequired(TypedDict):
    detail: str
    message: str
    request_id: str
    x402Version: Literal[2]
    error: str
    resource: PaymentRequiredResource
    accepts: list[PaymentRequirement]
    extensions: dict[str, Any]


class PaymentRequirementExtra(TypedDict):
    name: str
    version: str
    paymentFlow: Literal["upfront"]


class PaymentRequirement(TypedDict):
    scheme: Literal["exact"]
    network: str
    amount: str
    asset: str
    payTo: str
    maxTimeoutSeconds: int
    extra: PaymentRequirementExtra


class PaymentResponse(TypedDict):
    id: str
    status: Literal["delivered", "failed", "reversed", "settled", "settling", "verified"]
    payment_type: Literal["bulk_verify", "fx_lookup", "generate_statement", "iso_message", "refund", "verify_bundle", None]
    tx_hash: str | None
    amount: str
    currency: str
    chain: str
    payer: str
    recipient: str
    endpoint: str
    receipt_id: str | None
    verified_at: str
    settled_at: str | None
    receipt_status: Literal["anchored", "awaiting_anchor", "failed", "pending", None]
    bundle_hash: str | None
    ledger_txid: str | None
    flare_txid: str | None


class PaymentSettledWebhook(TypedDict):
    type: Literal["payment.settled", "payment.corrected", "payment.reversed"]
    timestamp: str
    data: PaymentSummary


class PaymentSummary(TypedDict):
    id: str
    status: Literal["delivered", "failed", "reversed", "settled", "settling", "verified"]
    payment_type: Literal["bulk_verify", "fx_lookup", "generate_statement", "iso_message", "refund", "verify_bundle", None]
    tx_hash: str | None
    amount: str
    currency: str
    chain: str
    payer: str
    recipient: str
    endpoint: str
    receipt_id: str | None
    verified_at: str
    settled_at: str | None


class PremiumBulkVerifyRequestItemsItem(TypedDict):
    bundle_hash: NotRequired[str | None]
    bundle_url: NotRequired[str | None]
    txid: NotRequired[str | None]


class PremiumBulkVerifyRequest(TypedDict):
    items: NotRequired[list[PremiumBulkVerifyRequestItemsItem] | None]
    bundle_urls: NotRequired[list[str] | None]


class PremiumBulkVerifyResponseResultsItem1Input(TypedDict):
    bundle_url: NotRequired[str]
    bundle_hash: NotRequired[str]
    txid: NotRequired[str]


class PremiumBulkVerifyResponseResultsItem1(TypedDict):
    input: PremiumBulkVerifyResponseResultsItem1Input
    error: str


class PremiumBulkVerifyResponseResultsItem2Input(TypedDict):
    bundle_url: NotRequired[str]
    bundle_hash: NotRequired[str]
    txid: NotRequired[str]


class PremiumBulkVerifyResponseResultsItem2(TypedDict):
    input: PremiumBulkVerifyResponseResultsItem2Input
    result: VerifyResponse


class PremiumBulkVerifyResponse(TypedDict):
    verified: int
    results: list[PremiumBulkVerifyResponseResultsItem1 | PremiumBulkVerifyResponseResultsItem2]


class PremiumFxLookupRequest(TypedDict):
    base_ccy: NotRequired[str | None]
    quote_ccy: NotRequired[str | None]
    provider: NotRequired[str | None]


class PremiumFxLookupResponse(TypedDict):
    base_ccy: str
    quote_ccy: str
    rate: str
    source: str
    as_of: str


class PremiumIsoMessageResponse(TypedDict):
    type: str
    url: str
    sha256: str
    created_at: str
    xml: str


class PremiumStatementResponse(TypedDict):
    type: str
    date: str
    window: str
    count: int
    url: str
    sha256: str


class PriceChangeItem(TypedDict):
    asset: NotRequired[str]
    currency: NotRequired[str]
    enabled: NotRequired[bool | None]
    network: NotRequired[str]
    path: str
    price: NotRequired[str | None]
    recipient: NotRequired[str | None]


PriceChange: TypeAlias = "list[PriceChangeItem]"


class PricingUpdate(TypedDict):
    status: str


class Principal(TypedDict):
    role: str
    project_id: str | None
    is_admin: bool


class Problem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    code: str
    request_id: str
    left: NotRequired[str]


class ProjectAnchoring(TypedDict):
    execution_mode: Literal["platform", "tenant"]
    chains: list[ProjectChain]


class ProjectChain(TypedDict):
    name: str
    contract: str | None
    rpc_url: str | None
    explorer_base_url: str | None


class ProjectConfig(TypedDict):
    anchoring: ProjectAnchoring
    parties: ProjectParties
    fx_policy: ProjectFxPolicy
    time_zone: str


class ProjectConfigUpdateAnchoringChainsItem(TypedDict):
    contract: NotRequired[str | None]
    explorer_base_url: NotRequired[str | None]
    name: str
    rpc_url: NotRequired[str | None]


class ProjectConfigUpdateAnchoring(TypedDict):
    chains: list[ProjectConfigUpdateAnchoringChainsItem]
    execution_mode: Literal["platform", "tenant"]


class ProjectConfigUpdatePartiesCreditorWalletsItem(TypedDict):
    address: str
    chain: NotRequired[str | None]


class ProjectConfigUpdatePartiesCreditor(TypedDict):
    country: NotRequired[str | None]
    lei: NotRequired[str | None]
    name: NotRequired[str | None]
    wallets: NotRequired[list[ProjectConfigUpdatePartiesCreditorWalletsItem] | None]


class ProjectConfigUpdatePartiesDebtorWalletsItem(TypedDict):
    address: str
    chain: NotRequired[str | None]


class ProjectConfigUpdatePartiesDebtor(TypedDict):
    country: NotRequired[str | None]
    lei: NotRequired[str | None]
    name: NotRequired[str | None]
    wallets: NotRequired[list[ProjectConfigUpdatePartiesDebtorWalletsItem] | None]


class ProjectConfigUpdatePartiesInitiatorWalletsItem(TypedDict):
    address: str
    chain: NotRequired[str | None]


class ProjectConfigUpdatePartiesInitiator(TypedDict):
    country: NotRequired[str | None]
    lei: NotRequired[str | None]
    name: NotRequired[str | None]
    wallets: NotRequired[list[ProjectConfigUpdatePartiesInitiatorWalletsItem] | None]


class ProjectConfigUpdateParties(TypedDict):
    creditor: NotRequired[ProjectConfigUpdatePartiesCreditor | None]
    debtor: NotRequired[ProjectConfigUpdatePartiesDebtor | None]
    initiator: NotRequired[ProjectConfigUpdatePartiesInitiator | None]


class ProjectConfigUpdateFxPolicy(TypedDict):
    base_ccy: NotRequired[str | None]
    mode: NotRequired[Literal["organisation", "none", "at_record", None]]


class ProjectConfigUpdate(TypedDict):
    anchoring: ProjectConfigUpdateAnchoring
    parties: NotRequired[ProjectConfigUpdateParties | None]
    fx_policy: NotRequired[ProjectConfigUpdateFxPolicy | None]
    time_zone: NotRequired[str | None]


class ProjectFxPolicy(TypedDict):
    mode: Literal["at_record", "none", "organisation"]
    base_ccy: str | None


class ProjectInfo(TypedDict):
    id: str
    name: str
    owner_wallet: str | None
    created_at: str


class ProjectParties(TypedDict):
    initiator: MessageParty
    debtor: MessageParty
    creditor: MessageParty


class ReceiptEvent(TypedDict):
    receipt_id: str
    status: Literal["anchored", "awaiting_anchor", "failed", "pending"]
    bundle_hash: str | None
    ledger_txid: str | None
    flare_txid: str | None
    xml_url: str | None
    bundle_url: str | None
    created_at: str
    anchored_at: str | None


class ReceiptRefundedWebhook(TypedDict):
    type: Literal["receipt.refunded"]
    timestamp: str
    data: RefundEvent


class ReceiptResponse(TypedDict):
    id: str
    status: Literal["anchored", "awaiting_anchor", "failed", "pending"]
    bundle_hash: str | None
    ledger_txid: str | None
    flare_txid: str | None
    xml_url: str | None
    bundle_url: str | None
    resource_hash: str | None
    created_at: str
    anchored_at: str | None


class ReceiptSettlementWebhook(TypedDict):
    type: Literal["receipt.settlement_checked"]
    timestamp: str
    data: SettlementEvent


class ReceiptSummary(TypedDict):
    id: str
    status: Literal["anchored", "awaiting_anchor", "failed", "pending"]
    amount: str
    currency: str
    chain: str
    reference: str
    created_at: str
    anchored_at: str | None


class ReceiptWebhook(TypedDict):
    type: Literal["receipt.pending", "receipt.awaiting_anchor", "receipt.anchored", "receipt.failed"]
    timestamp: str
    data: ReceiptEvent


class ReceiptsPage(TypedDict):
    items: list[ReceiptSummary]
    total: int
    page: int
    page_size: int


class RecordTipResponse(TypedDict):
    receipt_id: str
    status: Literal["anchored", "awaiting_anchor", "failed", "pending"]


class RefundEvent(TypedDict):
    receipt_id: str
    status: Literal["anchored", "awaiting_anchor", "failed", "pending"]
    bundle_hash: str | None
    ledger_txid: str | None
    flare_txid: str | None
    xml_url: str | None
    bundle_url: str | None
    created_at: str
    anchored_at: str | None
    refund_receipt_id: str
    refund_amount: str
    refund_settled: bool


class RefundRequest(TypedDict):
    original_receipt_id: str
    reason_code: NotRequired[str | None]
    refund_tx_hash: NotRequired[str | None]
    amount: NotRequired[str | None]


class RefundResponse(TypedDict):
    refund_receipt_id: str
    status: Literal["anchored", "awaiting_anchor", "failed", "pending"]


class RegisterProjectRequest(TypedDict):
    name: str
    message: str
    signature: str


class RegisterProjectResponse(TypedDict):
    project: ProjectInfo
    api_key: str


class RequestedAnchor(TypedDict):
    anchor_id: str
    bundle_hash: str
    status: Literal["confirmed", "failed", "pending"]
    message: str


class RevenueResponse(TypedDict):
    total_revenue: str
    payment_count: int
    days: int
    currency: str
    by_endpoint: list[EndpointRevenue]
    by_day: list[DayRevenue]


class RevokedAPIKey(TypedDict):
    status: str
    id: str
    revoked_at: str | None


class SDKBuildRequest(TypedDict):
    lang: Literal["ts", "python"]
    base_url: NotRequired[str | None]
    auth: NotRequired[Literal["api_key", "none", None]]
    packaging: NotRequired[Literal["package", "sources", "npm", "pypi", "none", None]]
    families: NotRequired[list[str] | None]
    include_x402: NotRequired[bool | None]


class SettlementEvent(TypedDict):
    receipt_id: str
    status: Literal["anchored", "awaiting_anchor", "failed", "pending"]
    bundle_hash: str | None
    ledger_txid: str | None
    flare_txid: str | None
    xml_url: str | None
    bundle_url: str | None
    created_at: str
    anchored_at: str | None
    settlement_status: Literal["confirmed", "mismatch", "not_found", "reverted", "not_final", "ambiguous", "unknown_asset", "unsupported_chain", "unavailable"]


class SiweMintKeyRequest(TypedDict):
    message: str
    signature: str
    label: NotRequired[str | None]
    project_id: NotRequired[str | None]


class SiweMintKeyResponse(TypedDict):
    id: str
    label: str
    role: Literal["project", "project_admin", "viewer"]
    project_id: str
    created_at: str


class SiweVerifyRequest(TypedDict):
    message: NotRequired[str | None]
    address: NotRequired[str | None]
    nonce: NotRequired[str | None]
    signature: str


class SiweVerifyResponse(TypedDict):
    linked: bool
    address: str
    domain: str
    chain_id: int | None


class TipRecordRequest(TypedDict):
    tip_tx_hash: str
    chain: str
    amount: str
    currency: str
    sender_wallet: str
    receiver_wallet: str
    reference: str
    resource_hash: NotRequired[str | None]
    callback_url: NotRequired[str | None]


class TokenDomain(TypedDict):
    name: str
    version: str


class UnlinkedWallet(TypedDict):
    status: str
    address: str


class ValidationError(TypedDict):
    loc: list[str | int]
    msg: str
    type: str


class VerifyCidRequest(TypedDict):
    cid: str
    store: NotRequired[Literal["ipfs", "arweave", "auto", None]]
    receipt_id: NotRequired[str | None]


class VerifyPaymentRequest(TypedDict):
    payment_payload: dict[str, Any]
    payment_requirements: dict[str, Any]


class VerifyPaymentResponse(TypedDict):
    valid: bool
    payer: str | None
    reason: str | None


class VerifyRequest(TypedDict):
    bundle_url: NotRequired[str | None]
    bundle_hash: NotRequired[str | None]
    txid: NotRequired[str | None]


class VerifyResponse(TypedDict):
    matches_onchain: bool
    bundle_hash: str | None
    ledger_txid: str | None
    flare_txid: str | None
    anchored_at: str | None
    errors: list[str]


class WebhookEndpointProject(TypedDict):
    id: str


class WebhookEndpoint(TypedDict):
    id: str
    project: WebhookEndpointProject
    url: str
    description: str
    event_types: list[Literal["AGENT_ANCHORED", "PAYMENT_CORRECTED", "PAYMENT_REVERSED", "PAYMENT_SETTLED", "RECEIPT_ANCHORED", "RECEIPT_AWAITING_ANCHOR", "RECEIPT_FAILED", "RECEIPT_PENDING", "RECEIPT_REFUNDED", "RECEIPT_SETTLEMENT_CHECKED"]]
    is_enabled: bool
    disabled_at: str | None
    disabled_reason: Literal["ASKED", "FAILING", "GONE"] | None
    failing_since: str | None
    created_at: str
    updated_at: str


class WebhookEndpointWithSecret(TypedDict):
    id: str
    url: str
    event_types: list[Literal["AGENT_ANCHORED", "PAYMENT_CORRECTED", "PAYMENT_REVERSED", "PAYMENT_SETTLED", "RECEIPT_ANCHORED", "RECEIPT_AWAITING_ANCHOR", "RECEIPT_FAILED", "RECEIPT_PENDING", "RECEIPT_REFUNDED", "RECEIPT_SETTLEMENT_CHECKED"]]
    secret: str | None


class WebhookAttempt(TypedDict):
    number: int
    started_at: str
    duration_ms: int | None
    status_code: int | None
    error: Literal["CANCELLED", "CERTIFICATE", "CONNECTION_REFUSED", "CONNECTION_RESET", "INTERRUPTED", "NO_ANSWER", "NO_PUBLIC_ADDRESS", "NO_SECRET", "TIMEOUT"] | None
    answer_start: str | None


class WebhookDeliveryEndpoint1(TypedDict):
    id: str


class WebhookDeliveryReceipt1(TypedDict):
    id: str


class WebhookDelivery(TypedDict):
    id: str
    webhook_id: str
    type: Literal["AGENT_ANCHORED", "PAYMENT_CORRECTED", "PAYMENT_REVERSED", "PAYMENT_SETTLED", "RECEIPT_ANCHORED", "RECEIPT_AWAITING_ANCHOR", "RECEIPT_FAILED", "RECEIPT_PENDING", "RECEIPT_REFUNDED", "RECEIPT_SETTLEMENT_CHECKED", "WEBHOOK_TEST"]
    status: Literal["CANCELLED", "DELIVERED", "FAILED", "GONE", "WAITING"]
    endpoint: WebhookDeliveryEndpoint1 | None
    callback_url: str | None
    receipt: WebhookDeliveryReceipt1 | None
    attempt_count: int
    attempts: list[WebhookAttempt]
    next_attempt_at: str | None
    created_at: str
    finished_at: str | None


class StatementPage(TypedDict):
    name: str
    media_type: str
    sha256: str
    url: str


class StatementPages(TypedDict):
    nodes: list[StatementPage]


class Statement(TypedDict):
    id: str
    type: Literal["CAMT_052", "CAMT_053"]
    kind: Literal["COPY", "EARLIER", "PROVISIONAL", "REPORT", "SERIES"]
    status: Literal["ANCHORED", "AWAITING_ANCHOR", "PENDING"] | None
    date: str
    window: str
    time_zone: str
    starts_at: str
    ends_at: str
    count: int
    number: int | None
    opening: str | None
    closing: str | None
    url: str
    sha256: str
    zip_url: str | None
    bundle_url: str | None
    bundle_hash: str | None
    anchor_tx: str | None
    anchored_at: str | None
    created_at: str
    pages: StatementPages


class StatementAccount(TypedDict):
    id: str
    wallet: str
    chain: str
    currency: str
    balance: str
    last_number: int


class SettlementDifferencesItem(TypedDict):
    field: Literal["AMOUNT", "CURRENCY", "RECEIVER_WALLET", "SENDER_WALLET", "TRANSFER_INDEX"]
    stated: str
    found: str | None


class Settlement(TypedDict):
    status: Literal["AMBIGUOUS", "CONFIRMED", "MISMATCH", "NOT_FINAL", "NOT_FOUND", "REVERTED", "UNAVAILABLE", "UNKNOWN_ASSET", "UNSUPPORTED_CHAIN"]
    grade: Literal["OBSERVED", "PROVED", "STATED"]
    sentence: str
    checked_at: str
    is_final: bool
    asset_id: str | None
    block_number: str | None
    block_hash: str | None
    block_time: str | None
    transfer_index: int | None
    sender_wallet: str | None
    receiver_wallet: str | None
    amount: str | None
    transaction_sender: str | None
    fee: str | None
    differences: list[SettlementDifferencesItem]


class ReceiptSettlement(TypedDict):
    receipt_id: str
    is_settled: bool
    settlement: Settlement | None


AgentsAnswer: TypeAlias = "list[Agent]"


AgentAnchorsAnswer: TypeAlias = "list[AgentAnchor]"


AuditEventsAnswer: TypeAlias = "list[AuditEvent]"


ProjectsAnswer: TypeAlias = "list[ProjectInfo]"


ApiKeysAnswer: TypeAlias = "list[APIKeyInfo]"


PaymentsAnswer: TypeAlias = "list[PaymentSummary]"


PricingAnswer: TypeAlias = "list[PaidEndpoint]"


MessagesAnswer: TypeAlias = "list[ISOArtifactResponse]"


AnchorsAnswer: TypeAlias = "list[AnchorResponse]"


LinkedWalletsAnswer: TypeAlias = "list[LinkedWallet]"


class WebhookEndpointsAnswerNext(TypedDict):
    cursor: str | None
    exists: bool


class WebhookEndpointsAnswer(TypedDict):
    items: list[WebhookEndpoint]
    next: WebhookEndpointsAnswerNext


class CreateWebhookEndpointBody(TypedDict):
    url: str
    event_types: NotRequired[list[Literal["AGENT_ANCHORED", "PAYMENT_CORRECTED", "PAYMENT_REVERSED", "PAYMENT_SETTLED", "RECEIPT_ANCHORED", "RECEIPT_AWAITING_ANCHOR", "RECEIPT_FAILED", "RECEIPT_PENDING", "RECEIPT_REFUNDED", "RECEIPT_SETTLEMENT_CHECKED"]]]
    description: NotRequired[str]
    project_id: NotRequired[str]


class UpdateWebhookEndpointBody(TypedDict):
    url: NotRequired[str]
    event_types: NotRequired[list[Literal["AGENT_ANCHORED", "PAYMENT_CORRECTED", "PAYMENT_REVERSED", "PAYMENT_SETTLED", "RECEIPT_ANCHORED", "RECEIPT_AWAITING_ANCHOR", "RECEIPT_FAILED", "RECEIPT_PENDING", "RECEIPT_REFUNDED", "RECEIPT_SETTLEMENT_CHECKED"]]]
    description: NotRequired[str]


class DeleteWebhookEndpointAnswer(TypedDict):
    deleted_id: str


class RotateWebhookSecretBody(TypedDict):
    overlap_hours: NotRequired[int]


class WebhookDeliveriesAnswerNext(TypedDict):
    cursor: str | None
    exists: bool


class WebhookDeliveriesAnswer(TypedDict):
    items: list[WebhookDelivery]
    next: WebhookDeliveriesAnswerNext


class ReplayWebhookEventsBody(TypedDict):
    after: str
    until: NotRequired[str]
    include_delivered: NotRequired[bool]


class ReplayWebhookEventsAnswer(TypedDict):
    count: int
    next: str | None


class StatementsAnswerNext(TypedDict):
    cursor: str | None
    exists: bool


class StatementsAnswer(TypedDict):
    items: list[Statement]
    next: StatementsAnswerNext


class GenerateStatementBodyAccount(TypedDict):
    chain: str
    currency: str
    wallet: str


class GenerateStatementBody(TypedDict):
    date: NotRequired[str]
    window: NotRequired[str]
    account: NotRequired[GenerateStatementBodyAccount]
    project_id: NotRequired[str]


class StatementAccountsAnswerNext(TypedDict):
    cursor: str | None
    exists: bool


class StatementAccountsAnswer(TypedDict):
    items: list[StatementAccount]
    next: StatementAccountsAnswerNext
