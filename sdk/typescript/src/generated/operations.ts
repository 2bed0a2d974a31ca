// Generated from the OpenAPI document: changes are lost.
import { type CallOptions, type Connection, type StreamEvent, type StreamOptions, segment } from '../connection.js'
import { entries } from '../entries.js'
import type { APIKeyCreate, APIKeyInfo, Agent, AgentActivityQuery, AgentAiRequest, AgentAiTest, AgentAiTestRequest, AgentAnchorRequest, AgentAnchoring, AgentAnchoringRequest, AgentAnchorsAnswer, AgentAnchorsQuery, AgentCreateRequest, AgentStats, AgentStatsQuery, AgentTestAnswer, AgentTestRequest, AgentUnifiedActivity, AgentUpdateRequest, AgentsAnswer, AnchorsAnswer, ApiKeysAnswer, AssistAnswer, AssistRequest, AssistantStatus, AuditEvent, AuditEventsAnswer, AuditEventsQuery, ComplianceReport, ConfirmAnchorRequest, ConfirmAnchorResponse, CreateWebhookEndpointBody, DebugAnchorRequest, DebugAnchorResponse, DeleteWebhookEndpointAnswer, DeletedAgent, EmbedPageRedirectQuery, EvidenceKeys, FIMessageRequest, FIMessageResponse, FacilitatorConfig, GenerateStatementBody, HealthResponse, LinkedWalletsAnswer, MessagesAnswer, MessagesQuery, NonceResponse, OrgConfigModel, OrgConfigResponse, PaymentComplianceReport, PaymentReceiptRequest, PaymentReceiptResponse, PaymentResponse, PaymentSummary, PaymentsAnswer, PaymentsQuery, PremiumBulkVerifyRequest, PremiumBulkVerifyResponse, PremiumFxLookupRequest, PremiumFxLookupResponse, PremiumIsoMessageResponse, PremiumStatementQuery, PremiumStatementResponse, PriceChange, PricingAnswer, PricingUpdate, Principal, ProjectConfig, ProjectConfigUpdate, ProjectsAnswer, ReceiptEvent, ReceiptResponse, ReceiptSettlement, ReceiptSummary, ReceiptsPage, ReceiptsQuery, RecordTipResponse, RefundRequest, RefundResponse, RegisterProjectRequest, RegisterProjectResponse, ReplayWebhookEventsAnswer, ReplayWebhookEventsBody, RequestedAnchor, RevenueQuery, RevenueResponse, RevokedAPIKey, RotateWebhookSecretBody, SDKBuildRequest, SiweMintKeyRequest, SiweMintKeyResponse, SiweVerifyRequest, SiweVerifyResponse, Statement, StatementAccount, StatementAccountsAnswer, StatementAccountsQuery, StatementsAnswer, StatementsQuery, TipRecordRequest, UnlinkedWallet, UpdateWebhookEndpointBody, VerifyCidRequest, VerifyPaymentRequest, VerifyPaymentResponse, VerifyRequest, VerifyResponse, WebhookDeliveriesAnswer, WebhookDeliveriesQuery, WebhookDelivery, WebhookEndpoint, WebhookEndpointWithSecret, WebhookEndpointsAnswer, WebhookEndpointsQuery } from './types.js'

export class Operations {
  readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /** Create an agent of the caller's project. POST /v1/agents */
  createAgent(body: AgentCreateRequest, options?: CallOptions): Promise<Agent> {
    return this.connection.json({ method: 'POST', path: "/v1/agents", body }, options)
  }

  /** List the agents of the caller's project, newest first. GET /v1/agents */
  agents(options?: CallOptions): Promise<AgentsAnswer> {
    return this.connection.json({ method: 'GET', path: "/v1/agents" }, options)
  }

  /** Get an agent of the caller's project. GET /v1/agents/{agent_id} */
  agent(agent_id: string, options?: CallOptions): Promise<Agent> {
    return this.connection.json({ method: 'GET', path: "/v1/agents/" + segment(agent_id) }, options)
  }

  /** Change an agent. PUT /v1/agents/{agent_id} */
  updateAgent(agent_id: string, body?: AgentUpdateRequest, options?: CallOptions): Promise<Agent> {
    return this.connection.json({ method: 'PUT', path: "/v1/agents/" + segment(agent_id), body }, options)
  }

  /** Delete an agent. DELETE /v1/agents/{agent_id} */
  deleteAgent(agent_id: string, options?: CallOptions): Promise<DeletedAgent> {
    return this.connection.json({ method: 'DELETE', path: "/v1/agents/" + segment(agent_id) }, options)
  }

  /** Get the payments of an agent in the last days. GET /v1/agents/{agent_id}/stats */
  agentStats(agent_id: string, query?: AgentStatsQuery, options?: CallOptions): Promise<AgentStats> {
    return this.connection.json({ method: 'GET', path: "/v1/agents/" + segment(agent_id) + "/stats", query }, options)
  }

  /** Run one line of the command language of agents: `help`, `list`, `get`, `verify`, `statement`, `refund`. POST /v1/agents/{agent_id}/test */
  testAgent(agent_id: string, body?: AgentTestRequest, options?: CallOptions): Promise<AgentTestAnswer> {
    return this.connection.json({ method: 'POST', path: "/v1/agents/" + segment(agent_id) + "/test", body }, options)
  }

