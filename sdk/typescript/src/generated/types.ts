// Generated from the OpenAPI document: changes are lost.

export type APIKeyCreate = {
    /** @description Purpose of the key. */
    label: string;
    /**
     * @description project_admin, project or viewer; project unless given.
     * @enum {string|null}
     */
    role?: "project_admin" | "project" | "viewer" | null;
    /**
     * Format: date-time
     * @description When the key expires; never unless given.
     */
    expires_at?: string | null;
    /**
     * Format: uuid
     * @description The project; needed from a service administrator, else that of the API key.
     */
    project_id?: string | null;
};

export type APIKeyInfo = {
    /**
     * Format: uuid
     * @description UUID.
     */
    id: string;
    /** @description Purpose of the key. */
    label: string;
    /**
     * @description Role of the key.
     * @enum {string}
     */
    role: "project" | "project_admin" | "viewer";
    /**
     * Format: uuid
     * @description The project it belongs to.
     */
    project_id: string;
    /**
     * Format: date-time
     * @description When it was created.
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was last used, to the minute.
     */
    last_used_at: string | null;
    /**
     * Format: date-time
     * @description When it expires.
     */
    expires_at: string | null;
    /**
     * Format: date-time
     * @description When it was revoked.
     */
    revoked_at: string | null;
};

export type Agent = {
    /**
     * Format: uuid
     * @description UUID.
     */
    id: string;
    /** @description Name of the agent. */
    name: string;
    /** @description The wallet that the agent pays with. */
    wallet_address: string;
    /** @description Address for messages to the agent over XMTP. */
    xmtp_address: string | null;
    /** @description The limits as `max_per_call` and `max_per_day`, as the REST API has them, and the rules of other names, which limit nothing; null: none. */
    pricing_rules: {
        max_per_call?: string | null;
        max_per_day?: string | null;
    } | null;
    /**
     * @description Whether the agent’s wallet may pay here.
     * @enum {string}
     */
    status: "active" | "disabled" | "paused";
    /**
     * Format: uuid
     * @description The project of the agent.
     */
    project_id: string;
    /**
     * @description How the agent understands a sentence.
     * @enum {string}
     */
    ai_mode: "custom" | "shared" | "simple";
    /**
     * Format: date-time
     * @description When it was created.
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When it was last changed.
     */
    updated_at: string;
};

export type AgentActivity = {
    /** @description `payment` or `anchor`. */
    type: string;
    /**
     * Format: uuid
     * @description UUID of the payment or anchor.
     */
    id: string;
    /** @description The activity as a sentence. */
    content: string;
    /**
     * Format: date-time
     * @description Time of the payment or anchor.
     */
    timestamp: string;
    /** @description Amounts, hashes and ids of the activity. */
    details: Record<string, unknown>;
};

export type AgentActivitySummary = {
    /** @description Number of settled payments. */
    total_payments: number;
    /** @description Number of anchors. */
    total_anchors: number;
    /** @description Number of payments whose receipt is anchored. */
    anchored_payments: number;
};

export type AgentAiRequest = {
    /**
     * @description simple: the command language; shared: the service’s model; custom: a model of its own.
     * @enum {string}
     */
    ai_mode?: "simple" | "shared" | "custom";
    /** @description Added to the instructions of the model, up to 4,000 characters; null: nothing. */
    ai_system_prompt?: string | null;
    /**
     * @description Provider of the model in mode custom: openai-compatible, openai, anthropic or google.
     * @enum {string|null}
     */
    ai_provider?: "openai-compatible" | "openai" | "anthropic" | "google" | "custom" | null;
    /** @description Name of the model in mode custom. */
    ai_model?: string | null;
    /**
     * Format: uri
     * @description API URL of the model in mode custom, a public https address; required for openai-compatible.
     */
    ai_endpoint?: string | null;
    /** @description API key for the model in mode custom. The key is encrypted and never shown; it is deleted when mode, provider or endpoint change and no key is sent. */
    ai_api_key?: string | null;
};

export type AgentAiTest = {
    /**
     * @description How the sentence was understood.
     * @enum {string}
     */
    mode: "custom" | "shared" | "simple";
    /** @description The sentence. */
    test_message: string;
    /** @description The command that the sentence requests; null when no command matches. */
    parsed_result: AgentParsedCommand | null;
    /** @description Provider of the model; null in mode simple. */
    ai_provider: string | null;
    /** @description Name of the model; null in mode simple. */
    ai_model: string | null;
};

export type AgentAiTestRequest = {
    /** @description A sentence that a user sends to the agent. */
    test_message?: string | null;
};

export type AgentAnchor = {
    /**
     * Format: uuid
     * @description UUID of the anchor.
     */
    id: string;
    /** @description The hash, 0x-prefixed. */
    bundle_hash: string;
    /** @description Id of the anchor transaction, 0x-prefixed; null until the transaction is sent. */
    anchor_txid: string | null;
    /** @description Name of the anchoring chain. */
    chain: string;
    /**
     * @description Status of the anchor.
     * @enum {string}
     */
    status: "confirmed" | "failed" | "pending";
    /**
     * Format: date-time
     * @description Block time of the anchor.
     */
    anchored_at: string | null;
    /**
     * Format: date-time
     * @description When the anchor was created.
     */
    created_at: string;
};

export type AgentAnchorEvent = {
    /**
     * Format: uuid
     * @description UUID of the anchor.
     */
    id: string;
    /** @description The hash, 0x-prefixed. */
    bundle_hash: string;
    /** @description Id of the anchor transaction, 0x-prefixed; null until the transaction is sent. */
    anchor_txid: string | null;
    /** @description Name of the anchoring chain. */
    chain: string;
    /**
     * @description Status of the anchor.
     * @enum {string}
     */
    status: "confirmed" | "failed" | "pending";
    /**
     * Format: date-time
     * @description Block time of the anchor.
     */
    anchored_at: string | null;
    /**
     * Format: date-time
     * @description When the anchor was created.
     */
    created_at: string;
    /**
     * Format: uuid
     * @description The agent’s UUID.
     */
    agent_id: string;
};

export type AgentAnchorRequest = {
    /** @description The SHA-256 to anchor, 0x-prefixed. */
    bundle_hash: string;
    /**
     * Format: uuid
     * @description The receipt whose bundle has this hash; its own anchor is then returned.
     */
    receipt_id?: string | null;
};

export type AgentAnchoredWebhook = {
    /**
     * @description What happened.
     * @enum {string}
     */
    type: "agent.anchored";
    /**
     * Format: date-time
     * @description When it happened.
     */
    timestamp: string;
    data: AgentAnchorEvent;
};

export type AgentAnchoring = {
    /**
     * Format: uuid
     * @description UUID.
     */
    id: string;
    /** @description Whether every payment of the agent’s wallet is recorded as a receipt and anchored. */
    auto_anchor_enabled: boolean;
    /** @description Whether payments of the agent’s wallet settled since this was switched on are recorded. */
    anchor_on_payment: boolean;
    /** @description The wallet with which the agent sends anchor transactions itself, in tenant mode. */
    anchor_wallet: string | null;
};

export type AgentAnchoringRequest = {
    /** @description Whether every payment of the agent’s wallet in its project, also an earlier one, is recorded as a receipt and anchored. */
    auto_anchor_enabled?: boolean;
    /** @description Whether payments of the agent’s wallet that are settled from now on are recorded as receipts and anchored. */
    anchor_on_payment?: boolean;
    /** @description The wallet that sends the agent’s own anchor transactions; they are listed with the agent’s anchors; null: none. */
    anchor_wallet_address?: string | null;
    /**
     * @deprecated
     * @description Older name of `anchor_wallet_address`.
     */
    anchor_wallet?: string | null;
    /**
     * Format: uuid
     * @description As it was read: the request is refused when it differs, because it is not changed here.
     */
    id?: string;
};

export type AgentCreateRequest = {
    /** @description Name of the agent. */
    name: string;
    /** @description The wallet that the agent pays with. The service never requests its private key. */
    wallet_address: string;
    /** @description Address for messages to the agent over XMTP. */
    xmtp_address?: string | null;
    /** @description Spending limits: payments of the agent’s wallet beyond them are refused before anything is charged. */
    pricing_rules?: {
        /** @description The most that one call may cost; no limit unless given. */
        max_per_call?: string | null;
        /** @description The most that all calls of one day in UTC may cost; no limit unless given. */
        max_per_day?: string | null;
    } | null;
};

export type AgentParsedCommand = {
    /** @description Name of the command. */
    command: string;
    /** @description Arguments of the command, in order. */
    arguments: string[];
};

export type AgentPayment = {
    /** @description The transaction that paid. Null until settled, because a sent transaction may be replaced, and while reversed. A reorganisation of the chain may change it until it is final. */
    tx_hash: string | null;
    /** @description In units of the token. */
    amount: string;
    /** @description The paid endpoint’s path in the price list. */
    endpoint: string;
    /**
     * Format: date-time
     * @description When the payment was verified.
     */
    verified_at: string;
};

export type AgentStats = {
    /**
     * Format: uuid
     * @description The agent’s UUID.
     */
    agent_id: string;
    /** @description Name of the agent. */
    agent_name: string;
    /** @description How many days in UTC, today included. */
    days: number;
    /** @description Number of settled payments. */
    payment_count: number;
    /** @description Sum of the payments, in token units. */
    total_spent: string;
    /** @description The newest 200 payments. */
    payments: AgentPayment[];
};

export type AgentTestAnswer = {
    /**
     * Format: uuid
     * @description The agent’s UUID.
     */
    agent_id: string;
    /** @description Name of the agent. */
    agent_name: string;
    /** @description The command. */
    command_received: string;
    /** @description The response, which may have several lines. */
    response: string;
    /**
     * Format: date-time
     * @description When the command was answered.
     */
    timestamp: string;
};

export type AgentTestRequest = {
    /** @description One line; `help` lists the commands. */
    command?: string | null;
};

export type AgentUnifiedActivity = {
    /**
     * Format: uuid
     * @description The agent’s UUID.
     */
    agent_id: string;
    /** @description Name of the agent. */
    agent_name: string;
    /** @description How many days in UTC, today included. */
    days: number;
    /** @description Newest first, at most 200. */
    activities: AgentActivity[];
    /** @description Counts of all payments and anchors. */
    summary: AgentActivitySummary;
};

export type AgentUpdateRequest = {
    /** @description Name of the agent. */
    name?: string;
    /**
     * @description active, paused or disabled: payments of the wallet of an agent that is not active are refused.
     * @enum {string}
     */
    status?: "active" | "paused" | "disabled";
    /** @description The wallet that the agent pays with. The service never requests its private key. */
    wallet_address?: string;
    /** @description Address for messages to the agent over XMTP; null: none. */
    xmtp_address?: string | null;
    /** @description Spending limits, which replace the earlier ones; null: none. */
    pricing_rules?: {
        /** @description The most that one call may cost; no limit unless given. */
        max_per_call?: string | null;
        /** @description The most that all calls of one day in UTC may cost; no limit unless given. */
        max_per_day?: string | null;
    } | null;
    /**
     * Format: uuid
     * @description As it was read: the request is refused when it differs, because it is not changed here.
     */
    id?: string;
    /**
     * Format: uuid
     * @description As it was read: the request is refused when it differs, because it is not changed here.
     */
    project_id?: string;
    /**
     * @description As it was read: the request is refused when it differs, because it is not changed here.
     * @enum {string}
     */
    ai_mode?: "custom" | "shared" | "simple";
    /**
     * Format: date-time
     * @description As it was read: the request is refused when it differs, because it is not changed here.
     */
    created_at?: string;
    /**
     * Format: date-time
     * @description As it was read: the request is refused when it differs, because it is not changed here.
     */
    updated_at?: string;
};

