export type APIKeyCreate = {
    /** @description What the key is for. */
    label: string;
    /**
     * @description project_admin, project or viewer.
     * @enum {string|null}
     */
    role?: "project_admin" | "project" | "viewer" | null;
    /**
     * Format: date-time
     * @description When it stops working; never unless given.
     */
    expires_at?: string | null;
    /**
     * Format: uuid
     * @description The project; needed from a service administrator, else the key’s own.
     */
    project_id?: string | null;
};
export type APIKeyInfo = {
    /**
     * Format: uuid
     * @description UUID.
     */
    id: string;
    /** @description What the key is for. */
    label: string;
    /**
     * @description What it may do.
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
     * @description When it stops working.
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
    /** @description What it is called. */
    name: string;
    /** @description The wallet it pays with. */
    wallet_address: string;
    /** @description Where it can be written to over XMTP. */
    xmtp_address: string | null;
    /** @description Its spending limits; null: none. */
    pricing_rules: AgentPricingRules | null;
    /**
     * @description Whether its wallet may pay here.
     * @enum {string}
     */
    status: "active" | "disabled" | "paused";
    /**
     * Format: uuid
     * @description The project it belongs to.
     */
    project_id: string;
    /**
     * @description How it understands a sentence.
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
    /** @description What it was, as a sentence. */
    content: string;
    /**
     * Format: date-time
     * @description When.
     */
    timestamp: string;
    /** @description Its amounts, hashes and ids. */
    details: Record<string, unknown>;
};
export type AgentActivitySummary = {
    /** @description Settled payments. */
    total_payments: number;
    /** @description Anchors. */
    total_anchors: number;
    /** @description Payments whose receipt is anchored. */
    anchored_payments: number;
};
export type AgentAiRequest = {
    /**
     * @description simple: the command language; shared: the service’s model; custom: a model of its own.
     * @enum {string|null}
     */
    ai_mode?: "simple" | "shared" | "custom" | null;
    /** @description Added to the instructions of the model, up to 4,000 characters. */
    ai_system_prompt?: string | null;
    /**
     * @description Of mode custom: openai-compatible, openai, anthropic or google.
     * @enum {string|null}
     */
    ai_provider?: "openai-compatible" | "openai" | "anthropic" | "google" | null;
    /** @description Of mode custom: the name of the model. */
    ai_model?: string | null;
    /**
     * Format: uri
     * @description Of mode custom: where the model is asked, a public https address; needed for openai-compatible.
     */
    ai_endpoint?: string | null;
    /** @description Of mode custom: the API key for the model. It is encrypted and never shown; it is forgotten when mode, provider or endpoint change without it. */
    ai_api_key?: string | null;
};
export type AgentAiTest = {
    /**
     * @description How it was understood.
     * @enum {string}
     */
    mode: "custom" | "shared" | "simple";
    /** @description The sentence. */
    test_message: string;
    /** @description The command that it asks for; null when it is none. */
    parsed_result: AgentParsedCommand | null;
    /** @description Provider of the model; null in mode simple. */
    ai_provider: string | null;
    /** @description Name of the model; null in mode simple. */
    ai_model: string | null;
};
export type AgentAiTestRequest = {
    /** @description What somebody might tell the agent. */
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
    /** @description The transaction, 0x-prefixed; null until it is sent. */
    anchor_txid: string | null;
    /** @description Name of the anchoring chain. */
    chain: string;
    /**
     * @description How far it is.
     * @enum {string}
     */
    status: "confirmed" | "failed" | "pending";
    /**
     * Format: date-time
     * @description Time of its block.
     */
    anchored_at: string | null;
    /**
     * Format: date-time
     * @description When it was asked for.
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
    /** @description The transaction, 0x-prefixed; null until it is sent. */
    anchor_txid: string | null;
    /** @description Name of the anchoring chain. */
    chain: string;
    /**
     * @description How far it is.
     * @enum {string}
     */
    status: "confirmed" | "failed" | "pending";
    /**
     * Format: date-time
     * @description Time of its block.
     */
    anchored_at: string | null;
    /**
     * Format: date-time
     * @description When it was asked for.
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
     * @description The receipt whose bundle it is: then its own anchor is the answer.
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
    /** @description Whether every payment of its wallet is recorded as a receipt and anchored. */
    auto_anchor_enabled: boolean;
    /** @description Whether payments of its wallet are recorded since this was switched on. */
    anchor_on_payment: boolean;
    /** @description The wallet with which it anchors by itself, in tenant mode. */
    anchor_wallet: string | null;
};
export type AgentAnchoringRequest = {
    /** @description Whether every payment of its wallet in its project is recorded as a receipt, which is anchored: also those of before. */
    auto_anchor_enabled?: boolean | null;
    /** @description The same for payments that are settled from now on. */
    anchor_on_payment?: boolean | null;
    /** @description The wallet with which the agent anchors by itself; its anchors are listed with the agent’s. */
    anchor_wallet_address?: string | null;
};
export type AgentCreateRequest = {
    /** @description What the agent is called. */
    name: string;
    /** @description The wallet it pays with. The service never asks for its key. */
    wallet_address: string;
    /** @description Where it can be written to over XMTP. */
    xmtp_address?: string | null;
    /** @description Its spending limits: payments of its wallet beyond them are refused before anything is charged. */
    pricing_rules?: {
        /** @description The most that one call may cost; no limit unless given. */
        max_per_call?: string | null;
        /** @description The most that its calls of one day in UTC may cost together. */
        max_per_day?: string | null;
    } | null;
};
export type AgentParsedCommand = {
    /** @description Its name. */
    command: string;
    /** @description Its arguments, in order. */
    arguments: string[];
};
export type AgentPayment = {
    /** @description The transaction that paid. Null until settled: one that is only sent may be replaced. */
    tx_hash: string | null;
    /** @description In units of the token. */
    amount: string;
    /** @description Its path in the price list. */
    endpoint: string;
    /**
     * Format: date-time
     * @description When it was found good.
     */
    verified_at: string;
};
export type AgentPricingRules = {
    /** @description A call; null: no limit. */
    max_per_call: string | null;
    /** @description All calls of one day in UTC together; null: no limit. */
    max_per_day: string | null;
};
export type AgentStats = {
    /**
     * Format: uuid
     * @description The agent’s UUID.
     */
    agent_id: string;
    /** @description What it is called. */
    agent_name: string;
    /** @description How many days in UTC, today included. */
    days: number;
    /** @description Settled payments. */
    payment_count: number;
    /** @description What they come to, in units of the token. */
    total_spent: string;
    /** @description The newest 200 of them. */
    payments: AgentPayment[];
};
export type AgentTestAnswer = {
    /**
     * Format: uuid
     * @description The agent’s UUID.
     */
    agent_id: string;
    /** @description What it is called. */
    agent_name: string;
    /** @description The command. */
    command_received: string;
    /** @description The answer, in lines. */
    response: string;
    /**
     * Format: date-time
     * @description When it was answered.
     */
    timestamp: string;
};
export type AgentTestRequest = {
    /** @description One line; `help` lists what there is. */
    command?: string | null;
};
export type AgentUnifiedActivity = {
    /**
     * Format: uuid
     * @description The agent’s UUID.
     */
    agent_id: string;
    /** @description What it is called. */
    agent_name: string;
    /** @description How many days in UTC, today included. */
    days: number;
    /** @description Newest first, at most 200. */
    activities: AgentActivity[];
    /** @description All of it in numbers. */
    summary: AgentActivitySummary;
};
export type AgentUpdateRequest = {
    /** @description What the agent is called. */
    name?: string | null;
    /**
     * @description active, paused or disabled: payments of the wallet of an agent that is not active are refused.
     * @enum {string|null}
     */
    status?: "active" | "paused" | "disabled" | null;
    /** @description The wallet it pays with. The service never asks for its key. */
    wallet_address?: string | null;
    /** @description Where it can be written to over XMTP. */
    xmtp_address?: string | null;
    /** @description Its spending limits: payments of its wallet beyond them are refused before anything is charged. */
    pricing_rules?: {
        /** @description The most that one call may cost; no limit unless given. */
        max_per_call?: string | null;
        /** @description The most that its calls of one day in UTC may cost together. */
        max_per_day?: string | null;
    } | null;
};
export type AnchorResponse = {
    /** @description Name of the anchoring chain. */
    chain: string;
    /** @description The transaction, 0x-prefixed. */
    txid: string | null;
    /**
     * Format: date-time
     * @description Time of that block.
     */
    anchored_at: string | null;
    /** @description The block that carries it. */
    block_number: number | null;
    /** @description Hash of that block. */
    block_hash: string | null;
    /** @description The evidence anchor contract. */
    contract: string | null;
    /**
     * @description Null until the transaction is mined. A receipt is anchored only when it is final on every chain.
     * @enum {string|null}
     */
    finality: "final" | "included" | "safe" | null;
};
export type AssistAnswer = {
    /** @description Plain text that a language model wrote. It may be wrong; show it as text, never as HTML or Markdown, whose links and images it could be made to misuse. */
    reply: string;
    /** @description The calls of tools that it rests on, in order. */
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
    /** @description What the model may read; all receipts of the project unless given. */
    scope?: {
        /** @description Whether the model may also read the XML messages of those receipts. */
        allow_read_artifacts?: boolean | null;
        /** @description Whether the model may read receipts at all: without, it has no tools. */
        allow_read_receipts?: boolean | null;
        /** @description Only these receipts may be read: none when empty, all of the project when absent. */
        allowed_receipt_ids?: string[] | null;
    } | null;
    /** @description Names the conversation under which question and answer are kept, where transcripts are kept. */
    session_id?: string | null;
};
export type AssistUsedTool = {
    /** @description Name of the tool. */
    tool: string;
    /** @description Whether it gave what was asked for. */
    ok: boolean;
    /** @description UUIDs of the receipts that it showed to the model, all of which the caller may read. */
    receipt_ids: string[];
};
export type AssistantFeatures = {
    /** @description Names of the tools that its model may have. None of them writes. */
    tools: string[];
    /** @description Whether answers can be had as they are written, by the subscription `assistEvents`. */
    streaming: boolean;
    /** @description How many days questions and answers with a `session_id` are kept; 0: they are not. */
    transcript_days: number;
    /** @description Whether API keys of agents for their own models can be stored. */
    agent_keys: boolean;
};
export type AssistantStatus = {
    /** @description Whether questions are answered. */
    enabled: boolean;
    /** @description `openai-compatible`, `openai`, `anthropic` or `google`; null when there is none. */
    provider: string | null;
    /** @description Name of the model; null when there is none. */
    model: string | null;
    /** @description What it can do here. */
    features: AssistantFeatures;
};
export type AuditEvent = {
    /** @description A decimal number that increases with every event of the service. */
    id: string;
    /** @description `noun.verb`, for instance `receipt.record`. */
    action: string;
    /** @description What kind of thing it was done to. */
    object_type: string;
    /** @description The id of that thing. */
    object_id: string;
    /**
     * Format: uuid
     * @description The project; null for the service itself.
     */
    project_id: string | null;
    /** @description `key:<id>`, `admin:<id>`, `wallet:<address>`, `worker` or `public`. */
    actor: string;
    /**
     * Format: date-time
     * @description When.
     */
    created_at: string;
    /** @description More about it, by action. Never a secret. */
    details: Record<string, unknown>;
};
export type ComplianceCheck = {
    /**
     * @description What was checked.
     * @enum {string}
     */
    type: "sanctions" | "travel_rule";
    /**
     * @description What came of it.
     * @enum {string}
     */
    decision: "allow" | "deny" | "flag" | "unavailable";
    /** @description Why, in the provider’s words: at most 500 characters. */
    reason: string | null;
    /** @description Name of the provider. `none`: no provider is configured and nobody looked. `threshold`: the amount is below the one from which the travel rule applies, and nobody was asked. */
    provider: string;
    /**
     * Format: date-time
     * @description When the decision was made, or last tried.
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
     * @description The worst of the checks; `unavailable` while none was made.
     * @enum {string}
     */
    decision: "allow" | "deny" | "flag" | "unavailable";
    /** @description One of each type. */
    checks: ComplianceCheck[];
};
export type ConfirmAnchorRequest = {
    /**
     * Format: uuid
     * @description The receipt’s UUID.
     */
    receipt_id: string;
    /** @description The transaction that anchors its bundle hash, 0x-prefixed. */
    ledger_txid?: string | null;
    /**
     * @deprecated
     * @description Older name of `ledger_txid`.
     */
    flare_txid?: string | null;
    /** @description Name of the chain; needed when the receipt is to be anchored on several. */
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
    /** @description Payments settled on it. */
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
    /** @description Whether it answers. */
    ok: boolean;
    /** @description One word or short sentence, no internals. */
    detail: string;
};
export type EndpointRevenue = {
    /** @description Its path in the price list. */
    endpoint: string;
    /** @description Payments. */
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
    /** @description A stable code. */
    detail: string;
    /** @description For people. */
    message: string;
    request_id: string;
};
export type EvidenceChain = {
    /** @description As anchors name it. */
    name: string;
    /** @description CAIP-2 id, for instance `eip155:14`. */
    caip2: string | null;
    /** @description The evidence anchor contract, lower-case. */
    contract: string;
    /** @description When a block is final: `safe` or `finalized` as its nodes say, or a number of confirmations. */
    finality: string;
    /** @description First block worth searching for anchors. */
    deployed_at_block: number;
    /** @description Where people look at its transactions. */
    explorer_base_url: string | null;
};
export type EvidenceKey = {
    /** @description First 16 hex digits of the SHA-256 of the key’s SPKI DER. */
    key_id: string;
    /** @description Always Ed25519. */
    algorithm: string;
    /** @description SPKI in PEM. */
    public_key_pem: string;
    /**
     * Format: date-time
     * @description Bundles made before are not to be trusted under it.
     */
    valid_from: string;
    /**
     * Format: date-time
     * @description Nor bundles made or anchored after; null while in use.
     */
    valid_to: string | null;
};
export type EvidenceKeys = {
    /** @description The default first. */
    chains: EvidenceChain[];
    /** @description Oldest first. */
    keys: EvidenceKey[];
};
export type FIMessageRequest = {
    /** @description ISO external code of the reason: for camt.056 of ExternalCancellationReason1Code, for camt.029 of ExternalPaymentCancellationRejection1Code, for pacs.007 and pain.007 of ExternalReversalReason1Code. */
    reason_code?: string | null;
    /** @description For camt.029: what came of the investigation, of ExternalInvestigationExecutionConfirmation1Code. */
    resolution_code?: string | null;
};
export type FIMessageResponse = {
    /** @description The id inside the XML: MsgId, or the assignment’s id. */
    message_id: string;
    /** @description For instance `camt.056`. */
    type: string;
    /**
     * Format: uuid
     * @description The receipt’s UUID.
     */
    receipt_id: string;
    /** @description Where the XML is downloaded. */
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
    /** @description Digits after the point in a unit of the token. */
    asset_decimals: number;
    /** @description What its signatures are made for. */
    asset_domain: TokenDomain;
    /** @description Who is paid unless a price says otherwise, lower-case. */
    pay_to: string;
    /** @description The account that settles and pays the gas, lower-case. */
    facilitator: string;
    /** @description How long an authorization has to hold; 3,700 s are the most that is accepted. */
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
    /** @description What it depends on. */
    deps: {
        /** @description The database. */
        db: DependencyHealth;
        /** @description The anchoring chain. */
        chain: DependencyHealth;
        /** @description The background worker, in whichever process. */
        worker: DependencyHealth;
    };
};
export type ISOArtifactResponse = {
    /** @description `pain.001`, `pain.002`, `camt.054` …; `evidence` for the bundle. */
    type: string;
    /** @description Where it is downloaded. */
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
    /** @description Lower-case 0x. */
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
};
export type NonceResponse = {
    /** @description A UUID as 32 hex digits. Good for one use within 10 minutes. */
    nonce: string;
    /** @description The service’s own host, with its port where it is not the usual. */
    domain: string;
    /** @description Whole numbers: a wallet that is a contract signs in under one of these Chain IDs, a wallet that is a key under any. */
    chain_ids: number[];
};
export type OrgAnchoring = {
    /** @description Names of the chains on which receipts are anchored, all of them; the first of the service unless given. */
    chains: string[];
};
export type OrgAsset = {
    /** @description The asset label of receipts this is about, exactly as recorded. */
    label: string;
    /** @description Only on this chain label; on every chain unless given. */
    chain: string | null;
    /** @description ISO 4217 code for it in messages; XXX, no currency, unless given. */
    currency: string | null;
    /** @description Digital token identifier, ISO 24165, for camt messages. */
    dti: string | null;
};
export type OrgCompliance = {
    /** @description From this amount on the travel rule applies, in units of the currency that `mapping.assets` gives the asset. Of an asset without a currency nobody knows what it is worth: its payments are always asked about, and all are unless given. */
    travel_rule_threshold: string | null;
    /** @description Who is asked about the travel rule, by a name of COMPLIANCE_PROVIDERS; nobody unless given. */
    travel_rule_provider: string | null;
    /** @description Whether a denial fails the receipt, and nothing goes on while the provider gives no answer; no unless given. */
    travel_rule_enforce: boolean;
    /** @description Who is asked about sanctions, by a name of COMPLIANCE_PROVIDERS; nobody unless given. */
    sanctions_provider: string | null;
    /** @description The same as `travelRuleEnforce`, for sanctions. */
    sanctions_enforce: boolean;
};
export type OrgConfigModel = {
    /** @description Where receipts are anchored. */
    anchoring?: {
        /** @description Names of the chains on which receipts are anchored, all of them; the first of the service unless given. */
        chains?: string[] | null;
    } | null;
    /** @description Who is asked about each payment. */
    compliance?: {
        /** @description The same as `travelRuleEnforce`, for sanctions. */
        sanctions_enforce?: boolean | null;
        /** @description Who is asked about sanctions, by a name of COMPLIANCE_PROVIDERS; nobody unless given. */
        sanctions_provider?: string | null;
        /** @description Whether a denial fails the receipt, and nothing goes on while the provider gives no answer; no unless given. */
        travel_rule_enforce?: boolean | null;
        /** @description Who is asked about the travel rule, by a name of COMPLIANCE_PROVIDERS; nobody unless given. */
        travel_rule_provider?: string | null;
        /** @description From this amount on the travel rule applies, in units of the currency that `mapping.assets` gives the asset. Of an asset without a currency nobody knows what it is worth: its payments are always asked about, and all are unless given. */
        travel_rule_threshold?: string | null;
    } | null;
    /** @description What becomes of evidence bundles. */
    evidence?: {
        /** @description Where bundles are kept. */
        store?: {
            /**
             * @description Where bundles are kept; local unless given.
             * @enum {string|null}
             */
            mode?: "local" | "ipfs" | null;
        } | null;
    } | null;
    /** @description Whether receipts get a fiat equivalent. */
    fx_policy?: {
        /** @description In which currency, ISO 4217. With `at_record` only. */
        base_ccy?: string | null;
        /**
         * @description Whether receipts are valued in `baseCcy` once they are recorded; `none` unless given.
         * @enum {string|null}
         */
        mode?: "none" | "at_record" | null;
        /** @description The one provider of rates to ask, by its name (`chainlink`, `http`, `ecb`), also for projects that decide the rest themselves; each in order unless given. */
        provider?: string | null;
    } | null;
    /** @description What the ids in messages are made of. */
    id_strategy?: {
        /**
         * @description What EndToEndId is made of; the reference unless given.
         * @enum {string|null}
         */
        end_to_end_id?: "reference" | "receipt_id" | null;
        /**
         * @description What UETR is made of: the receipt id, or chain and transaction, which both sides of a payment know.
         * @enum {string|null}
         */
        uetr?: "receipt_id" | "settlement" | null;
    } | null;
    /** @description The ledger it is paid on. */
    ledger?: {
        /** @description Describes an asset in the entries of camt messages. */
        asset?: {
            /** @description The token’s contract. */
            contract_address?: string | null;
            /** @description Decimals of the token on chain. */
            decimals?: number | null;
            /** @description The asset label of the receipts it describes. */
            symbol: string;
        } | null;
        /** @description Chain label of the receipts whose asset is described; every chain unless given. */
        network?: string | null;
    } | null;
    /** @description How payments are put into messages. */
    mapping?: {
        /** @description What asset labels mean; the first that fits counts. */
        assets?: {
            /** @description Only on this chain label; on every chain unless given. */
            chain?: string | null;
            /** @description ISO 4217 code for it in messages; XXX, no currency, unless given. */
            currency?: string | null;
            /** @description Digital token identifier, ISO 24165, for camt messages. */
            dti?: string | null;
            /** @description The asset label of receipts this is about, exactly as recorded. */
            label: string;
        }[] | null;
        /** @description ISO external category purpose, for instance `SUPP`. */
        category_purpose?: string | null;
        /**
         * @description Who bears charges; SLEV unless given.
         * @enum {string|null}
         */
        charge_bearer?: "SLEV" | "SHAR" | "DEBT" | "CRED" | null;
        /** @description What messages say of recipients beside their wallet. */
        creditor_defaults?: {
            /** @description Country of residence, ISO 3166-1 alpha-2. */
            country?: string | null;
            /** @description Legal entity identifier, ISO 17442. */
            lei?: string | null;
            /** @description Name of the party, in place of its wallet address. */
            name?: string | null;
        } | null;
        /** @description What messages say of payers beside their wallet. */
        debtor_defaults?: {
            /** @description Country of residence, ISO 3166-1 alpha-2. */
            country?: string | null;
            /** @description Legal entity identifier, ISO 17442. */
            lei?: string | null;
            /** @description Name of the party, in place of its wallet address. */
            name?: string | null;
        } | null;
        /** @description ISO external purpose code, for instance `GDDS`. */
        purpose?: string | null;
        /** @description Whether the reference travels as structured remittance information; as text unless given. */
        structured_remittance?: boolean | null;
    } | null;
    /** @description Who the organisation is. */
    org?: {
        /** @description Messages made once a receipt is anchored; pain.002 and camt.054 unless given. */
        default_message_families?: ("pain.002" | "camt.054" | "pacs.002" | "pacs.008" | "remt.001")[] | null;
        /** @description Its country of residence, ISO 3166-1 alpha-2. */
        jurisdiction?: string | null;
        /** @description Its legal entity identifier, ISO 17442. */
        lei?: string | null;
        /** @description Name of the initiating party and of the recipient of camt messages. */
        name?: string | null;
    } | null;
    /** @description Which status and workflow messages there are. */
    status?: {
        /** @description Whether pacs.002 is made; the families say so unless given. */
        emit_pacs002?: boolean | null;
        /** @description Whether pain.002 is made; the families say so unless given. */
        emit_pain002?: boolean | null;
        /** @description Whether camt.056 and camt.029 may be made; yes unless given. */
        enable_cancellation?: boolean | null;
        /** @description Whether refunds and reversals may be made; yes unless given. */
        enable_returns?: boolean | null;
    } | null;
};
export type OrgConfigResponse = {
    /** @description Who the organisation is. */
    org: OrgIdentity;
    /** @description The ledger it is paid on. */
    ledger: OrgLedger;
    /** @description How payments are put into messages. */
    mapping: OrgMapping;
    /** @description Which status and workflow messages there are. */
    status: OrgStatusPolicy;
    /** @description Where receipts are anchored. */
    anchoring: OrgAnchoring;
    /** @description What becomes of evidence bundles. */
    evidence: OrgEvidence;
    /** @description What the ids in messages are made of. */
    id_strategy: OrgIdStrategy;
    /** @description Whether receipts get a fiat equivalent. */
    fx_policy: OrgFxPolicy;
    /** @description Who is asked about each payment. */
    compliance: OrgCompliance;
};
export type OrgEvidence = {
    /** @description Where bundles are kept. */
    store: OrgEvidenceStore;
};
export type OrgEvidenceStore = {
    /**
     * @description Where bundles are kept; local unless given.
     * @enum {string}
     */
    mode: "ipfs" | "local";
};
export type OrgFxPolicy = {
    /**
     * @description Whether receipts are valued in `baseCcy` once they are recorded; `none` unless given.
     * @enum {string}
     */
    mode: "at_record" | "none";
    /** @description In which currency, ISO 4217. With `at_record` only. */
    base_ccy: string | null;
    /** @description The one provider of rates to ask, by its name (`chainlink`, `http`, `ecb`), also for projects that decide the rest themselves; each in order unless given. */
    provider: string | null;
};
export type OrgIdStrategy = {
    /**
     * @description What EndToEndId is made of; the reference unless given.
     * @enum {string}
     */
    end_to_end_id: "receipt_id" | "reference";
    /**
     * @description What UETR is made of: the receipt id, or chain and transaction, which both sides of a payment know.
     * @enum {string}
     */
    uetr: "receipt_id" | "settlement";
};
export type OrgIdentity = {
    /** @description Name of the initiating party and of the recipient of camt messages. */
    name: string | null;
    /** @description Its country of residence, ISO 3166-1 alpha-2. */
    jurisdiction: string | null;
    /** @description Its legal entity identifier, ISO 17442. */
    lei: string | null;
    /** @description Messages made once a receipt is anchored; pain.002 and camt.054 unless given. */
    default_message_families: string[];
};
export type OrgLedger = {
    /** @description Chain label of the receipts whose asset is described; every chain unless given. */
    network: string | null;
    /** @description Describes an asset in the entries of camt messages. */
    asset: OrgLedgerAsset | null;
};
export type OrgLedgerAsset = {
    /** @description The asset label of the receipts it describes. */
    symbol: string;
    /** @description Decimals of the token on chain. */
    decimals: number | null;
    /** @description The token’s contract. */
    contract_address: string | null;
};
export type OrgMapping = {
    /**
     * @description Who bears charges; SLEV unless given.
     * @enum {string}
     */
    charge_bearer: "CRED" | "DEBT" | "SHAR" | "SLEV";
    /** @description ISO external purpose code, for instance `GDDS`. */
    purpose: string | null;
    /** @description ISO external category purpose, for instance `SUPP`. */
    category_purpose: string | null;
    /** @description Whether the reference travels as structured remittance information; as text unless given. */
    structured_remittance: boolean;
    /** @description What messages say of payers beside their wallet. */
    debtor_defaults: OrgParty;
    /** @description What messages say of recipients beside their wallet. */
    creditor_defaults: OrgParty;
    /** @description What asset labels mean; the first that fits counts. */
    assets: OrgAsset[];
};
export type OrgParty = {
    /** @description Name of the party, in place of its wallet address. */
    name: string | null;
    /** @description Country of residence, ISO 3166-1 alpha-2. */
    country: string | null;
    /** @description Legal entity identifier, ISO 17442. */
    lei: string | null;
};
export type OrgStatusPolicy = {
    /** @description Whether pain.002 is made; the families say so unless given. */
    emit_pain002: boolean | null;
    /** @description Whether pacs.002 is made; the families say so unless given. */
    emit_pacs002: boolean | null;
    /** @description Whether camt.056 and camt.029 may be made; yes unless given. */
    enable_cancellation: boolean;
    /** @description Whether refunds and reversals may be made; yes unless given. */
    enable_returns: boolean;
};
export type PaidEndpoint = {
    /** @description Its REST path. */
    path: string;
    /** @description In units of the token. */
    price: string;
    /** @description The token’s ticker. */
    currency: string;
    /** @description CAIP-2 id of its network. */
    network: string;
    /** @description The token’s contract, lower-case. */
    asset: string;
    /** @description Who is paid, lower-case. */
    recipient: string;
    /** @description Whether it can be had at present. */
    enabled: boolean;
};
export type PaymentComplianceReport = {
    /**
     * Format: uuid
     * @description UUID.
     */
    payment_id: string;
    /**
     * Format: uuid
     * @description The UUID of the receipt that records it; null while nothing was recorded.
     */
    receipt_id: string | null;
    /**
     * @description The worst of its checks; `unavailable` while none was made.
     * @enum {string}
     */
    decision: "allow" | "deny" | "flag" | "unavailable";
    /** @description The checks that were made before it was charged, one of each type; of a payment that was not checked those of the receipt that records it. */
    checks: ComplianceCheck[];
};
export type PaymentReceiptRequest = {
    /**
     * Format: uuid
     * @description Whose receipt it is to be, of a payment that belongs to no project: for service administrators. The house project unless given, where there is exactly one.
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
     * @description Where the receipt is.
     * @enum {string}
     */
    status: "anchored" | "awaiting_anchor" | "failed" | "pending";
    /** @description Whether this call made the receipt. */
    created: boolean;
};
export type PaymentRequired = {
    /** @description A stable code. */
    detail: string;
    /** @description For people. */
    message: string;
    request_id: string;
    /** @constant */
    x402Version: 2;
    /** @description Why: that nothing was offered, or the reason for which it was refused. */
    error: string;
    /** @description What is paid for. */
    resource: {
        /** Format: uri */
        url: string;
        description: string;
        mimeType: string;
    };
    accepts: PaymentRequirement[];
    /** @description To be sent back as they are. */
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
    /** @description Who is paid, lower-case. */
    payTo: string;
    /** @description How long an authorization has to be valid. One that ends up to 3,700 s from now is accepted. */
    maxTimeoutSeconds: number;
    /** @description Name and version of the token’s EIP-712 domain; and that it is paid before it is carried out. */
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
     * @description Where it is.
     * @enum {string}
     */
    status: "delivered" | "failed" | "settled" | "settling" | "verified";
    /**
     * @description What it bought. Null when that is no longer sold.
     * @enum {string|null}
     */
    payment_type: "bulk_verify" | "fx_lookup" | "generate_statement" | "iso_message" | "refund" | "verify_bundle" | null;
    /** @description The transaction that paid. Null until settled: one that is only sent may be replaced. */
    tx_hash: string | null;
    /** @description In units of the token. */
    amount: string;
    /** @description The token’s ticker. */
    currency: string;
    /** @description CAIP-2 id of its network. */
    chain: string;
    /** @description Who paid, lower-case. */
    payer: string;
    /** @description Who was paid, lower-case. */
    recipient: string;
    /** @description Its path in the price list. */
    endpoint: string;
    /**
     * Format: uuid
     * @description The UUID of the receipt that records it; null while nothing was recorded.
     */
    receipt_id: string | null;
    /**
     * Format: date-time
     * @description When it was found good.
     */
    verified_at: string;
    /**
     * Format: date-time
     * @description When the chain showed that it paid. Null until settled.
     */
    settled_at: string | null;
    /**
     * @description Where the receipt that records it is.
     * @enum {string|null}
     */
    receipt_status: "anchored" | "awaiting_anchor" | "failed" | "pending" | null;
    /** @description SHA-256 of the evidence bundle of the receipt that records it, 0x-prefixed. Null until sealed. */
    bundle_hash: string | null;
    /** @description The anchor transaction of the receipt that records it, 0x-prefixed. Null until anchored. */
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
    type: "payment.settled";
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
     * @description Where it is.
     * @enum {string}
     */
    status: "delivered" | "failed" | "settled" | "settling" | "verified";
    /**
     * @description What it bought. Null when that is no longer sold.
     * @enum {string|null}
     */
    payment_type: "bulk_verify" | "fx_lookup" | "generate_statement" | "iso_message" | "refund" | "verify_bundle" | null;
    /** @description The transaction that paid. Null until settled: one that is only sent may be replaced. */
    tx_hash: string | null;
    /** @description In units of the token. */
    amount: string;
    /** @description The token’s ticker. */
    currency: string;
    /** @description CAIP-2 id of its network. */
    chain: string;
    /** @description Who paid, lower-case. */
    payer: string;
    /** @description Who was paid, lower-case. */
    recipient: string;
    /** @description Its path in the price list. */
    endpoint: string;
    /**
     * Format: uuid
     * @description The UUID of the receipt that records it; null while nothing was recorded.
     */
    receipt_id: string | null;
    /**
     * Format: date-time
     * @description When it was found good.
     */
    verified_at: string;
    /**
     * Format: date-time
     * @description When the chain showed that it paid. Null until settled.
     */
    settled_at: string | null;
};
export type PremiumBulkVerifyRequest = {
    /** @description What is to be verified, in this order. */
    items?: {
        /** @description The expected SHA-256 of the ZIP, 0x-prefixed. */
        bundle_hash?: string | null;
        /**
         * Format: uri
         * @description Where the evidence ZIP is.
         */
        bundle_url?: string | null;
        /** @description The anchor transaction, 0x-prefixed. */
        txid?: string | null;
    }[] | null;
    /** @description Instead of `items`, where nothing but the URLs of the ZIPs is known. */
    bundle_urls?: string[] | null;
};
export type PremiumBulkVerifyResponse = {
    /** @description How many are proven: anchored, and without errors. */
    verified: number;
    /** @description One for each entry, in the order in which they were asked. */
    results: ({
        /** @description What was asked. */
        input: {
            /** @description Where the evidence ZIP is. */
            bundle_url?: string;
            /** @description The expected SHA-256 of the ZIP, 0x-prefixed. */
            bundle_hash?: string;
            /** @description The anchor transaction, 0x-prefixed. */
            txid?: string;
        };
        /** @description The code of why. */
        error: string;
    } | {
        /** @description What was asked. */
        input: {
            /** @description Where the evidence ZIP is. */
            bundle_url?: string;
            /** @description The expected SHA-256 of the ZIP, 0x-prefixed. */
            bundle_hash?: string;
            /** @description The anchor transaction, 0x-prefixed. */
            txid?: string;
        };
        /** @description What it proves. */
        result: VerifyResponse;
    })[];
};
export type PremiumFxLookupRequest = {
    /** @description Of which one unit is valued; USD unless given. Any case. */
    base_ccy?: string | null;
    /** @description In which it is valued; FLR unless given. Any case. */
    quote_ccy?: string | null;
    /** @description The one provider to ask; unless given, each in order until one knows the pair. */
    provider?: string | null;
};
export type PremiumFxLookupResponse = {
    /** @description Of which one unit is valued. */
    base_ccy: string;
    /** @description In which it is valued. */
    quote_ccy: string;
    /** @description Units of `quoteCcy` for one of `baseCcy`. */
    rate: string;
    /** @description Who says so, and of which figures it was made. */
    source: string;
    /**
     * Format: date-time
     * @description When the oldest of those figures was true.
     */
    as_of: string;
};
export type PremiumIsoMessageResponse = {
    /** @description For instance `pain.001`. */
    type: string;
    /** @description Where its file is downloaded. */
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
     * @description The day, in UTC.
     */
    date: string;
    /** @description First and last minute of the window, in UTC: HH:MM-HH:MM. */
    window: string;
    /** @description Entries on all pages. */
    count: number;
    /**
     * Format: uri
     * @description Where the first page is downloaded.
     */
    url: string;
    /** @description SHA-256 of the first page, 0x-prefixed. */
    sha256: string;
};
export type PriceChange = {
    /** @description Whether it can be had; unchanged unless given. */
    enabled?: boolean | null;
    /** @description Its path in the price list. */
    path: string;
    /** @description In units of the token; unchanged unless given. */
    price?: string | null;
    /** @description Who is paid; unchanged unless given. */
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
    /** @description Whether this is a service administrator. */
    is_admin: boolean;
};
export type Problem = {
    type: string;
    title: string;
    status: number;
    /** @description For people. */
    detail: string;
    /** @description A stable code. */
    code: string;
    request_id: string;
};
export type ProjectAnchoring = {
    /**
     * @description `platform`: this service anchors. `tenant`: the project sends its anchors itself, and this service never does.
     * @enum {string}
     */
    execution_mode: "platform" | "tenant";
    /** @description On which chains its receipts are anchored, all of them; those of the organisation’s configuration unless given. In platform mode only chains the service knows. */
    chains: ProjectChain[];
};
export type ProjectChain = {
    /** @description A chain this service knows, or any name with an `rpcUrl` beside it. */
    name: string;
    /** @description Evidence anchor contract; the service’s own on a chain it knows unless given. */
    contract: string | null;
    /** @description JSON-RPC address of a chain this service does not know. Shown to managers only. */
    rpc_url: string | null;
    /** @description Where people look at transactions of this chain. */
    explorer_base_url: string | null;
};
export type ProjectConfig = {
    /** @description Who anchors, and where. */
    anchoring: ProjectAnchoring;
    /** @description What messages say of the parties. */
    parties: ProjectParties;
    /** @description Whether its receipts get a fiat equivalent. */
    fx_policy: ProjectFxPolicy;
};
export type ProjectConfigUpdate = {
    /** @description Who anchors, and where. */
    anchoring: {
        /** @description On which chains its receipts are anchored, all of them; those of the organisation’s configuration unless given. In platform mode only chains the service knows. */
        chains: {
            /** @description Evidence anchor contract; the service’s own on a chain it knows unless given. */
            contract?: string | null;
            /**
             * Format: uri
             * @description Where people look at transactions of this chain.
             */
            explorer_base_url?: string | null;
            /** @description A chain this service knows, or any name with an `rpcUrl` beside it. */
            name: string;
            /**
             * Format: uri
             * @description JSON-RPC address of a chain this service does not know. Shown to managers only.
             */
            rpc_url?: string | null;
        }[];
        /**
         * @description `platform`: this service anchors. `tenant`: the project sends its anchors itself, and this service never does.
         * @enum {string}
         */
        execution_mode: "platform" | "tenant";
    };
    /** @description What messages say of the parties, for receipts recorded from now on. As it is unless given. */
    parties?: {
        /** @description Recipients of its receipts, beside their wallet. */
        creditor?: {
            /** @description Country of residence, ISO 3166-1 alpha-2. */
            country?: string | null;
            /** @description Legal entity identifier, ISO 17442. */
            lei?: string | null;
            /** @description Name of the party, in place of its wallet address. */
            name?: string | null;
        } | null;
        /** @description Payers of its receipts, beside their wallet. */
        debtor?: {
            /** @description Country of residence, ISO 3166-1 alpha-2. */
            country?: string | null;
            /** @description Legal entity identifier, ISO 17442. */
            lei?: string | null;
            /** @description Name of the party, in place of its wallet address. */
            name?: string | null;
        } | null;
        /** @description The project itself: it initiates payments and is sent statements. */
        initiator?: {
            /** @description Country of residence, ISO 3166-1 alpha-2. */
            country?: string | null;
            /** @description Legal entity identifier, ISO 17442. */
            lei?: string | null;
            /** @description Name of the party, in place of its wallet address. */
            name?: string | null;
        } | null;
    } | null;
    /** @description Whether receipts recorded from now on get a fiat equivalent. As it is unless given. */
    fx_policy?: {
        /** @description In which currency, ISO 4217. With `at_record` only. */
        base_ccy?: string | null;
        /**
         * @description Whether its receipts are valued in `baseCcy` once they are recorded; as the organisation’s unless given.
         * @enum {string|null}
         */
        mode?: "organisation" | "none" | "at_record" | null;
    } | null;
};
export type ProjectFxPolicy = {
    /**
     * @description Whether its receipts are valued in `baseCcy` once they are recorded; as the organisation’s unless given.
     * @enum {string}
     */
    mode: "at_record" | "none" | "organisation";
    /** @description In which currency, ISO 4217. With `at_record` only. */
    base_ccy: string | null;
};
export type ProjectInfo = {
    /**
     * Format: uuid
     * @description UUID.
     */
    id: string;
    /** @description What the project is called. */
    name: string;
    /** @description Wallet that registered it, lower-case. */
    owner_wallet: string | null;
    /**
     * Format: date-time
     * @description When it was created.
     */
    created_at: string;
};
export type ProjectParties = {
    /** @description The project itself: it initiates payments and is sent statements. */
    initiator: MessageParty;
    /** @description Payers of its receipts, beside their wallet. */
    debtor: MessageParty;
    /** @description Recipients of its receipts, beside their wallet. */
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
     * @description Where the receipt is; `pending` when it is new.
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
    /** @description Whether the transaction that gave the money back is known. */
    refund_settled: boolean;
};
export type RefundRequest = {
    /**
     * Format: uuid
     * @description The receipt to refund; it must be anchored.
     */
    original_receipt_id: string;
    /** @description Why, of ExternalReturnReason1Code; for instance `FOCR`. */
    reason_code?: string | null;
    /** @description The transaction that gave the money back. Without it the refund is announced, not settled. */
    refund_tx_hash?: string | null;
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
    /** @description What the project is called. */
    name: string;
    /** @description The complete EIP-4361 message, exactly as it was signed. */
    message: string;
    /** @description The wallet’s signature (EIP-191 personal_sign): 65 bytes, 64 (EIP-2098), or what an ERC-1271 wallet takes. */
    signature: string;
};
export type RegisterProjectResponse = {
    /** @description The project. */
    project: ProjectInfo;
    /** @description That key, for the X-API-Key header. Shown only here. */
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
     * @description How far it is.
     * @enum {string}
     */
    status: "confirmed" | "failed" | "pending";
    /** @description The same in words. */
    message: string;
};
export type RevenueResponse = {
    /** @description In units of the token, exactly. */
    total_revenue: string;
    /** @description Payments settled. */
    payment_count: number;
    /** @description How many days, today included. */
    days: number;
    /** @description The token’s ticker. */
    currency: string;
    /** @description Each that was paid for, by path. */
    by_endpoint: EndpointRevenue[];
    /** @description Every day, the first first. */
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
     * @description ts: ES modules with types, for Node 20.3 and later and for browsers. python: Python 3.11 and later. Neither needs any other package.
     * @enum {string}
     */
    lang: "ts" | "python";
    /**
     * Format: uri
     * @description The address that the client asks unless told otherwise, http or https; this service’s own unless given.
     */
    base_url?: string | null;
    /**
     * @description How it is used: api_key (all operations) unless given, or none (only those that need no key).
     * @enum {string|null}
     */
    auth?: "api_key" | "none" | null;
    /**
     * @description package (for npm install or pip install) unless given, or sources (files to copy into a program).
     * @enum {string|null}
     */
    packaging?: "package" | "sources" | null;
    /** @description Only operations of these sections (tags) of the OpenAPI document, and those of `receipts`, which are always there; all unless given. */
    families?: string[] | null;
    /** @description Whether operations that are paid for are in it, and for ts the fetch that pays; true unless given. */
    include_x402?: boolean | null;
};
export type SiweMintKeyRequest = {
    /** @description The complete EIP-4361 message, exactly as it was signed. */
    message: string;
    /** @description The wallet’s signature (EIP-191 personal_sign): 65 bytes, 64 (EIP-2098), or what an ERC-1271 wallet takes. */
    signature: string;
    /** @description What the key is for. */
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
    /** @description What the key is for. */
    label: string;
    /**
     * @description What it may do.
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
    /** @description The wallet’s signature (EIP-191 personal_sign): 65 bytes, 64 (EIP-2098), or what an ERC-1271 wallet takes. */
    signature: string;
};
export type SiweVerifyResponse = {
    /** @description With a key: true, it is linked to the key’s project. Else whether it belongs to any project. */
    linked: boolean;
    /** @description The wallet, lower-case. */
    address: string;
    /** @description The service’s own host. */
    domain: string;
    /** @description The whole number that the message names; null without a message. */
    chain_id: number | null;
};
export type TipRecordRequest = {
    /** @description Settlement transaction hash, as the chain writes it. Hex is folded to lower-case. */
    tip_tx_hash: string;
    /** @description Chain of the payment, by the name the integration uses. */
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
     * @description URL that each change of the receipt is POSTed to, signed as Standard Webhooks says.
     */
    callback_url?: string | null;
};
export type TokenDomain = {
    /** @description Its name. */
    name: string;
    /** @description Its version. */
    version: string;
};
export type UnlinkedWallet = {
    /** @description `ok`. */
    status: string;
    /** @description Lower-case 0x. */
    address: string;
};
export type ValidationError = {
    /** @description Where it stands: `body`, `query`, `path` or `header`, then names and indexes. */
    loc: (string | number)[];
    msg: string;
    /** @description A stable word such as `missing`. */
    type: string;
};
export type VerifyCidRequest = {
    /** @description An IPFS CID, or an Arweave transaction id. */
    cid: string;
    /**
     * @description Which store to ask; by the form of the id unless given.
     * @enum {string|null}
     */
    store?: "ipfs" | "arweave" | "auto" | null;
    /**
     * Format: uuid
     * @description The receipt whose bundle it must be.
     */
    receipt_id?: string | null;
};
export type VerifyPaymentRequest = {
    /** @description What PAYMENT-SIGNATURE says, decoded. */
    payment_payload: Record<string, unknown>;
    /** @description The entry of `accepts` that it is to pay. */
    payment_requirements: Record<string, unknown>;
};
export type VerifyPaymentResponse = {
    /** @description Whether it would. */
    valid: boolean;
    /** @description Who signed it; null unless that is who pays. */
    payer: string | null;
    /** @description Why not, in the words of x402; null when valid. */
    reason: string | null;
};
export type VerifyRequest = {
    /**
     * Format: uri
     * @description Where the evidence ZIP is.
     */
    bundle_url?: string | null;
    /** @description The expected SHA-256 of the ZIP, 0x-prefixed. */
    bundle_hash?: string | null;
    /** @description The anchor transaction, 0x-prefixed. */
    txid?: string | null;
};
export type VerifyResponse = {
    /** @description A final, successful transaction of the expected contract carries exactly this hash. */
    matches_onchain: boolean;
    /** @description The hash that was looked for, 0x-prefixed. */
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
     * @description Time of its block.
     */
    anchored_at: string | null;
    /** @description Ids of the checks that did not pass. */
    errors: string[];
};
export type AgentsAnswer = Agent[];
export type AgentStatsQuery = {
    /** @description The last so many days in UTC, today included: 1 to 365. */
    days?: number;
};
export type AgentAnchorsQuery = {
    /** @description The last so many days in UTC, today included: 1 to 365. */
    days?: number;
    /**
     * @description Only anchors that are so far.
     * @enum {string}
     */
    status?: "pending" | "confirmed" | "failed";
};
export type AgentAnchorsAnswer = AgentAnchor[];
export type AgentActivityQuery = {
    /** @description The last so many days in UTC, today included: 1 to 365. */
    days?: number;
};
export type AuditEventsQuery = {
    /** @description Only this action, for instance `receipt.record`. */
    action?: string;
    /** @description Only events about this kind of thing, for instance `receipt`. */
    object_type?: string;
    /** @description Only events about the thing with this id. */
    object_id?: string;
    /** @description Only events at or after this date or RFC 3339 timestamp (UTC). */
    date_from?: string;
    /** @description Only events at or before this RFC 3339 timestamp, or on or before this date (UTC). */
    date_to?: string;
    /** @description At most so many, 1 to 200. */
    limit?: number;
    /** @description After so many. */
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
    /** @description At most so many, 1 to 200. */
    limit?: number;
    /** @description After so many. */
    offset?: number;
    /** @description Only payments in this token, by its exact ticker. */
    currency?: string;
    /** @description Only payments on this network, by its CAIP-2 id such as `eip155:8453`. */
    chain?: string;
    /**
     * @description Only payments in this state.
     * @enum {string}
     */
    status?: "verified" | "settling" | "settled" | "delivered" | "failed";
    /**
     * @description Only payments that bought this.
     * @enum {string}
     */
    payment_type?: "fx_lookup" | "verify_bundle" | "generate_statement" | "iso_message" | "bulk_verify" | "refund";
};
export type PaymentsAnswer = PaymentSummary[];
export type RevenueQuery = {
    /** @description The last so many days in UTC, today included: 1 to 365. */
    days?: number;
};
export type PremiumStatementQuery = {
    /**
     * Format: date
     * @description The day, in UTC; today unless given.
     */
    date?: string;
    /** @description First and last minute, in UTC; the whole day unless given. */
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
    /** @description Only receipts of payments on this chain, by its exact name. */
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