  /** Configure how an agent understands a sentence: `simple` by the command language, `shared` by the service's model, `custom` by a model of its own. PUT /v1/agents/{agent_id}/ai-config */
  configureAgentAi(agent_id: string, body?: AgentAiRequest, options?: CallOptions): Promise<Agent> {
    return this.connection.json({ method: 'PUT', path: "/v1/agents/" + segment(agent_id) + "/ai-config", body }, options)
  }

  /** Show into which command an agent translates a sentence. POST /v1/agents/{agent_id}/test-ai */
  testAgentAi(agent_id: string, body?: AgentAiTestRequest, options?: CallOptions): Promise<AgentAiTest> {
    return this.connection.json({ method: 'POST', path: "/v1/agents/" + segment(agent_id) + "/test-ai", body }, options)
  }

  /** Download a small agent as a starting point. POST /v1/agents/{agent_id}/download-template */
  agentTemplate(agent_id: string, options?: CallOptions): Promise<Uint8Array<ArrayBuffer>> {
    return this.connection.bytes({ method: 'POST', path: "/v1/agents/" + segment(agent_id) + "/download-template" }, options)
  }

  /** Get how the payments of an agent are anchored automatically. GET /v1/agents/{agent_id}/anchoring-config */
  agentAnchoring(agent_id: string, options?: CallOptions): Promise<AgentAnchoring> {
    return this.connection.json({ method: 'GET', path: "/v1/agents/" + segment(agent_id) + "/anchoring-config" }, options)
  }

  /** Configure automatic anchoring for an agent. PUT /v1/agents/{agent_id}/anchoring-config */
  configureAgentAnchoring(agent_id: string, body?: AgentAnchoringRequest, options?: CallOptions): Promise<AgentAnchoring> {
    return this.connection.json({ method: 'PUT', path: "/v1/agents/" + segment(agent_id) + "/anchoring-config", body }, options)
  }

  /** Anchor a hash for an agent, in the next transaction of the service. POST /v1/agents/{agent_id}/anchor */
  anchorForAgent(agent_id: string, body: AgentAnchorRequest, options?: CallOptions): Promise<RequestedAnchor> {
    return this.connection.json({ method: 'POST', path: "/v1/agents/" + segment(agent_id) + "/anchor", body }, options)
  }

  /** List the anchors of an agent, newest first. GET /v1/agents/{agent_id}/anchors */
  agentAnchors(agent_id: string, query?: AgentAnchorsQuery, options?: CallOptions): Promise<AgentAnchorsAnswer> {
    return this.connection.json({ method: 'GET', path: "/v1/agents/" + segment(agent_id) + "/anchors", query }, options)
  }

  /** List the payments and anchors of an agent together, newest first. GET /v1/agents/{agent_id}/activity-unified */
  agentActivity(agent_id: string, query?: AgentActivityQuery, options?: CallOptions): Promise<AgentUnifiedActivity> {
    return this.connection.json({ method: 'GET', path: "/v1/agents/" + segment(agent_id) + "/activity-unified", query }, options)
  }

  /** Ask the assistant about receipts of the caller's project. POST /v1/ai/assist */
  assist(body: AssistRequest, options?: CallOptions): Promise<AssistAnswer> {
    return this.connection.json({ method: 'POST', path: "/v1/ai/assist", body }, options)
  }

  /** Get whether the assistant is enabled, and its provider and model. GET /v1/ai/status */
  assistantStatus(options?: CallOptions): Promise<AssistantStatus> {
    return this.connection.json({ method: 'GET', path: "/v1/ai/status" }, options)
  }

  /** List audit events, newest first. GET /v1/audit/events */
  auditEvents(query?: AuditEventsQuery, options?: CallOptions): Promise<AuditEventsAnswer> {
    return this.connection.json({ method: 'GET', path: "/v1/audit/events", query }, options)
  }

  /** Yields every entry of `auditEvents`, page by page. */
  allAuditEvents(query?: Omit<AuditEventsQuery, 'offset'>, options?: CallOptions): AsyncGenerator<AuditEvent, void, undefined> {
    return entries<AuditEvent>('offset', query, page => this.auditEvents(page, options))
  }

  /** Get the caller: its role, its project, and whether it is a service administrator. GET /v1/auth/me */
  me(options?: CallOptions): Promise<Principal> {
    return this.connection.json({ method: 'GET', path: "/v1/auth/me" }, options)
  }

  /** List projects. GET /v1/projects */
  projects(options?: CallOptions): Promise<ProjectsAnswer> {
    return this.connection.json({ method: 'GET', path: "/v1/projects" }, options)
  }

  /** List the API keys of the caller's project. GET /v1/auth/api-keys */
  apiKeys(options?: CallOptions): Promise<ApiKeysAnswer> {
    return this.connection.json({ method: 'GET', path: "/v1/auth/api-keys" }, options)
  }

  /** Create an API key. POST /v1/auth/api-keys */
  createApiKey(body: APIKeyCreate, options?: CallOptions): Promise<APIKeyInfo> {
    return this.connection.json({ method: 'POST', path: "/v1/auth/api-keys", body }, options)
  }

  /** Revoke an API key. DELETE /v1/auth/api-keys/{id} */
  revokeApiKey(id: string, options?: CallOptions): Promise<RevokedAPIKey> {
    return this.connection.json({ method: 'DELETE', path: "/v1/auth/api-keys/" + segment(id) }, options)
  }