export type AnchorResponse = {
    /** @description Name of the anchoring chain. */
    chain: string;
    /** @description The transaction, 0x-prefixed. */
    txid: string | null;
    /**
     * Format: date-time
     * @description Time of the block that carries the transaction.
     */
    anchored_at: string | null;
    /** @description Number of the block that carries the transaction. */
    block_number: number | null;
    /** @description Hash of the block that carries the transaction. */
    block_hash: string | null;
    /** @description The evidence anchor contract. */
    contract: string | null;
    /**
     * @description Null until mined. A receipt is anchored only when its anchors are final on every chain.
     * @enum {string|null}
     */
    finality: "final" | "included" | "safe" | null;
};

export type AssistAnswer = {
    /** @description Plain text that a language model wrote. The text may be wrong. Show it as plain text, never as HTML or Markdown, because a manipulated model could write harmful links and images. */
    reply: string;
    /** @description The tool calls on which the answer is based, in order. */
    used_tools: AssistUsedTool[];
};

export type AssistRequest = {
    /** @description The conversation so far, 1 to 50 messages; the last is the question. */
    messages: {
        /** @description Plain text, 1 to 20,000 characters. */
        content: string;
        /**
         * @description user or assistant.
         * @enum {string}
         */
        role: "user" | "assistant";
    }[];
    /** @description Limits of what the model may read; all receipts of the project unless given. */
    scope?: {
        /** @description Accepted from older clients, and grants nothing: the model cannot write. */
        allow_config_changes?: boolean | null;
        /** @description Whether the model may also read the XML messages of those receipts. */
        allow_read_artifacts?: boolean | null;
        /** @description Whether the model may read receipts. If false, the model has no tools. */
        allow_read_receipts?: boolean | null;
        /** @description Only these receipts may be read: none when empty, all of the project when absent. */
        allowed_receipt_ids?: string[] | null;
    } | null;
    /** @description Accepted from older clients, and has no effect. */
    params?: Record<string, unknown> | null;
    /** @description Name of the conversation under which question and answer are stored, where transcripts are stored. */
    session_id?: string | null;
};

export type AssistUsedTool = {
    /** @description Name of the tool. */
    tool: string;
    /** @description Whether the call succeeded. */
    ok: boolean;
    /** @description UUIDs of the receipts that the call returned to the model, all of which the caller may read. */
    receipt_ids: string[];
};

export type AssistantFeatures = {
    /** @description Names of the tools that the model may use. No tool writes. */
    tools: string[];
    /** @description Whether the subscription `assistEvents` can stream answers. */
    streaming: boolean;
    /** @description Number of days for which questions and answers with a `session_id` are stored; 0: none. */
    transcript_days: number;
    /** @description Whether API keys of agents for their own models can be stored. */
    agent_keys: boolean;
};

export type AssistantStatus = {
    /** @description Whether questions are answered. */
    enabled: boolean;
    /** @description `openai-compatible`, `openai`, `anthropic` or `google`; null when no model is set up. */
    provider: string | null;
    /** @description Name of the model; null when no model is set up. */
    model: string | null;
    /** @description Features of the assistant. */
    features: AssistantFeatures;
};

export type AuditEvent = {
    /** @description A decimal number that increases with every event. Numbers are not consecutive. */
    id: string;
    /** @description `<object>.<operation>`, for instance `receipt.record`. */
    action: string;
    /** @description Type of the object that was written. */
    object_type: string;
    /** @description Id of the object that was written. */
    object_id: string;
    /**
     * Format: uuid
     * @description The project; null for the service itself.
     */
    project_id: string | null;
    /** @description `key:<id>`, `session:<id>`, `admin:<id>`, `wallet:<address>`, `payer:<address>`, `worker` or `public`. */
    actor: string;
    /**
     * Format: date-time
     * @description When the write happened.
     */
    created_at: string;
    /** @description Further data, by action. Never a secret. */
    details: Record<string, unknown>;
};

export type ComplianceCheck = {
    /**
     * @description Type of the check.
     * @enum {string}
     */
    type: "sanctions" | "settlement" | "travel_rule";
    /**
     * @description Decision of the check.
     * @enum {string}
     */
    decision: "allow" | "deny" | "flag" | "unavailable";
    /** @description Reason for the decision, in the provider’s words: at most 500 characters. */
    reason: string | null;
    /** @description Name of the provider. `none`: no provider is configured, and nothing was checked. `threshold`: the amount is below the threshold of the travel rule, and no provider was queried. */
    provider: string;
    /**
     * Format: date-time
     * @description When the check was made or last tried.
     */
    checked_at: string;
};

export type ComplianceReport = {
    /**
     * Format: uuid
     * @description The receipt’s UUID.
     */
    receipt_id: string;
    /**
     * @description The worst decision of the checks; `unavailable` while no check was made.
     * @enum {string}
     */
    decision: "allow" | "deny" | "flag" | "unavailable";
    /** @description One check of each type. */
    checks: ComplianceCheck[];
};

export type ConfirmAnchorRequest = {
    /**
     * Format: uuid
     * @description The receipt’s UUID.
     */
    receipt_id: string;
    /** @description The transaction that anchors the bundle hash, 0x-prefixed. */
    ledger_txid?: string | null;
    /**
     * @deprecated
     * @description Older name of `ledger_txid`.
     */
    flare_txid?: string | null;
    /** @description Name of the chain; needed when the bundle is to be anchored on several. */
    chain?: string | null;
} & ({
    ledger_txid: string;
} | {
    flare_txid: string;
});

export type ConfirmAnchorResponse = {
    /**
     * Format: uuid
     * @description UUID; also the UETR of its messages.
     */
    receipt_id: string;
    /**
     * @description Complete only when `anchored`.
     * @enum {string}
     */
    status: "anchored" | "awaiting_anchor" | "failed" | "pending";
    /** @description Anchor transaction id, 0x-prefixed. Null until anchored. */
    ledger_txid: string | null;
    /**
     * @deprecated
     * @description Older name of `ledger_txid`.
     */
    flare_txid: string | null;
    /**
     * Format: date-time
     * @description Time of the block that carries the anchor. Null until anchored.
     */
    anchored_at: string | null;
};

export type DayRevenue = {
    /**
     * Format: date
     * @description The day in UTC, such as 2026-01-31.
     */
    date: string;
    /** @description Number of payments settled on this day. */
    count: number;
    /** @description In units of the token, exactly. */
    revenue: string;
};

export type DebugAnchorRequest = {
    /** @description Any SHA-256, 0x-prefixed. */
    bundle_hash: string;
};

export type DebugAnchorResponse = {
    /** @description The transaction, 0x-prefixed. */
    ledger_txid: string;
    /**
     * @deprecated
     * @description Older name of `ledger_txid`.
     */
    flare_txid: string;
    /** @description The block that carries it. */
    block_number: number;
};

export type DeletedAgent = {
    /**
     * Format: uuid
     * @description UUID.
     */
    id: string;
    /** @description `deleted`. */
    status: string;
};

export type DependencyHealth = {
    /** @description Whether the dependency answers. */
    ok: boolean;
    /** @description One word or short sentence, no internals. */
    detail: string;
};

export type EndpointRevenue = {
    /** @description The endpoint’s path in the price list. */
    endpoint: string;
    /** @description Number of payments. */
    count: number;
    /** @description In units of the token, exactly. */
    revenue: string;
};

export type EndpointTestWebhook = {
    /**
     * @description What happened.
     * @enum {string}
     */
    type: "webhook.test";
    /**
     * Format: date-time
     * @description When it happened.
     */
    timestamp: string;
    data: {
        /**
         * Format: uuid
         * @description The UUID of the endpoint.
         */
        endpoint_id: string;
    };
};

export type ErrorResponse = {
    /** @description A stable error code. */
    detail: string;
    /** @description A message for people. */
    message: string;
    request_id: string;
    /** @description Of `refund_too_large`: how much can still be refunded, an exact decimal. */
    left?: string;
};

export type EvidenceChain = {
    /** @description Name of the chain, as in anchors. */
    name: string;
    /** @description CAIP-2 id, for instance `eip155:14`. */
    caip2: string | null;
    /** @description The evidence anchor contract, lower-case. */
    contract: string;
    /** @description When a block is final: `safe` or `finalized` as its nodes report, or a number of confirmations. */
    finality: string;
    /** @description First block worth searching for anchors. */
    deployed_at_block: number;
    /** @description Base URL of the chain’s block explorer. */
    explorer_base_url: string | null;
};

export type EvidenceKey = {
    /** @description The SHA-256 of the key’s SPKI DER: 64 hex digits. Bundles that were made before ids were whole name the first 16. */
    key_id: string;
    /** @description Always Ed25519. */
    algorithm: string;
    /** @description SPKI in PEM. */
    public_key_pem: string;
    /**
     * Format: date-time
     * @description Bundles anchored before this time do not verify with the key.
     */
    valid_from: string;
    /**
     * Format: date-time
     * @description Bundles made or anchored after this time do not verify with the key; null while it is in use.
     */
    valid_to: string | null;
};

export type EvidenceKeys = {
    /** @description The chains, the default chain first. */
    chains: EvidenceChain[];
    /** @description The keys, oldest first. */
    keys: EvidenceKey[];
};

export type FIMessageRequest = {
    /** @description ISO 20022 external code of the reason. Code set: ExternalCancellationReason1Code for camt.056, ExternalPaymentCancellationRejection1Code for camt.029, ExternalReversalReason1Code for pacs.007 and pain.007. Of earlier servers, APPR and RJCT are accepted for camt.029, and DUPL, FRAD, CUST and TECH for pacs.007; AddtlInf keeps them. */
    reason_code?: string | null;
    /** @description For camt.029: the outcome of the investigation, from ExternalInvestigationExecutionConfirmation1Code. */
    resolution_code?: string | null;
};

export type FIMessageResponse = {
    /** @description The message id in the XML: MsgId or Assgnmt/Id. */
    message_id: string;
    /** @description Message type, for instance `camt.056`. */
    type: string;
    /**
     * Format: uuid
     * @description The receipt’s UUID.
     */
    receipt_id: string;
    /** @description URL to download the XML. */
    url: string;
};

export type FacilitatorConfig = {
    /** @description Always 2. */
    x402_version: number;
    /** @description Always `exact`. */
    scheme: string;
    /** @description CAIP-2 id. */
    network: string;
    /** @description The chain’s id, a whole number. */
    chain_id: number;
    /** @description The token’s contract, lower-case. */
    asset: string;
    /** @description Number of decimals of the token. */
    asset_decimals: number;
    /** @description The EIP-712 domain of the token. */
    asset_domain: TokenDomain;
    /** @description Address of the recipient unless a price names another, lower-case. */
    pay_to: string;
    /** @description The account that sends settlements and pays their gas, lower-case. */
    facilitator: string;
    /** @description Validity in seconds that a challenge requests for an authorization; at most 3,700 s are accepted. */
    max_timeout_seconds: number;
};

