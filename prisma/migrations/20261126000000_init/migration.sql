CREATE TYPE "anchor_state" AS ENUM ('waiting', 'sent', 'confirmed', 'external');

CREATE TYPE "anchor_transaction_state" AS ENUM ('signed', 'confirmed', 'reverted', 'overtaken');

CREATE TYPE "api_key_role" AS ENUM ('project_admin', 'project', 'viewer');

CREATE TYPE "receipt_status" AS ENUM ('pending', 'awaiting_anchor', 'anchored', 'failed');

CREATE TYPE "compliance_type" AS ENUM ('travel_rule', 'sanctions');

CREATE TYPE "compliance_decision" AS ENUM ('allow', 'flag', 'deny', 'unavailable');

CREATE TYPE "finality" AS ENUM ('included', 'safe', 'final');

CREATE TYPE "payment_status" AS ENUM ('verified', 'settling', 'settled', 'delivered', 'failed');

CREATE TYPE "agent_status" AS ENUM ('active', 'paused', 'disabled');

CREATE TYPE "fiat_equivalent_state" AS ENUM ('waiting', 'known', 'unknown', 'ambiguous', 'unavailable', 'too_large');

CREATE TYPE "agent_ai_mode" AS ENUM ('simple', 'shared', 'custom');

CREATE TYPE "webhook_delivery_state" AS ENUM ('waiting', 'delivered', 'failed', 'gone', 'cancelled');

CREATE TABLE "anchors" (
  "id" uuid NOT NULL,
  "receipt_id" uuid,
  "chain" text NOT NULL,
  "bundle_hash" text NOT NULL,
  "state" anchor_state NOT NULL DEFAULT 'waiting',
  "transaction_id" uuid,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "agent_id" uuid,
  CONSTRAINT "anchors_pkey" PRIMARY KEY (id)
);
CREATE INDEX anchors_waiting ON anchors (chain, created_at, id) WHERE (state = 'waiting');
CREATE INDEX anchors_transaction_id_idx ON anchors (transaction_id);
CREATE INDEX anchors_bundle_hash_idx ON anchors (bundle_hash);
CREATE UNIQUE INDEX anchors_receipt_id_chain_key ON anchors (receipt_id, chain);
CREATE UNIQUE INDEX anchors_of_agents ON anchors (agent_id, chain, bundle_hash) WHERE (agent_id IS NOT NULL);

CREATE TABLE "anchor_transactions" (
  "id" uuid NOT NULL,
  "chain" text NOT NULL,
  "contract" text NOT NULL,
  "signer" text,
  "nonce" bigint,
  "txid" text NOT NULL,
  "state" anchor_transaction_state NOT NULL DEFAULT 'signed',
  "block_number" bigint,
  "block_hash" text,
  "block_time" timestamptz(3),
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "finality" finality,
  "project_id" uuid,
  "proof_failure" text,
  "proved_at" timestamptz(3),
  "sender" text,
  CONSTRAINT "anchor_transactions_pkey" PRIMARY KEY (id)
);
CREATE UNIQUE INDEX anchor_transactions_chain_signer_nonce_key ON anchor_transactions (chain, signer, nonce);
CREATE INDEX anchor_transactions_txid_idx ON anchor_transactions (txid);
CREATE INDEX anchor_transactions_proved ON anchor_transactions (proved_at) WHERE (state = 'confirmed');
CREATE INDEX anchor_transactions_open ON anchor_transactions (created_at) WHERE (state = 'signed');
CREATE INDEX anchor_transactions_failed ON anchor_transactions (chain) WHERE (proof_failure IS NOT NULL);
CREATE UNIQUE INDEX anchor_transactions_project_id_chain_contract_txid_key ON anchor_transactions (project_id, chain, contract, txid);