  /** Get the state of the service. Needs no key. GET /v1/health */
  health(options?: CallOptions): Promise<HealthResponse> {
    return this.connection.json({ method: 'GET', path: "/v1/health" }, options)
  }

  /** Get `pong`. Needs no key. GET /v1/ping */
  ping(options?: CallOptions): Promise<string> {
    return this.connection.text({ method: 'GET', path: "/v1/ping" }, options)
  }

  /** Open the page of a receipt. Needs no key. GET /receipt/{rid} */
  receiptPageRedirect(rid: string): string {
    return this.connection.url("/receipt/" + segment(rid))
  }

  /** Open the embeddable page of a receipt. Needs no key. GET /embed/receipt */
  embedPageRedirect(query?: EmbedPageRedirectQuery): string {
    return this.connection.url("/embed/receipt", query)
  }

  /** List payments to this service, newest first. GET /v1/x402/payments */
  payments(query?: PaymentsQuery, options?: CallOptions): Promise<PaymentsAnswer> {
    return this.connection.json({ method: 'GET', path: "/v1/x402/payments", query }, options)
  }

  /** Yields every entry of `payments`, page by page. */
  allPayments(query?: Omit<PaymentsQuery, 'offset'>, options?: CallOptions): AsyncGenerator<PaymentSummary, void, undefined> {
    return entries<PaymentSummary>('offset', query, page => this.payments(page, options))
  }

  /** Get a payment. GET /v1/x402/payments/{payment_id} */
  payment(payment_id: string, options?: CallOptions): Promise<PaymentResponse> {
    return this.connection.json({ method: 'GET', path: "/v1/x402/payments/" + segment(payment_id) }, options)
  }

  /** Record a settled payment as a receipt. POST /v1/x402/payments/{payment_id}/receipt */
  recordPayment(payment_id: string, body?: PaymentReceiptRequest, options?: CallOptions): Promise<PaymentReceiptResponse> {
    return this.connection.json({ method: 'POST', path: "/v1/x402/payments/" + segment(payment_id) + "/receipt", body }, options)
  }

  /** Get the compliance checks of a payment, made before it was charged. GET /v1/x402/payments/{payment_id}/compliance-checks */
  paymentComplianceChecks(payment_id: string, options?: CallOptions): Promise<PaymentComplianceReport> {
    return this.connection.json({ method: 'GET', path: "/v1/x402/payments/" + segment(payment_id) + "/compliance-checks" }, options)
  }

  /** Get the revenue of the last days. GET /v1/x402/revenue */
  revenue(query?: RevenueQuery, options?: CallOptions): Promise<RevenueResponse> {
    return this.connection.json({ method: 'GET', path: "/v1/x402/revenue", query }, options)
  }

  /** Get the configuration of the x402 facilitator. GET /v1/x402/facilitator-config */
  facilitatorConfig(options?: CallOptions): Promise<FacilitatorConfig> {
    return this.connection.json({ method: 'GET', path: "/v1/x402/facilitator-config" }, options)
  }

  /** Check whether a payment would be accepted. POST /v1/x402/verify-payment */
  verifyPayment(body: VerifyPaymentRequest, options?: CallOptions): Promise<VerifyPaymentResponse> {
    return this.connection.json({ method: 'POST', path: "/v1/x402/verify-payment", body }, options)
  }

  /** Look up an exchange rate. Paid for by x402. Needs no key. POST /v1/x402/premium/fx-lookup */
  premiumFxLookup(body?: PremiumFxLookupRequest, options?: CallOptions): Promise<PremiumFxLookupResponse> {
    return this.connection.json({ method: 'POST', path: "/v1/x402/premium/fx-lookup", body, isPaid: true }, options)
  }

  /** Verify a bundle as `/v1/iso/verify` does. Paid for by x402. Needs no key. POST /v1/x402/premium/verify-bundle */
  premiumVerifyBundle(body: VerifyRequest, options?: CallOptions): Promise<VerifyResponse> {
    return this.connection.json({ method: 'POST', path: "/v1/x402/premium/verify-bundle", body, isPaid: true }, options)
  }

  /** Generate a statement of a day. Paid for by x402. Needs no key. POST /v1/x402/premium/generate-statement */
  premiumStatement(query?: PremiumStatementQuery, options?: CallOptions): Promise<PremiumStatementResponse> {
    return this.connection.json({ method: 'POST', path: "/v1/x402/premium/generate-statement", query, isPaid: true }, options)
  }

  /** Get the newest ISO message of a type, with its XML. Paid for by x402. Needs no key. GET /v1/x402/premium/iso-message/{receipt_id}/{type} */
  premiumIsoMessage(receipt_id: string, type: string, options?: CallOptions): Promise<PremiumIsoMessageResponse> {
    return this.connection.json({ method: 'GET', path: "/v1/x402/premium/iso-message/" + segment(receipt_id) + "/" + segment(type), isPaid: true }, options)
  }

  /** Verify up to 100 bundles as `/v1/iso/verify` does. Paid for by x402. Needs no key. POST /v1/x402/premium/bulk-verify */
  premiumBulkVerify(body?: PremiumBulkVerifyRequest, options?: CallOptions): Promise<PremiumBulkVerifyResponse> {
    return this.connection.json({ method: 'POST', path: "/v1/x402/premium/bulk-verify", body, isPaid: true }, options)
  }