export type HTTPValidationError = {
    detail: ValidationError[];
};

export type HealthResponse = {
    /**
     * @description `ok`, or `degraded` when a dependency does not work.
     * @enum {string}
     */
    status: "ok" | "degraded";
    /** @description Version of the service. */
    version: string;
    /**
     * Format: date-time
     * @description The service’s clock.
     */
    ts: string;
    /** @description The dependencies of the service. */
    deps: {
        /** @description The database. */
        db: DependencyHealth;
        /** @description The anchoring chain. */
        chain: DependencyHealth;
        /** @description The background worker, in any process. */
        worker: DependencyHealth;
    };
};

export type ISOArtifactResponse = {
    /** @description `pain.001`, `pain.002`, `camt.054` …; `evidence` for the bundle. */
    type: string;
    /** @description URL to download the file. */
    url: string;
    /** @description SHA-256 of the file, 0x-prefixed. */
    sha256: string;
    /**
     * Format: date-time
     * @description When it was generated.
     */
    created_at: string;
};

export type LinkedWallet = {
    /** @description The address, lower-case. */
    address: string;
    /**
     * Format: date-time
     * @description When it was linked.
     */
    created_at: string;
};

export type MessageParty = {
    /** @description Name of the party, in place of its wallet address. */
    name: string | null;
    /** @description Country of residence, ISO 3166-1 alpha-2. */
    country: string | null;
    /** @description Legal entity identifier, ISO 17442. */
    lei: string | null;
    /** @description The wallets that belong to the party. In messages it names a side of a payment only if that side’s wallet is one of these. A wallet may belong to one party only. */
    wallets: PartyWallet[];
};

export type NonceResponse = {
    /** @description A UUID as 32 hex digits. Valid for one use within 10 minutes. */
    nonce: string;
    /** @description The service’s host, with its port unless that is the default. */
    domain: string;
    /** @description Whole numbers. A contract wallet signs in with one of these Chain IDs, an externally owned account with any Chain id. */
    chain_ids: number[];
};

export type OrgAnchoring = {
    /** @description Names of the chains; each receipt is anchored on all of them. The first chain of the service unless given. */
    chains: string[];
};

export type OrgAsset = {
    /** @description The asset label to map, exactly as recorded in receipts. */
    label: string;
    /** @description Only on this chain label; on every chain unless given. */
    chain: string | null;
    /** @description ISO 4217 code in messages; XXX (no currency) unless given. */
    currency: string | null;
    /** @description Digital token identifier, ISO 24165, for camt messages. */
    dti: string | null;
};

export type OrgCompliance = {
    /** @description The travel rule applies from this amount on, in units of the currency that `mapping.assets` assigns to the asset. Payments in an asset without a currency are always checked, because their value is unknown. Unless given, all payments are checked. */
    travel_rule_threshold: string | null;
    /** @description The provider of travel rule checks, by a name of COMPLIANCE_PROVIDERS; none unless given. */
    travel_rule_provider: string | null;
    /** @description Whether a denial fails the receipt, and the receipt waits until the provider answers; no unless given. */
    travel_rule_enforce: boolean;
    /** @description The provider of sanctions checks, by a name of COMPLIANCE_PROVIDERS; none unless given. */
    sanctions_provider: string | null;
    /** @description The same as `travel_rule_enforce`, for sanctions. */
    sanctions_enforce: boolean;
};

export type OrgConfigModel = {
    /** @description Where receipts are anchored. */
    anchoring?: {
        /** @description Names of the chains; each receipt is anchored on all of them. The first chain of the service unless given. */
        chains?: string[] | null;
    } | null;
    /** @description Which providers check each payment. */
    compliance?: {
        /** @description The same as `travel_rule_enforce`, for sanctions. */
        sanctions_enforce?: boolean | null;
        /** @description The provider of sanctions checks, by a name of COMPLIANCE_PROVIDERS; none unless given. */
        sanctions_provider?: string | null;
        /** @description Whether a denial fails the receipt, and the receipt waits until the provider answers; no unless given. */
        travel_rule_enforce?: boolean | null;
        /** @description The provider of travel rule checks, by a name of COMPLIANCE_PROVIDERS; none unless given. */
        travel_rule_provider?: string | null;
        /** @description The travel rule applies from this amount on, in units of the currency that `mapping.assets` assigns to the asset. Payments in an asset without a currency are always checked, because their value is unknown. Unless given, all payments are checked. */
        travel_rule_threshold?: string | null;
    } | null;
    /** @description The storage of evidence bundles. */
    evidence?: {
        /** @description Where bundles are stored. */
        store?: {
            /**
             * @description Where bundles are stored; local unless given.
             * @enum {string|null}
             */
            mode?: "local" | "ipfs" | null;
        } | null;
    } | null;
    /** @description Whether receipts get a fiat equivalent. */
    fx_policy?: {
        /** @description Currency of the valuation, ISO 4217. With `at_record` only. */
        base_ccy?: string | null;
        /**
         * @description Whether receipts are valued in `base_ccy` once they are recorded; `none` unless given.
         * @enum {string|null}
         */
        mode?: "none" | "at_record" | null;
        /** @description The only provider of rates to query, by its name (`chainlink`, `http`, `ecb`), also for projects that decide the rest themselves; each provider in order unless given. */
        provider?: string | null;
    } | null;
    /** @description The sources of the ids in messages. */
    id_strategy?: {
        /**
         * @description The source of EndToEndId; the reference unless given.
         * @enum {string|null}
         */
        end_to_end_id?: "reference" | "receipt_id" | null;
        /**
         * @description The source of UETR: the receipt id, or chain and transaction, which both sides of a payment know.
         * @enum {string|null}
         */
        uetr?: "receipt_id" | "settlement" | null;
    } | null;
    /** @description The ledger of the payments. */
    ledger?: {
        /** @description Describes an asset in the entries of camt messages. */
        asset?: {
            /** @description The token’s contract. */
            contract_address?: string | null;
            /** @description Decimals of the token on chain. */
            decimals?: number | null;
            /** @description The asset label, as in the receipts. */
            symbol: string;
        } | null;
        /** @description Chain label of the receipts whose asset is described; every chain unless given. */
        network?: string | null;
    } | null;
    /** @description How payments are mapped to messages. */
    mapping?: {
        /** @description The meaning of asset labels; the first match applies. */
        assets?: {
            /** @description Only on this chain label; on every chain unless given. */
            chain?: string | null;
            /** @description ISO 4217 code in messages; XXX (no currency) unless given. */
            currency?: string | null;
            /** @description Digital token identifier, ISO 24165, for camt messages. */
            dti?: string | null;
            /** @description The asset label to map, exactly as recorded in receipts. */
            label: string;
        }[] | null;
        /** @description ISO external category purpose, for instance `SUPP`. */
        category_purpose?: string | null;
        /**
         * @description The bearer of the charges; SLEV unless given.
         * @enum {string|null}
         */
        charge_bearer?: "SLEV" | "SHAR" | "DEBT" | "CRED" | null;
        /** @description A party that is mostly paid. It names its wallets on either side of a payment. */
        creditor_defaults?: {
            /** @description Country of residence, ISO 3166-1 alpha-2. */
            country?: string | null;
            /** @description Legal entity identifier, ISO 17442. */
            lei?: string | null;
            /** @description Name of the party, in place of its wallet address. */
            name?: string | null;
            /** @description The wallets that belong to the party. In messages it names a side of a payment only if that side’s wallet is one of these. A wallet may belong to one party only. */
            wallets?: {
                /** @description The address, in any notation of its chain. A chain before it (`base:0x…`, `eip155:8453:0x…`) is its chain. */
                address: string;
                /** @description Only on this chain; on every chain unless given here or before the address. */
                chain?: string | null;
            }[] | null;
        } | null;
        /** @description A party that mostly pays. It names its wallets on either side of a payment. */
        debtor_defaults?: {
            /** @description Country of residence, ISO 3166-1 alpha-2. */
            country?: string | null;
            /** @description Legal entity identifier, ISO 17442. */
            lei?: string | null;
            /** @description Name of the party, in place of its wallet address. */
            name?: string | null;
            /** @description The wallets that belong to the party. In messages it names a side of a payment only if that side’s wallet is one of these. A wallet may belong to one party only. */
            wallets?: {
                /** @description The address, in any notation of its chain. A chain before it (`base:0x…`, `eip155:8453:0x…`) is its chain. */
                address: string;
                /** @description Only on this chain; on every chain unless given here or before the address. */
                chain?: string | null;
            }[] | null;
        } | null;
        /** @description ISO external purpose code, for instance `GDDS`. */
        purpose?: string | null;
        /** @description Whether the reference travels as structured remittance information; as text unless given. */
        structured_remittance?: boolean | null;
    } | null;
    /** @description The identity of the organisation. */
    org?: {
        /** @description Messages generated once a receipt is anchored; pain.002 and camt.054 unless given. */
        default_message_families?: ("pain.002" | "camt.054" | "pacs.002" | "pacs.008" | "remt.001")[] | null;
        /** @description Country of residence, ISO 3166-1 alpha-2. */
        jurisdiction?: string | null;
        /** @description Legal entity identifier, ISO 17442. */
        lei?: string | null;
        /** @description Name of the initiating party and of the recipient of camt messages. */
        name?: string | null;
        /** @description The wallets that belong to the party. In messages it names a side of a payment only if that side’s wallet is one of these. A wallet may belong to one party only. */
        wallets?: {
            /** @description The address, in any notation of its chain. A chain before it (`base:0x…`, `eip155:8453:0x…`) is its chain. */
            address: string;
            /** @description Only on this chain; on every chain unless given here or before the address. */
            chain?: string | null;
        }[] | null;
    } | null;
    /** @description Which status and workflow messages are enabled. */
    status?: {
        /** @description Whether pacs.002 is generated; by `default_message_families` unless given. */
        emit_pacs002?: boolean | null;
        /** @description Whether pain.002 is generated; by `default_message_families` unless given. */
        emit_pain002?: boolean | null;
        /** @description Whether camt.056 and camt.029 may be generated; yes unless given. */
        enable_cancellation?: boolean | null;
        /** @description Whether refunds and reversals may be created; yes unless given. */
        enable_returns?: boolean | null;
    } | null;
};

export type OrgConfigResponse = {
    /** @description The identity of the organisation. */
    org: OrgIdentity;
    /** @description The ledger of the payments. */
    ledger: OrgLedger;
    /** @description How payments are mapped to messages. */
    mapping: OrgMapping;
    /** @description Which status and workflow messages are enabled. */
    status: OrgStatusPolicy;
    /** @description Where receipts are anchored. */
    anchoring: OrgAnchoring;
    /** @description The storage of evidence bundles. */
    evidence: OrgEvidence;
    /** @description The sources of the ids in messages. */
    id_strategy: OrgIdStrategy;
    /** @description Whether receipts get a fiat equivalent. */
    fx_policy: OrgFxPolicy;
    /** @description Which providers check each payment. */
    compliance: OrgCompliance;
};

export type OrgEvidence = {
    /** @description Where bundles are stored. */
    store: OrgEvidenceStore;
};

