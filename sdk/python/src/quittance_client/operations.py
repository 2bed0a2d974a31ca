# Generated from the OpenAPI document: changes are lost.
from __future__ import annotations

from typing import Iterator, Literal

from . import types
from .connection import CallOptions, Connection, StreamEvent, segment
from .entries import entries


class Operations:
    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def create_agent(self, body: types.AgentCreateRequest, *, options: CallOptions | None = None) -> types.Agent:
        """Create an agent of the caller's project. POST /v1/agents"""
        answer: types.Agent = self.connection.json("POST", "/v1/agents", body=body, options=options)
        return answer

    def agents(self, *, options: CallOptions | None = None) -> types.AgentsAnswer:
        """List the agents of the caller's project, newest first. GET /v1/agents"""
        answer: types.AgentsAnswer = self.connection.json("GET", "/v1/agents", options=options)
        return answer

    def agent(self, agent_id: str, *, options: CallOptions | None = None) -> types.Agent:
        """Get an agent of the caller's project. GET /v1/agents/{agent_id}"""
        answer: types.Agent = self.connection.json("GET", "/v1/agents/" + segment(agent_id), options=options)
        return answer

    def update_agent(self, agent_id: str, body: types.AgentUpdateRequest | None = None, *, options: CallOptions | None = None) -> types.Agent:
        """Change an agent. PUT /v1/agents/{agent_id}"""
        answer: types.Agent = self.connection.json("PUT", "/v1/agents/" + segment(agent_id), body=body, options=options)
        return answer

    def delete_agent(self, agent_id: str, *, options: CallOptions | None = None) -> types.DeletedAgent:
        """Delete an agent. DELETE /v1/agents/{agent_id}"""
        answer: types.DeletedAgent = self.connection.json("DELETE", "/v1/agents/" + segment(agent_id), options=options)
        return answer

    def agent_stats(self, agent_id: str, *, days: int | None = None, options: CallOptions | None = None) -> types.AgentStats:
        """Get the payments of an agent in the last days. GET /v1/agents/{agent_id}/stats"""
        answer: types.AgentStats = self.connection.json("GET", "/v1/agents/" + segment(agent_id) + "/stats", query={"days": days}, options=options)
        return answer

    def test_agent(self, agent_id: str, body: types.AgentTestRequest | None = None, *, options: CallOptions | None = None) -> types.AgentTestAnswer:
        """Run one line of the command language of agents: `help`, `list`, `get`, `verify`, `statement`, `refund`. POST /v1/agents/{agent_id}/test"""
        answer: types.AgentTestAnswer = self.connection.json("POST", "/v1/agents/" + segment(agent_id) + "/test", body=body, options=options)
        return answer

    def configure_agent_ai(self, agent_id: str, body: types.AgentAiRequest | None = None, *, options: CallOptions | None = None) -> types.Agent:
        """Configure how an agent understands a sentence: `simple` by the command language, `shared` by the service's model, `custom` by a model of its own. PUT /v1/agents/{agent_id}/ai-config"""
        answer: types.Agent = self.connection.json("PUT", "/v1/agents/" + segment(agent_id) + "/ai-config", body=body, options=options)
        return answer

    def test_agent_ai(self, agent_id: str, body: types.AgentAiTestRequest | None = None, *, options: CallOptions | None = None) -> types.AgentAiTest:
        """Show into which command an agent translates a sentence. POST /v1/agents/{agent_id}/test-ai"""
        answer: types.AgentAiTest = self.connection.json("POST", "/v1/agents/" + segment(agent_id) + "/test-ai", body=body, options=options)
        return answer

    def agent_template(self, agent_id: str, *, options: CallOptions | None = None) -> bytes:
        """Download a small agent as a starting point. POST /v1/agents/{agent_id}/download-template"""
        return self.connection.content("POST", "/v1/agents/" + segment(agent_id) + "/download-template", options=options)

    def agent_anchoring(self, agent_id: str, *, options: CallOptions | None = None) -> types.AgentAnchoring:
        """Get how the payments of an agent are anchored automatically. GET /v1/agents/{agent_id}/anchoring-config"""
        answer: types.AgentAnchoring = self.connection.json("GET", "/v1/agents/" + segment(agent_id) + "/anchoring-config", options=options)
        return answer

    def configure_agent_anchoring(self, agent_id: str, body: types.AgentAnchoringRequest | None = None, *, options: CallOptions | None = None) -> types.AgentAnchoring:
        """Configure automatic anchoring for an agent. PUT /v1/agents/{agent_id}/anchoring-config"""
        answer: types.AgentAnchoring = self.connection.json("PUT", "/v1/agents/" + segment(agent_id) + "/anchoring-config", body=body, options=options)
        return answer

    def anchor_for_agent(self, agent_id: str, body: types.AgentAnchorRequest, *, options: CallOptions | None = None) -> types.RequestedAnchor:
        """Anchor a hash for an agent, in the next transaction of the service. POST /v1/agents/{agent_id}/anchor"""
        answer: types.RequestedAnchor = self.connection.json("POST", "/v1/agents/" + segment(agent_id) + "/anchor", body=body, options=options)
        return answer

    def agent_anchors(self, agent_id: str, *, days: int | None = None, status: Literal["pending", "confirmed", "failed"] | None = None, options: CallOptions | None = None) -> types.AgentAnchorsAnswer:
        """List the anchors of an agent, newest first. GET /v1/agents/{agent_id}/anchors"""
        answer: types.AgentAnchorsAnswer = self.connection.json("GET", "/v1/agents/" + segment(agent_id) + "/anchors", query={"days": days, "status": status}, options=options)
        return answer

    def agent_activity(self, agent_id: str, *, days: int | None = None, options: CallOptions | None = None) -> types.AgentUnifiedActivity:
        """List the payments and anchors of an agent together, newest first. GET /v1/agents/{agent_id}/activity-unified"""
        answer: types.AgentUnifiedActivity = self.connection.json("GET", "/v1/agents/" + segment(agent_id) + "/activity-unified", query={"days": days}, options=options)
        return answer

    def assist(self, body: types.AssistRequest, *, options: CallOptions | None = None) -> types.AssistAnswer:
        """Ask the assistant about receipts of the caller's project. POST /v1/ai/assist"""
        answer: types.AssistAnswer = self.connection.json("POST", "/v1/ai/assist", body=body, options=options)
        return answer

    def assistant_status(self, *, options: CallOptions | None = None) -> types.AssistantStatus:
        """Get whether the assistant is enabled, and its provider and model. GET /v1/ai/status"""
        answer: types.AssistantStatus = self.connection.json("GET", "/v1/ai/status", options=options)
        return answer

    def audit_events(self, *, action: str | None = None, object_type: str | None = None, object_id: str | None = None, date_from: str | None = None, date_to: str | None = None, limit: int | None = None, offset: int | None = None, options: CallOptions | None = None) -> types.AuditEventsAnswer:
        """List audit events, newest first. GET /v1/audit/events"""
        answer: types.AuditEventsAnswer = self.connection.json("GET", "/v1/audit/events", query={"action": action, "object_type": object_type, "object_id": object_id, "date_from": date_from, "date_to": date_to, "limit": limit, "offset": offset}, options=options)
        return answer

    def all_audit_events(self, *, action: str | None = None, object_type: str | None = None, object_id: str | None = None, date_from: str | None = None, date_to: str | None = None, limit: int | None = None, options: CallOptions | None = None) -> Iterator[types.AuditEvent]:
        """Yields every entry of `audit_events`, page by page."""
        return entries("offset", {"action": action, "object_type": object_type, "object_id": object_id, "date_from": date_from, "date_to": date_to, "limit": limit}, lambda page: self.audit_events(**page, options=options))

    def me(self, *, options: CallOptions | None = None) -> types.Principal:
        """Get the caller: its role, its project, and whether it is a service administrator. GET /v1/auth/me"""
        answer: types.Principal = self.connection.json("GET", "/v1/auth/me", options=options)
        return answer

    def projects(self, *, options: CallOptions | None = None) -> types.ProjectsAnswer:
        """List projects. GET /v1/projects"""
        answer: types.ProjectsAnswer = self.connection.json("GET", "/v1/projects", options=options)
        return answer

    def api_keys(self, *, options: CallOptions | None = None) -> types.ApiKeysAnswer:
        """List the API keys of the caller's project. GET /v1/auth/api-keys"""
        answer: types.ApiKeysAnswer = self.connection.json("GET", "/v1/auth/api-keys", options=options)
        return answer

    def create_api_key(self, body: types.APIKeyCreate, *, options: CallOptions | None = None) -> types.APIKeyInfo:
        """Create an API key. POST /v1/auth/api-keys"""
        answer: types.APIKeyInfo = self.connection.json("POST", "/v1/auth/api-keys", body=body, options=options)
        return answer

    def revoke_api_key(self, id: str, *, options: CallOptions | None = None) -> types.RevokedAPIKey:
        """Revoke an API key. DELETE /v1/auth/api-keys/{id}"""
        answer: types.RevokedAPIKey = self.connection.json("DELETE", "/v1/auth/api-keys/" + segment(id), options=options)
        return answer

    def health(self, *, options: CallOptions | None = None) -> types.HealthResponse:
        """Get the state of the service. Needs no key. GET /v1/health"""
        answer: types.HealthResponse = self.connection.json("GET", "/v1/health", options=options)
        return answer

    def ping(self, *, options: CallOptions | None = None) -> str:
        """Get `pong`. Needs no key. GET /v1/ping"""
        return self.connection.text("GET", "/v1/ping", options=options)

    def receipt_page_redirect(self, rid: str) -> str:
        """Open the page of a receipt. Needs no key. GET /receipt/{rid}"""
        return self.connection.url("/receipt/" + segment(rid))

    def embed_page_redirect(self, *, rid: str | None = None, theme: Literal["light", "dark"] | None = None) -> str:
        """Open the embeddable page of a receipt. Needs no key. GET /embed/receipt"""
        return self.connection.url("/embed/receipt", {"rid": rid, "theme": theme})

    def payments(self, *, limit: int | None = None, offset: int | None = None, currency: str | None = None, chain: str | None = None, status: Literal["verified", "settling", "settled", "delivered", "failed", "reversed"] | None = None, payment_type: Literal["fx_lookup", "verify_bundle", "generate_statement", "iso_message", "bulk_verify", "refund"] | None = None, options: CallOptions | None = None) -> types.PaymentsAnswer:
        """List payments to this service, newest first. GET /v1/x402/payments"""
        answer: types.PaymentsAnswer = self.connection.json("GET", "/v1/x402/payments", query={"limit": limit, "offset": offset, "currency": currency, "chain": chain, "status": status, "payment_type": payment_type}, options=options)
        return answer

    def all_payments(self, *, limit: int | None = None, currency: str | None = None, chain: str | None = None, status: Literal["verified", "settling", "settled", "delivered", "failed", "reversed"] | None = None, payment_type: Literal["fx_lookup", "verify_bundle", "generate_statement", "iso_message", "bulk_verify", "refund"] | None = None, options: CallOptions | None = None) -> Iterator[types.PaymentSummary]:
        """Yields every entry of `payments`, page by page."""
        return entries("offset", {"limit": limit, "currency": currency, "chain": chain, "status": status, "payment_type": payment_type}, lambda page: self.payments(**page, options=options))

    def payment(self, payment_id: str, *, options: CallOptions | None = None) -> types.PaymentResponse:
        """Get a payment. GET /v1/x402/payments/{payment_id}"""
        answer: types.PaymentResponse = self.connection.json("GET", "/v1/x402/payments/" + segment(payment_id), options=options)
        return answer

    def record_payment(self, payment_id: str, body: types.PaymentReceiptRequest | None = None, *, options: CallOptions | None = None) -> types.PaymentReceiptResponse:
        """Record a settled payment as a receipt. POST /v1/x402/payments/{payment_id}/receipt"""
        answer: types.PaymentReceiptResponse = self.connection.json("POST", "/v1/x402/payments/" + segment(payment_id) + "/receipt", body=body, options=options)
        return answer

    def payment_compliance_checks(self, payment_id: str, *, options: CallOptions | None = None) -> types.PaymentComplianceReport:
        """Get the compliance checks of a payment, made before it was charged. GET /v1/x402/payments/{payment_id}/compliance-checks"""
        answer: types.PaymentComplianceReport = self.connection.json("GET", "/v1/x402/payments/" + segment(payment_id) + "/compliance-checks", options=options)
        return answer

    def revenue(self, *, days: int | None = None, options: CallOptions | None = None) -> types.RevenueResponse:
        """Get the revenue of the last days. GET /v1/x402/revenue"""
        answer: types.RevenueResponse = self.connection.json("GET", "/v1/x402/revenue", query={"days": days}, options=options)
        return answer

    def facilitator_config(self, *, options: CallOptions | None = None) -> types.FacilitatorConfig:
        """Get the configuration of the x402 facilitator. GET /v1/x402/facilitator-config"""
        answer: types.FacilitatorConfig = self.connection.json("GET", "/v1/x402/facilitator-config", options=options)
        return answer

    def verify_payment(self, body: types.VerifyPaymentRequest, *, options: CallOptions | None = None) -> types.VerifyPaymentResponse:
        """Check whether a payment would be accepted. POST /v1/x402/verify-payment"""
        answer: types.VerifyPaymentResponse = self.connection.json("POST", "/v1/x402/verify-payment", body=body, options=options)
        return answer

    def premium_fx_lookup(self, body: types.PremiumFxLookupRequest | None = None, *, options: CallOptions | None = None) -> types.PremiumFxLookupResponse:
        """Look up an exchange rate. Paid for by x402. Needs no key. POST /v1/x402/premium/fx-lookup"""
        answer: types.PremiumFxLookupResponse = self.connection.json("POST", "/v1/x402/premium/fx-lookup", body=body, is_paid=True, options=options)
        return answer

    def premium_verify_bundle(self, body: types.VerifyRequest, *, options: CallOptions | None = None) -> types.VerifyResponse:
        """Verify a bundle as `/v1/iso/verify` does. Paid for by x402. Needs no key. POST /v1/x402/premium/verify-bundle"""
        answer: types.VerifyResponse = self.connection.json("POST", "/v1/x402/premium/verify-bundle", body=body, is_paid=True, options=options)
        return answer

    def premium_statement(self, *, date: str | None = None, window: str | None = None, options: CallOptions | None = None) -> types.PremiumStatementResponse:
        """Generate a statement of a day. Paid for by x402. Needs no key. POST /v1/x402/premium/generate-statement"""
        answer: types.PremiumStatementResponse = self.connection.json("POST", "/v1/x402/premium/generate-statement", query={"date": date, "window": window}, is_paid=True, options=options)
        return answer

    def premium_iso_message(self, receipt_id: str, type: str, *, options: CallOptions | None = None) -> types.PremiumIsoMessageResponse:
        """Get the newest ISO message of a type, with its XML. Paid for by x402. Needs no key. GET /v1/x402/premium/iso-message/{receipt_id}/{type}"""
        answer: types.PremiumIsoMessageResponse = self.connection.json("GET", "/v1/x402/premium/iso-message/" + segment(receipt_id) + "/" + segment(type), is_paid=True, options=options)
        return answer

    def premium_bulk_verify(self, body: types.PremiumBulkVerifyRequest | None = None, *, options: CallOptions | None = None) -> types.PremiumBulkVerifyResponse:
        """Verify up to 100 bundles as `/v1/iso/verify` does. Paid for by x402. Needs no key. POST /v1/x402/premium/bulk-verify"""
        answer: types.PremiumBulkVerifyResponse = self.connection.json("POST", "/v1/x402/premium/bulk-verify", body=body, is_paid=True, options=options)
        return answer

    def premium_refund(self, body: types.RefundRequest, *, options: CallOptions | None = None) -> types.RefundResponse:
        """Record that an anchored receipt's payment was given back, as `/v1/iso/refund` does. Paid for by x402. Needs no key. POST /v1/x402/premium/refund"""
        answer: types.RefundResponse = self.connection.json("POST", "/v1/x402/premium/refund", body=body, is_paid=True, options=options)
        return answer

    def pricing(self, *, options: CallOptions | None = None) -> types.PricingAnswer:
        """List the prices of all paid operations. Needs no key. GET /v1/x402/pricing"""
        answer: types.PricingAnswer = self.connection.json("GET", "/v1/x402/pricing", options=options)
        return answer

    def set_pricing(self, body: types.PriceChange, *, options: CallOptions | None = None) -> types.PricingUpdate:
        """Change prices. POST /v1/x402/pricing"""
        answer: types.PricingUpdate = self.connection.json("POST", "/v1/x402/pricing", body=body, options=options)
        return answer

    def project_config(self, project_id: str, *, options: CallOptions | None = None) -> types.ProjectConfig:
        """Get the configuration of a project: who sends its anchor transactions, on which chains, the parties in its messages, whether its receipts get a fiat equivalent, and the time zone of its statements. GET /v1/projects/{project_id}/config"""
        answer: types.ProjectConfig = self.connection.json("GET", "/v1/projects/" + segment(project_id) + "/config", options=options)
        return answer

    def configure_project(self, project_id: str, body: types.ProjectConfigUpdate, *, options: CallOptions | None = None) -> types.ProjectConfig:
        """Configure a project. PUT /v1/projects/{project_id}/config"""
        answer: types.ProjectConfig = self.connection.json("PUT", "/v1/projects/" + segment(project_id) + "/config", body=body, options=options)
        return answer

    def record_tip(self, body: types.TipRecordRequest, *, options: CallOptions | None = None) -> types.RecordTipResponse:
        """Record a payment that already happened on a chain. POST /v1/iso/record-tip"""
        answer: types.RecordTipResponse = self.connection.json("POST", "/v1/iso/record-tip", body=body, options=options)
        return answer

    def receipt(self, rid: str, *, options: CallOptions | None = None) -> types.ReceiptResponse:
        """Get a receipt: its status, links and hashes. Needs no key. GET /v1/iso/receipts/{rid}"""
        answer: types.ReceiptResponse = self.connection.json("GET", "/v1/iso/receipts/" + segment(rid), options=options)
        return answer

    def receipts(self, *, scope: Literal["mine", "all"] | None = None, status: Literal["pending", "awaiting_anchor", "anchored", "failed"] | None = None, chain: str | None = None, reference: str | None = None, since: str | None = None, until: str | None = None, project_id: str | None = None, page: int | None = None, page_size: int | None = None, options: CallOptions | None = None) -> types.ReceiptsPage:
        """List receipts by page number, newest first. GET /v1/receipts"""
        answer: types.ReceiptsPage = self.connection.json("GET", "/v1/receipts", query={"scope": scope, "status": status, "chain": chain, "reference": reference, "since": since, "until": until, "project_id": project_id, "page": page, "page_size": page_size}, options=options)
        return answer

    def all_receipts(self, *, scope: Literal["mine", "all"] | None = None, status: Literal["pending", "awaiting_anchor", "anchored", "failed"] | None = None, chain: str | None = None, reference: str | None = None, since: str | None = None, until: str | None = None, project_id: str | None = None, page_size: int | None = None, options: CallOptions | None = None) -> Iterator[types.ReceiptSummary]:
        """Yields every entry of `receipts`, page by page."""
        return entries("page", {"scope": scope, "status": status, "chain": chain, "reference": reference, "since": since, "until": until, "project_id": project_id, "page_size": page_size}, lambda page: self.receipts(**page, options=options))

    def messages(self, rid: str, *, type: str | None = None, options: CallOptions | None = None) -> types.MessagesAnswer:
        """List the messages generated for a receipt, the newest of each type. Needs no key. GET /v1/iso/messages/{rid}"""
        answer: types.MessagesAnswer = self.connection.json("GET", "/v1/iso/messages/" + segment(rid), query={"type": type}, options=options)
        return answer

    def events(self, rid: str, *, last_event_id: str | None = None) -> Iterator[StreamEvent]:
        """Follow a receipt by server-sent events: its present state, then each change. Needs no key. GET /v1/iso/events/{rid}"""
        return self.connection.events("/v1/iso/events/" + segment(rid), last_event_id)

    def anchors(self, rid: str, *, options: CallOptions | None = None) -> types.AnchorsAnswer:
        """List the confirmed anchors of a receipt, one for each chain. Needs no key. GET /v1/anchors/{rid}"""
        answer: types.AnchorsAnswer = self.connection.json("GET", "/v1/anchors/" + segment(rid), options=options)
        return answer

    def compliance_checks(self, receipt_id: str, *, options: CallOptions | None = None) -> types.ComplianceReport:
        """Get the compliance checks of a receipt of the caller's project. GET /v1/receipts/{receipt_id}/compliance-checks"""
        answer: types.ComplianceReport = self.connection.json("GET", "/v1/receipts/" + segment(receipt_id) + "/compliance-checks", options=options)
        return answer

    def file(self, rid: str, name: str, *, options: CallOptions | None = None) -> bytes:
        """Download a file of a receipt or a statement. Needs no key. GET /files/{rid}/{name}"""
        return self.connection.content("GET", "/files/" + segment(rid) + "/" + segment(name), options=options)

    def build_sdk(self, body: types.SDKBuildRequest, *, options: CallOptions | None = None) -> bytes:
        """Build a client of this API as a ZIP: `ts` or `python`, typed, without dependencies. Needs no key. POST /v1/sdk/build"""
        return self.connection.content("POST", "/v1/sdk/build", body=body, options=options)

    def organisation(self, *, options: CallOptions | None = None) -> types.OrgConfigResponse:
        """Get the configuration of the organisation: its names and codes in messages, and which messages are made. GET /v1/config"""
        answer: types.OrgConfigResponse = self.connection.json("GET", "/v1/config", options=options)
        return answer

    def configure_organisation(self, body: types.OrgConfigModel, *, options: CallOptions | None = None) -> types.OrgConfigResponse:
        """Replace the configuration of the organisation. PUT /v1/config"""
        answer: types.OrgConfigResponse = self.connection.json("PUT", "/v1/config", body=body, options=options)
        return answer

    def nonce(self, *, options: CallOptions | None = None) -> types.NonceResponse:
        """Get a one-time nonce and the domain for an EIP-4361 message. Needs no key. GET /v1/auth/nonce"""
        answer: types.NonceResponse = self.connection.json("GET", "/v1/auth/nonce", options=options)
        return answer

    def register_project(self, body: types.RegisterProjectRequest, *, options: CallOptions | None = None) -> types.RegisterProjectResponse:
        """Register a project with a wallet's signature. Needs no key. POST /v1/projects/register"""
        answer: types.RegisterProjectResponse = self.connection.json("POST", "/v1/projects/register", body=body, options=options)
        return answer

    def siwe_verify(self, body: types.SiweVerifyRequest, *, options: CallOptions | None = None) -> types.SiweVerifyResponse:
        """Prove control of a wallet, by `message` and `signature`, or in the older form by `address`, `nonce` and a signature over the nonce. Needs no key. POST /v1/auth/siwe-verify"""
        answer: types.SiweVerifyResponse = self.connection.json("POST", "/v1/auth/siwe-verify", body=body, options=options)
        return answer

    def siwe_mint_key(self, body: types.SiweMintKeyRequest, *, options: CallOptions | None = None) -> types.SiweMintKeyResponse:
        """Mint a project_admin key with the wallet that owns the project, for example when the other keys are lost. Needs no key. POST /v1/auth/siwe-mint-key"""
        answer: types.SiweMintKeyResponse = self.connection.json("POST", "/v1/auth/siwe-mint-key", body=body, options=options)
        return answer

    def linked_wallets(self, *, options: CallOptions | None = None) -> types.LinkedWalletsAnswer:
        """List the wallets linked to the caller's project, oldest first. GET /v1/auth/linked-wallets"""
        answer: types.LinkedWalletsAnswer = self.connection.json("GET", "/v1/auth/linked-wallets", options=options)
        return answer

    def unlink_wallet(self, address: str, *, options: CallOptions | None = None) -> types.UnlinkedWallet:
        """Unlink a wallet from the caller's project. DELETE /v1/auth/linked-wallets/{address}"""
        answer: types.UnlinkedWallet = self.connection.json("DELETE", "/v1/auth/linked-wallets/" + segment(address), options=options)
        return answer

    def verify(self, body: types.VerifyRequest, *, options: CallOptions | None = None) -> types.VerifyResponse:
        """Verify a bundle against the chain, by its URL, its hash or its anchor transaction. Needs no key. POST /v1/iso/verify"""
        answer: types.VerifyResponse = self.connection.json("POST", "/v1/iso/verify", body=body, options=options)
        return answer

    def verify_cid(self, body: types.VerifyCidRequest, *, options: CallOptions | None = None) -> types.VerifyResponse:
        """Verify a bundle by its id in IPFS or Arweave. Needs no key. POST /v1/iso/verify-cid"""
        answer: types.VerifyResponse = self.connection.json("POST", "/v1/iso/verify-cid", body=body, options=options)
        return answer

    def evidence_keys(self, *, options: CallOptions | None = None) -> types.EvidenceKeys:
        """List the public keys that bundles are verified against, with their validity. Needs no key. GET /.well-known/evidence-keys.json"""
        answer: types.EvidenceKeys = self.connection.json("GET", "/.well-known/evidence-keys.json", options=options)
        return answer

    def confirm_anchor(self, body: types.ConfirmAnchorRequest, *, options: CallOptions | None = None) -> types.ConfirmAnchorResponse:
        """Confirm the transaction in which a project in tenant mode anchored a receipt itself. POST /v1/iso/confirm-anchor"""
        answer: types.ConfirmAnchorResponse = self.connection.json("POST", "/v1/iso/confirm-anchor", body=body, options=options)
        return answer

    def debug_anchor(self, body: types.DebugAnchorRequest, *, options: CallOptions | None = None) -> types.DebugAnchorResponse:
        """Anchor any hash on the default chain, to see that anchoring works. POST /v1/debug/anchor"""
        answer: types.DebugAnchorResponse = self.connection.json("POST", "/v1/debug/anchor", body=body, options=options)
        return answer

    def camt056(self, rid: str, body: types.FIMessageRequest | None = None, *, options: CallOptions | None = None) -> types.FIMessageResponse:
        """Generate a cancellation request (camt.056) about a receipt. POST /v1/iso/camt056/{rid}"""
        answer: types.FIMessageResponse = self.connection.json("POST", "/v1/iso/camt056/" + segment(rid), body=body, options=options)
        return answer

    def camt029(self, rid: str, body: types.FIMessageRequest | None = None, *, options: CallOptions | None = None) -> types.FIMessageResponse:
        """Generate a resolution of investigation (camt.029) about a receipt. POST /v1/iso/camt029/{rid}"""
        answer: types.FIMessageResponse = self.connection.json("POST", "/v1/iso/camt029/" + segment(rid), body=body, options=options)
        return answer

    def pacs007(self, rid: str, body: types.FIMessageRequest | None = None, *, options: CallOptions | None = None) -> types.FIMessageResponse:
        """Generate a reversal (pacs.007) about a receipt. POST /v1/iso/pacs007/{rid}"""
        answer: types.FIMessageResponse = self.connection.json("POST", "/v1/iso/pacs007/" + segment(rid), body=body, options=options)
        return answer

    def pacs009(self, rid: str, *, options: CallOptions | None = None) -> types.FIMessageResponse:
        """Generate an institution credit transfer (pacs.009) about a receipt. POST /v1/iso/pacs009/{rid}"""
        answer: types.FIMessageResponse = self.connection.json("POST", "/v1/iso/pacs009/" + segment(rid), options=options)
        return answer

    def refund(self, body: types.RefundRequest, *, options: CallOptions | None = None) -> types.RefundResponse:
        """Record that the payment of an anchored receipt was returned. POST /v1/iso/refund"""
        answer: types.RefundResponse = self.connection.json("POST", "/v1/iso/refund", body=body, options=options)
        return answer

    def receipt_settlement(self, receipt_id: str, *, options: CallOptions | None = None) -> types.ReceiptSettlement:
        """Get how the payment of a receipt was checked on its own chain. query receipt"""
        answer: types.ReceiptSettlement = self.connection.graphql("query receiptSettlement($receipt_id:ID!){receipt(id:$receipt_id){...ReceiptSettlement}}fragment ReceiptSettlement on Receipt{receipt_id:id is_settled:isSettled settlement{...Settlement}}fragment Settlement on Settlement{status grade sentence checked_at:checkedAt is_final:isFinal asset_id:assetId block_number:blockNumber block_hash:blockHash block_time:blockTime transfer_index:transferIndex sender_wallet:senderWallet receiver_wallet:receiverWallet amount transaction_sender:transactionSender fee differences{field stated found}}", ["receipt"], {"receipt_id": receipt_id}, is_write=False, options=options)
        return answer

    def webhook_endpoints(self, *, limit: int | None = None, after: str | None = None, options: CallOptions | None = None) -> types.WebhookEndpointsAnswer:
        """List the webhook endpoints of the caller's project, newest first. query webhookEndpoints"""
        answer: types.WebhookEndpointsAnswer = self.connection.graphql("query webhookEndpoints($limit:Int$after:String){webhookEndpoints(first:$limit after:$after){items:nodes{...WebhookEndpoint}next:pageInfo{cursor:endCursor exists:hasNextPage}}}fragment WebhookEndpoint on WebhookEndpoint{id project{id}url description event_types:eventTypes is_enabled:isEnabled disabled_at:disabledAt disabled_reason:disabledReason failing_since:failingSince created_at:createdAt updated_at:updatedAt}", ["webhookEndpoints"], {"limit": limit, "after": after}, is_write=False, options=options)
        return answer

    def all_webhook_endpoints(self, *, limit: int | None = None, options: CallOptions | None = None) -> Iterator[types.WebhookEndpoint]:
        """Yields every entry of `webhook_endpoints`, page by page."""
        return entries("cursor", {"limit": limit}, lambda page: self.webhook_endpoints(**page, options=options))

    def webhook_endpoint(self, endpoint_id: str, *, options: CallOptions | None = None) -> types.WebhookEndpoint:
        """Get a webhook endpoint. query webhookEndpoint"""
        answer: types.WebhookEndpoint = self.connection.graphql("query webhookEndpoint($endpoint_id:ID!){webhookEndpoint(id:$endpoint_id){...WebhookEndpoint}}fragment WebhookEndpoint on WebhookEndpoint{id project{id}url description event_types:eventTypes is_enabled:isEnabled disabled_at:disabledAt disabled_reason:disabledReason failing_since:failingSince created_at:createdAt updated_at:updatedAt}", ["webhookEndpoint"], {"endpoint_id": endpoint_id}, is_write=False, options=options)
        return answer

    def webhook_secret(self, endpoint_id: str, *, options: CallOptions | None = None) -> types.WebhookEndpointWithSecret:
        """Get the present secret of a webhook endpoint. query webhookEndpoint"""
        answer: types.WebhookEndpointWithSecret = self.connection.graphql("query webhookSecret($endpoint_id:ID!){webhookEndpoint(id:$endpoint_id){...WebhookEndpointWithSecret}}fragment WebhookEndpointWithSecret on WebhookEndpoint{id url event_types:eventTypes secret}", ["webhookEndpoint"], {"endpoint_id": endpoint_id}, is_write=False, options=options)
        return answer

    def create_webhook_endpoint(self, body: types.CreateWebhookEndpointBody, *, options: CallOptions | None = None) -> types.WebhookEndpointWithSecret:
        """Create a webhook endpoint; the answer has its secret. mutation createWebhookEndpoint"""
        answer: types.WebhookEndpointWithSecret = self.connection.graphql("mutation createWebhookEndpoint($url:URL!$event_types:[WebhookEventType!]$description:String$project_id:ID){createWebhookEndpoint(input:{url:$url eventTypes:$event_types description:$description projectId:$project_id}){webhookEndpoint{...WebhookEndpointWithSecret}}}fragment WebhookEndpointWithSecret on WebhookEndpoint{id url event_types:eventTypes secret}", ["createWebhookEndpoint","webhookEndpoint"], {**body}, is_write=True, options=options)
        return answer

    def update_webhook_endpoint(self, endpoint_id: str, body: types.UpdateWebhookEndpointBody | None = None, *, options: CallOptions | None = None) -> types.WebhookEndpoint:
        """Change a webhook endpoint; what is not given is unchanged. mutation updateWebhookEndpoint"""
        answer: types.WebhookEndpoint = self.connection.graphql("mutation updateWebhookEndpoint($endpoint_id:ID!$url:URL$event_types:[WebhookEventType!]$description:String){updateWebhookEndpoint(input:{id:$endpoint_id url:$url eventTypes:$event_types description:$description}){webhookEndpoint{...WebhookEndpoint}}}fragment WebhookEndpoint on WebhookEndpoint{id project{id}url description event_types:eventTypes is_enabled:isEnabled disabled_at:disabledAt disabled_reason:disabledReason failing_since:failingSince created_at:createdAt updated_at:updatedAt}", ["updateWebhookEndpoint","webhookEndpoint"], {**(body or {}), "endpoint_id": endpoint_id}, is_write=True, options=options)
        return answer

    def delete_webhook_endpoint(self, endpoint_id: str, *, options: CallOptions | None = None) -> types.DeleteWebhookEndpointAnswer:
        """Delete a webhook endpoint. mutation deleteWebhookEndpoint"""
        answer: types.DeleteWebhookEndpointAnswer = self.connection.graphql("mutation deleteWebhookEndpoint($endpoint_id:ID!){deleteWebhookEndpoint(input:{id:$endpoint_id}){deleted_id:deletedWebhookEndpointId}}", ["deleteWebhookEndpoint"], {"endpoint_id": endpoint_id}, is_write=True, options=options)
        return answer

    def enable_webhook_endpoint(self, endpoint_id: str, *, options: CallOptions | None = None) -> types.WebhookEndpoint:
        """Enable a webhook endpoint. mutation enableWebhookEndpoint"""
        answer: types.WebhookEndpoint = self.connection.graphql("mutation enableWebhookEndpoint($endpoint_id:ID!){enableWebhookEndpoint(input:{id:$endpoint_id}){webhookEndpoint{...WebhookEndpoint}}}fragment WebhookEndpoint on WebhookEndpoint{id project{id}url description event_types:eventTypes is_enabled:isEnabled disabled_at:disabledAt disabled_reason:disabledReason failing_since:failingSince created_at:createdAt updated_at:updatedAt}", ["enableWebhookEndpoint","webhookEndpoint"], {"endpoint_id": endpoint_id}, is_write=True, options=options)
        return answer

    def disable_webhook_endpoint(self, endpoint_id: str, *, options: CallOptions | None = None) -> types.WebhookEndpoint:
        """Disable a webhook endpoint. mutation disableWebhookEndpoint"""
        answer: types.WebhookEndpoint = self.connection.graphql("mutation disableWebhookEndpoint($endpoint_id:ID!){disableWebhookEndpoint(input:{id:$endpoint_id}){webhookEndpoint{...WebhookEndpoint}}}fragment WebhookEndpoint on WebhookEndpoint{id project{id}url description event_types:eventTypes is_enabled:isEnabled disabled_at:disabledAt disabled_reason:disabledReason failing_since:failingSince created_at:createdAt updated_at:updatedAt}", ["disableWebhookEndpoint","webhookEndpoint"], {"endpoint_id": endpoint_id}, is_write=True, options=options)
        return answer

    def test_webhook_endpoint(self, endpoint_id: str, *, options: CallOptions | None = None) -> types.WebhookDelivery:
        """Send the test event to a webhook endpoint. mutation testWebhookEndpoint"""
        answer: types.WebhookDelivery = self.connection.graphql("mutation testWebhookEndpoint($endpoint_id:ID!){testWebhookEndpoint(input:{id:$endpoint_id}){webhookDelivery{...WebhookDelivery}}}fragment WebhookDelivery on WebhookDelivery{id webhook_id:webhookId type status endpoint{id}callback_url:callbackUrl receipt{id}attempt_count:attemptCount attempts{...WebhookAttempt}next_attempt_at:nextAttemptAt created_at:createdAt finished_at:finishedAt}fragment WebhookAttempt on WebhookAttempt{number started_at:startedAt duration_ms:durationMs status_code:statusCode error answer_start:answerStart}", ["testWebhookEndpoint","webhookDelivery"], {"endpoint_id": endpoint_id}, is_write=True, options=options)
        return answer

    def rotate_webhook_secret(self, endpoint_id: str, body: types.RotateWebhookSecretBody | None = None, *, options: CallOptions | None = None) -> types.WebhookEndpointWithSecret:
        """Give a webhook endpoint a new secret; the present one signs beside it for `overlap_hours`, 24 unless given. mutation rotateWebhookSecret"""
        answer: types.WebhookEndpointWithSecret = self.connection.graphql("mutation rotateWebhookSecret($endpoint_id:ID!$overlap_hours:Int){rotateWebhookSecret(input:{id:$endpoint_id overlapHours:$overlap_hours}){webhookEndpoint{...WebhookEndpointWithSecret}}}fragment WebhookEndpointWithSecret on WebhookEndpoint{id url event_types:eventTypes secret}", ["rotateWebhookSecret","webhookEndpoint"], {**(body or {}), "endpoint_id": endpoint_id}, is_write=True, options=options)
        return answer

    def webhook_deliveries(self, *, endpoint: str | None = None, receipt: str | None = None, statuses: list[Literal["CANCELLED", "DELIVERED", "FAILED", "GONE", "WAITING"]] | None = None, limit: int | None = None, after: str | None = None, options: CallOptions | None = None) -> types.WebhookDeliveriesAnswer:
        """List the deliveries of events of the caller's project, newest first, with their attempts. query webhookDeliveries"""
        answer: types.WebhookDeliveriesAnswer = self.connection.graphql("query webhookDeliveries($endpoint:ID$receipt:ID$statuses:[WebhookDeliveryStatus!]$limit:Int$after:String){webhookDeliveries(filter:{endpointId:$endpoint receiptId:$receipt statuses:$statuses}first:$limit after:$after){items:nodes{...WebhookDelivery}next:pageInfo{cursor:endCursor exists:hasNextPage}}}fragment WebhookDelivery on WebhookDelivery{id webhook_id:webhookId type status endpoint{id}callback_url:callbackUrl receipt{id}attempt_count:attemptCount attempts{...WebhookAttempt}next_attempt_at:nextAttemptAt created_at:createdAt finished_at:finishedAt}fragment WebhookAttempt on WebhookAttempt{number started_at:startedAt duration_ms:durationMs status_code:statusCode error answer_start:answerStart}", ["webhookDeliveries"], {"endpoint": endpoint, "receipt": receipt, "statuses": statuses, "limit": limit, "after": after}, is_write=False, options=options)
        return answer

    def all_webhook_deliveries(self, *, endpoint: str | None = None, receipt: str | None = None, statuses: list[Literal["CANCELLED", "DELIVERED", "FAILED", "GONE", "WAITING"]] | None = None, limit: int | None = None, options: CallOptions | None = None) -> Iterator[types.WebhookDelivery]:
        """Yields every entry of `webhook_deliveries`, page by page."""
        return entries("cursor", {"endpoint": endpoint, "receipt": receipt, "statuses": statuses, "limit": limit}, lambda page: self.webhook_deliveries(**page, options=options))

    def replay_webhook_delivery(self, delivery_id: str, *, options: CallOptions | None = None) -> types.WebhookDelivery:
        """Send a delivery again. mutation replayWebhookDelivery"""
        answer: types.WebhookDelivery = self.connection.graphql("mutation replayWebhookDelivery($delivery_id:ID!){replayWebhookDelivery(input:{id:$delivery_id}){webhookDelivery{...WebhookDelivery}}}fragment WebhookDelivery on WebhookDelivery{id webhook_id:webhookId type status endpoint{id}callback_url:callbackUrl receipt{id}attempt_count:attemptCount attempts{...WebhookAttempt}next_attempt_at:nextAttemptAt created_at:createdAt finished_at:finishedAt}fragment WebhookAttempt on WebhookAttempt{number started_at:startedAt duration_ms:durationMs status_code:statusCode error answer_start:answerStart}", ["replayWebhookDelivery","webhookDelivery"], {"delivery_id": delivery_id}, is_write=True, options=options)
        return answer

    def replay_webhook_events(self, endpoint_id: str, body: types.ReplayWebhookEventsBody, *, options: CallOptions | None = None) -> types.ReplayWebhookEventsAnswer:
        """Send the events after `after` to a webhook endpoint again; `next` is the `after` of the next call. mutation replayWebhookEvents"""
        answer: types.ReplayWebhookEventsAnswer = self.connection.graphql("mutation replayWebhookEvents($endpoint_id:ID!$after:ID!$until:ID$include_delivered:Boolean){replayWebhookEvents(input:{endpointId:$endpoint_id after:$after until:$until includeDelivered:$include_delivered}){count next}}", ["replayWebhookEvents"], {**body, "endpoint_id": endpoint_id}, is_write=True, options=options)
        return answer

    def statements(self, *, account: str | None = None, since: str | None = None, until: str | None = None, limit: int | None = None, after: str | None = None, options: CallOptions | None = None) -> types.StatementsAnswer:
        """List the statements of the key's project, newest first. query me"""
        answer: types.StatementsAnswer = self.connection.graphql("query statements($account:ID$since:Date$until:Date$limit:Int$after:String){me{project{statements(filter:{account:$account date:{since:$since until:$until}}first:$limit after:$after){items:nodes{...Statement}next:pageInfo{cursor:endCursor exists:hasNextPage}}}}}fragment Statement on Statement{id type kind status date window time_zone:timeZone starts_at:from ends_at:to count number opening closing url sha256 zip_url:zipUrl bundle_url:bundleUrl bundle_hash:bundleHash anchor_tx:anchorTx anchored_at:anchoredAt created_at:createdAt pages(first:100){nodes{...StatementPage}}}fragment StatementPage on Artifact{name media_type:mediaType sha256 url}", ["me","project","statements"], {"account": account, "since": since, "until": until, "limit": limit, "after": after}, is_write=False, options=options)
        return answer

    def all_statements(self, *, account: str | None = None, since: str | None = None, until: str | None = None, limit: int | None = None, options: CallOptions | None = None) -> Iterator[types.Statement]:
        """Yields every entry of `statements`, page by page."""
        return entries("cursor", {"account": account, "since": since, "until": until, "limit": limit}, lambda page: self.statements(**page, options=options))

    def statement(self, statement_id: str, *, options: CallOptions | None = None) -> types.Statement:
        """Get a statement. query statement"""
        answer: types.Statement = self.connection.graphql("query statement($statement_id:ID!){statement(id:$statement_id){...Statement}}fragment Statement on Statement{id type kind status date window time_zone:timeZone starts_at:from ends_at:to count number opening closing url sha256 zip_url:zipUrl bundle_url:bundleUrl bundle_hash:bundleHash anchor_tx:anchorTx anchored_at:anchoredAt created_at:createdAt pages(first:100){nodes{...StatementPage}}}fragment StatementPage on Artifact{name media_type:mediaType sha256 url}", ["statement"], {"statement_id": statement_id}, is_write=False, options=options)
        return answer

    def generate_statement(self, body: types.GenerateStatementBody | None = None, *, options: CallOptions | None = None) -> types.Statement:
        """Make the statement of a day, today unless given, or of a part of a day. mutation generateStatement"""
        answer: types.Statement = self.connection.graphql("mutation generateStatement($date:Date$window:String$account:StatementAccountKeyInput$project_id:ID){generateStatement(input:{date:$date window:$window account:$account projectId:$project_id}){statement{...Statement}}}fragment Statement on Statement{id type kind status date window time_zone:timeZone starts_at:from ends_at:to count number opening closing url sha256 zip_url:zipUrl bundle_url:bundleUrl bundle_hash:bundleHash anchor_tx:anchorTx anchored_at:anchoredAt created_at:createdAt pages(first:100){nodes{...StatementPage}}}fragment StatementPage on Artifact{name media_type:mediaType sha256 url}", ["generateStatement","statement"], {**(body or {})}, is_write=True, options=options)
        return answer

    def statement_accounts(self, *, limit: int | None = None, after: str | None = None, options: CallOptions | None = None) -> types.StatementAccountsAnswer:
        """List the accounts of the key's project that have a series of statements, with their balances. query me"""
        answer: types.StatementAccountsAnswer = self.connection.graphql("query statementAccounts($limit:Int$after:String){me{project{statementAccounts(first:$limit after:$after){items:nodes{...StatementAccount}next:pageInfo{cursor:endCursor exists:hasNextPage}}}}}fragment StatementAccount on StatementAccount{id wallet chain currency balance last_number:lastNumber}", ["me","project","statementAccounts"], {"limit": limit, "after": after}, is_write=False, options=options)
        return answer

    def all_statement_accounts(self, *, limit: int | None = None, options: CallOptions | None = None) -> Iterator[types.StatementAccount]:
        """Yields every entry of `statement_accounts`, page by page."""
        return entries("cursor", {"limit": limit}, lambda page: self.statement_accounts(**page, options=options))