  /** Record that an anchored receipt's payment was given back, as `/v1/iso/refund` does. Paid for by x402. Needs no key. POST /v1/x402/premium/refund */
  premiumRefund(body: RefundRequest, options?: CallOptions): Promise<RefundResponse> {
    return this.connection.json({ method: 'POST', path: "/v1/x402/premium/refund", body, isPaid: true }, options)
  }

  /** List the prices of all paid operations. Needs no key. GET /v1/x402/pricing */
  pricing(options?: CallOptions): Promise<PricingAnswer> {
    return this.connection.json({ method: 'GET', path: "/v1/x402/pricing" }, options)
  }

  /** Change prices. POST /v1/x402/pricing */
  setPricing(body: PriceChange, options?: CallOptions): Promise<PricingUpdate> {
    return this.connection.json({ method: 'POST', path: "/v1/x402/pricing", body }, options)
  }

  /** Get the configuration of a project: who sends its anchor transactions, on which chains, the parties in its messages, whether its receipts get a fiat equivalent, and the time zone of its statements. GET /v1/projects/{project_id}/config */
  projectConfig(project_id: string, options?: CallOptions): Promise<ProjectConfig> {
    return this.connection.json({ method: 'GET', path: "/v1/projects/" + segment(project_id) + "/config" }, options)
  }

  /** Configure a project. PUT /v1/projects/{project_id}/config */
  configureProject(project_id: string, body: ProjectConfigUpdate, options?: CallOptions): Promise<ProjectConfig> {
    return this.connection.json({ method: 'PUT', path: "/v1/projects/" + segment(project_id) + "/config", body }, options)
  }

  /** Record a payment that already happened on a chain. POST /v1/iso/record-tip */
  recordTip(body: TipRecordRequest, options?: CallOptions): Promise<RecordTipResponse> {
    return this.connection.json({ method: 'POST', path: "/v1/iso/record-tip", body }, options)
  }

  /** Get a receipt: its status, links and hashes. Needs no key. GET /v1/iso/receipts/{rid} */
  receipt(rid: string, options?: CallOptions): Promise<ReceiptResponse> {
    return this.connection.json({ method: 'GET', path: "/v1/iso/receipts/" + segment(rid) }, options)
  }

  /** List receipts by page number, newest first. GET /v1/receipts */
  receipts(query?: ReceiptsQuery, options?: CallOptions): Promise<ReceiptsPage> {
    return this.connection.json({ method: 'GET', path: "/v1/receipts", query }, options)
  }

  /** Yields every entry of `receipts`, page by page. */
  allReceipts(query?: Omit<ReceiptsQuery, 'page'>, options?: CallOptions): AsyncGenerator<ReceiptSummary, void, undefined> {
    return entries<ReceiptSummary>('page', query, page => this.receipts(page, options))
  }

  /** List the messages generated for a receipt, the newest of each type. Needs no key. GET /v1/iso/messages/{rid} */
  messages(rid: string, query?: MessagesQuery, options?: CallOptions): Promise<MessagesAnswer> {
    return this.connection.json({ method: 'GET', path: "/v1/iso/messages/" + segment(rid), query }, options)
  }

  /** Follow a receipt by server-sent events: its present state, then each change. Needs no key. GET /v1/iso/events/{rid} */
  events(rid: string, options?: StreamOptions): AsyncGenerator<StreamEvent<ReceiptEvent>, void, undefined> {
    return this.connection.events("/v1/iso/events/" + segment(rid), options)
  }

  /** List the confirmed anchors of a receipt, one for each chain. Needs no key. GET /v1/anchors/{rid} */
  anchors(rid: string, options?: CallOptions): Promise<AnchorsAnswer> {
    return this.connection.json({ method: 'GET', path: "/v1/anchors/" + segment(rid) }, options)
  }

  /** Get the compliance checks of a receipt of the caller's project. GET /v1/receipts/{receipt_id}/compliance-checks */
  complianceChecks(receipt_id: string, options?: CallOptions): Promise<ComplianceReport> {
    return this.connection.json({ method: 'GET', path: "/v1/receipts/" + segment(receipt_id) + "/compliance-checks" }, options)
  }

  /** Download a file of a receipt or a statement. Needs no key. GET /files/{rid}/{name} */
  file(rid: string, name: string, options?: CallOptions): Promise<Uint8Array<ArrayBuffer>> {
    return this.connection.bytes({ method: 'GET', path: "/files/" + segment(rid) + "/" + segment(name) }, options)
  }

  /** Build a client of this API as a ZIP: `ts` or `python`, typed, without dependencies. Needs no key. POST /v1/sdk/build */
  buildSdk(body: SDKBuildRequest, options?: CallOptions): Promise<Uint8Array<ArrayBuffer>> {
    return this.connection.bytes({ method: 'POST', path: "/v1/sdk/build", body }, options)
  }

  /** Get the configuration of the organisation: its names and codes in messages, and which messages are made. GET /v1/config */
  organisation(options?: CallOptions): Promise<OrgConfigResponse> {
    return this.connection.json({ method: 'GET', path: "/v1/config" }, options)
  }