export type OrgEvidenceStore = {
    /**
     * @description Where bundles are stored; local unless given.
     * @enum {string}
     */
    mode: "ipfs" | "local";
};

export type OrgFxPolicy = {
    /**
     * @description Whether receipts are valued in `base_ccy` once they are recorded; `none` unless given.
     * @enum {string}
     */
    mode: "at_record" | "none";
    /** @description Currency of the valuation, ISO 4217. With `at_record` only. */
    base_ccy: string | null;
    /** @description The only provider of rates to query, by its name (`chainlink`, `http`, `ecb`), also for projects that decide the rest themselves; each provider in order unless given. */
    provider: string | null;
};

export type OrgIdStrategy = {
    /**
     * @description The source of EndToEndId; the reference unless given.
     * @enum {string}
     */
    end_to_end_id: "receipt_id" | "reference";
    /**
     * @description The source of UETR: the receipt id, or chain and transaction, which both sides of a payment know.
     * @enum {string}
     */
    uetr: "receipt_id" | "settlement";
};

export type OrgIdentity = {
    /** @description Name of the initiating party and of the recipient of camt messages. */
    name: string | null;
    /** @description Country of residence, ISO 3166-1 alpha-2. */
    jurisdiction: string | null;
    /** @description Legal entity identifier, ISO 17442. */
    lei: string | null;
    /** @description The wallets that belong to the party. In messages it names a side of a payment only if that side’s wallet is one of these. A wallet may belong to one party only. */
    wallets: PartyWallet[];
    /** @description Messages generated once a receipt is anchored; pain.002 and camt.054 unless given. */
    default_message_families: string[];
};

export type OrgLedger = {
    /** @description Chain label of the receipts whose asset is described; every chain unless given. */
    network: string | null;
    /** @description Describes an asset in the entries of camt messages. */
    asset: OrgLedgerAsset | null;
};

export type OrgLedgerAsset = {
    /** @description The asset label, as in the receipts. */
    symbol: string;
    /** @description Decimals of the token on chain. */
    decimals: number | null;
    /** @description The token’s contract. */
    contract_address: string | null;
};

export type OrgMapping = {
    /**
     * @description The bearer of the charges; SLEV unless given.
     * @enum {string}
     */
    charge_bearer: "CRED" | "DEBT" | "SHAR" | "SLEV";
    /** @description ISO external purpose code, for instance `GDDS`. */
    purpose: string | null;
    /** @description ISO external category purpose, for instance `SUPP`. */
    category_purpose: string | null;
    /** @description Whether the reference travels as structured remittance information; as text unless given. */
    structured_remittance: boolean;
    /** @description A party that mostly pays. It names its wallets on either side of a payment. */
    debtor_defaults: OrgParty;
    /** @description A party that is mostly paid. It names its wallets on either side of a payment. */
    creditor_defaults: OrgParty;
    /** @description The meaning of asset labels; the first match applies. */
    assets: OrgAsset[];
};

export type OrgParty = {
    /** @description Name of the party, in place of its wallet address. */
    name: string | null;
    /** @description Country of residence, ISO 3166-1 alpha-2. */
    country: string | null;
    /** @description Legal entity identifier, ISO 17442. */
    lei: string | null;
    /** @description The wallets that belong to the party. In messages it names a side of a payment only if that side’s wallet is one of these. A wallet may belong to one party only. */
    wallets: PartyWallet[];
};

export type OrgStatusPolicy = {
    /** @description Whether pain.002 is generated; by `default_message_families` unless given. */
    emit_pain002: boolean | null;
    /** @description Whether pacs.002 is generated; by `default_message_families` unless given. */
    emit_pacs002: boolean | null;
    /** @description Whether camt.056 and camt.029 may be generated; yes unless given. */
    enable_cancellation: boolean;
    /** @description Whether refunds and reversals may be created; yes unless given. */
    enable_returns: boolean;
};

export type PaidEndpoint = {
    /** @description REST path of the endpoint. */
    path: string;
    /** @description In units of the token. */
    price: string;
    /** @description The token’s ticker. */
    currency: string;
    /** @description CAIP-2 id of the token’s network. */
    network: string;
    /** @description The token’s contract, lower-case. */
    asset: string;
    /** @description The recipient’s address, lower-case. */
    recipient: string;
    /** @description Whether the endpoint can be bought at present. */
    enabled: boolean;
};

export type PartyWallet = {
    /** @description The address, in any notation of its chain. A chain before it (`base:0x…`, `eip155:8453:0x…`) is its chain. */
    address: string;
    /** @description Only on this chain; on every chain unless given here or before the address. */
    chain: string | null;
};

export type PaymentComplianceReport = {
    /**
     * Format: uuid
     * @description UUID.
     */
    payment_id: string;
    /**
     * Format: uuid
     * @description The UUID of the receipt that records the payment; null until the payment is recorded.
     */
    receipt_id: string | null;
    /**
     * @description The worst decision of its compliance checks; `unavailable` while there is none.
     * @enum {string}
     */
    decision: "allow" | "deny" | "flag" | "unavailable";
    /** @description The compliance checks made before the payment was charged, one of each type. For a payment without checks, those of the receipt that records it. */
    checks: ComplianceCheck[];
};

export type PaymentReceiptRequest = {
    /**
     * Format: uuid
     * @description The project of the receipt, for a payment that belongs to no project; for service administrators. The organisation’s own project unless given, if there is exactly one.
     */
    project_id?: string | null;
};

export type PaymentReceiptResponse = {
    /**
     * Format: uuid
     * @description The payment’s UUID.
     */
    payment_id: string;
    /**
     * Format: uuid
     * @description The receipt’s UUID.
     */
    receipt_id: string;
    /**
     * @description Status of the receipt.
     * @enum {string}
     */
    status: "anchored" | "awaiting_anchor" | "failed" | "pending";
    /** @description Whether this call created the receipt. */
    created: boolean;
};

export type PaymentRequired = {
    /** @description A stable error code. */
    detail: string;
    /** @description A message for people. */
    message: string;
    request_id: string;
    /** @constant */
    x402Version: 2;
    /** @description The reason: the request had no payment, or why its payment was refused. */
    error: string;
    /** @description The paid resource. */
    resource: {
        /** Format: uri */
        url: string;
        description: string;
        mimeType: string;
    };
    accepts: PaymentRequirement[];
    /** @description The client sends them back unchanged. */
    extensions: Record<string, unknown>;
};

export type PaymentRequirement = {
    /** @constant */
    scheme: "exact";
    /** @description CAIP-2 id of the token’s network. */
    network: string;
    /** @description In the token’s smallest units. */
    amount: string;
    /** @description The token’s contract, lower-case. */
    asset: string;
    /** @description The address that is paid, lower-case. */
    payTo: string;
    /** @description How long an authorization must be valid. It is accepted when it ends up to 3,700 s from now. */
    maxTimeoutSeconds: number;
    /** @description Name and version of the token’s EIP-712 domain; payment precedes the operation (`upfront`). */
    extra: {
        name: string;
        version: string;
        /** @constant */
        paymentFlow: "upfront";
    };
};

export type PaymentResponse = {
    /**
     * Format: uuid
     * @description UUID.
     */
    id: string;
    /**
     * @description Status of the payment.
     * @enum {string}
     */
    status: "delivered" | "failed" | "reversed" | "settled" | "settling" | "verified";
    /**
     * @description Type of the purchase. Null when it is no longer sold.
     * @enum {string|null}
     */
    payment_type: "bulk_verify" | "fx_lookup" | "generate_statement" | "iso_message" | "refund" | "verify_bundle" | null;
    /** @description The transaction that paid. Null until settled, because a sent transaction may be replaced, and while reversed. A reorganisation of the chain may change it until it is final. */
    tx_hash: string | null;
    /** @description In units of the token. */
    amount: string;
    /** @description The token’s ticker. */
    currency: string;
    /** @description CAIP-2 id of the token’s network. */
    chain: string;
    /** @description The payer’s address, lower-case. */
    payer: string;
    /** @description The recipient’s address, lower-case. */
    recipient: string;
    /** @description The paid endpoint’s path in the price list. */
    endpoint: string;
    /**
     * Format: uuid
     * @description The UUID of the receipt that records the payment; null until the payment is recorded.
     */
    receipt_id: string | null;
    /**
     * Format: date-time
     * @description When the payment was verified.
     */
    verified_at: string;
    /**
     * Format: date-time
     * @description When the service found its settlement on chain. Null until settled.
     */
    settled_at: string | null;
    /**
     * @description Status of the receipt that records the payment.
     * @enum {string|null}
     */
    receipt_status: "anchored" | "awaiting_anchor" | "failed" | "pending" | null;
    /** @description SHA-256 of the evidence bundle of the payment’s receipt, 0x-prefixed. Null until sealed. */
    bundle_hash: string | null;
    /** @description The anchor transaction of the payment’s receipt, 0x-prefixed. Null until anchored. */
    ledger_txid: string | null;
    /**
     * @deprecated
     * @description Older name of `ledger_txid`.
     */
    flare_txid: string | null;
};

export type PaymentSettledWebhook = {
    /**
     * @description What happened.
     * @enum {string}
     */
    type: "payment.settled" | "payment.corrected" | "payment.reversed";
    /**
     * Format: date-time
     * @description When it happened.
     */
    timestamp: string;
    data: PaymentSummary;
};

export type PaymentSummary = {
    /**
     * Format: uuid
     * @description UUID.
     */
    id: string;
    /**
     * @description Status of the payment.
     * @enum {string}
     */
    status: "delivered" | "failed" | "reversed" | "settled" | "settling" | "verified";
    /**
     * @description Type of the purchase. Null when it is no longer sold.
     * @enum {string|null}
     */
    payment_type: "bulk_verify" | "fx_lookup" | "generate_statement" | "iso_message" | "refund" | "verify_bundle" | null;
    /** @description The transaction that paid. Null until settled, because a sent transaction may be replaced, and while reversed. A reorganisation of the chain may change it until it is final. */
    tx_hash: string | null;
    /** @description In units of the token. */
    amount: string;
    /** @description The token’s ticker. */
    currency: string;
    /** @description CAIP-2 id of the token’s network. */
    chain: string;
    /** @description The payer’s address, lower-case. */
    payer: string;
    /** @description The recipient’s address, lower-case. */
    recipient: string;
    /** @description The paid endpoint’s path in the price list. */
    endpoint: string;
    /**
     * Format: uuid
     * @description The UUID of the receipt that records the payment; null until the payment is recorded.
     */
    receipt_id: string | null;
    /**
     * Format: date-time
     * @description When the payment was verified.
     */
    verified_at: string;
    /**
     * Format: date-time
     * @description When the service found its settlement on chain. Null until settled.
     */
    settled_at: string | null;
};

export type PremiumBulkVerifyRequest = {
    /** @description The entries to verify; results keep this order. */
    items?: {
        /** @description The expected SHA-256 of the ZIP, 0x-prefixed. */
        bundle_hash?: string | null;
        /**
         * Format: uri
         * @description URL of the evidence ZIP.
         */
        bundle_url?: string | null;
        /** @description The anchor transaction, 0x-prefixed. Given alone, it means the bundle of the caller’s project in it; `bundle_hash_ambiguous` unless that is one. */
        txid?: string | null;
    }[] | null;
    /** @description URLs of evidence ZIPs, instead of `items` when only the URLs are known. */
    bundle_urls?: string[] | null;
};

