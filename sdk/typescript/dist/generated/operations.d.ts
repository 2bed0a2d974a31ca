import { type CallOptions, type Connection, type StreamEvent, type StreamOptions } from '../connection.js';
import type { APIKeyCreate, APIKeyInfo, Agent, AgentActivityQuery, AgentAiRequest, AgentAiTest, AgentAiTestRequest, AgentAnchorRequest, AgentAnchoring, AgentAnchoringRequest, AgentAnchorsAnswer, AgentAnchorsQuery, AgentCreateRequest, AgentStats, AgentStatsQuery, AgentTestAnswer, AgentTestRequest, AgentUnifiedActivity, AgentUpdateRequest, AgentsAnswer, AnchorsAnswer, ApiKeysAnswer, AssistAnswer, AssistRequest, AssistantStatus, AuditEvent, AuditEventsAnswer, AuditEventsQuery, ComplianceReport, ConfirmAnchorRequest, ConfirmAnchorResponse, CreateWebhookEndpointBody, DebugAnchorRequest, DebugAnchorResponse, DeleteWebhookEndpointAnswer, DeletedAgent, EmbedPageRedirectQuery, EvidenceKeys, FIMessageRequest, FIMessageResponse, FacilitatorConfig, GenerateStatementBody, HealthResponse, LinkedWalletsAnswer, MessagesAnswer, MessagesQuery, NonceResponse, OrgConfigModel, OrgConfigResponse, PaymentComplianceReport, PaymentReceiptRequest, PaymentReceiptResponse, PaymentResponse, PaymentSummary, PaymentsAnswer, PaymentsQuery, PremiumBulkVerifyRequest, PremiumBulkVerifyResponse, PremiumFxLookupRequest, PremiumFxLookupResponse, PremiumIsoMessageResponse, PremiumStatementQuery, PremiumStatementResponse, PriceChange, PricingAnswer, PricingUpdate, Principal, ProjectConfig, ProjectConfigUpdate, ProjectsAnswer, ReceiptEvent, ReceiptResponse, ReceiptSettlement, ReceiptSummary, ReceiptsPage, ReceiptsQuery, RecordTipResponse, RefundRequest, RefundResponse, RegisterProjectRequest, RegisterProjectResponse, ReplayWebhookEventsAnswer, ReplayWebhookEventsBody, RequestedAnchor, RevenueQuery, RevenueResponse, RevokedAPIKey, RotateWebhookSecretBody, SDKBuildRequest, SiweMintKeyRequest, SiweMintKeyResponse, SiweVerifyRequest, SiweVerifyResponse, Statement, StatementAccount, StatementAccountsAnswer, StatementAccountsQuery, StatementsAnswer, StatementsQuery, TipRecordRequest, UnlinkedWallet, UpdateWebhookEndpointBody, VerifyCidRequest, VerifyPaymentRequest, VerifyPaymentResponse, VerifyRequest, VerifyResponse, WebhookDeliveriesAnswer, WebhookDeliveriesQuery, WebhookDelivery, WebhookEndpoint, WebhookEndpointWithSecret, WebhookEndpointsAnswer, WebhookEndpointsQuery } from './types.js';
export declare class Operations {
    readonly connection: Connection;
    constructor(connection: Connection);
    /** Create an agent of the caller's project. POST /v1/agents */
    createAgent(body: AgentCreateRequest, options?: CallOptions): Promise<Agent>;
    /** List the agents of the caller's project, newest first. GET /v1/agents */
    agents(options?: CallOptions): Promise<AgentsAnswer>;
    /** Get an agent of the caller's project. GET /v1/agents/{agent_id} */
    agent(agent_id: string, options?: CallOptions): Promise<Agent>;
    /** Change an agent. PUT /v1/agents/{agent_id} */
    updateAgent(agent_id: string, body?: AgentUpdateRequest, options?: CallOptions): Promise<Agent>;
    /** Delete an agent. DELETE /v1/agents/{agent_id} */
    deleteAgent(agent_id: string, options?: CallOptions): Promise<DeletedAgent>;
    /** Get the payments of an agent in the last days. GET /v1/agents/{agent_id}/stats */
    agentStats(agent_id: string, query?: AgentStatsQuery, options?: CallOptions): Promise<AgentStats>;
    /** Run one line of the command language of agents: `help`, `list`, `get`, `verify`, `statement`, `refund`. POST /v1/agents/{agent_id}/test */
    testAgent(agent_id: string, body?: AgentTestRequest, options?: CallOptions): Promise<AgentTestAnswer>;
    /** Configure how an agent understands a sentence: `simple` by the command language, `shared` by the service's model, `custom` by a model of its own. PUT /v1/agents/{agent_id}/ai-config */
    configureAgentAi(agent_id: string, body?: AgentAiRequest, options?: CallOptions): Promise<Agent>;
    /** Show into which command an agent translates a sentence. POST /v1/agents/{agent_id}/test-ai */
    testAgentAi(agent_id: string, body?: AgentAiTestRequest, options?: CallOptions): Promise<AgentAiTest>;
    /** Download a small agent as a starting point. POST /v1/agents/{agent_id}/download-template */
    agentTemplate(agent_id: string, options?: CallOptions): Promise<Uint8Array<ArrayBuffer>>;
    /** Get how the payments of an agent are anchored automatically. GET /v1/agents/{agent_id}/anchoring-config */
    agentAnchoring(agent_id: string, options?: CallOptions): Promise<AgentAnchoring>;
    /** Configure automatic anchoring for an agent. PUT /v1/agents/{agent_id}/anchoring-config */
    configureAgentAnchoring(agent_id: string, body?: AgentAnchoringRequest, options?: CallOptions): Promise<AgentAnchoring>;
    /** Anchor a hash for an agent, in the next transaction of the service. POST /v1/agents/{agent_id}/anchor */
    anchorForAgent(agent_id: string, body: AgentAnchorRequest, options?: CallOptions): Promise<RequestedAnchor>;
    /** List the anchors of an agent, newest first. GET /v1/agents/{agent_id}/anchors */
    agentAnchors(agent_id: string, query?: AgentAnchorsQuery, options?: CallOptions): Promise<AgentAnchorsAnswer>;
    /** List the payments and anchors of an agent together, newest first. GET /v1/agents/{agent_id}/activity-unified */
    agentActivity(agent_id: string, query?: AgentActivityQuery, options?: CallOptions): Promise<AgentUnifiedActivity>;
    /** Ask the assistant about receipts of the caller's project. POST /v1/ai/assist */
    assist(body: AssistRequest, options?: CallOptions): Promise<AssistAnswer>;
    /** Get whether the assistant is enabled, and its provider and model. GET /v1/ai/status */
    assistantStatus(options?: CallOptions): Promise<AssistantStatus>;
    /** List audit events, newest first. GET /v1/audit/events */
    auditEvents(query?: AuditEventsQuery, options?: CallOptions): Promise<AuditEventsAnswer>;
    /** Yields every entry of `auditEvents`, page by page. */
    allAuditEvents(query?: Omit<AuditEventsQuery, 'offset'>, options?: CallOptions): AsyncGenerator<AuditEvent, void, undefined>;
    /** Get the caller: its role, its project, and whether it is a service administrator. GET /v1/auth/me */
    me(options?: CallOptions): Promise<Principal>;
    /** List projects. GET /v1/projects */
    projects(options?: CallOptions): Promise<ProjectsAnswer>;
    /** List the API keys of the caller's project. GET /v1/auth/api-keys */
    apiKeys(options?: CallOptions): Promise<ApiKeysAnswer>;
    /** Create an API key. POST /v1/auth/api-keys */
    createApiKey(body: APIKeyCreate, options?: CallOptions): Promise<APIKeyInfo>;
    /** Revoke an API key. DELETE /v1/auth/api-keys/{id} */
    revokeApiKey(id: string, options?: CallOptions): Promise<RevokedAPIKey>;
    /** Get the state of the service. Needs no key. GET /v1/health */
    health(options?: CallOptions): Promise<HealthResponse>;
    /** Get `pong`. Needs no key. GET /v1/ping */
    ping(options?: CallOptions): Promise<string>;
    /** Open the page of a receipt. Needs no key. GET /receipt/{rid} */
    receiptPageRedirect(rid: string): string;
    /** Open the embeddable page of a receipt. Needs no key. GET /embed/receipt */
    embedPageRedirect(query?: EmbedPageRedirectQuery): string;
    /** List payments to this service, newest first. GET /v1/x402/payments */
    payments(query?: PaymentsQuery, options?: CallOptions): Promise<PaymentsAnswer>;
    /** Yields every entry of `payments`, page by page. */
    allPayments(query?: Omit<PaymentsQuery, 'offset'>, options?: CallOptions): AsyncGenerator<PaymentSummary, void, undefined>;
    /** Get a payment. GET /v1/x402/payments/{payment_id} */
    payment(payment_id: string, options?: CallOptions): Promise<PaymentResponse>;
    /** Record a settled payment as a receipt. POST /v1/x402/payments/{payment_id}/receipt */
    recordPayment(payment_id: string, body?: PaymentReceiptRequest, options?: CallOptions): Promise<PaymentReceiptResponse>;
    /** Get the compliance checks of a payment, made before it was charged. GET /v1/x402/payments/{payment_id}/compliance-checks */
    paymentComplianceChecks(payment_id: string, options?: CallOptions): Promise<PaymentComplianceReport>;
    /** Get the revenue of the last days. GET /v1/x402/revenue */
    revenue(query?: RevenueQuery, options?: CallOptions): Promise<RevenueResponse>;
    /** Get the configuration of the x402 facilitator. GET /v1/x402/facilitator-config */
    facilitatorConfig(options?: CallOptions): Promise<FacilitatorConfig>;
    /** Check whether a payment would be accepted. POST /v1/x402/verify-payment */
    verifyPayment(body: VerifyPaymentRequest, options?: CallOptions): Promise<VerifyPaymentResponse>;
    /** Look up an exchange rate. Paid for by x402. Needs no key. POST /v1/x402/premium/fx-lookup */
    premiumFxLookup(body?: PremiumFxLookupRequest, options?: CallOptions): Promise<PremiumFxLookupResponse>;
    /** Verify a bundle as `/v1/iso/verify` does. Paid for by x402. Needs no key. POST /v1/x402/premium/verify-bundle */
    premiumVerifyBundle(body: VerifyRequest, options?: CallOptions): Promise<VerifyResponse>;
    /** Generate a statement of a day. Paid for by x402. Needs no key. POST /v1/x402/premium/generate-statement */
    premiumStatement(query?: PremiumStatementQuery, options?: CallOptions): Promise<PremiumStatementResponse>;
    /** Get the newest ISO message of a type, with its XML. Paid for by x402. Needs no key. GET /v1/x402/premium/iso-message/{receipt_id}/{type} */
    premiumIsoMessage(receipt_id: string, type: string, options?: CallOptions): Promise<PremiumIsoMessageResponse>;
    /** Verify up to 100 bundles as `/v1/iso/verify` does. Paid for by x402. Needs no key. POST /v1/x402/premium/bulk-verify */
    premiumBulkVerify(body?: PremiumBulkVerifyRequest, options?: CallOptions): Promise<PremiumBulkVerifyResponse>;
    /** Record that an anchored receipt's payment was given back, as `/v1/iso/refund` does. Paid for by x402. Needs no key. POST /v1/x402/premium/refund */
    premiumRefund(body: RefundRequest, options?: CallOptions): Promise<RefundResponse>;
    /** List the prices of all paid operations. Needs no key. GET /v1/x402/pricing */
    pricing(options?: CallOptions): Promise<PricingAnswer>;
    /** Change prices. POST /v1/x402/pricing */
    setPricing(body: PriceChange, options?: CallOptions): Promise<PricingUpdate>;
    /** Get the configuration of a project: who sends its anchor transactions, on which chains, the parties in its messages, whether its receipts get a fiat equivalent, and the time zone of its statements. GET /v1/projects/{project_id}/config */
    projectConfig(project_id: string, options?: CallOptions): Promise<ProjectConfig>;
    /** Configure a project. PUT /v1/projects/{project_id}/config */
    configureProject(project_id: string, body: ProjectConfigUpdate, options?: CallOptions): Promise<ProjectConfig>;
    /** Record a payment that already happened on a chain. POST /v1/iso/record-tip */
    recordTip(body: TipRecordRequest, options?: CallOptions): Promise<RecordTipResponse>;
    /** Get a receipt: its status, links and hashes. Needs no key. GET /v1/iso/receipts/{rid} */
    receipt(rid: string, options?: CallOptions): Promise<ReceiptResponse>;
    /** List receipts by page number, newest first. GET /v1/receipts */
    receipts(query?: ReceiptsQuery, options?: CallOptions): Promise<ReceiptsPage>;
    /** Yields every entry of `receipts`, page by page. */
    allReceipts(query?: Omit<ReceiptsQuery, 'page'>, options?: CallOptions): AsyncGenerator<ReceiptSummary, void, undefined>;
    /** List the messages generated for a receipt, the newest of each type. Needs no key. GET /v1/iso/messages/{rid} */
    messages(rid: string, query?: MessagesQuery, options?: CallOptions): Promise<MessagesAnswer>;
    /** Follow a receipt by server-sent events: its present state, then each change. Needs no key. GET /v1/iso/events/{rid} */
    events(rid: string, options?: StreamOptions): AsyncGenerator<StreamEvent<ReceiptEvent>, void, undefined>;
    /** List the confirmed anchors of a receipt, one for each chain. Needs no key. GET /v1/anchors/{rid} */
    anchors(rid: string, options?: CallOptions): Promise<AnchorsAnswer>;
    /** Get the compliance checks of a receipt of the caller's project. GET /v1/receipts/{receipt_id}/compliance-checks */
    complianceChecks(receipt_id: string, options?: CallOptions): Promise<ComplianceReport>;
    /** Download a file of a receipt or a statement. Needs no key. GET /files/{rid}/{name} */
    file(rid: string, name: string, options?: CallOptions): Promise<Uint8Array<ArrayBuffer>>;
    /** Build a client of this API as a ZIP: `ts` or `python`, typed, without dependencies. Needs no key. POST /v1/sdk/build */
    buildSdk(body: SDKBuildRequest, options?: CallOptions): Promise<Uint8Array<ArrayBuffer>>;
    /** Get the configuration of the organisation: its names and codes in messages, and which messages are made. GET /v1/config */
    organisation(options?: CallOptions): Promise<OrgConfigResponse>;
    /** Replace the configuration of the organisation. PUT /v1/config */
    configureOrganisation(body: OrgConfigModel, options?: CallOptions): Promise<OrgConfigResponse>;
    /** Get a one-time nonce and the domain for an EIP-4361 message. Needs no key. GET /v1/auth/nonce */
    nonce(options?: CallOptions): Promise<NonceResponse>;
    /** Register a project with a wallet's signature. Needs no key. POST /v1/projects/register */
    registerProject(body: RegisterProjectRequest, options?: CallOptions): Promise<RegisterProjectResponse>;
    /** Prove control of a wallet, by `message` and `signature`, or in the older form by `address`, `nonce` and a signature over the nonce. Needs no key. POST /v1/auth/siwe-verify */
    siweVerify(body: SiweVerifyRequest, options?: CallOptions): Promise<SiweVerifyResponse>;
    /** Mint a project_admin key with the wallet that owns the project, for example when the other keys are lost. Needs no key. POST /v1/auth/siwe-mint-key */
    siweMintKey(body: SiweMintKeyRequest, options?: CallOptions): Promise<SiweMintKeyResponse>;
    /** List the wallets linked to the caller's project, oldest first. GET /v1/auth/linked-wallets */
    linkedWallets(options?: CallOptions): Promise<LinkedWalletsAnswer>;
    /** Unlink a wallet from the caller's project. DELETE /v1/auth/linked-wallets/{address} */
    unlinkWallet(address: string, options?: CallOptions): Promise<UnlinkedWallet>;
    /** Verify a bundle against the chain, by its URL, its hash or its anchor transaction. Needs no key. POST /v1/iso/verify */
    verify(body: VerifyRequest, options?: CallOptions): Promise<VerifyResponse>;
    /** Verify a bundle by its id in IPFS or Arweave. Needs no key. POST /v1/iso/verify-cid */
    verifyCid(body: VerifyCidRequest, options?: CallOptions): Promise<VerifyResponse>;
    /** List the public keys that bundles are verified against, with their validity. Needs no key. GET /.well-known/evidence-keys.json */
    evidenceKeys(options?: CallOptions): Promise<EvidenceKeys>;
    /** Confirm the transaction in which a project in tenant mode anchored a receipt itself. POST /v1/iso/confirm-anchor */
    confirmAnchor(body: ConfirmAnchorRequest, options?: CallOptions): Promise<ConfirmAnchorResponse>;
    /** Anchor any hash on the default chain, to see that anchoring works. POST /v1/debug/anchor */
    debugAnchor(body: DebugAnchorRequest, options?: CallOptions): Promise<DebugAnchorResponse>;
    /** Generate a cancellation request (camt.056) about a receipt. POST /v1/iso/camt056/{rid} */
    camt056(rid: string, body?: FIMessageRequest, options?: CallOptions): Promise<FIMessageResponse>;
    /** Generate a resolution of investigation (camt.029) about a receipt. POST /v1/iso/camt029/{rid} */
    camt029(rid: string, body?: FIMessageRequest, options?: CallOptions): Promise<FIMessageResponse>;
    /** Generate a reversal (pacs.007) about a receipt. POST /v1/iso/pacs007/{rid} */
    pacs007(rid: string, body?: FIMessageRequest, options?: CallOptions): Promise<FIMessageResponse>;
    /** Generate an institution credit transfer (pacs.009) about a receipt. POST /v1/iso/pacs009/{rid} */
    pacs009(rid: string, options?: CallOptions): Promise<FIMessageResponse>;
    /** Record that the payment of an anchored receipt was returned. POST /v1/iso/refund */
    refund(body: RefundRequest, options?: CallOptions): Promise<RefundResponse>;
    /** Get how the payment of a receipt was checked on its own chain. query receipt */
    receiptSettlement(receipt_id: string, options?: CallOptions): Promise<ReceiptSettlement>;
    /** List the webhook endpoints of the caller's project, newest first. query webhookEndpoints */
    webhookEndpoints(query?: WebhookEndpointsQuery, options?: CallOptions): Promise<WebhookEndpointsAnswer>;
    /** Yields every entry of `webhookEndpoints`, page by page. */
    allWebhookEndpoints(query?: Omit<WebhookEndpointsQuery, 'after'>, options?: CallOptions): AsyncGenerator<WebhookEndpoint, void, undefined>;
    /** Get a webhook endpoint. query webhookEndpoint */
    webhookEndpoint(endpoint_id: string, options?: CallOptions): Promise<WebhookEndpoint>;
    /** Get the present secret of a webhook endpoint. query webhookEndpoint */
    webhookSecret(endpoint_id: string, options?: CallOptions): Promise<WebhookEndpointWithSecret>;
    /** Create a webhook endpoint; the answer has its secret. mutation createWebhookEndpoint */
    createWebhookEndpoint(body: CreateWebhookEndpointBody, options?: CallOptions): Promise<WebhookEndpointWithSecret>;
    /** Change a webhook endpoint; what is not given is unchanged. mutation updateWebhookEndpoint */
    updateWebhookEndpoint(endpoint_id: string, body?: UpdateWebhookEndpointBody, options?: CallOptions): Promise<WebhookEndpoint>;
    /** Delete a webhook endpoint. mutation deleteWebhookEndpoint */
    deleteWebhookEndpoint(endpoint_id: string, options?: CallOptions): Promise<DeleteWebhookEndpointAnswer>;
    /** Enable a webhook endpoint. mutation enableWebhookEndpoint */
    enableWebhookEndpoint(endpoint_id: string, options?: CallOptions): Promise<WebhookEndpoint>;
    /** Disable a webhook endpoint. mutation disableWebhookEndpoint */
    disableWebhookEndpoint(endpoint_id: string, options?: CallOptions): Promise<WebhookEndpoint>;
    /** Send the test event to a webhook endpoint. mutation testWebhookEndpoint */
    testWebhookEndpoint(endpoint_id: string, options?: CallOptions): Promise<WebhookDelivery>;
    /** Give a webhook endpoint a new secret; the present one signs beside it for `overlap_hours`, 24 unless given. mutation rotateWebhookSecret */
    rotateWebhookSecret(endpoint_id: string, body?: RotateWebhookSecretBody, options?: CallOptions): Promise<WebhookEndpointWithSecret>;
    /** List the deliveries of events of the caller's project, newest first, with their attempts. query webhookDeliveries */
    webhookDeliveries(query?: WebhookDeliveriesQuery, options?: CallOptions): Promise<WebhookDeliveriesAnswer>;
    /** Yields every entry of `webhookDeliveries`, page by page. */
    allWebhookDeliveries(query?: Omit<WebhookDeliveriesQuery, 'after'>, options?: CallOptions): AsyncGenerator<WebhookDelivery, void, undefined>;
    /** Send a delivery again. mutation replayWebhookDelivery */
    replayWebhookDelivery(delivery_id: string, options?: CallOptions): Promise<WebhookDelivery>;
    /** Send the events after `after` to a webhook endpoint again; `next` is the `after` of the next call. mutation replayWebhookEvents */
    replayWebhookEvents(endpoint_id: string, body: ReplayWebhookEventsBody, options?: CallOptions): Promise<ReplayWebhookEventsAnswer>;
    /** List the statements of the key's project, newest first. query me */
    statements(query?: StatementsQuery, options?: CallOptions): Promise<StatementsAnswer>;
    /** Yields every entry of `statements`, page by page. */
    allStatements(query?: Omit<StatementsQuery, 'after'>, options?: CallOptions): AsyncGenerator<Statement, void, undefined>;
    /** Get a statement. query statement */
    statement(statement_id: string, options?: CallOptions): Promise<Statement>;
    /** Make the statement of a day, today unless given, or of a part of a day. mutation generateStatement */
    generateStatement(body?: GenerateStatementBody, options?: CallOptions): Promise<Statement>;
    /** List the accounts of the key's project that have a series of statements, with their balances. query me */
    statementAccounts(query?: StatementAccountsQuery, options?: CallOptions): Promise<StatementAccountsAnswer>;
    /** Yields every entry of `statementAccounts`, page by page. */
    allStatementAccounts(query?: Omit<StatementAccountsQuery, 'after'>, options?: CallOptions): AsyncGenerator<StatementAccount, void, undefined>;
}