  /** Replace the configuration of the organisation. PUT /v1/config */
  configureOrganisation(body: OrgConfigModel, options?: CallOptions): Promise<OrgConfigResponse> {
    return this.connection.json({ method: 'PUT', path: "/v1/config", body }, options)
  }

  /** Get a one-time nonce and the domain for an EIP-4361 message. Needs no key. GET /v1/auth/nonce */
  nonce(options?: CallOptions): Promise<NonceResponse> {
    return this.connection.json({ method: 'GET', path: "/v1/auth/nonce" }, options)
  }

  /** Register a project with a wallet's signature. Needs no key. POST /v1/projects/register */
  registerProject(body: RegisterProjectRequest, options?: CallOptions): Promise<RegisterProjectResponse> {
    return this.connection.json({ method: 'POST', path: "/v1/projects/register", body }, options)
  }

  /** Prove control of a wallet, by `message` and `signature`, or in the older form by `address`, `nonce` and a signature over the nonce. Needs no key. POST /v1/auth/siwe-verify */
  siweVerify(body: SiweVerifyRequest, options?: CallOptions): Promise<SiweVerifyResponse> {
    return this.connection.json({ method: 'POST', path: "/v1/auth/siwe-verify", body }, options)
  }

  /** Mint a project_admin key with the wallet that owns the project, for example when the other keys are lost. Needs no key. POST /v1/auth/siwe-mint-key */
  siweMintKey(body: SiweMintKeyRequest, options?: CallOptions): Promise<SiweMintKeyResponse> {
    return this.connection.json({ method: 'POST', path: "/v1/auth/siwe-mint-key", body }, options)
  }

  /** List the wallets linked to the caller's project, oldest first. GET /v1/auth/linked-wallets */
  linkedWallets(options?: CallOptions): Promise<LinkedWalletsAnswer> {
    return this.connection.json({ method: 'GET', path: "/v1/auth/linked-wallets" }, options)
  }

  /** Unlink a wallet from the caller's project. DELETE /v1/auth/linked-wallets/{address} */
  unlinkWallet(address: string, options?: CallOptions): Promise<UnlinkedWallet> {
    return this.connection.json({ method: 'DELETE', path: "/v1/auth/linked-wallets/" + segment(address) }, options)
  }

  /** Verify a bundle against the chain, by its URL, its hash or its anchor transaction. Needs no key. POST /v1/iso/verify */
  verify(body: VerifyRequest, options?: CallOptions): Promise<VerifyResponse> {
    return this.connection.json({ method: 'POST', path: "/v1/iso/verify", body }, options)
  }

  /** Verify a bundle by its id in IPFS or Arweave. Needs no key. POST /v1/iso/verify-cid */
  verifyCid(body: VerifyCidRequest, options?: CallOptions): Promise<VerifyResponse> {
    return this.connection.json({ method: 'POST', path: "/v1/iso/verify-cid", body }, options)
  }

  /** List the public keys that bundles are verified against, with their validity. Needs no key. GET /.well-known/evidence-keys.json */
  evidenceKeys(options?: CallOptions): Promise<EvidenceKeys> {
    return this.connection.json({ method: 'GET', path: "/.well-known/evidence-keys.json" }, options)
  }

  /** Confirm the transaction in which a project in tenant mode anchored a receipt itself. POST /v1/iso/confirm-anchor */
  confirmAnchor(body: ConfirmAnchorRequest, options?: CallOptions): Promise<ConfirmAnchorResponse> {
    return this.connection.json({ method: 'POST', path: "/v1/iso/confirm-anchor", body }, options)
  }

  /** Anchor any hash on the default chain, to see that anchoring works. POST /v1/debug/anchor */
  debugAnchor(body: DebugAnchorRequest, options?: CallOptions): Promise<DebugAnchorResponse> {
    return this.connection.json({ method: 'POST', path: "/v1/debug/anchor", body }, options)
  }

  /** Generate a cancellation request (camt.056) about a receipt. POST /v1/iso/camt056/{rid} */
  camt056(rid: string, body?: FIMessageRequest, options?: CallOptions): Promise<FIMessageResponse> {
    return this.connection.json({ method: 'POST', path: "/v1/iso/camt056/" + segment(rid), body }, options)
  }

  /** Generate a resolution of investigation (camt.029) about a receipt. POST /v1/iso/camt029/{rid} */
  camt029(rid: string, body?: FIMessageRequest, options?: CallOptions): Promise<FIMessageResponse> {
    return this.connection.json({ method: 'POST', path: "/v1/iso/camt029/" + segment(rid), body }, options)
  }

  /** Generate a reversal (pacs.007) about a receipt. POST /v1/iso/pacs007/{rid} */
  pacs007(rid: string, body?: FIMessageRequest, options?: CallOptions): Promise<FIMessageResponse> {
    return this.connection.json({ method: 'POST', path: "/v1/iso/pacs007/" + segment(rid), body }, options)
  }

  /** Generate an institution credit transfer (pacs.009) about a receipt. POST /v1/iso/pacs009/{rid} */
  pacs009(rid: string, options?: CallOptions): Promise<FIMessageResponse> {
    return this.connection.json({ method: 'POST', path: "/v1/iso/pacs009/" + segment(rid) }, options)
  }

  /** Record that the payment of an anchored receipt was returned. POST /v1/iso/refund */
  refund(body: RefundRequest, options?: CallOptions): Promise<RefundResponse> {
    return this.connection.json({ method: 'POST', path: "/v1/iso/refund", body }, options)
  }