export type PremiumBulkVerifyResponse = {
    /** @description How many entries are proven: anchored, and without errors. */
    verified: number;
    /** @description One outcome for each entry, in the order of the request. */
    results: ({
        /** @description The entry of the request. */
        input: {
            /** @description URL of the evidence ZIP. */
            bundle_url?: string;
            /** @description The expected SHA-256 of the ZIP, 0x-prefixed. */
            bundle_hash?: string;
            /** @description The anchor transaction, 0x-prefixed. Given alone, it means the bundle of the caller’s project in it; `bundle_hash_ambiguous` unless that is one. */
            txid?: string;
        };
        /** @description The error code of the failure. */
        error: string;
    } | {
        /** @description The entry of the request. */
        input: {
            /** @description URL of the evidence ZIP. */
            bundle_url?: string;
            /** @description The expected SHA-256 of the ZIP, 0x-prefixed. */
            bundle_hash?: string;
            /** @description The anchor transaction, 0x-prefixed. Given alone, it means the bundle of the caller’s project in it; `bundle_hash_ambiguous` unless that is one. */
            txid?: string;
        };
        /** @description The result. */
        result: VerifyResponse;
    })[];
};

export type PremiumFxLookupRequest = {
    /** @description The base currency, of which one unit is valued; USD unless given. Any case. */
    base_ccy?: string | null;
    /** @description The quote currency, in which the rate is stated; FLR unless given. Any case. */
    quote_ccy?: string | null;
    /** @description The only provider to query; unless given, each is queried in order until one knows the pair. */
    provider?: string | null;
};

export type PremiumFxLookupResponse = {
    /** @description The base currency, of which one unit is valued. */
    base_ccy: string;
    /** @description The quote currency, in which the rate is stated. */
    quote_ccy: string;
    /** @description Units of `quote_ccy` for one unit of `base_ccy`. */
    rate: string;
    /** @description The rate provider, and the figures it used. */
    source: string;
    /**
     * Format: date-time
     * @description Time of the oldest of those figures.
     */
    as_of: string;
};

export type PremiumIsoMessageResponse = {
    /** @description Message type, for instance `pain.001`. */
    type: string;
    /** @description URL to download the file. */
    url: string;
    /** @description SHA-256 of the file, 0x-prefixed. */
    sha256: string;
    /**
     * Format: date-time
     * @description When it was generated.
     */
    created_at: string;
    /** @description The file as text. */
    xml: string;
};

export type PremiumStatementResponse = {
    /** @description `camt.053` for a whole day, `camt.052` for part of one. */
    type: string;
    /**
     * Format: date
     * @description The day, in `time_zone`.
     */
    date: string;
    /** @description First and last minute of the day, in `time_zone`: HH:MM-HH:MM. */
    window: string;
    /** @description Entries on all pages. */
    count: number;
    /**
     * Format: uri
     * @description URL to download the first page.
     */
    url: string;
    /** @description SHA-256 of the first page, 0x-prefixed. */
    sha256: string;
};

export type PriceChange = {
    /** @description As in the price list, where it is read from: accepted so that an entry of the list can be sent back. */
    asset?: string;
    /** @description As in the price list, where it is read from: accepted so that an entry of the list can be sent back. */
    currency?: string;
    /** @description Whether the endpoint can be bought; unchanged unless given, null: it can. */
    enabled?: boolean | null;
    /** @description As in the price list, where it is read from: accepted so that an entry of the list can be sent back. */
    network?: string;
    /** @description The endpoint’s path in the price list. */
    path: string;
    /** @description In units of the token; unchanged unless given, null: the price of the specification. */
    price?: string | null;
    /** @description Address that is paid; unchanged unless given, null: the service’s own. */
    recipient?: string | null;
}[];

export type PricingUpdate = {
    /** @description Always `updated`. */
    status: string;
};

export type Principal = {
    /** @description admin, project_admin, project or viewer. */
    role: string;
    /**
     * Format: uuid
     * @description The caller’s project; null for a service administrator.
     */
    project_id: string | null;
    /** @description Whether the caller is a service administrator. */
    is_admin: boolean;
};

export type Problem = {
    type: string;
    title: string;
    status: number;
    /** @description A message for people. */
    detail: string;
    /** @description A stable error code. */
    code: string;
    request_id: string;
    /** @description Of `refund_too_large`: how much can still be refunded, an exact decimal. */
    left?: string;
};

export type ProjectAnchoring = {
    /**
     * @description `platform`: this service anchors. `tenant`: the project sends its anchors itself, and this service never does.
     * @enum {string}
     */
    execution_mode: "platform" | "tenant";
    /** @description Each receipt is anchored on all of these chains; on those of the organisation’s configuration unless given. In platform mode only chains of the service’s configuration. */
    chains: ProjectChain[];
};

export type ProjectChain = {
    /** @description A chain of the service’s configuration, or any name together with an `rpc_url`. */
    name: string;
    /** @description Evidence anchor contract; unless given, the service’s own on a chain of its configuration. */
    contract: string | null;
    /** @description JSON-RPC URL of a chain outside the service’s configuration. Shown to project_admin keys and administrators only. */
    rpc_url: string | null;
    /** @description Base URL of a block explorer for this chain. */
    explorer_base_url: string | null;
};

export type ProjectConfig = {
    /** @description The sender and the chains of anchor transactions. */
    anchoring: ProjectAnchoring;
    /** @description Data that messages state about the parties. */
    parties: ProjectParties;
    /** @description Whether its receipts get a fiat equivalent. */
    fx_policy: ProjectFxPolicy;
    /** @description Time zone of the days of its statements, by its name in the IANA database; UTC unless given. */
    time_zone: string;
};

export type ProjectConfigUpdate = {
    /** @description The sender and the chains of anchor transactions. */
    anchoring: {
        /** @description Each receipt is anchored on all of these chains; on those of the organisation’s configuration unless given. In platform mode only chains of the service’s configuration. */
        chains: {
            /** @description Evidence anchor contract; unless given, the service’s own on a chain of its configuration. */
            contract?: string | null;
            /**
             * Format: uri
             * @description Base URL of a block explorer for this chain.
             */
            explorer_base_url?: string | null;
            /** @description A chain of the service’s configuration, or any name together with an `rpc_url`. */
            name: string;
            /**
             * Format: uri
             * @description JSON-RPC URL of a chain outside the service’s configuration. Shown to project_admin keys and administrators only.
             */
            rpc_url?: string | null;
        }[];
        /**
         * @description `platform`: this service anchors. `tenant`: the project sends its anchors itself, and this service never does.
         * @enum {string}
         */
        execution_mode: "platform" | "tenant";
    };
    /** @description Data that messages state about the parties, for receipts recorded from now on. Unchanged unless given. */
    parties?: {
        /** @description A party that is mostly paid. It names its wallets on either side of a payment. */
        creditor?: {
            /** @description Country of residence, ISO 3166-1 alpha-2. */
            country?: string | null;
            /** @description Legal entity identifier, ISO 17442. */
            lei?: string | null;
            /** @description Name of the party, in place of its wallet address. */
            name?: string | null;
            /** @description The wallets that belong to the party. In messages it names a side of a payment only if that side’s wallet is one of these. A wallet may belong to one party only. */
            wallets?: {
                /** @description The address, in any notation of its chain. A chain before it (`base:0x…`, `eip155:8453:0x…`) is its chain. */
                address: string;
                /** @description Only on this chain; on every chain unless given here or before the address. */
                chain?: string | null;
            }[] | null;
        } | null;
        /** @description A party that mostly pays. It names its wallets on either side of a payment. */
        debtor?: {
            /** @description Country of residence, ISO 3166-1 alpha-2. */
            country?: string | null;
            /** @description Legal entity identifier, ISO 17442. */
            lei?: string | null;
            /** @description Name of the party, in place of its wallet address. */
            name?: string | null;
            /** @description The wallets that belong to the party. In messages it names a side of a payment only if that side’s wallet is one of these. A wallet may belong to one party only. */
            wallets?: {
                /** @description The address, in any notation of its chain. A chain before it (`base:0x…`, `eip155:8453:0x…`) is its chain. */
                address: string;
                /** @description Only on this chain; on every chain unless given here or before the address. */
                chain?: string | null;
            }[] | null;
        } | null;
        /** @description The project itself, which initiates payments and receives statements. */
        initiator?: {
            /** @description Country of residence, ISO 3166-1 alpha-2. */
            country?: string | null;
            /** @description Legal entity identifier, ISO 17442. */
            lei?: string | null;
            /** @description Name of the party, in place of its wallet address. */
            name?: string | null;
            /** @description The wallets that belong to the party. In messages it names a side of a payment only if that side’s wallet is one of these. A wallet may belong to one party only. */
            wallets?: {
                /** @description The address, in any notation of its chain. A chain before it (`base:0x…`, `eip155:8453:0x…`) is its chain. */
                address: string;
                /** @description Only on this chain; on every chain unless given here or before the address. */
                chain?: string | null;
            }[] | null;
        } | null;
    } | null;
    /** @description Whether receipts recorded from now on get a fiat equivalent. Unchanged unless given. */
    fx_policy?: {
        /** @description Currency of the valuation, ISO 4217. With `at_record` only. */
        base_ccy?: string | null;
        /**
         * @description Whether its receipts are valued in `base_ccy` once they are recorded; as the organisation’s unless given.
         * @enum {string|null}
         */
        mode?: "organisation" | "none" | "at_record" | null;
    } | null;
    /** @description Time zone of the days of its statements, by its name in the IANA database, for instance Europe/Zurich. It applies from the next day that is closed. Unchanged unless given. */
    time_zone?: string | null;
};

export type ProjectFxPolicy = {
    /**
     * @description Whether its receipts are valued in `base_ccy` once they are recorded; as the organisation’s unless given.
     * @enum {string}
     */
    mode: "at_record" | "none" | "organisation";
    /** @description Currency of the valuation, ISO 4217. With `at_record` only. */
    base_ccy: string | null;
};

export type ProjectInfo = {
    /**
     * Format: uuid
     * @description UUID.
     */
    id: string;
    /** @description Name of the project. */
    name: string;
    /** @description Wallet that registered the project, lower-case. */
    owner_wallet: string | null;
    /**
     * Format: date-time
     * @description When it was created.
     */
    created_at: string;
};

export type ProjectParties = {
    /** @description The project itself, which initiates payments and receives statements. */
    initiator: MessageParty;
    /** @description A party that mostly pays. It names its wallets on either side of a payment. */
    debtor: MessageParty;
    /** @description A party that is mostly paid. It names its wallets on either side of a payment. */
    creditor: MessageParty;
};