CREATE TABLE "artifacts" (
  "id" uuid NOT NULL,
  "receipt_id" uuid,
  "type" text NOT NULL,
  "version" text NOT NULL,
  "name" text NOT NULL,
  "media_type" text NOT NULL,
  "sha256" text NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "statement_id" uuid,
  "signed_by" text,
  CONSTRAINT "artifacts_pkey" PRIMARY KEY (id),
  CONSTRAINT "artifacts_owner_check" CHECK ((num_nonnulls(receipt_id, statement_id) = 1))
);
CREATE INDEX artifacts_receipt_id_created_at_id_idx ON artifacts (receipt_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX artifacts_receipt_id_name_key ON artifacts (receipt_id, name);
CREATE UNIQUE INDEX artifacts_statement_id_name_key ON artifacts (statement_id, name);

CREATE TABLE "blobs" (
  "sha256" text NOT NULL,
  "bytes" bytea,
  "size" integer,
  CONSTRAINT "blobs_pkey" PRIMARY KEY (sha256),
  CONSTRAINT "blobs_place_check" CHECK ((num_nonnulls(bytes, size) = 1))
);

CREATE TABLE "signing_keys" (
  "key_id" text NOT NULL,
  "public_key_pem" text NOT NULL,
  "valid_from" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "valid_to" timestamptz(3),
  CONSTRAINT "signing_keys_pkey" PRIMARY KEY (key_id)
);

CREATE TABLE "audit_events" (
  "id" bigserial NOT NULL,
  "action" text NOT NULL,
  "object_type" text NOT NULL,
  "object_id" text NOT NULL,
  "project_id" uuid,
  "actor" text NOT NULL,
  "details" jsonb NOT NULL DEFAULT '{}',
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "hash" bytea NOT NULL DEFAULT '\x'::bytea,
  "seq" bigint NOT NULL DEFAULT 0,
  CONSTRAINT "audit_events_pkey" PRIMARY KEY (id)
);
CREATE UNIQUE INDEX audit_events_project_id_seq_key ON audit_events (project_id, seq);

CREATE TABLE "projects" (
  "id" uuid NOT NULL,
  "name" text NOT NULL,
  "owner_wallet" text,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "config_version" integer,
  CONSTRAINT "projects_pkey" PRIMARY KEY (id)
);
CREATE INDEX projects_owner_wallet_idx ON projects (owner_wallet);
CREATE UNIQUE INDEX projects_config_version_key ON projects (config_version);

CREATE TABLE "api_keys" (
  "id" uuid NOT NULL,
  "project_id" uuid NOT NULL,
  "label" text NOT NULL,
  "role" api_key_role NOT NULL,
  "key_hash" bytea NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "last_used_at" timestamptz(3),
  "expires_at" timestamptz(3),
  "revoked_at" timestamptz(3),
  CONSTRAINT "api_keys_pkey" PRIMARY KEY (id)
);
CREATE UNIQUE INDEX api_keys_key_hash_key ON api_keys (key_hash);
CREATE INDEX api_keys_project_id_created_at_idx ON api_keys (project_id, created_at);

CREATE TABLE "receipts" (
  "id" uuid NOT NULL,
  "project_id" uuid NOT NULL,
  "tip_tx_hash" text NOT NULL,
  "chain" text NOT NULL,
  "amount" numeric(38,18) NOT NULL,
  "currency" text NOT NULL,
  "sender_wallet" text NOT NULL,
  "receiver_wallet" text NOT NULL,
  "reference" text NOT NULL,
  "resource_hash" text,
  "callback_url" text,
  "refund_of_id" uuid,
  "status" receipt_status NOT NULL DEFAULT 'pending',
  "failure_reason" text,
  "bundle_hash" text,
  "ledger_txid" text,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "anchored_at" timestamptz(3),
  "config_version" integer,
  "refund_reason" text,
  "booked_at" timestamptz(3),
  "project_config_version" integer,
  "refund_tx_hash" text,
  "bundle_cid" text,
  CONSTRAINT "receipts_pkey" PRIMARY KEY (id)
);
CREATE INDEX receipts_project_id_created_at_id_idx ON receipts (project_id, created_at DESC, id DESC);
CREATE INDEX receipts_created_at_id_idx ON receipts (created_at DESC, id DESC);
CREATE INDEX receipts_bundle_hash_idx ON receipts (bundle_hash);
CREATE INDEX receipts_refund_of_id_idx ON receipts (refund_of_id);
CREATE UNIQUE INDEX receipts_settlement_key ON receipts (project_id, chain, tip_tx_hash) WHERE (refund_of_id IS NULL);
CREATE UNIQUE INDEX receipts_reference_key ON receipts (project_id, reference);
CREATE INDEX receipts_project_id_booked_at_idx ON receipts (project_id, booked_at);
CREATE INDEX receipts_open ON receipts (status, created_at) WHERE (status <> 'anchored');
CREATE INDEX receipts_sent ON receipts (sender_wallet, booked_at) WHERE (booked_at IS NOT NULL);
CREATE INDEX receipts_received ON receipts (receiver_wallet, booked_at) WHERE (booked_at IS NOT NULL);

CREATE TABLE "events" (
  "id" bigserial NOT NULL,
  "receipt_id" uuid,
  "status" receipt_status,
  "bundle_hash" text,
  "ledger_txid" text,
  "anchored_at" timestamptz(3),
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "type" text NOT NULL,
  "project_id" uuid,
  "payment_id" uuid,
  "anchor_id" uuid,
  "endpoint_id" uuid,
  "refund_settled" boolean,
  CONSTRAINT "events_pkey" PRIMARY KEY (id),
  CONSTRAINT "events_subject_check" CHECK ((num_nonnulls(receipt_id, payment_id, anchor_id, endpoint_id) = 1))
);
CREATE INDEX events_receipt_id_id_idx ON events (receipt_id, id) WHERE (receipt_id IS NOT NULL);
CREATE INDEX events_project_id_id_idx ON events (project_id, id);

CREATE TABLE "compliance_checks" (
  "id" uuid NOT NULL,
  "receipt_id" uuid,
  "type" compliance_type NOT NULL,
  "decision" compliance_decision NOT NULL,
  "reason" text,
  "provider" text NOT NULL,
  "checked_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "attempts" integer NOT NULL DEFAULT 0,
  "enforced" boolean NOT NULL DEFAULT false,
  "payment_id" uuid,
  "retry_at" timestamptz(3),
  CONSTRAINT "compliance_checks_pkey" PRIMARY KEY (id),
  CONSTRAINT "compliance_checks_subject_check" CHECK ((num_nonnulls(receipt_id, payment_id) = 1))
);
CREATE UNIQUE INDEX compliance_checks_receipt_id_type_key ON compliance_checks (receipt_id, type);
CREATE UNIQUE INDEX compliance_checks_of_payments ON compliance_checks (payment_id, type) WHERE (payment_id IS NOT NULL);
CREATE INDEX compliance_checks_awaited ON compliance_checks (provider, retry_at) WHERE (retry_at IS NOT NULL);

CREATE TABLE "organisation_configs" (
  "version" serial NOT NULL,
  "config" jsonb NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "actor" text,
  CONSTRAINT "organisation_configs_pkey" PRIMARY KEY (version)
);

CREATE TABLE "statements" (
  "id" uuid NOT NULL,
  "project_id" uuid,
  "type" text NOT NULL,
  "from" timestamptz(3) NOT NULL,
  "to" timestamptz(3) NOT NULL,
  "count" integer NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "wallet" text,
  CONSTRAINT "statements_pkey" PRIMARY KEY (id),
  CONSTRAINT "statements_owner_check" CHECK ((num_nonnulls(project_id, wallet) = 1))
);
CREATE INDEX statements_project_id_created_at_id_idx ON statements (project_id, created_at DESC, id DESC);

CREATE TABLE "audit_heads" (
  "chain" text NOT NULL,
  "seq" bigint NOT NULL,
  "hash" bytea NOT NULL,
  CONSTRAINT "audit_heads_pkey" PRIMARY KEY (chain)
);

CREATE TABLE "idempotent_requests" (
  "principal" text NOT NULL,
  "key" text NOT NULL,
  "fingerprint" bytea NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "finished_at" timestamptz(3),
  "status" integer,
  "headers" jsonb,
  "body" bytea,
  CONSTRAINT "idempotent_requests_pkey" PRIMARY KEY (principal, key)
);
CREATE INDEX idempotent_requests_created_at_idx ON idempotent_requests (created_at);

CREATE TABLE "rate_windows" (
  "bucket" text NOT NULL,
  "window" bigint NOT NULL,
  "used" integer NOT NULL,
  CONSTRAINT "rate_windows_pkey" PRIMARY KEY (bucket, "window")
);
CREATE INDEX rate_windows_window_idx ON rate_windows ("window");

CREATE TABLE "sign_in_nonces" (
  "nonce" text NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "sign_in_nonces_pkey" PRIMARY KEY (nonce)
);
CREATE INDEX sign_in_nonces_created_at_idx ON sign_in_nonces (created_at);

CREATE TABLE "linked_wallets" (
  "project_id" uuid NOT NULL,
  "address" text NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "linked_wallets_pkey" PRIMARY KEY (project_id, address)
);
CREATE INDEX linked_wallets_address_idx ON linked_wallets (address);

CREATE TABLE "anchor_attempts" (
  "txid" text NOT NULL,
  "transaction_id" uuid NOT NULL,
  "raw_transaction" text NOT NULL,
  "max_fee_per_gas" numeric(38,0) NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "anchor_attempts_pkey" PRIMARY KEY (txid)
);
CREATE INDEX anchor_attempts_transaction_id_idx ON anchor_attempts (transaction_id);

CREATE TABLE "payments" (
  "id" uuid NOT NULL,
  "network" text NOT NULL,
  "asset" text NOT NULL,
  "payer" text NOT NULL,
  "nonce" bytea NOT NULL,
  "amount" numeric(38,18) NOT NULL,
  "pay_to" text NOT NULL,
  "endpoint" text NOT NULL,
  "fingerprint" bytea NOT NULL,
  "payload" jsonb NOT NULL,
  "project_id" uuid,
  "status" payment_status NOT NULL DEFAULT 'verified',
  "failure_reason" text,
  "since_block" bigint NOT NULL,
  "signer" text,
  "signer_nonce" bigint,
  "raw_transaction" text,
  "txid" text,
  "lease_until" timestamptz(3),
  "answer" jsonb,
  "answer_until" timestamptz(3),
  "verified_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "settled_at" timestamptz(3),
  "delivered_at" timestamptz(3),
  "currency" text NOT NULL,
  "lease_id" uuid,
  "receipt_id" uuid,
  "reverts" integer NOT NULL DEFAULT 0,
  "identifier" text,
  "record_failure" text,
  CONSTRAINT "payments_pkey" PRIMARY KEY (id)
);
CREATE INDEX payments_verified_at_id_idx ON payments (verified_at DESC, id DESC);
CREATE INDEX payments_project_id_verified_at_id_idx ON payments (project_id, verified_at DESC, id DESC);
CREATE UNIQUE INDEX payments_network_asset_payer_nonce_key ON payments (network, asset, payer, nonce);
CREATE UNIQUE INDEX payments_network_signer_signer_nonce_key ON payments (network, signer, signer_nonce);
CREATE INDEX payments_receipt_id_idx ON payments (receipt_id);
CREATE INDEX payments_settled_at_idx ON payments (settled_at);
CREATE INDEX payments_status_verified_at_id_idx ON payments (status, verified_at DESC, id DESC);
CREATE INDEX payments_kept ON payments (answer_until) WHERE (answer_until IS NOT NULL);
CREATE UNIQUE INDEX payments_network_asset_payer_identifier_key ON payments (network, asset, payer, identifier);
CREATE INDEX payments_payer_verified_at_idx ON payments (payer, verified_at DESC);
CREATE INDEX payments_unrecorded ON payments (payer, settled_at) WHERE ((receipt_id IS NULL) AND (record_failure IS NULL));

CREATE TABLE "price_settings" (
  "path" text NOT NULL,
  "price" numeric(38,18),
  "recipient" text,
  "enabled" boolean,
  "updated_at" timestamptz(3) NOT NULL,
  CONSTRAINT "price_settings_pkey" PRIMARY KEY (path)
);

CREATE TABLE "project_configs" (
  "version" serial NOT NULL,
  "project_id" uuid NOT NULL,
  "config" jsonb NOT NULL,
  "is_house" boolean NOT NULL DEFAULT false,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "actor" text,
  CONSTRAINT "project_configs_pkey" PRIMARY KEY (version)
);
CREATE INDEX project_configs_project_id_version_idx ON project_configs (project_id, version);

CREATE TABLE "agents" (
  "id" uuid NOT NULL,
  "project_id" uuid NOT NULL,
  "name" text NOT NULL,
  "wallet_address" text NOT NULL,
  "xmtp_address" text,
  "status" agent_status NOT NULL DEFAULT 'active',
  "max_per_call" numeric(38,18),
  "max_per_day" numeric(38,18),
  "auto_anchor_enabled" boolean NOT NULL DEFAULT false,
  "anchor_payments_since" timestamptz(3),
  "anchor_wallet" text,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" timestamptz(3) NOT NULL,
  "deleted_at" timestamptz(3),
  "ai_endpoint" text,
  "ai_mode" agent_ai_mode NOT NULL DEFAULT 'simple',
  "ai_model" text,
  "ai_provider" text,
  "ai_system_prompt" text,
  CONSTRAINT "agents_pkey" PRIMARY KEY (id)
);
CREATE INDEX agents_project_id_created_at_id_idx ON agents (project_id, created_at DESC, id DESC);
CREATE INDEX agents_wallet ON agents (wallet_address, project_id) WHERE (deleted_at IS NULL);

CREATE TABLE "fiat_equivalents" (
  "receipt_id" uuid NOT NULL,
  "state" fiat_equivalent_state NOT NULL,
  "currency" text NOT NULL,
  "rate_of" text,
  "amount" text,
  "rate" text,
  "source" text,
  "as_of" timestamptz(3),
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "fiat_equivalents_pkey" PRIMARY KEY (receipt_id)
);
CREATE INDEX fiat_equivalents_waiting ON fiat_equivalents (created_at) WHERE (state = 'waiting');

CREATE TABLE "agent_ai_keys" (
  "agent_id" uuid NOT NULL,
  "wrapped_by" text NOT NULL,
  "wrapped_key" bytea NOT NULL,
  "ciphertext" bytea NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "agent_ai_keys_pkey" PRIMARY KEY (agent_id)
);

CREATE TABLE "assistant_exchanges" (
  "id" uuid NOT NULL,
  "project_id" uuid,
  "principal" text NOT NULL,
  "session" text NOT NULL,
  "question" text NOT NULL,
  "reply" text NOT NULL,
  "used_tools" jsonb NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "assistant_exchanges_pkey" PRIMARY KEY (id)
);
CREATE INDEX assistant_exchanges_principal_session_created_at_idx ON assistant_exchanges (principal, session, created_at);
CREATE INDEX assistant_exchanges_project_id_idx ON assistant_exchanges (project_id);
CREATE INDEX assistant_exchanges_created_at_idx ON assistant_exchanges (created_at);

CREATE TABLE "model_usage" (
  "subject" text NOT NULL,
  "day" date NOT NULL,
  "input_tokens" bigint NOT NULL DEFAULT 0,
  "output_tokens" bigint NOT NULL DEFAULT 0,
  "spent" numeric(38,18) NOT NULL,
  CONSTRAINT "model_usage_pkey" PRIMARY KEY (subject, day)
);

CREATE TABLE "webhook_endpoints" (
  "id" uuid NOT NULL,
  "project_id" uuid NOT NULL,
  "url" text NOT NULL,
  "description" text NOT NULL DEFAULT '',
  "event_types" text[],
  "disabled_at" timestamptz(3),
  "disabled_reason" text,
  "failing_since" timestamptz(3),
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" timestamptz(3) NOT NULL,
  "deleted_at" timestamptz(3),
  CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY (id)
);
CREATE INDEX webhook_endpoints_live ON webhook_endpoints (project_id, created_at) WHERE (deleted_at IS NULL);

CREATE TABLE "webhook_secrets" (
  "id" uuid NOT NULL,
  "project_id" uuid NOT NULL,
  "endpoint_id" uuid,
  "made_by" text NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" timestamptz(3),
  CONSTRAINT "webhook_secrets_pkey" PRIMARY KEY (id)
);
CREATE UNIQUE INDEX webhook_secrets_of_endpoints ON webhook_secrets (endpoint_id) WHERE (expires_at IS NULL);
CREATE UNIQUE INDEX webhook_secrets_of_callbacks ON webhook_secrets (project_id) WHERE ((endpoint_id IS NULL) AND (expires_at IS NULL));
CREATE INDEX webhook_secrets_endpoint_id_idx ON webhook_secrets (endpoint_id);
CREATE INDEX webhook_secrets_project_id_idx ON webhook_secrets (project_id);

CREATE TABLE "webhook_deliveries" (
  "id" bigserial NOT NULL,
  "project_id" uuid NOT NULL,
  "event_id" bigint NOT NULL,
  "endpoint_id" uuid,
  "url" text,
  "receipt_id" uuid,
  "lane" uuid NOT NULL,
  "state" webhook_delivery_state NOT NULL DEFAULT 'waiting',
  "attempts" integer NOT NULL DEFAULT 0,
  "next_attempt_at" timestamptz(3) DEFAULT CURRENT_TIMESTAMP,
  "lease_id" uuid,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "finished_at" timestamptz(3),
  CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY (id)
);
CREATE UNIQUE INDEX webhook_deliveries_of_endpoints ON webhook_deliveries (endpoint_id, event_id) WHERE (endpoint_id IS NOT NULL);
CREATE UNIQUE INDEX webhook_deliveries_of_callbacks ON webhook_deliveries (event_id) WHERE (endpoint_id IS NULL);
CREATE INDEX webhook_deliveries_project_id_id_idx ON webhook_deliveries (project_id, id);
CREATE INDEX webhook_deliveries_project_id_state_id_idx ON webhook_deliveries (project_id, state, id);
CREATE INDEX webhook_deliveries_to_endpoints ON webhook_deliveries (endpoint_id, id) WHERE (endpoint_id IS NOT NULL);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (project_id, next_attempt_at) WHERE (state = 'waiting');
CREATE INDEX webhook_deliveries_of_receipts ON webhook_deliveries (receipt_id, id) WHERE (receipt_id IS NOT NULL);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (project_id, lane, next_attempt_at) WHERE (state = 'waiting');
CREATE INDEX webhook_deliveries_under_way ON webhook_deliveries (project_id, lane) WHERE (lease_id IS NOT NULL);
CREATE INDEX webhook_deliveries_finished ON webhook_deliveries (finished_at) WHERE (state <> 'gone'::webhook_delivery_state OR endpoint_id IS NOT NULL);

CREATE TABLE "webhook_attempts" (
  "delivery_id" bigint NOT NULL,
  "number" integer NOT NULL,
  "started_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "duration_ms" integer,
  "status_code" integer,
  "error" text,
  "answer_start" text,
  CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY (delivery_id, number)
);

ALTER TABLE "anchors" ADD CONSTRAINT "anchors_agent_id_fkey" FOREIGN KEY (agent_id) REFERENCES agents(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "anchors" ADD CONSTRAINT "anchors_receipt_id_fkey" FOREIGN KEY (receipt_id) REFERENCES receipts(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "anchors" ADD CONSTRAINT "anchors_transaction_id_fkey" FOREIGN KEY (transaction_id) REFERENCES anchor_transactions(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "anchor_transactions" ADD CONSTRAINT "anchor_transactions_project_id_fkey" FOREIGN KEY (project_id) REFERENCES projects(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "artifacts" ADD CONSTRAINT "artifacts_receipt_id_fkey" FOREIGN KEY (receipt_id) REFERENCES receipts(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "artifacts" ADD CONSTRAINT "artifacts_sha256_fkey" FOREIGN KEY (sha256) REFERENCES blobs(sha256) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "artifacts" ADD CONSTRAINT "artifacts_statement_id_fkey" FOREIGN KEY (statement_id) REFERENCES statements(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "projects" ADD CONSTRAINT "projects_config_version_fkey" FOREIGN KEY (config_version) REFERENCES project_configs(version) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_project_id_fkey" FOREIGN KEY (project_id) REFERENCES projects(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_config_version_fkey" FOREIGN KEY (config_version) REFERENCES organisation_configs(version) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_project_config_version_fkey" FOREIGN KEY (project_config_version) REFERENCES project_configs(version) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_project_id_fkey" FOREIGN KEY (project_id) REFERENCES projects(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_refund_of_id_fkey" FOREIGN KEY (refund_of_id) REFERENCES receipts(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "events" ADD CONSTRAINT "events_anchor_id_fkey" FOREIGN KEY (anchor_id) REFERENCES anchors(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "events" ADD CONSTRAINT "events_endpoint_id_fkey" FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "events" ADD CONSTRAINT "events_receipt_id_fkey" FOREIGN KEY (receipt_id) REFERENCES receipts(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "compliance_checks" ADD CONSTRAINT "compliance_checks_payment_id_fkey" FOREIGN KEY (payment_id) REFERENCES payments(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "compliance_checks" ADD CONSTRAINT "compliance_checks_receipt_id_fkey" FOREIGN KEY (receipt_id) REFERENCES receipts(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "statements" ADD CONSTRAINT "statements_project_id_fkey" FOREIGN KEY (project_id) REFERENCES projects(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "linked_wallets" ADD CONSTRAINT "linked_wallets_project_id_fkey" FOREIGN KEY (project_id) REFERENCES projects(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "anchor_attempts" ADD CONSTRAINT "anchor_attempts_transaction_id_fkey" FOREIGN KEY (transaction_id) REFERENCES anchor_transactions(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payments" ADD CONSTRAINT "payments_project_id_fkey" FOREIGN KEY (project_id) REFERENCES projects(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payments" ADD CONSTRAINT "payments_receipt_id_fkey" FOREIGN KEY (receipt_id) REFERENCES receipts(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "project_configs" ADD CONSTRAINT "project_configs_project_id_fkey" FOREIGN KEY (project_id) REFERENCES projects(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "agents" ADD CONSTRAINT "agents_project_id_fkey" FOREIGN KEY (project_id) REFERENCES projects(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "fiat_equivalents" ADD CONSTRAINT "fiat_equivalents_receipt_id_fkey" FOREIGN KEY (receipt_id) REFERENCES receipts(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "agent_ai_keys" ADD CONSTRAINT "agent_ai_keys_agent_id_fkey" FOREIGN KEY (agent_id) REFERENCES agents(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "assistant_exchanges" ADD CONSTRAINT "assistant_exchanges_project_id_fkey" FOREIGN KEY (project_id) REFERENCES projects(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_project_id_fkey" FOREIGN KEY (project_id) REFERENCES projects(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "webhook_secrets" ADD CONSTRAINT "webhook_secrets_endpoint_id_fkey" FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "webhook_secrets" ADD CONSTRAINT "webhook_secrets_project_id_fkey" FOREIGN KEY (project_id) REFERENCES projects(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_fkey" FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_fkey" FOREIGN KEY (event_id) REFERENCES events(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_project_id_fkey" FOREIGN KEY (project_id) REFERENCES projects(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_fkey" FOREIGN KEY (delivery_id) REFERENCES webhook_deliveries(id) ON UPDATE CASCADE ON DELETE CASCADE;

-- The hash of an audit row covers each value as its length in bytes, a colon, the value and a comma.
CREATE FUNCTION audit_hash(before bytea, e audit_events) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(convert_to(string_agg(octet_length(v) || ':' || v || ',', '' ORDER BY i), 'UTF8'))
  FROM unnest(ARRAY[
    encode(before, 'hex'), e.seq::text, e.id::text, e.action, e.object_type, e.object_id, coalesce(e.project_id::text, ''),
    e.actor, e.details::text, to_char(e.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  ]) WITH ORDINALITY AS part(v, i)
$$;

-- The row of the chain's end stays locked until the transaction ends, so that a project's rows have one order.
CREATE FUNCTION audit_chain() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  head "audit_heads";
BEGIN
  INSERT INTO "audit_heads" AS h ("chain", "seq", "hash") VALUES (coalesce(new.project_id::text, 'service'), 1, '')
    ON CONFLICT ("chain") DO UPDATE SET "seq" = h.seq + 1 RETURNING * INTO head;
  new.seq := head.seq;
  new.hash := audit_hash(head.hash, new);
  UPDATE "audit_heads" SET "hash" = new.hash WHERE "chain" = head.chain;
  RETURN new;
END $$;

CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_events is append-only';
END $$;

-- The number of the lock under which a project's events are numbered. Statements that insert events of several projects sort
-- them by it, so that no two statements deadlock. There are 256 locks, because PostgreSQL's lock table is small.
CREATE FUNCTION event_lock(project uuid) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN hashtext(coalesce(project::text, '')) & 255;

-- The lock is held until the transaction ends, so that a transaction with a larger number also becomes visible later.
CREATE FUNCTION event_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7472, event_lock(new.project_id));
  new.id := nextval('events_id_seq');
  RETURN new;
END $$;

-- Identifies the receiver of callbacks: the origin of their URL within the project. Retries have a lane of their own, so that
-- overdue retries never hold up first attempts.
CREATE FUNCTION callback_lane(project uuid, url text, is_retry boolean) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN md5(project || lower(coalesce(substring(url FROM '^[^/?#]*//[^/?#]*'), url)) || CASE WHEN is_retry THEN ' retry' ELSE '' END)::uuid;

-- Writes what follows from new events, in their transaction: deliveries for the receivers that subscribe to them, and
-- notifications with the ids of their projects and subjects. A notification holds at most 8,000 bytes; an id takes 37.
CREATE FUNCTION event_tell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "webhook_deliveries" ("project_id", "event_id", "endpoint_id", "url", "receipt_id", "lane")
    SELECT e.project_id, e.id, w.id, NULL, e.receipt_id, w.id
    FROM "fresh" e JOIN "webhook_endpoints" w ON w.project_id = e.project_id AND w.deleted_at IS NULL
      AND (w.disabled_at IS NULL AND e.type = ANY (w.event_types) OR e.type = 'webhook.test' AND w.id = e.endpoint_id)
    UNION ALL
    SELECT e.project_id, e.id, NULL, r.callback_url, r.id,
      callback_lane(e.project_id, r.callback_url, false)
    FROM "fresh" e JOIN "receipts" r ON r.id = e.receipt_id
    WHERE r.callback_url IS NOT NULL
      -- A receiver that answered 410 gets no further callbacks of the receipt.
      AND NOT EXISTS (SELECT FROM "webhook_deliveries" d WHERE d.receipt_id = r.id AND d.endpoint_id IS NULL AND d.state = 'gone');
  IF FOUND THEN PERFORM pg_notify('events', 'webhooks'); END IF;
  PERFORM pg_notify('events', string_agg(topic, ',')) FROM (
    SELECT topic, row_number() OVER () / 200 AS n FROM (
      SELECT DISTINCT unnest(ARRAY[project_id, receipt_id, payment_id])::text AS topic FROM "fresh"
    ) AS topics WHERE topic IS NOT NULL
  ) AS numbered GROUP BY n;
  RETURN NULL;
END $$;

CREATE TRIGGER audit_chain BEFORE INSERT ON audit_events FOR EACH ROW EXECUTE FUNCTION audit_chain();
CREATE TRIGGER audit_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_events FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();
CREATE TRIGGER event_number BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION event_number();
CREATE TRIGGER event_tell AFTER INSERT ON events REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION event_tell();