  /** Get how the payment of a receipt was checked on its own chain. query receipt */
  receiptSettlement(receipt_id: string, options?: CallOptions): Promise<ReceiptSettlement> {
    return this.connection.graphql({ document: "query receiptSettlement($receipt_id:ID!){receipt(id:$receipt_id){...ReceiptSettlement}}fragment ReceiptSettlement on Receipt{receipt_id:id is_settled:isSettled settlement{...Settlement}}fragment Settlement on Settlement{status grade sentence checked_at:checkedAt is_final:isFinal asset_id:assetId block_number:blockNumber block_hash:blockHash block_time:blockTime transfer_index:transferIndex sender_wallet:senderWallet receiver_wallet:receiverWallet amount transaction_sender:transactionSender fee differences{field stated found}}", path: ["receipt"], variables: { receipt_id }, isWrite: false }, options)
  }

  /** List the webhook endpoints of the caller's project, newest first. query webhookEndpoints */
  webhookEndpoints(query?: WebhookEndpointsQuery, options?: CallOptions): Promise<WebhookEndpointsAnswer> {
    return this.connection.graphql({ document: "query webhookEndpoints($limit:Int$after:String){webhookEndpoints(first:$limit after:$after){items:nodes{...WebhookEndpoint}next:pageInfo{cursor:endCursor exists:hasNextPage}}}fragment WebhookEndpoint on WebhookEndpoint{id project{id}url description event_types:eventTypes is_enabled:isEnabled disabled_at:disabledAt disabled_reason:disabledReason failing_since:failingSince created_at:createdAt updated_at:updatedAt}", path: ["webhookEndpoints"], variables: { ...query }, isWrite: false }, options)
  }

  /** Yields every entry of `webhookEndpoints`, page by page. */
  allWebhookEndpoints(query?: Omit<WebhookEndpointsQuery, 'after'>, options?: CallOptions): AsyncGenerator<WebhookEndpoint, void, undefined> {
    return entries<WebhookEndpoint>('cursor', query, page => this.webhookEndpoints(page, options))
  }

  /** Get a webhook endpoint. query webhookEndpoint */
  webhookEndpoint(endpoint_id: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.connection.graphql({ document: "query webhookEndpoint($endpoint_id:ID!){webhookEndpoint(id:$endpoint_id){...WebhookEndpoint}}fragment WebhookEndpoint on WebhookEndpoint{id project{id}url description event_types:eventTypes is_enabled:isEnabled disabled_at:disabledAt disabled_reason:disabledReason failing_since:failingSince created_at:createdAt updated_at:updatedAt}", path: ["webhookEndpoint"], variables: { endpoint_id }, isWrite: false }, options)
  }

  /** Get the present secret of a webhook endpoint. query webhookEndpoint */
  webhookSecret(endpoint_id: string, options?: CallOptions): Promise<WebhookEndpointWithSecret> {
    return this.connection.graphql({ document: "query webhookSecret($endpoint_id:ID!){webhookEndpoint(id:$endpoint_id){...WebhookEndpointWithSecret}}fragment WebhookEndpointWithSecret on WebhookEndpoint{id url event_types:eventTypes secret}", path: ["webhookEndpoint"], variables: { endpoint_id }, isWrite: false }, options)
  }

  /** Create a webhook endpoint; the answer has its secret. mutation createWebhookEndpoint */
  createWebhookEndpoint(body: CreateWebhookEndpointBody, options?: CallOptions): Promise<WebhookEndpointWithSecret> {
    return this.connection.graphql({ document: "mutation createWebhookEndpoint($url:URL!$event_types:[WebhookEventType!]$description:String$project_id:ID){createWebhookEndpoint(input:{url:$url eventTypes:$event_types description:$description projectId:$project_id}){webhookEndpoint{...WebhookEndpointWithSecret}}}fragment WebhookEndpointWithSecret on WebhookEndpoint{id url event_types:eventTypes secret}", path: ["createWebhookEndpoint","webhookEndpoint"], variables: { ...body }, isWrite: true }, options)
  }

  /** Change a webhook endpoint; what is not given is unchanged. mutation updateWebhookEndpoint */
  updateWebhookEndpoint(endpoint_id: string, body?: UpdateWebhookEndpointBody, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.connection.graphql({ document: "mutation updateWebhookEndpoint($endpoint_id:ID!$url:URL$event_types:[WebhookEventType!]$description:String){updateWebhookEndpoint(input:{id:$endpoint_id url:$url eventTypes:$event_types description:$description}){webhookEndpoint{...WebhookEndpoint}}}fragment WebhookEndpoint on WebhookEndpoint{id project{id}url description event_types:eventTypes is_enabled:isEnabled disabled_at:disabledAt disabled_reason:disabledReason failing_since:failingSince created_at:createdAt updated_at:updatedAt}", path: ["updateWebhookEndpoint","webhookEndpoint"], variables: { ...body, endpoint_id }, isWrite: true }, options)
  }