export type ReceiptEvent = {
    /**
     * Format: uuid
     * @description The receipt’s UUID.
     */
    receipt_id: string;
    /**
     * @description Complete only when `anchored`.
     * @enum {string}
     */
    status: "anchored" | "awaiting_anchor" | "failed" | "pending";
    /** @description SHA-256 of the bundle, 0x-prefixed. */
    bundle_hash: string | null;
    /** @description Anchor transaction id, 0x-prefixed. */
    ledger_txid: string | null;
    /**
     * @deprecated
     * @description Older name of `ledger_txid`.
     */
    flare_txid: string | null;
    /**
     * Format: uri
     * @description URL of the ISO message inside the bundle.
     */
    xml_url: string | null;
    /**
     * Format: uri
     * @description URL of the evidence ZIP.
     */
    bundle_url: string | null;
    /**
     * Format: date-time
     * @description When the receipt was recorded.
     */
    created_at: string;
    /**
     * Format: date-time
     * @description Time of the anchor’s block.
     */
    anchored_at: string | null;
};

export type ReceiptRefundedWebhook = {
    /**
     * @description What happened.
     * @enum {string}
     */
    type: "receipt.refunded";
    /**
     * Format: date-time
     * @description When it happened.
     */
    timestamp: string;
    data: RefundEvent;
};

export type ReceiptResponse = {
    /**
     * Format: uuid
     * @description UUID; also the UETR of its messages.
     */
    id: string;
    /**
     * @description Complete only when `anchored`.
     * @enum {string}
     */
    status: "anchored" | "awaiting_anchor" | "failed" | "pending";
    /** @description SHA-256 of the current evidence bundle, 0x-prefixed. Null until sealed. */
    bundle_hash: string | null;
    /** @description Anchor transaction id, 0x-prefixed. Null until anchored. */
    ledger_txid: string | null;
    /**
     * @deprecated
     * @description Older name of `ledger_txid`.
     */
    flare_txid: string | null;
    /**
     * Format: uri
     * @description URL of the ISO message inside the bundle. Null until sealed.
     */
    xml_url: string | null;
    /**
     * Format: uri
     * @description URL of the evidence ZIP. Null until sealed.
     */
    bundle_url: string | null;
    /** @description SHA-256 of the delivered bytes, 0x-prefixed, as supplied at creation. */
    resource_hash: string | null;
    /**
     * Format: date-time
     * @description When the receipt was recorded.
     */
    created_at: string;
    /**
     * Format: date-time
     * @description Time of the block that carries the anchor. Null until anchored.
     */
    anchored_at: string | null;
};

export type ReceiptSettlementWebhook = {
    /**
     * @description What happened.
     * @enum {string}
     */
    type: "receipt.settlement_checked";
    /**
     * Format: date-time
     * @description When it happened.
     */
    timestamp: string;
    data: SettlementEvent;
};

export type ReceiptSummary = {
    /**
     * Format: uuid
     * @description UUID; also the UETR of its messages.
     */
    id: string;
    /**
     * @description Complete only when `anchored`.
     * @enum {string}
     */
    status: "anchored" | "awaiting_anchor" | "failed" | "pending";
    /** @description Exact amount, in units of `currency`. */
    amount: string;
    /** @description Asset or currency label. */
    currency: string;
    /** @description Chain of the payment, as the caller named it. */
    chain: string;
    /** @description The business identifier given at creation. */
    reference: string;
    /**
     * Format: date-time
     * @description When the receipt was recorded.
     */
    created_at: string;
    /**
     * Format: date-time
     * @description Time of the block that carries the anchor. Null until anchored.
     */
    anchored_at: string | null;
};

export type ReceiptWebhook = {
    /**
     * @description What happened.
     * @enum {string}
     */
    type: "receipt.pending" | "receipt.awaiting_anchor" | "receipt.anchored" | "receipt.failed";
    /**
     * Format: date-time
     * @description When it happened.
     */
    timestamp: string;
    data: ReceiptEvent;
};

export type ReceiptsPage = {
    /** @description The receipts of this page. */
    items: ReceiptSummary[];
    /** @description Receipts on all pages. */
    total: number;
    /** @description Page number, from 1. */
    page: number;
    /** @description Receipts a page. */
    page_size: number;
};

export type RecordTipResponse = {
    /**
     * Format: uuid
     * @description The receipt’s UUID.
     */
    receipt_id: string;
    /**
     * @description State of the receipt; `pending` when it is new.
     * @enum {string}
     */
    status: "anchored" | "awaiting_anchor" | "failed" | "pending";
};

export type RefundEvent = {
    /**
     * Format: uuid
     * @description The receipt’s UUID.
     */
    receipt_id: string;
    /**
     * @description Complete only when `anchored`.
     * @enum {string}
     */
    status: "anchored" | "awaiting_anchor" | "failed" | "pending";
    /** @description SHA-256 of the bundle, 0x-prefixed. */
    bundle_hash: string | null;
    /** @description Anchor transaction id, 0x-prefixed. */
    ledger_txid: string | null;
    /**
     * @deprecated
     * @description Older name of `ledger_txid`.
     */
    flare_txid: string | null;
    /**
     * Format: uri
     * @description URL of the ISO message inside the bundle.
     */
    xml_url: string | null;
    /**
     * Format: uri
     * @description URL of the evidence ZIP.
     */
    bundle_url: string | null;
    /**
     * Format: date-time
     * @description When the receipt was recorded.
     */
    created_at: string;
    /**
     * Format: date-time
     * @description Time of the anchor’s block.
     */
    anchored_at: string | null;
    /**
     * Format: uuid
     * @description The UUID of the receipt that records the refund.
     */
    refund_receipt_id: string;
    /** @description The amount of the refund, which can be a part of the payment: an exact decimal, in its currency. */
    refund_amount: string;
    /** @description Whether the transaction that gave the money back is known. */
    refund_settled: boolean;
};

export type RefundRequest = {
    /**
     * Format: uuid
     * @description The receipt to refund; it must be anchored.
     */
    original_receipt_id: string;
    /** @description Reason for the refund, from ExternalReturnReason1Code; for instance `FOCR`. */
    reason_code?: string | null;
    /** @description The transaction that gave the money back, or one transfer in it, such as `0x…#3`. Without it the refund is announced, not settled. */
    refund_tx_hash?: string | null;
    /** @description Amount that was given back, as an exact decimal string, in the currency of the receipt: at most what is left to refund. Without it the whole payment is refunded. */
    amount?: string | null;
};

export type RefundResponse = {
    /**
     * Format: uuid
     * @description UUID; also the UETR of its messages.
     */
    refund_receipt_id: string;
    /**
     * @description Complete only when `anchored`.
     * @enum {string}
     */
    status: "anchored" | "awaiting_anchor" | "failed" | "pending";
};

export type RegisterProjectRequest = {
    /** @description Name of the project. */
    name: string;
    /** @description The complete EIP-4361 message, exactly as it was signed. */
    message: string;
    /** @description The wallet’s signature (EIP-191 personal_sign): 65 bytes, 64 (EIP-2098), what an ERC-1271 wallet accepts, or would accept once it is deployed (ERC-6492). */
    signature: string;
};

export type RegisterProjectResponse = {
    /** @description The project. */
    project: ProjectInfo;
    /** @description The raw key, for the X-API-Key header. Shown only here. */
    api_key: string;
};

export type RequestedAnchor = {
    /**
     * Format: uuid
     * @description UUID of the anchor.
     */
    anchor_id: string;
    /** @description The hash, 0x-prefixed. */
    bundle_hash: string;
    /**
     * @description Status of the anchor.
     * @enum {string}
     */
    status: "confirmed" | "failed" | "pending";
    /** @description The status as a sentence. */
    message: string;
};

export type RevenueResponse = {
    /** @description In units of the token, exactly. */
    total_revenue: string;
    /** @description Number of settled payments. */
    payment_count: number;
    /** @description Number of days. */
    days: number;
    /** @description The token’s ticker. */
    currency: string;
    /** @description Endpoints with payments, by path. */
    by_endpoint: EndpointRevenue[];
    /** @description Every day, oldest first. */
    by_day: DayRevenue[];
};

export type RevokedAPIKey = {
    /** @description `ok`. */
    status: string;
    /**
     * Format: uuid
     * @description UUID.
     */
    id: string;
    /**
     * Format: date-time
     * @description When it was revoked.
     */
    revoked_at: string | null;
};

export type SDKBuildRequest = {
    /**
     * @description ts: ES modules and CommonJS with types, for Node 20.3 and later and for browsers. python: Python 3.11 and later. Neither needs any other package.
     * @enum {string}
     */
    lang: "ts" | "python";
    /**
     * Format: uri
     * @description Default base URL of the client, http or https; this service’s own unless given.
     */
    base_url?: string | null;
    /**
     * @description Authentication: api_key (all operations) unless given, or none (only operations that need no key).
     * @enum {string|null}
     */
    auth?: "api_key" | "none" | null;
    /**
     * @description package (for npm install or pip install) unless given, or sources (files to copy into a program). npm, pypi and none are the words of earlier clients.
     * @enum {string|null}
     */
    packaging?: "package" | "sources" | "npm" | "pypi" | "none" | null;
    /** @description Only operations of these sections (tags) of the OpenAPI document, and those of `receipts`, which are always included; all unless given. */
    families?: string[] | null;
    /** @description Whether the client includes paid operations, and for ts the fetch that pays; true unless given. */
    include_x402?: boolean | null;
};

export type SettlementEvent = {
    /**
     * Format: uuid
     * @description The receipt’s UUID.
     */
    receipt_id: string;
    /**
     * @description Complete only when `anchored`.
     * @enum {string}
     */
    status: "anchored" | "awaiting_anchor" | "failed" | "pending";
    /** @description SHA-256 of the bundle, 0x-prefixed. */
    bundle_hash: string | null;
    /** @description Anchor transaction id, 0x-prefixed. */
    ledger_txid: string | null;
    /**
     * @deprecated
     * @description Older name of `ledger_txid`.
     */
    flare_txid: string | null;
    /**
     * Format: uri
     * @description URL of the ISO message inside the bundle.
     */
    xml_url: string | null;
    /**
     * Format: uri
     * @description URL of the evidence ZIP.
     */
    bundle_url: string | null;
    /**
     * Format: date-time
     * @description When the receipt was recorded.
     */
    created_at: string;
    /**
     * Format: date-time
     * @description Time of the anchor’s block.
     */
    anchored_at: string | null;
    /**
     * @description The result of the check of the payment on its own chain.
     * @enum {string}
     */
    settlement_status: "confirmed" | "mismatch" | "not_found" | "reverted" | "not_final" | "ambiguous" | "unknown_asset" | "unsupported_chain" | "unavailable";
};

export type SiweMintKeyRequest = {
    /** @description The complete EIP-4361 message, exactly as it was signed. */
    message: string;
    /** @description The wallet’s signature (EIP-191 personal_sign): 65 bytes, 64 (EIP-2098), what an ERC-1271 wallet accepts, or would accept once it is deployed (ERC-6492). */
    signature: string;
    /** @description Purpose of the key. */
    label?: string | null;
    /**
     * Format: uuid
     * @description The project; needed when the wallet owns several.
     */
    project_id?: string | null;
};

export type SiweMintKeyResponse = {
    /**
     * Format: uuid
     * @description UUID.
     */
    id: string;
    /** @description Purpose of the key. */
    label: string;
    /**
     * @description Role of the key.
     * @enum {string}
     */
    role: "project" | "project_admin" | "viewer";
    /**
     * Format: uuid
     * @description The project it belongs to.
     */
    project_id: string;
    /**
     * Format: date-time
     * @description When it was created.
     */
    created_at: string;
};

export type SiweVerifyRequest = {
    /** @description The complete EIP-4361 message, exactly as it was signed. */
    message?: string | null;
    /** @description Older form, without a message: the wallet that signed the nonce. */
    address?: string | null;
    /** @description Older form, without a message: the nonce, which is the signed text. */
    nonce?: string | null;
    /** @description The wallet’s signature (EIP-191 personal_sign): 65 bytes, 64 (EIP-2098), what an ERC-1271 wallet accepts, or would accept once it is deployed (ERC-6492). */
    signature: string;
};

export type SiweVerifyResponse = {
    /** @description With a key: true, linked to the key’s project. Otherwise: whether any project has the wallet. */
    linked: boolean;
    /** @description The wallet, lower-case. */
    address: string;
    /** @description The service’s host. */
    domain: string;
    /** @description The Chain id of the message, a whole number; null without a message. */
    chain_id: number | null;
};

export type TipRecordRequest = {
    /** @description Settlement transaction hash, as the chain writes it. Hex is folded to lower-case. One of several transfers in it has its number behind it, such as `0x…#3`. */
    tip_tx_hash: string;
    /** @description Chain of the payment, by the name the integration uses, or its CAIP-2 id. All names of a chain are one chain. */
    chain: string;
    /** @description Exact decimal string above zero: at most 20 integer and 18 fraction digits. Never a JSON number. */
    amount: string;
    /** @description Asset or currency label. */
    currency: string;
    /** @description Payer address. */
    sender_wallet: string;
    /** @description Recipient address. */
    receiver_wallet: string;
    /** @description Stable business identifier: the order or invoice id. Unique in the project. */
    reference: string;
    /** @description SHA-256 of the delivered bytes, 0x-prefixed. */
    resource_hash?: string | null;
    /**
     * Format: uri
     * @description URL that each change of the receipt is POSTed to, signed as Standard Webhooks says: a public http or https address without user and password.
     */
    callback_url?: string | null;
};

export type TokenDomain = {
    /** @description Name of the domain. */
    name: string;
    /** @description Version of the domain. */
    version: string;
};

export type UnlinkedWallet = {
    /** @description `ok`. */
    status: string;
    /** @description The address, lower-case. */
    address: string;
};

export type ValidationError = {
    /** @description The location of the value: `body`, `query`, `path` or `header`, then names and indexes. */
    loc: (string | number)[];
    msg: string;
    /** @description A stable code such as `missing`. */
    type: string;
};

export type VerifyCidRequest = {
    /** @description An IPFS CID, or an Arweave transaction id. */
    cid: string;
    /**
     * @description The store to query; chosen by the form of the id unless given.
     * @enum {string|null}
     */
    store?: "ipfs" | "arweave" | "auto" | null;
    /**
     * Format: uuid
     * @description UUID of the receipt whose bundle it must be.
     */
    receipt_id?: string | null;
};

export type VerifyPaymentRequest = {
    /** @description The decoded JSON of PAYMENT-SIGNATURE. */
    payment_payload: Record<string, unknown>;
    /** @description The entry of `accepts` that the payment is for. */
    payment_requirements: Record<string, unknown>;
};

export type VerifyPaymentResponse = {
    /** @description Whether the payment would be accepted. */
    valid: boolean;
    /** @description The payer; null unless its signature is valid. */
    payer: string | null;
    /** @description Error code of x402 for the refusal; null when valid. */
    reason: string | null;
};

export type VerifyRequest = {
    /**
     * Format: uri
     * @description URL of the evidence ZIP.
     */
    bundle_url?: string | null;
    /** @description The expected SHA-256 of the ZIP, 0x-prefixed. */
    bundle_hash?: string | null;
    /** @description The anchor transaction, 0x-prefixed. Given alone, it means the bundle of the caller’s project in it; `bundle_hash_ambiguous` unless that is one. */
    txid?: string | null;
};

export type VerifyResponse = {
    /** @description A final, successful transaction of the expected contract carries exactly this hash, or each hash that may be meant. */
    matches_onchain: boolean;
    /** @description The bundle hash that was searched for, 0x-prefixed. Null when only a transaction was given and anchors several bundles, of which not exactly one is of the caller’s project. */
    bundle_hash: string | null;
    /** @description The anchor transaction, 0x-prefixed. */
    ledger_txid: string | null;
    /**
     * @deprecated
     * @description Older name of `ledger_txid`.
     */
    flare_txid: string | null;
    /**
     * Format: date-time
     * @description Block time of the anchor.
     */
    anchored_at: string | null;
    /** @description Ids of the checks that failed. */
    errors: string[];
};

export type WebhookEndpoint = {
    /** @description UUID. */
    id: string;
    /** @description The project whose events are sent to the endpoint. */
    project: {
        /** @description UUID. */
        id: string;
    };
    /** @description URL to which events are POSTed. */
    url: string;
    /** @description Name of the endpoint; may be empty. */
    description: string;
    /** @description The types of events that are sent to the endpoint. */
    event_types: ("AGENT_ANCHORED" | "PAYMENT_CORRECTED" | "PAYMENT_REVERSED" | "PAYMENT_SETTLED" | "RECEIPT_ANCHORED" | "RECEIPT_AWAITING_ANCHOR" | "RECEIPT_FAILED" | "RECEIPT_PENDING" | "RECEIPT_REFUNDED" | "RECEIPT_SETTLEMENT_CHECKED")[];
    /** @description Whether events are sent to the endpoint. */
    is_enabled: boolean;
    /** @description Null while it is enabled. */
    disabled_at: string | null;
    /** @description Why it is disabled; null while it is enabled. */
    disabled_reason: ("ASKED" | "FAILING" | "GONE") | null;
    /** @description The first failed attempt since the last successful one; after five days the endpoint is disabled. Null while attempts succeed. */
    failing_since: string | null;
    /** @description When it was created. */
    created_at: string;
    /** @description When it was last changed. */
    updated_at: string;
};

export type WebhookEndpointWithSecret = {
    /** @description UUID. */
    id: string;
    /** @description URL to which events are POSTed. */
    url: string;
    /** @description The types of events that are sent to the endpoint. */
    event_types: ("AGENT_ANCHORED" | "PAYMENT_CORRECTED" | "PAYMENT_REVERSED" | "PAYMENT_SETTLED" | "RECEIPT_ANCHORED" | "RECEIPT_AWAITING_ANCHOR" | "RECEIPT_FAILED" | "RECEIPT_PENDING" | "RECEIPT_REFUNDED" | "RECEIPT_SETTLEMENT_CHECKED")[];
    /** @description The present secret, `whsec_` and base64. `forbidden` for a session. Null when the service no longer has the key that made it. */
    secret: string | null;
};

export type WebhookAttempt = {
    /** @description Number of the attempt, from 1. */
    number: number;
    /** @description When the attempt began. */
    started_at: string;
    /** @description Milliseconds until the attempt ended. Null while it is in progress, and when its worker died before the end. */
    duration_ms: number | null;
    /** @description HTTP status; null without a response. */
    status_code: number | null;
    /** @description Why there was no response; null with one, and while the attempt is in progress. */
    error: ("CANCELLED" | "CERTIFICATE" | "CONNECTION_REFUSED" | "CONNECTION_RESET" | "INTERRUPTED" | "NO_ANSWER" | "NO_PUBLIC_ADDRESS" | "NO_SECRET" | "TIMEOUT") | null;
    /** @description The first 1,024 bytes of the response body as text. */
    answer_start: string | null;
};

export type WebhookDelivery = {
    /** @description A decimal number that increases with every delivery. Numbers are not consecutive. */
    id: string;
    /** @description The header `webhook-id`: the same for every attempt and receiver of the event. */
    webhook_id: string;
    /**
     * @description What happened.
     * @enum {string}
     */
    type: "AGENT_ANCHORED" | "PAYMENT_CORRECTED" | "PAYMENT_REVERSED" | "PAYMENT_SETTLED" | "RECEIPT_ANCHORED" | "RECEIPT_AWAITING_ANCHOR" | "RECEIPT_FAILED" | "RECEIPT_PENDING" | "RECEIPT_REFUNDED" | "RECEIPT_SETTLEMENT_CHECKED" | "WEBHOOK_TEST";
    /**
     * @description Status of the delivery.
     * @enum {string}
     */
    status: "CANCELLED" | "DELIVERED" | "FAILED" | "GONE" | "WAITING";
    /** @description The endpoint; null for a delivery to the `callbackUrl` of the receipt. */
    endpoint: {
        /** @description UUID. */
        id: string;
    } | null;
    /** @description The `callbackUrl`; null for a delivery to an endpoint. */
    callback_url: string | null;
    /** @description The receipt that the event is about, if any. */
    receipt: {
        /** @description UUID; also the UETR of its messages. */
        id: string;
    } | null;
    /** @description Number of attempts since the delivery was created or last replayed. */
    attempt_count: number;
    /** @description The newest 50 attempts, newest first. */
    attempts: WebhookAttempt[];
    /** @description Earliest time of the next attempt; while an attempt is in progress, when another may begin. Null once the delivery has finished. */
    next_attempt_at: string | null;
    /** @description When it was created. */
    created_at: string;
    /** @description When the delivery finished; null before. */
    finished_at: string | null;
};

export type StatementPage = {
    /** @description File name. */
    name: string;
    /** @description Media type of the file. */
    media_type: string;
    /** @description SHA-256 of the file, 0x-prefixed. */
    sha256: string;
    /** @description URL to download the file. */
    url: string;
};

export type Statement = {
    /** @description UUID. */
    id: string;
    /**
     * @description The type of its message.
     * @enum {string}
     */
    type: "CAMT_052" | "CAMT_053";
    /**
     * @description Whether it is of the numbered series of an account, or else what it is.
     * @enum {string}
     */
    kind: "COPY" | "EARLIER" | "PROVISIONAL" | "REPORT" | "SERIES";
    /** @description State of a numbered statement; null outside a series. */
    status: ("ANCHORED" | "AWAITING_ANCHOR" | "PENDING") | null;
    /** @description The day, in `timeZone`. */
    date: string;
    /** @description First and last minute of the day, in `timeZone`: HH:MM-HH:MM. */
    window: string;
    /** @description Time zone of its day, by its name in the IANA database. */
    time_zone: string;
    /** @description Start of the period, inclusive. */
    starts_at: string;
    /** @description End of the period, exclusive. */
    ends_at: string;
    /** @description Entries on all pages. */
    count: number;
    /** @description Its place in the series of the account, from 1 on without gaps; null outside a series. */
    number: number | null;
    /** @description Opening balance: the closing balance of the number before. Null outside a series. */
    opening: string | null;
    /** @description Closing balance. Null outside a series. */
    closing: string | null;
    /** @description URL to download the first page. */
    url: string;
    /** @description SHA-256 of the first page, 0x-prefixed. */
    sha256: string;
    /** @description URL of a ZIP with one document for each account and page, for programs that merge the accounts of one document. Null where the statement has one account, or none. */
    zip_url: string | null;
    /** @description URL of its evidence bundle. Null until sealed, and outside a series. */
    bundle_url: string | null;
    /** @description SHA-256 of its evidence bundle, 0x-prefixed. Null until sealed, and outside a series. */
    bundle_hash: string | null;
    /** @description Anchor transaction id, 0x-prefixed. Null until anchored. */
    anchor_tx: string | null;
    /** @description Time of the block that carries the anchor. Null until anchored. */
    anchored_at: string | null;
    /** @description When it was made; when it was numbered, in a series. */
    created_at: string;
    /** @description The documents of the statement, in page order. */
    pages: {
        /** @description The entries of the page. */
        nodes: StatementPage[];
    };
};