  /** Delete a webhook endpoint. mutation deleteWebhookEndpoint */
  deleteWebhookEndpoint(endpoint_id: string, options?: CallOptions): Promise<DeleteWebhookEndpointAnswer> {
    return this.connection.graphql({ document: "mutation deleteWebhookEndpoint($endpoint_id:ID!){deleteWebhookEndpoint(input:{id:$endpoint_id}){deleted_id:deletedWebhookEndpointId}}", path: ["deleteWebhookEndpoint"], variables: { endpoint_id }, isWrite: true }, options)
  }

  /** Enable a webhook endpoint. mutation enableWebhookEndpoint */
  enableWebhookEndpoint(endpoint_id: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.connection.graphql({ document: "mutation enableWebhookEndpoint($endpoint_id:ID!){enableWebhookEndpoint(input:{id:$endpoint_id}){webhookEndpoint{...WebhookEndpoint}}}fragment WebhookEndpoint on WebhookEndpoint{id project{id}url description event_types:eventTypes is_enabled:isEnabled disabled_at:disabledAt disabled_reason:disabledReason failing_since:failingSince created_at:createdAt updated_at:updatedAt}", path: ["enableWebhookEndpoint","webhookEndpoint"], variables: { endpoint_id }, isWrite: true }, options)
  }

  /** Disable a webhook endpoint. mutation disableWebhookEndpoint */
  disableWebhookEndpoint(endpoint_id: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.connection.graphql({ document: "mutation disableWebhookEndpoint($endpoint_id:ID!){disableWebhookEndpoint(input:{id:$endpoint_id}){webhookEndpoint{...WebhookEndpoint}}}fragment WebhookEndpoint on WebhookEndpoint{id project{id}url description event_types:eventTypes is_enabled:isEnabled disabled_at:disabledAt disabled_reason:disabledReason failing_since:failingSince created_at:createdAt updated_at:updatedAt}", path: ["disableWebhookEndpoint","webhookEndpoint"], variables: { endpoint_id }, isWrite: true }, options)
  }

  /** Send the test event to a webhook endpoint. mutation testWebhookEndpoint */
  testWebhookEndpoint(endpoint_id: string, options?: CallOptions): Promise<WebhookDelivery> {
    return this.connection.graphql({ document: "mutation testWebhookEndpoint($endpoint_id:ID!){testWebhookEndpoint(input:{id:$endpoint_id}){webhookDelivery{...WebhookDelivery}}}fragment WebhookDelivery on WebhookDelivery{id webhook_id:webhookId type status endpoint{id}callback_url:callbackUrl receipt{id}attempt_count:attemptCount attempts{...WebhookAttempt}next_attempt_at:nextAttemptAt created_at:createdAt finished_at:finishedAt}fragment WebhookAttempt on WebhookAttempt{number started_at:startedAt duration_ms:durationMs status_code:statusCode error answer_start:answerStart}", path: ["testWebhookEndpoint","webhookDelivery"], variables: { endpoint_id }, isWrite: true }, options)
  }

  /** Give a webhook endpoint a new secret; the present one signs beside it for `overlap_hours`, 24 unless given. mutation rotateWebhookSecret */
  rotateWebhookSecret(endpoint_id: string, body?: RotateWebhookSecretBody, options?: CallOptions): Promise<WebhookEndpointWithSecret> {
    return this.connection.graphql({ document: "mutation rotateWebhookSecret($endpoint_id:ID!$overlap_hours:Int){rotateWebhookSecret(input:{id:$endpoint_id overlapHours:$overlap_hours}){webhookEndpoint{...WebhookEndpointWithSecret}}}fragment WebhookEndpointWithSecret on WebhookEndpoint{id url event_types:eventTypes secret}", path: ["rotateWebhookSecret","webhookEndpoint"], variables: { ...body, endpoint_id }, isWrite: true }, options)
  }

  /** List the deliveries of events of the caller's project, newest first, with their attempts. query webhookDeliveries */
  webhookDeliveries(query?: WebhookDeliveriesQuery, options?: CallOptions): Promise<WebhookDeliveriesAnswer> {
    return this.connection.graphql({ document: "query webhookDeliveries($endpoint:ID$receipt:ID$statuses:[WebhookDeliveryStatus!]$limit:Int$after:String){webhookDeliveries(filter:{endpointId:$endpoint receiptId:$receipt statuses:$statuses}first:$limit after:$after){items:nodes{...WebhookDelivery}next:pageInfo{cursor:endCursor exists:hasNextPage}}}fragment WebhookDelivery on WebhookDelivery{id webhook_id:webhookId type status endpoint{id}callback_url:callbackUrl receipt{id}attempt_count:attemptCount attempts{...WebhookAttempt}next_attempt_at:nextAttemptAt created_at:createdAt finished_at:finishedAt}fragment WebhookAttempt on WebhookAttempt{number started_at:startedAt duration_ms:durationMs status_code:statusCode error answer_start:answerStart}", path: ["webhookDeliveries"], variables: { ...query }, isWrite: false }, options)
  }

  /** Yields every entry of `webhookDeliveries`, page by page. */
  allWebhookDeliveries(query?: Omit<WebhookDeliveriesQuery, 'after'>, options?: CallOptions): AsyncGenerator<WebhookDelivery, void, undefined> {
    return entries<WebhookDelivery>('cursor', query, page => this.webhookDeliveries(page, options))
  }