export type StatementAccount = {
    /** @description UUID. */
    id: string;
    /** @description The wallet, as the first receipt has it. */
    wallet: string;
    /** @description The chain, as the first receipt has it. */
    chain: string;
    /** @description Asset or currency label. */
    currency: string;
    /** @description Closing balance of its newest statement, in units of `currency`; before the first, what was booked before the series began. */
    balance: string;
    /** @description Number of its newest statement; 0 before the first. */
    last_number: number;
};

export type Settlement = {
    /**
     * @description The result.
     * @enum {string}
     */
    status: "AMBIGUOUS" | "CONFIRMED" | "MISMATCH" | "NOT_FINAL" | "NOT_FOUND" | "REVERTED" | "UNAVAILABLE" | "UNKNOWN_ASSET" | "UNSUPPORTED_CHAIN";
    /**
     * @description How well the payment is known.
     * @enum {string}
     */
    grade: "OBSERVED" | "PROVED" | "STATED";
    /** @description The result in a sentence, as messages and pages say it. */
    sentence: string;
    /** @description When the chain was queried last. */
    checked_at: string;
    /** @description The result does not change any more; otherwise the payment is checked again. */
    is_final: boolean;
    /** @description The asset that the label means, by CAIP-19; null where no configuration says it. */
    asset_id: string | null;
    /** @description Number of the block with the transaction. */
    block_number: string | null;
    /** @description Hash of that block. */
    block_hash: string | null;
    /** @description Time of that block: when the payment took place. */
    block_time: string | null;
    /** @description The transfer that is the payment, or the one most like it: the number of its log in the block, or the place of a transfer of the chain’s own currency in the transaction. */
    transfer_index: number | null;
    /** @description Payer of that transfer. */
    sender_wallet: string | null;
    /** @description Recipient of that transfer. */
    receiver_wallet: string | null;
    /** @description Amount of that transfer. */
    amount: string | null;
    /** @description Sender of the transaction, who paid its fee: another than the payer where a contract or a relayer pays. */
    transaction_sender: string | null;
    /** @description Fee of the transaction, in the smallest unit of the chain’s own currency, as digits. */
    fee: string | null;
    /** @description The facts that are stated otherwise than the chain has them. */
    differences: {
        /**
         * @description Which fact.
         * @enum {string}
         */
        field: "AMOUNT" | "CURRENCY" | "RECEIVER_WALLET" | "SENDER_WALLET" | "TRANSFER_INDEX";
        /** @description As the project stated it. */
        stated: string;
        /** @description As the chain has it; null where it has none. */
        found: string | null;
    }[];
};

export type ReceiptSettlement = {
    /** @description UUID; also the UETR of its messages. */
    receipt_id: string;
    /** @description Whether money moved: false for a refund that is only announced, and for a payment that its chain contradicts. */
    is_settled: boolean;
    /** @description The check of the payment on its own chain; null until it is made, where the policy is `OFF`, and for payments on chains that this service cannot query. Of a refund: the check of the transaction that gave the money back. */
    settlement: Settlement | null;
};

export type AgentsAnswer = Agent[];

export type AgentStatsQuery = {
    /** @description Number of past days in UTC, today included: 1 to 365. */
    days?: number;
};

export type AgentAnchorsQuery = {
    /** @description Number of past days in UTC, today included: 1 to 365. */
    days?: number;
    /**
     * @description Only anchors in this status.
     * @enum {string}
     */
    status?: "pending" | "confirmed" | "failed";
};

export type AgentAnchorsAnswer = AgentAnchor[];

export type AgentActivityQuery = {
    /** @description Number of past days in UTC, today included: 1 to 365. */
    days?: number;
};

export type AuditEventsQuery = {
    /** @description Only this action, for instance `receipt.record`. */
    action?: string;
    /** @description Only events about objects of this type, for instance `receipt`. */
    object_type?: string;
    /** @description Only events about the object with this id. */
    object_id?: string;
    /** @description Only events at or after this date or RFC 3339 timestamp (UTC). */
    date_from?: string;
    /** @description Only events at or before this RFC 3339 timestamp, or on or before this date (UTC). */
    date_to?: string;
    /** @description Page size, 1 to 200. */
    limit?: number;
    /** @description Events to skip. */
    offset?: number;
};

export type AuditEventsAnswer = AuditEvent[];

export type ProjectsAnswer = ProjectInfo[];

export type ApiKeysAnswer = APIKeyInfo[];

export type EmbedPageRedirectQuery = {
    /**
     * Format: uuid
     * @description The receipt’s UUID.
     */
    rid?: string;
    /**
     * @description light or dark; the reader’s own setting unless given.
     * @enum {string}
     */
    theme?: "light" | "dark";
};

export type PaymentsQuery = {
    /** @description Page size, 1 to 200. */
    limit?: number;
    /** @description Payments to skip. */
    offset?: number;
    /** @description Only payments in this token, by its exact ticker. */
    currency?: string;
    /** @description Only payments on this network, by its CAIP-2 id such as `eip155:8453`. */
    chain?: string;
    /**
     * @description Only payments with this status.
     * @enum {string}
     */
    status?: "verified" | "settling" | "settled" | "delivered" | "failed" | "reversed";
    /**
     * @description Only payments of this type.
     * @enum {string}
     */
    payment_type?: "fx_lookup" | "verify_bundle" | "generate_statement" | "iso_message" | "bulk_verify" | "refund";
};

export type PaymentsAnswer = PaymentSummary[];

export type RevenueQuery = {
    /** @description Number of days in UTC, ending with today: 1 to 365. */
    days?: number;
};

export type PremiumStatementQuery = {
    /**
     * Format: date
     * @description The day, in the time zone of the project; today unless given. Of a wallet: in UTC.
     */
    date?: string;
    /** @description First and last minute, in the same time zone; the whole day unless given. */
    window?: string;
};

export type PricingAnswer = PaidEndpoint[];

export type ReceiptsQuery = {
    /**
     * @description `mine`: the receipts of the key’s project. `all`: every project’s; service administrators only.
     * @enum {string}
     */
    scope?: "mine" | "all";
    /**
     * @description Only receipts in this state: pending, awaiting_anchor, anchored or failed.
     * @enum {string}
     */
    status?: "pending" | "awaiting_anchor" | "anchored" | "failed";
    /** @description Only receipts of payments on this chain, by any of its names or its CAIP-2 id. */
    chain?: string;
    /** @description Only receipts whose reference contains this text, taken literally. */
    reference?: string;
    /** @description Only receipts created at or after this date or RFC 3339 timestamp (UTC). */
    since?: string;
    /** @description Only receipts created at or before this RFC 3339 timestamp, or on or before this whole date (UTC). */
    until?: string;
    /**
     * Format: uuid
     * @description Only receipts of this project.
     */
    project_id?: string;
    /** @description Page number, from 1. */
    page?: number;
    /** @description Receipts a page, 1 to 200. */
    page_size?: number;
};

export type MessagesQuery = {
    /** @description Only messages of exactly this type, for instance `pain.001`. */
    type?: string;
};

export type MessagesAnswer = ISOArtifactResponse[];

export type AnchorsAnswer = AnchorResponse[];

export type LinkedWalletsAnswer = LinkedWallet[];

export type WebhookEndpointsQuery = {
    limit?: number;
    after?: string;
};

export type WebhookEndpointsAnswer = {
    /** @description The entries of the page. */
    items: WebhookEndpoint[];
    /** @description Whether there are more pages, and the cursors to request them. */
    next: {
        /** @description Cursor of the last entry of the page; null when the page is empty. */
        cursor: string | null;
        /** @description Whether entries follow this page. */
        exists: boolean;
    };
};

export type CreateWebhookEndpointBody = {
    url: string;
    event_types?: ("AGENT_ANCHORED" | "PAYMENT_CORRECTED" | "PAYMENT_REVERSED" | "PAYMENT_SETTLED" | "RECEIPT_ANCHORED" | "RECEIPT_AWAITING_ANCHOR" | "RECEIPT_FAILED" | "RECEIPT_PENDING" | "RECEIPT_REFUNDED" | "RECEIPT_SETTLEMENT_CHECKED")[];
    description?: string;
    project_id?: string;
};

export type UpdateWebhookEndpointBody = {
    url?: string;
    event_types?: ("AGENT_ANCHORED" | "PAYMENT_CORRECTED" | "PAYMENT_REVERSED" | "PAYMENT_SETTLED" | "RECEIPT_ANCHORED" | "RECEIPT_AWAITING_ANCHOR" | "RECEIPT_FAILED" | "RECEIPT_PENDING" | "RECEIPT_REFUNDED" | "RECEIPT_SETTLEMENT_CHECKED")[];
    description?: string;
};

export type DeleteWebhookEndpointAnswer = {
    /** @description UUID of the endpoint. */
    deleted_id: string;
};

export type RotateWebhookSecretBody = {
    overlap_hours?: number;
};

export type WebhookDeliveriesQuery = {
    endpoint?: string;
    receipt?: string;
    statuses?: ("CANCELLED" | "DELIVERED" | "FAILED" | "GONE" | "WAITING")[];
    limit?: number;
    after?: string;
};

export type WebhookDeliveriesAnswer = {
    /** @description The entries of the page. */
    items: WebhookDelivery[];
    /** @description Whether there are more pages, and the cursors to request them. */
    next: {
        /** @description Cursor of the last entry of the page; null when the page is empty. */
        cursor: string | null;
        /** @description Whether entries follow this page. */
        exists: boolean;
    };
};

export type ReplayWebhookEventsBody = {
    after: string;
    until?: string;
    include_delivered?: boolean;
};

export type ReplayWebhookEventsAnswer = {
    /** @description Number of deliveries that are sent again. */
    count: number;
    /** @description The `after` of the next call; null when no events are left. */
    next: string | null;
};

export type StatementsQuery = {
    account?: string;
    since?: string;
    until?: string;
    limit?: number;
    after?: string;
};

export type StatementsAnswer = {
    /** @description The entries of the page. */
    items: Statement[];
    /** @description Whether there are more pages, and the cursors to request them. */
    next: {
        /** @description Cursor of the last entry of the page; null when the page is empty. */
        cursor: string | null;
        /** @description Whether entries follow this page. */
        exists: boolean;
    };
};

export type GenerateStatementBody = {
    date?: string;
    window?: string;
    account?: {
        chain: string;
        currency: string;
        wallet: string;
    };
    project_id?: string;
};

export type StatementAccountsQuery = {
    limit?: number;
    after?: string;
};

export type StatementAccountsAnswer = {
    /** @description The entries of the page. */
    items: StatementAccount[];
    /** @description Whether there are more pages, and the cursors to request them. */
    next: {
        /** @description Cursor of the last entry of the page; null when the page is empty. */
        cursor: string | null;
        /** @description Whether entries follow this page. */
        exists: boolean;
    };
};