  /** Send a delivery again. mutation replayWebhookDelivery */
  replayWebhookDelivery(delivery_id: string, options?: CallOptions): Promise<WebhookDelivery> {
    return this.connection.graphql({ document: "mutation replayWebhookDelivery($delivery_id:ID!){replayWebhookDelivery(input:{id:$delivery_id}){webhookDelivery{...WebhookDelivery}}}fragment WebhookDelivery on WebhookDelivery{id webhook_id:webhookId type status endpoint{id}callback_url:callbackUrl receipt{id}attempt_count:attemptCount attempts{...WebhookAttempt}next_attempt_at:nextAttemptAt created_at:createdAt finished_at:finishedAt}fragment WebhookAttempt on WebhookAttempt{number started_at:startedAt duration_ms:durationMs status_code:statusCode error answer_start:answerStart}", path: ["replayWebhookDelivery","webhookDelivery"], variables: { delivery_id }, isWrite: true }, options)
  }

  /** Send the events after `after` to a webhook endpoint again; `next` is the `after` of the next call. mutation replayWebhookEvents */
  replayWebhookEvents(endpoint_id: string, body: ReplayWebhookEventsBody, options?: CallOptions): Promise<ReplayWebhookEventsAnswer> {
    return this.connection.graphql({ document: "mutation replayWebhookEvents($endpoint_id:ID!$after:ID!$until:ID$include_delivered:Boolean){replayWebhookEvents(input:{endpointId:$endpoint_id after:$after until:$until includeDelivered:$include_delivered}){count next}}", path: ["replayWebhookEvents"], variables: { ...body, endpoint_id }, isWrite: true }, options)
  }

  /** List the statements of the key's project, newest first. query me */
  statements(query?: StatementsQuery, options?: CallOptions): Promise<StatementsAnswer> {
    return this.connection.graphql({ document: "query statements($account:ID$since:Date$until:Date$limit:Int$after:String){me{project{statements(filter:{account:$account date:{since:$since until:$until}}first:$limit after:$after){items:nodes{...Statement}next:pageInfo{cursor:endCursor exists:hasNextPage}}}}}fragment Statement on Statement{id type kind status date window time_zone:timeZone starts_at:from ends_at:to count number opening closing url sha256 zip_url:zipUrl bundle_url:bundleUrl bundle_hash:bundleHash anchor_tx:anchorTx anchored_at:anchoredAt created_at:createdAt pages(first:100){nodes{...StatementPage}}}fragment StatementPage on Artifact{name media_type:mediaType sha256 url}", path: ["me","project","statements"], variables: { ...query }, isWrite: false }, options)
  }

  /** Yields every entry of `statements`, page by page. */
  allStatements(query?: Omit<StatementsQuery, 'after'>, options?: CallOptions): AsyncGenerator<Statement, void, undefined> {
    return entries<Statement>('cursor', query, page => this.statements(page, options))
  }

  /** Get a statement. query statement */
  statement(statement_id: string, options?: CallOptions): Promise<Statement> {
    return this.connection.graphql({ document: "query statement($statement_id:ID!){statement(id:$statement_id){...Statement}}fragment Statement on Statement{id type kind status date window time_zone:timeZone starts_at:from ends_at:to count number opening closing url sha256 zip_url:zipUrl bundle_url:bundleUrl bundle_hash:bundleHash anchor_tx:anchorTx anchored_at:anchoredAt created_at:createdAt pages(first:100){nodes{...StatementPage}}}fragment StatementPage on Artifact{name media_type:mediaType sha256 url}", path: ["statement"], variables: { statement_id }, isWrite: false }, options)
  }

  /** Make the statement of a day, today unless given, or of a part of a day. mutation generateStatement */
  generateStatement(body?: GenerateStatementBody, options?: CallOptions): Promise<Statement> {
    return this.connection.graphql({ document: "mutation generateStatement($date:Date$window:String$account:StatementAccountKeyInput$project_id:ID){generateStatement(input:{date:$date window:$window account:$account projectId:$project_id}){statement{...Statement}}}fragment Statement on Statement{id type kind status date window time_zone:timeZone starts_at:from ends_at:to count number opening closing url sha256 zip_url:zipUrl bundle_url:bundleUrl bundle_hash:bundleHash anchor_tx:anchorTx anchored_at:anchoredAt created_at:createdAt pages(first:100){nodes{...StatementPage}}}fragment StatementPage on Artifact{name media_type:mediaType sha256 url}", path: ["generateStatement","statement"], variables: { ...body }, isWrite: true }, options)
  }

  /** List the accounts of the key's project that have a series of statements, with their balances. query me */
  statementAccounts(query?: StatementAccountsQuery, options?: CallOptions): Promise<StatementAccountsAnswer> {
    return this.connection.graphql({ document: "query statementAccounts($limit:Int$after:String){me{project{statementAccounts(first:$limit after:$after){items:nodes{...StatementAccount}next:pageInfo{cursor:endCursor exists:hasNextPage}}}}}fragment StatementAccount on StatementAccount{id wallet chain currency balance last_number:lastNumber}", path: ["me","project","statementAccounts"], variables: { ...query }, isWrite: false }, options)
  }

  /** Yields every entry of `statementAccounts`, page by page. */
  allStatementAccounts(query?: Omit<StatementAccountsQuery, 'after'>, options?: CallOptions): AsyncGenerator<StatementAccount, void, undefined> {
    return entries<StatementAccount>('cursor', query, page => this.statementAccounts(page, options))
  }
}
