-- The tables, which prisma/models describes, then the functions and triggers, which Prisma's models cannot have.

-- The text of a reference is found by its parts.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Projects

CREATE TYPE api_key_role AS ENUM ('project_admin', 'project', 'viewer');

CREATE TABLE organisation_configs (
  version serial PRIMARY KEY,
  config jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  actor text
);

CREATE TABLE projects (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  owner_wallet text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  config_version integer,
  series_from timestamptz(3),
  closed_to timestamptz(3),
  closed_day text,
  closes_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX projects_owner_wallet_idx ON projects (owner_wallet);
CREATE UNIQUE INDEX projects_config_version_key ON projects (config_version);
CREATE INDEX projects_closes_at_idx ON projects (closes_at);

CREATE TABLE project_configs (
  version serial PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON UPDATE CASCADE ON DELETE RESTRICT,
  config jsonb NOT NULL,
  is_house boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  actor text
);
CREATE INDEX project_configs_project_id_version_idx ON project_configs (project_id, version);
ALTER TABLE projects ADD FOREIGN KEY (config_version) REFERENCES project_configs ON UPDATE CASCADE ON DELETE RESTRICT;

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON UPDATE CASCADE ON DELETE RESTRICT,
  label text NOT NULL,
  role api_key_role NOT NULL,
  key_hash bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  revoked_at timestamptz(3)
);
CREATE UNIQUE INDEX api_keys_key_hash_key ON api_keys (key_hash);
CREATE INDEX api_keys_project_id_created_at_idx ON api_keys (project_id, created_at);

CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON UPDATE CASCADE ON DELETE RESTRICT,
  role api_key_role NOT NULL,
  api_key_id uuid REFERENCES api_keys ON UPDATE CASCADE ON DELETE RESTRICT,
  wallet text,
  token_hash bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3)
);
CREATE UNIQUE INDEX sessions_token_hash_key ON sessions (token_hash);
CREATE INDEX sessions_project_id_created_at_idx ON sessions (project_id, created_at);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);

-- Sign-in

CREATE TABLE sign_in_nonces (
  nonce text PRIMARY KEY,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX sign_in_nonces_created_at_idx ON sign_in_nonces (created_at);

CREATE TABLE linked_wallets (
  project_id uuid NOT NULL REFERENCES projects ON UPDATE CASCADE ON DELETE RESTRICT,
  address text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  PRIMARY KEY (project_id, address)
);
CREATE INDEX linked_wallets_address_idx ON linked_wallets (address);
CREATE UNIQUE INDEX linked_wallets_id_key ON linked_wallets (id);

-- Requests

CREATE TABLE idempotent_requests (
  principal text NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  finished_at timestamptz(3),
  status integer,
  headers jsonb,
  body bytea,
  PRIMARY KEY (principal, key)
);
CREATE INDEX idempotent_requests_created_at_idx ON idempotent_requests (created_at);

CREATE TABLE rate_windows (
  bucket text NOT NULL,
  "window" bigint NOT NULL,
  used integer NOT NULL,
  PRIMARY KEY (bucket, "window")
);
CREATE INDEX rate_windows_window_idx ON rate_windows ("window");

-- Agents

CREATE TYPE agent_status AS ENUM ('active', 'paused', 'disabled');
CREATE TYPE agent_ai_mode AS ENUM ('simple', 'shared', 'custom');

CREATE TABLE agents (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON UPDATE CASCADE ON DELETE RESTRICT,
  name text NOT NULL,
  wallet_address text NOT NULL,
  xmtp_address text,
  status agent_status NOT NULL DEFAULT 'active',
  max_per_call numeric(38, 18),
  max_per_day numeric(38, 18),
  auto_anchor_enabled boolean NOT NULL DEFAULT false,
  anchor_payments_since timestamptz(3),
  anchor_wallet text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3),
  ai_endpoint text,
  ai_mode agent_ai_mode NOT NULL DEFAULT 'simple',
  ai_model text,
  ai_provider text,
  ai_system_prompt text,
  other_rules jsonb
);
CREATE INDEX agents_project_id_created_at_id_idx ON agents (project_id, created_at DESC, id DESC);
CREATE INDEX agents_wallet ON agents (wallet_address, project_id) WHERE deleted_at IS NULL;

CREATE TABLE agent_ai_keys (
  agent_id uuid PRIMARY KEY REFERENCES agents ON UPDATE CASCADE ON DELETE CASCADE,
  wrapped_by text NOT NULL,
  wrapped_key bytea NOT NULL,
  ciphertext bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- Receipts

CREATE TYPE receipt_status AS ENUM ('pending', 'awaiting_anchor', 'anchored', 'failed');
CREATE TYPE fiat_equivalent_state AS ENUM ('waiting', 'known', 'unknown', 'ambiguous', 'unavailable', 'too_large');

CREATE TABLE receipts (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON UPDATE CASCADE ON DELETE RESTRICT,
  tip_tx_hash text NOT NULL,
  chain text NOT NULL,
  amount numeric(38, 18) NOT NULL,
  currency text NOT NULL,
  sender_wallet text NOT NULL,
  receiver_wallet text NOT NULL,
  reference text NOT NULL,
  resource_hash text,
  callback_url text,
  refund_of_id uuid REFERENCES receipts ON UPDATE CASCADE ON DELETE RESTRICT,
  status receipt_status NOT NULL DEFAULT 'pending',
  failure_reason text,
  bundle_hash text,
  ledger_txid text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  anchored_at timestamptz(3),
  config_version integer REFERENCES organisation_configs ON UPDATE CASCADE ON DELETE RESTRICT,
  refund_reason text,
  booked_at timestamptz(3),
  project_config_version integer REFERENCES project_configs ON UPDATE CASCADE ON DELETE RESTRICT,
  refund_tx_hash text,
  bundle_cid text,
  has_refund boolean NOT NULL DEFAULT false,
  chain_key text NOT NULL,
  tx_key text NOT NULL,
  sender_key text NOT NULL,
  receiver_key text NOT NULL,
  is_repeated boolean NOT NULL DEFAULT false,
  refunded_amount numeric(38, 18) NOT NULL DEFAULT 0,
  refund_claimed boolean NOT NULL DEFAULT false,
  counted_as_id uuid REFERENCES receipts ON UPDATE CASCADE ON DELETE RESTRICT,
  sender_proven boolean,
  receiver_proven boolean,
  CONSTRAINT receipts_refunded_check CHECK (refunded_amount <= amount)
);
-- Each filter and each order of a list has an index. Those of receipts and of audit rows are ascending in the time,
-- although lists begin with the newest row: where entries are added behind others, PostgreSQL fills a page before it
-- begins the next; before others, it leaves both halves of a split page half empty. The columns before the time are
-- descending: read backwards, such an index has the order of a list.
CREATE UNIQUE INDEX receipts_reference_key ON receipts (project_id, reference);
CREATE INDEX receipts_open ON receipts (status, created_at) WHERE status <> 'anchored';
CREATE INDEX receipts_project_id_amount_id_idx ON receipts (project_id, amount, id);
CREATE INDEX receipts_anchored ON receipts (project_id, anchored_at, id) WHERE anchored_at IS NOT NULL;
CREATE INDEX receipts_reference_idx ON receipts USING gin (reference gin_trgm_ops);
CREATE INDEX receipts_refunds ON receipts (refund_of_id) WHERE refund_of_id IS NOT NULL;
CREATE INDEX receipts_created_at_id_idx ON receipts (created_at, id);
CREATE INDEX receipts_project_id_created_at_id_idx ON receipts (project_id DESC, created_at, id);
CREATE INDEX receipts_project_id_status_created_at_id_idx ON receipts (project_id DESC, status DESC, created_at, id);
CREATE INDEX receipts_project_id_currency_created_at_id_idx ON receipts (project_id DESC, currency DESC, created_at, id);
CREATE INDEX receipts_refunded ON receipts (project_id DESC, created_at, id) WHERE has_refund = true;
CREATE INDEX receipts_project_id_booked_at_idx ON receipts (project_id, booked_at) WHERE booked_at IS NOT NULL;
CREATE INDEX receipts_bundle_hash_idx ON receipts (bundle_hash) WHERE bundle_hash IS NOT NULL;
CREATE UNIQUE INDEX receipts_identity_key ON receipts (project_id, chain_key, tx_key) WHERE refund_of_id IS NULL AND is_repeated = false;
CREATE INDEX receipts_project_id_chain_key_created_at_id_idx ON receipts (project_id DESC, chain_key DESC, created_at, id);
CREATE INDEX receipts_project_id_sender_key_created_at_id_idx ON receipts (project_id DESC, sender_key DESC, created_at, id);
CREATE INDEX receipts_project_id_receiver_key_created_at_id_idx ON receipts (project_id DESC, receiver_key DESC, created_at, id);
-- Finds the legs of a transaction, whose keys begin with its own.
CREATE INDEX receipts_project_id_tx_key_idx ON receipts (project_id, tx_key text_pattern_ops);
CREATE INDEX receipts_sent ON receipts (sender_key, booked_at) WHERE booked_at IS NOT NULL;
CREATE INDEX receipts_received ON receipts (receiver_key, booked_at) WHERE booked_at IS NOT NULL;

-- Rows are only added, so that no writer waits for another; the worker adds them up.
CREATE TABLE receipt_counts (
  id bigserial,
  project_id uuid NOT NULL,
  chain text NOT NULL,
  status receipt_status NOT NULL,
  count bigint NOT NULL,
  currency text NOT NULL,
  amount numeric(56, 18) NOT NULL,
  chain_key text NOT NULL,
  PRIMARY KEY (project_id, chain_key, status, id)
);

CREATE TABLE fiat_equivalents (
  receipt_id uuid PRIMARY KEY REFERENCES receipts ON UPDATE CASCADE ON DELETE RESTRICT,
  state fiat_equivalent_state NOT NULL,
  currency text NOT NULL,
  rate_of text,
  amount text,
  rate text,
  source text,
  as_of timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  asked integer NOT NULL DEFAULT 1
);
CREATE INDEX fiat_equivalents_waiting ON fiat_equivalents (created_at) WHERE state = 'waiting';

-- Payments

CREATE TYPE payment_status AS ENUM ('verified', 'settling', 'settled', 'delivered', 'failed', 'reversed');

CREATE TABLE price_settings (
  path text PRIMARY KEY,
  price numeric(38, 18),
  recipient text,
  enabled boolean,
  updated_at timestamptz(3) NOT NULL
);

CREATE TABLE payments (
  id uuid PRIMARY KEY,
  network text NOT NULL,
  asset text NOT NULL,
  payer text NOT NULL,
  nonce bytea NOT NULL,
  amount numeric(38, 18) NOT NULL,
  pay_to text NOT NULL,
  endpoint text NOT NULL,
  fingerprint bytea NOT NULL,
  payload jsonb NOT NULL,
  project_id uuid REFERENCES projects ON UPDATE CASCADE ON DELETE RESTRICT,
  status payment_status NOT NULL DEFAULT 'verified',
  failure_reason text,
  since_block bigint NOT NULL,
  signer text,
  signer_nonce bigint,
  raw_transaction text,
  txid text,
  lease_until timestamptz(3),
  answer jsonb,
  answer_until timestamptz(3),
  verified_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  settled_at timestamptz(3),
  delivered_at timestamptz(3),
  currency text NOT NULL,
  lease_id uuid,
  receipt_id uuid REFERENCES receipts ON UPDATE CASCADE ON DELETE RESTRICT,
  reverts integer NOT NULL DEFAULT 0,
  identifier text,
  record_failure text,
  settled_block bigint,
  transfer_index integer,
  is_shared boolean NOT NULL DEFAULT false,
  final_at timestamptz(3),
  reversed_at timestamptz(3),
  look_at timestamptz(3),
  answered_at timestamptz(3),
  left_at timestamptz(3)
);
CREATE INDEX payments_verified_at_id_idx ON payments (verified_at DESC, id DESC);
CREATE INDEX payments_project_id_verified_at_id_idx ON payments (project_id, verified_at DESC, id DESC);
CREATE UNIQUE INDEX payments_network_asset_payer_nonce_key ON payments (network, asset, payer, nonce);
CREATE UNIQUE INDEX payments_network_signer_signer_nonce_key ON payments (network, signer, signer_nonce);
CREATE INDEX payments_receipt_id_idx ON payments (receipt_id);
CREATE INDEX payments_settled_at_idx ON payments (settled_at);
CREATE INDEX payments_status_verified_at_id_idx ON payments (status, verified_at DESC, id DESC);
CREATE INDEX payments_kept ON payments (answer_until) WHERE answer_until IS NOT NULL;
CREATE UNIQUE INDEX payments_network_asset_payer_identifier_key ON payments (network, asset, payer, identifier);
CREATE INDEX payments_payer_verified_at_idx ON payments (payer, verified_at DESC);
CREATE INDEX payments_unrecorded ON payments (payer, settled_at) WHERE receipt_id IS NULL AND record_failure IS NULL;
CREATE INDEX payments_project_id_status_verified_at_id_idx ON payments (project_id, status, verified_at DESC, id DESC);
CREATE INDEX payments_project_id_endpoint_verified_at_id_idx ON payments (project_id, endpoint, verified_at DESC, id DESC);
CREATE INDEX payments_project_id_network_verified_at_id_idx ON payments (project_id, network, verified_at DESC, id DESC);
CREATE INDEX payments_project_id_currency_verified_at_id_idx ON payments (project_id, currency, verified_at DESC, id DESC);
CREATE INDEX payments_project_id_payer_verified_at_id_idx ON payments (project_id, payer, verified_at DESC, id DESC);
CREATE INDEX payments_project_id_amount_id_idx ON payments (project_id, amount, id);
CREATE INDEX payments_settled ON payments (project_id, settled_at, id) WHERE settled_at IS NOT NULL;
CREATE INDEX payments_recorded ON payments (project_id, verified_at DESC, id DESC) WHERE receipt_id IS NOT NULL;
CREATE INDEX payments_not_recorded ON payments (project_id, verified_at DESC, id DESC) WHERE receipt_id IS NULL;
-- The settlements that are to be looked up: at once where look_at is null.
CREATE INDEX payments_unsure ON payments (look_at) WHERE settled_at IS NOT NULL AND (final_at IS NULL OR look_at IS NOT NULL);
-- The payments whose answer has not reached its client: a payer who asks again with a new authorization means these.
CREATE INDEX payments_unwritten ON payments (payer, fingerprint) WHERE delivered_at IS NULL;

-- Compliance

CREATE TYPE compliance_type AS ENUM ('travel_rule', 'sanctions');
CREATE TYPE compliance_decision AS ENUM ('allow', 'flag', 'deny', 'unavailable');

CREATE TABLE compliance_checks (
  id uuid PRIMARY KEY,
  receipt_id uuid REFERENCES receipts ON UPDATE CASCADE ON DELETE RESTRICT,
  type compliance_type NOT NULL,
  decision compliance_decision NOT NULL,
  reason text,
  provider text NOT NULL,
  checked_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  attempts integer NOT NULL DEFAULT 0,
  enforced boolean NOT NULL DEFAULT false,
  payment_id uuid REFERENCES payments ON UPDATE CASCADE ON DELETE CASCADE,
  retry_at timestamptz(3),
  CONSTRAINT compliance_checks_subject_check CHECK (num_nonnulls(receipt_id, payment_id) = 1)
);
CREATE UNIQUE INDEX compliance_checks_receipt_id_type_key ON compliance_checks (receipt_id, type);
CREATE UNIQUE INDEX compliance_checks_of_payments ON compliance_checks (payment_id, type) WHERE payment_id IS NOT NULL;
CREATE INDEX compliance_checks_awaited ON compliance_checks (provider, retry_at) WHERE retry_at IS NOT NULL;

-- Statements

CREATE TYPE statement_kind AS ENUM ('series', 'copy', 'report', 'provisional', 'earlier');
CREATE TYPE statement_status AS ENUM ('pending', 'awaiting_anchor', 'anchored');

-- A hash in place of a text that is too long for an index.
CREATE FUNCTION text_hash(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN encode(sha256(convert_to(v, 'UTF8')), 'hex');

CREATE TABLE statement_accounts (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON UPDATE CASCADE ON DELETE RESTRICT,
  wallet_key text NOT NULL,
  chain_key text NOT NULL,
  currency text NOT NULL,
  wallet text NOT NULL,
  chain text NOT NULL,
  since timestamptz(3) NOT NULL,
  last_number integer NOT NULL DEFAULT 0,
  balance numeric(56, 18) NOT NULL
);
-- The names of wallet, chain and currency together can be too long for an index.
CREATE UNIQUE INDEX statement_accounts_key ON statement_accounts (project_id, wallet_key, chain_key, text_hash(currency));
CREATE INDEX statement_accounts_project_id_id_idx ON statement_accounts (project_id, id);

CREATE TABLE statements (
  id uuid PRIMARY KEY,
  project_id uuid REFERENCES projects ON UPDATE CASCADE ON DELETE RESTRICT,
  type text NOT NULL,
  "from" timestamptz(3) NOT NULL,
  "to" timestamptz(3) NOT NULL,
  count integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  wallet text,
  kind statement_kind NOT NULL,
  day text NOT NULL,
  "window" text NOT NULL,
  time_zone text NOT NULL DEFAULT 'UTC',
  once text,
  account_id uuid REFERENCES statement_accounts ON UPDATE CASCADE ON DELETE RESTRICT,
  number integer,
  opening numeric(56, 18),
  closing numeric(56, 18),
  config_version integer REFERENCES organisation_configs ON UPDATE CASCADE ON DELETE RESTRICT,
  project_config_version integer REFERENCES project_configs ON UPDATE CASCADE ON DELETE RESTRICT,
  status statement_status,
  bundle_hash text,
  ledger_txid text,
  anchored_at timestamptz(3),
  CONSTRAINT statements_owner_check CHECK (num_nonnulls(project_id, wallet) = 1),
  CONSTRAINT statements_series_check CHECK (
    CASE WHEN kind = 'series'
      THEN num_nulls(project_id, account_id, number, opening, closing, status) = 0 AND (status = 'pending') = (bundle_hash IS NULL)
      ELSE num_nonnulls(number, opening, closing, config_version, project_config_version, status, bundle_hash) = 0
    END
  )
);
CREATE INDEX statements_project_id_created_at_id_idx ON statements (project_id, created_at DESC, id DESC);
CREATE INDEX statements_project_id_type_created_at_id_idx ON statements (project_id, type, created_at DESC, id DESC);
CREATE INDEX statements_project_id_from_id_idx ON statements (project_id, "from" DESC, id DESC);
CREATE UNIQUE INDEX statements_once_key ON statements (once);
CREATE UNIQUE INDEX statements_account_id_number_key ON statements (account_id, number);
CREATE UNIQUE INDEX statements_account_day ON statements (account_id, day) WHERE kind = 'series';
CREATE INDEX statements_account_id_created_at_id_idx ON statements (account_id, created_at DESC, id DESC);
CREATE INDEX statements_project_id_kind_created_at_id_idx ON statements (project_id, kind, created_at DESC, id DESC);
CREATE INDEX statements_project_id_day_id_idx ON statements (project_id, day DESC, id DESC);
CREATE INDEX statements_unwritten ON statements (created_at) WHERE status = 'pending';
CREATE INDEX statements_bundle_hash_idx ON statements (bundle_hash) WHERE bundle_hash IS NOT NULL;

CREATE TABLE statement_entries (
  receipt_id uuid NOT NULL REFERENCES receipts ON UPDATE CASCADE ON DELETE RESTRICT,
  side text NOT NULL,
  statement_id uuid NOT NULL REFERENCES statements ON UPDATE CASCADE ON DELETE RESTRICT,
  booked_at timestamptz(3) NOT NULL,
  PRIMARY KEY (receipt_id, side),
  CONSTRAINT statement_entries_side_check CHECK (side IN ('CRDT', 'DBIT'))
);
CREATE INDEX statement_entries_statement_id_booked_at_receipt_id_side_idx ON statement_entries (statement_id, booked_at, receipt_id, side);

-- Files

CREATE TABLE blobs (
  sha256 text PRIMARY KEY,
  bytes bytea,
  size integer,
  is_deflated boolean NOT NULL DEFAULT false,
  CONSTRAINT blobs_place_check CHECK (num_nonnulls(bytes, size) = 1)
);

-- The service deflates files before it stores them: PostgreSQL's own compression takes several times the processor time
-- and more space.
ALTER TABLE blobs ALTER COLUMN bytes SET STORAGE EXTERNAL;
-- Most deflated files fit into their row, which is cheaper than a row in a second table.
ALTER TABLE blobs SET (toast_tuple_target = 4080);

-- The id of a signing key is the SHA-256 of its SPKI DER. A row whose id is not that of its key is refused.
CREATE FUNCTION signing_key_id(pem text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT encode(sha256(decode(
    replace(replace(pem, '-----BEGIN PUBLIC KEY-----', ''), '-----END PUBLIC KEY-----', ''), 'base64')), 'hex')
$$;

CREATE TABLE signing_keys (
  key_id text PRIMARY KEY,
  public_key_pem text NOT NULL,
  valid_from timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  valid_to timestamptz(3),
  CONSTRAINT signing_keys_id_check CHECK (key_id = signing_key_id(public_key_pem)),
  CONSTRAINT signing_keys_validity_check CHECK (valid_to >= valid_from)
);

CREATE TABLE artifacts (
  id uuid PRIMARY KEY,
  receipt_id uuid REFERENCES receipts ON UPDATE CASCADE ON DELETE RESTRICT,
  type text NOT NULL,
  version text NOT NULL,
  name text NOT NULL,
  media_type text NOT NULL,
  sha256 text NOT NULL REFERENCES blobs ON UPDATE CASCADE ON DELETE RESTRICT,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  statement_id uuid REFERENCES statements ON UPDATE CASCADE ON DELETE RESTRICT,
  signed_by text,
  CONSTRAINT artifacts_owner_check CHECK (num_nonnulls(receipt_id, statement_id) = 1)
);
CREATE INDEX artifacts_receipt_id_created_at_id_idx ON artifacts (receipt_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX artifacts_receipt_id_name_key ON artifacts (receipt_id, name);
CREATE UNIQUE INDEX artifacts_statement_id_name_key ON artifacts (statement_id, name);

-- Anchors

CREATE TYPE anchor_transaction_state AS ENUM ('signed', 'confirmed', 'reverted', 'overtaken');
CREATE TYPE finality AS ENUM ('included', 'safe', 'final');
CREATE TYPE anchor_state AS ENUM ('waiting', 'sent', 'confirmed', 'external');

CREATE TABLE anchor_transactions (
  id uuid PRIMARY KEY,
  chain text NOT NULL,
  contract text NOT NULL,
  signer text,
  nonce bigint,
  txid text NOT NULL,
  state anchor_transaction_state NOT NULL DEFAULT 'signed',
  block_number bigint,
  block_hash text,
  block_time timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  finality finality,
  project_id uuid REFERENCES projects ON UPDATE CASCADE ON DELETE RESTRICT,
  proof_failure text,
  proved_at timestamptz(3),
  sender text
);
CREATE UNIQUE INDEX anchor_transactions_chain_signer_nonce_key ON anchor_transactions (chain, signer, nonce);
CREATE INDEX anchor_transactions_txid_idx ON anchor_transactions (txid);
CREATE INDEX anchor_transactions_proved ON anchor_transactions (proved_at) WHERE state = 'confirmed';
CREATE INDEX anchor_transactions_open ON anchor_transactions (created_at) WHERE state = 'signed';
CREATE INDEX anchor_transactions_failed ON anchor_transactions (chain) WHERE proof_failure IS NOT NULL;
CREATE UNIQUE INDEX anchor_transactions_project_id_chain_contract_txid_key ON anchor_transactions (project_id, chain, contract, txid);

CREATE TABLE anchor_attempts (
  txid text PRIMARY KEY,
  transaction_id uuid NOT NULL REFERENCES anchor_transactions ON UPDATE CASCADE ON DELETE RESTRICT,
  raw_transaction text NOT NULL,
  max_fee_per_gas numeric(38, 0) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX anchor_attempts_transaction_id_idx ON anchor_attempts (transaction_id);

CREATE TABLE anchors (
  id uuid PRIMARY KEY,
  receipt_id uuid REFERENCES receipts ON UPDATE CASCADE ON DELETE RESTRICT,
  chain text NOT NULL,
  bundle_hash text NOT NULL,
  state anchor_state NOT NULL DEFAULT 'waiting',
  transaction_id uuid REFERENCES anchor_transactions ON UPDATE CASCADE ON DELETE RESTRICT,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  agent_id uuid REFERENCES agents ON UPDATE CASCADE ON DELETE RESTRICT,
  statement_id uuid REFERENCES statements ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE INDEX anchors_waiting ON anchors (chain, created_at, id) WHERE state = 'waiting';
CREATE INDEX anchors_transaction_id_idx ON anchors (transaction_id);
CREATE INDEX anchors_bundle_hash_idx ON anchors (bundle_hash);
CREATE UNIQUE INDEX anchors_receipt_id_chain_key ON anchors (receipt_id, chain);
CREATE UNIQUE INDEX anchors_of_agents ON anchors (agent_id, chain, bundle_hash) WHERE agent_id IS NOT NULL;
CREATE UNIQUE INDEX anchors_of_statements ON anchors (statement_id, chain) WHERE statement_id IS NOT NULL;

-- Events and webhooks

CREATE TYPE webhook_delivery_state AS ENUM ('waiting', 'delivered', 'failed', 'gone', 'cancelled');

CREATE TABLE webhook_endpoints (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON UPDATE CASCADE ON DELETE RESTRICT,
  url text NOT NULL,
  description text NOT NULL DEFAULT '',
  event_types text[],
  disabled_at timestamptz(3),
  disabled_reason text,
  failing_since timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3)
);
CREATE INDEX webhook_endpoints_live ON webhook_endpoints (project_id, created_at) WHERE deleted_at IS NULL;

CREATE TABLE webhook_secrets (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON UPDATE CASCADE ON DELETE RESTRICT,
  endpoint_id uuid REFERENCES webhook_endpoints ON UPDATE CASCADE ON DELETE RESTRICT,
  made_by text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(3)
);
CREATE UNIQUE INDEX webhook_secrets_of_endpoints ON webhook_secrets (endpoint_id) WHERE expires_at IS NULL;
CREATE UNIQUE INDEX webhook_secrets_of_callbacks ON webhook_secrets (project_id) WHERE endpoint_id IS NULL AND expires_at IS NULL;
CREATE INDEX webhook_secrets_endpoint_id_idx ON webhook_secrets (endpoint_id);
CREATE INDEX webhook_secrets_project_id_idx ON webhook_secrets (project_id);

CREATE TABLE events (
  id bigint PRIMARY KEY,
  receipt_id uuid REFERENCES receipts ON UPDATE CASCADE ON DELETE RESTRICT,
  status receipt_status,
  bundle_hash text,
  ledger_txid text,
  anchored_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  type text NOT NULL,
  project_id uuid,
  payment_id uuid,
  anchor_id uuid REFERENCES anchors ON UPDATE CASCADE ON DELETE RESTRICT,
  endpoint_id uuid REFERENCES webhook_endpoints ON UPDATE CASCADE ON DELETE RESTRICT,
  refund_settled boolean,
  refund_id uuid,
  CONSTRAINT events_subject_check CHECK (num_nonnulls(receipt_id, payment_id, anchor_id, endpoint_id) = 1)
);
CREATE INDEX events_receipt_id_id_idx ON events (receipt_id, id) WHERE receipt_id IS NOT NULL;
CREATE INDEX events_project_id_id_idx ON events (project_id, id);

-- All events up to this number have been considered for deletion (EVENT_DAYS): those after it are complete, those
-- before it are not.
CREATE TABLE event_horizon (
  id bigint PRIMARY KEY
);
INSERT INTO event_horizon VALUES (0);

CREATE TABLE webhook_deliveries (
  id bigint PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON UPDATE CASCADE ON DELETE RESTRICT,
  event_id bigint NOT NULL REFERENCES events ON UPDATE CASCADE ON DELETE RESTRICT,
  endpoint_id uuid REFERENCES webhook_endpoints ON UPDATE CASCADE ON DELETE RESTRICT,
  url text,
  receipt_id uuid,
  lane uuid NOT NULL,
  state webhook_delivery_state NOT NULL DEFAULT 'waiting',
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP,
  lease_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  finished_at timestamptz(3)
);
CREATE UNIQUE INDEX webhook_deliveries_of_endpoints ON webhook_deliveries (endpoint_id, event_id) WHERE endpoint_id IS NOT NULL;
CREATE UNIQUE INDEX webhook_deliveries_of_callbacks ON webhook_deliveries (event_id) WHERE endpoint_id IS NULL;
CREATE INDEX webhook_deliveries_project_id_id_idx ON webhook_deliveries (project_id, id);
CREATE INDEX webhook_deliveries_project_id_state_id_idx ON webhook_deliveries (project_id, state, id);
CREATE INDEX webhook_deliveries_to_endpoints ON webhook_deliveries (endpoint_id, id) WHERE endpoint_id IS NOT NULL;
CREATE INDEX webhook_deliveries_of_receipts ON webhook_deliveries (receipt_id, id) WHERE receipt_id IS NOT NULL;
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (project_id, lane, next_attempt_at) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_under_way ON webhook_deliveries (project_id, lane) WHERE lease_id IS NOT NULL;
CREATE INDEX webhook_deliveries_finished ON webhook_deliveries (finished_at) WHERE state <> 'gone' OR endpoint_id IS NOT NULL;
-- An event with a delivery is not deleted.
CREATE INDEX webhook_deliveries_event_id_idx ON webhook_deliveries (event_id);
-- The lanes of the deliveries that are due longest are read from the index alone.
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (project_id, next_attempt_at, lane) WHERE state = 'waiting';

CREATE TABLE webhook_attempts (
  delivery_id bigint NOT NULL REFERENCES webhook_deliveries ON UPDATE CASCADE ON DELETE CASCADE,
  number integer NOT NULL,
  started_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  duration_ms integer,
  status_code integer,
  error text,
  answer_start text,
  PRIMARY KEY (delivery_id, number)
);

-- Audit trail

CREATE TABLE audit_events (
  id bigint PRIMARY KEY,
  action text NOT NULL,
  object_type text NOT NULL,
  object_id text NOT NULL,
  project_id uuid,
  actor text NOT NULL,
  details jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  hash bytea NOT NULL DEFAULT '\x',
  seq bigint NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX audit_events_project_id_seq_key ON audit_events (project_id, seq);
CREATE INDEX audit_events_created_at_id_idx ON audit_events (created_at, id);
CREATE INDEX audit_events_project_id_created_at_id_idx ON audit_events (project_id DESC, created_at, id);
CREATE INDEX audit_events_project_id_action_created_at_id_idx ON audit_events (project_id DESC, action DESC, created_at, id);
CREATE INDEX audit_events_project_id_object_type_created_at_id_idx ON audit_events (project_id DESC, object_type DESC, created_at, id);
CREATE INDEX audit_events_project_id_object_id_created_at_id_idx ON audit_events (project_id DESC, object_id DESC, created_at, id);
CREATE INDEX audit_events_project_id_actor_created_at_id_idx ON audit_events (project_id DESC, actor DESC, created_at, id);

CREATE TABLE audit_heads (
  chain text PRIMARY KEY,
  seq bigint NOT NULL,
  hash bytea NOT NULL
);

-- Assistant

CREATE TABLE assistant_exchanges (
  id uuid PRIMARY KEY,
  project_id uuid REFERENCES projects ON UPDATE CASCADE ON DELETE RESTRICT,
  principal text NOT NULL,
  session text NOT NULL,
  question text NOT NULL,
  reply text NOT NULL,
  used_tools jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX assistant_exchanges_principal_session_created_at_idx ON assistant_exchanges (principal, session, created_at);
CREATE INDEX assistant_exchanges_project_id_idx ON assistant_exchanges (project_id);
CREATE INDEX assistant_exchanges_created_at_idx ON assistant_exchanges (created_at);

CREATE TABLE model_usage (
  subject text NOT NULL,
  day date NOT NULL,
  input_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  spent numeric(38, 18) NOT NULL,
  PRIMARY KEY (subject, day)
);

-- Functions and triggers of receipts

-- Adds to the counters what a statement changed.
CREATE FUNCTION receipt_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF tg_op = 'INSERT' THEN
    INSERT INTO "receipt_counts" ("project_id", "chain", "chain_key", "currency", "status", "count", "amount")
      SELECT project_id, chain, chain_key, currency, status, count(*), sum(amount) FROM "fresh" GROUP BY 1, 2, 3, 4, 5;
  ELSIF tg_op = 'DELETE' THEN
    INSERT INTO "receipt_counts" ("project_id", "chain", "chain_key", "currency", "status", "count", "amount")
      SELECT project_id, chain, coalesce(chain_key, chain_key(chain)), currency, status, -count(*), -sum(amount)
      FROM "stale" GROUP BY 1, 2, 3, 4, 5;
  ELSE
    INSERT INTO "receipt_counts" ("project_id", "chain", "chain_key", "currency", "status", "count", "amount")
      SELECT project_id, chain, coalesce(chain_key, chain_key(chain)), currency, status, sum(n), sum(amount) FROM (
        SELECT project_id, chain, chain_key, currency, status, 1 AS n, amount FROM "fresh"
        UNION ALL SELECT project_id, chain, chain_key, currency, status, -1, -amount FROM "stale"
      ) AS changes GROUP BY 1, 2, 3, 4, 5 HAVING sum(n) <> 0 OR sum(amount) <> 0;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER receipt_count_insert AFTER INSERT ON receipts
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION receipt_count();
CREATE TRIGGER receipt_count_update AFTER UPDATE ON receipts
  REFERENCING OLD TABLE AS stale NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION receipt_count();
CREATE TRIGGER receipt_count_delete AFTER DELETE ON receipts
  REFERENCING OLD TABLE AS stale FOR EACH STATEMENT EXECUTE FUNCTION receipt_count();

-- Adds what the counters lack. One statement sees one moment of both tables, so this is exact while others write.
CREATE FUNCTION receipt_recount() RETURNS void LANGUAGE sql AS $$
  INSERT INTO "receipt_counts" ("project_id", "chain", "chain_key", "currency", "status", "count", "amount")
  SELECT project_id, chain, chain_key, currency, status, sum(n), sum(amount) FROM (
    SELECT project_id, chain, chain_key, currency, status, count(*) AS n, sum(amount) AS amount FROM "receipts" GROUP BY 1, 2, 3, 4, 5
    UNION ALL SELECT project_id, chain, chain_key, currency, status, -"count", -"amount" FROM "receipt_counts"
  ) AS both_sides GROUP BY 1, 2, 3, 4, 5 HAVING sum(n) <> 0 OR sum(amount) <> 0
$$;

-- Counters keep the name of the chain, and tell chains apart by their identity.
CREATE FUNCTION receipt_count_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  new.chain_key := chain_key(new.chain);
  RETURN new;
END $$;

CREATE TRIGGER receipt_count_key BEFORE INSERT ON receipt_counts
  FOR EACH ROW WHEN (new.chain_key IS NULL) EXECUTE FUNCTION receipt_count_key();

-- Adds up the refunds of a payment. A claimed refund counts once it is confirmed.
CREATE FUNCTION receipt_refunded() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  UPDATE "receipts" SET "has_refund" = true,
    "refunded_amount" = "refunded_amount" + CASE WHEN new.refund_claimed THEN 0 ELSE new.amount END
    WHERE "id" = new.refund_of_id AND NOT ("has_refund" AND new.refund_claimed);
  RETURN NULL;
END $$;

CREATE TRIGGER receipt_refunded AFTER INSERT OR UPDATE OF refund_of_id ON receipts
  FOR EACH ROW WHEN (new.refund_of_id IS NOT NULL) EXECUTE FUNCTION receipt_refunded();
CREATE TRIGGER receipt_refund_confirmed AFTER UPDATE OF refund_claimed ON receipts
  FOR EACH ROW WHEN (old.refund_claimed AND NOT new.refund_claimed) EXECUTE FUNCTION receipt_refunded();

-- The service computes the keys of what it records; these are for whatever else writes receipts.
CREATE FUNCTION receipt_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  new.chain_key := coalesce(new.chain_key, chain_key(new.chain));
  new.tx_key := coalesce(new.tx_key, transaction_key(coalesce(new.refund_tx_hash, new.tip_tx_hash)));
  new.sender_key := coalesce(new.sender_key, address_key(new.sender_wallet));
  new.receiver_key := coalesce(new.receiver_key, address_key(new.receiver_wallet));
  RETURN new;
END $$;

CREATE TRIGGER receipt_keys BEFORE INSERT ON receipts
  FOR EACH ROW WHEN (new.chain_key IS NULL OR new.tx_key IS NULL OR new.sender_key IS NULL OR new.receiver_key IS NULL)
  EXECUTE FUNCTION receipt_keys();

-- A refund has the identity of the transaction that gave the money back, once it is known.
CREATE FUNCTION receipt_settled() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  new.tx_key := transaction_key(new.refund_tx_hash);
  RETURN new;
END $$;

CREATE TRIGGER receipt_settled BEFORE UPDATE OF refund_tx_hash ON receipts
  FOR EACH ROW WHEN (new.refund_tx_hash IS DISTINCT FROM old.refund_tx_hash AND new.refund_tx_hash IS NOT NULL)
  EXECUTE FUNCTION receipt_settled();

-- Returns the receipt of the whole transaction of which a payment is one transfer, or of one transfer of the whole, if
-- it states the same. Whoever records one of the two waits until the other is committed, and sees it, because each
-- statement of a volatile function has a snapshot of its own. The keys that enclose what is searched are those of
-- record-input.ts. It is planned once, because a plan for each value would take longer than the lookup, and reads by
-- the index of transactions: PostgreSQL also took one that begins with the project, the chain or the currency, and read
-- all receipts of the project in the order of their records. No index serves IS NOT DISTINCT FROM.
CREATE FUNCTION part_or_whole(project uuid, on_chain text, tx text, first text, last text, paid numeric, asset text, sender text, receiver text)
  RETURNS uuid LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(concat_ws(E'\n', project, on_chain, CASE WHEN first = last THEN first ELSE tx END), 0));
  RETURN (
    SELECT id FROM (
      SELECT r.id, r.created_at FROM receipts r
      WHERE r.project_id = project AND r.tx_key ~>=~ first AND r.tx_key ~<=~ last AND r.refund_of_id IS NULL
        AND r.chain_key IS NOT DISTINCT FROM on_chain AND r.amount IS NOT DISTINCT FROM paid
        AND r.currency IS NOT DISTINCT FROM asset AND r.sender_key IS NOT DISTINCT FROM sender
        AND r.receiver_key IS NOT DISTINCT FROM receiver
      OFFSET 0
    ) AS told ORDER BY created_at, id LIMIT 1
  );
END $$;

-- Functions and triggers of events and webhooks
--
-- A connection keeps the plans of functions. A plan that was made while a table had few rows read the whole table for
-- each row that was added, until statistics were gathered again: adding n rows took n² steps. Therefore these
-- functions, and others here, have enable_seqscan = off.

-- The number of the lock under which a project's events are numbered. Statements that insert events of several projects
-- sort them by it, so that no two statements deadlock. There are 256 locks, because PostgreSQL's lock table is small.
CREATE FUNCTION event_lock(project uuid) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN hashtext(coalesce(project::text, '')) & 255;

-- Numbers of events, deliveries and audit rows do not count the rows of all projects: whoever sees two of his own would
-- know how much the others do. A number is made of its time, in units of 10 µs since November 2026, and of the number
-- of the project's lock. It stays below 2^53, the largest that JavaScript keeps exact, until 2037.
CREATE FUNCTION number_of_now(lock integer) RETURNS bigint LANGUAGE sql VOLATILE
  RETURN (extract(epoch FROM clock_timestamp()) * 100000 - 179349120000000)::bigint * 256 + lock;

-- After the project's last number whatever the clock says, so that no reader misses an event. The lock is held until
-- the transaction ends, so that a transaction with a larger number also becomes visible later.
CREATE FUNCTION event_number() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  lock integer := event_lock(new.project_id);
  last bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(7472, lock);
  -- In the order of the index by project. By the condition alone, PostgreSQL may read the newest events of all projects.
  IF new.project_id IS NULL THEN
    SELECT id INTO last FROM (SELECT project_id, id FROM "events" ORDER BY project_id DESC, id DESC LIMIT 1) AS newest
      WHERE project_id IS NULL;
  ELSE
    SELECT id INTO last FROM (
      SELECT project_id, id FROM "events" WHERE (project_id, id) <= (new.project_id, 9223372036854775807)
      ORDER BY project_id DESC, id DESC LIMIT 1
    ) AS newest WHERE project_id = new.project_id;
  END IF;
  new.id := greatest(number_of_now(lock), (last / 256 + 1) * 256 + lock);
  WHILE EXISTS (SELECT FROM "events" WHERE id = new.id) LOOP
    new.id := new.id + 256;
  END LOOP;
  RETURN new;
END $$;

CREATE TRIGGER event_number BEFORE INSERT ON events
  FOR EACH ROW EXECUTE FUNCTION event_number();

CREATE FUNCTION delivery_number() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  lock integer := event_lock(new.project_id);
BEGIN
  PERFORM pg_advisory_xact_lock(7472, lock);
  new.id := number_of_now(lock);
  WHILE EXISTS (SELECT FROM "webhook_deliveries" WHERE id = new.id) LOOP
    new.id := new.id + 256;
  END LOOP;
  RETURN new;
END $$;

CREATE TRIGGER delivery_number BEFORE INSERT ON webhook_deliveries
  FOR EACH ROW EXECUTE FUNCTION delivery_number();

-- Identifies the receiver of callbacks: the origin of their URL within the project. Retries have a lane of their own,
-- so that overdue retries never hold up first attempts.
CREATE FUNCTION callback_lane(project uuid, url text, is_retry boolean) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN md5(project || lower(coalesce(substring(url FROM '^[^/?#]*//[^/?#]*'), url)) || CASE WHEN is_retry THEN ' retry' ELSE '' END)::uuid;

-- Writes what follows from new events, in their transaction: deliveries for the receivers that subscribe to them, and
-- notifications with the ids of their projects and subjects. A notification holds at most 8,000 bytes; an id takes 37.
-- The receipt of an event is looked up by its id, and so are the deliveries of the receipt.
CREATE FUNCTION event_tell() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  INSERT INTO "webhook_deliveries" ("project_id", "event_id", "endpoint_id", "url", "receipt_id", "lane")
    SELECT e.project_id, e.id, w.id, NULL, e.receipt_id, w.id
    FROM "fresh" e JOIN "webhook_endpoints" w ON w.project_id = e.project_id AND w.deleted_at IS NULL
      AND (w.disabled_at IS NULL AND e.type = ANY (w.event_types) OR e.type = 'webhook.test' AND w.id = e.endpoint_id)
    UNION ALL
    SELECT e.project_id, e.id, NULL, r.callback_url, e.receipt_id,
      callback_lane(e.project_id, r.callback_url, false)
    -- OFFSET 0 keeps PostgreSQL from joining all receipts, or all deliveries.
    FROM "fresh" e CROSS JOIN LATERAL (SELECT callback_url FROM "receipts" WHERE id = e.receipt_id OFFSET 0) AS r
    WHERE r.callback_url IS NOT NULL
      -- A receiver that answered 410 gets no further callbacks of the receipt.
      AND NOT EXISTS (
        SELECT FROM "webhook_deliveries" d
        WHERE d.receipt_id = e.receipt_id AND d.endpoint_id IS NULL AND d.state = 'gone' OFFSET 0
      );
  IF FOUND THEN PERFORM pg_notify('events', 'webhooks'); END IF;
  PERFORM pg_notify('events', string_agg(topic, ',')) FROM (
    SELECT topic, row_number() OVER () / 200 AS n FROM (
      SELECT DISTINCT unnest(ARRAY[project_id, receipt_id, payment_id])::text AS topic FROM "fresh"
    ) AS topics WHERE topic IS NOT NULL
  ) AS numbered GROUP BY n;
  RETURN NULL;
END $$;

CREATE TRIGGER event_tell AFTER INSERT ON events
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION event_tell();

-- Functions and triggers of the audit trail

-- The hash of an audit row covers each value as its length in bytes, a colon, the value and a comma. audit_part is
-- inlined, and therefore calls only immutable functions.
CREATE FUNCTION audit_part(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN octet_length(v)::text || ':' || v || ',';

-- The same hash from a row as it is stored.
CREATE FUNCTION audit_hash(before bytea, e audit_events) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(convert_to(string_agg(octet_length(v) || ':' || v || ',', '' ORDER BY i), 'UTF8'))
  FROM unnest(ARRAY[
    encode(before, 'hex'), e.seq::text, e.id::text, e.action, e.object_type, e.object_id, coalesce(e.project_id::text, ''),
    e.actor, e.details::text, to_char(e.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  ]) WITH ORDINALITY AS part(v, i)
$$;

-- The number is part of what is hashed, so both are made in one function. The row of the chain's end stays locked until
-- the transaction ends, so that a project's rows have one order.
CREATE FUNCTION audit_chain() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  own text := coalesce(new.project_id::text, 'service');
  lock integer := event_lock(new.project_id);
  rest text;
BEGIN
  PERFORM pg_advisory_xact_lock(7473, lock);
  new.id := number_of_now(lock);
  WHILE EXISTS (SELECT FROM "audit_events" WHERE id = new.id) LOOP
    new.id := new.id + 256;
  END LOOP;
  rest := audit_part(new.id::text) || audit_part(new.action) || audit_part(new.object_type)
    || audit_part(new.object_id) || audit_part(coalesce(new.project_id::text, '')) || audit_part(new.actor)
    || audit_part(new.details::text)
    || audit_part(to_char(new.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
  LOOP
    UPDATE "audit_heads" AS h SET "seq" = h.seq + 1,
      "hash" = sha256(convert_to(audit_part(encode(h.hash, 'hex')) || audit_part((h.seq + 1)::text) || rest, 'UTF8'))
      WHERE h.chain = own RETURNING h.seq, h.hash INTO new.seq, new.hash;
    EXIT WHEN FOUND;
    -- Two first rows at once: the second waits here, and then updates the row of the first.
    INSERT INTO "audit_heads" ("chain", "seq", "hash") VALUES (own, 0, '') ON CONFLICT ("chain") DO NOTHING;
  END LOOP;
  RETURN new;
END $$;

CREATE TRIGGER audit_chain BEFORE INSERT ON audit_events
  FOR EACH ROW EXECUTE FUNCTION audit_chain();

CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_events is append-only';
END $$;

CREATE TRIGGER audit_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_events
  FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();

-- Identity
--
-- The identity of a receipt's chain, transaction and wallets, beside what was written: src/core/identity.ts has the
-- same rules, and test/database/receipt-keys.test.ts compares the two.

-- Removes what cannot be seen. Text of nothing else is itself.
CREATE FUNCTION plain_text(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce(nullif(regexp_replace(regexp_replace(normalize(v, NFKC), '[\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890-\u0891\u08e2\u115f-\u1160\u17b4-\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]', '', 'g'), '^[\u0001-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028-\u2029\u202f\u205f\u3000\ufeff]+|[\u0001-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028-\u2029\u202f\u205f\u3000\ufeff]+$', '', 'g'), ''), v);

CREATE FUNCTION bounded_key(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN octet_length(v) <= 1024 THEN v ELSE ' sha256:' || text_hash(v) END;

CREATE FUNCTION address_key(v text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  whole text;
BEGIN
  IF v ~ '^0x([0-9a-f]{40}|[0-9a-f]{64})$' THEN RETURN v; END IF;
  v := plain_text(v);
  whole := regexp_replace(regexp_replace(v, '[\u0001-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028-\u2029\u202f\u205f\u3000\ufeff]+', '', 'g'),
    '^(?:'
    '(?:[Xx][Rr][Pp][Ll]:0|[A-Za-z][-A-Za-z0-9]{2,7}:(?!(?:0|-1):)[-_A-Za-z0-9]{1,32}|(?![A-Za-z0-9]{20})[A-Za-z][-_A-Za-z0-9]{0,31}):'
    '(?=(?:0[Xx][0-9A-Fa-f]{40,64}|(?:[Xx][Dd][Cc])?[0-9A-Fa-f]{40}|[0-9A-Fa-f]{64}|(?=[0-9A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[0-9A-Za-z]{25,})$)'
    '|[Hh][Ee][Dd][Ee][Rr][Aa]:[A-Za-z]+:(?=[0-9]+\.[0-9]+\.[0-9]+$))', '');
  IF whole !~ '^(?:(?=[0-9A-Za-z]*[0-9])[0-9A-Za-z]{20,}|(?:[Xx][Dd][Cc])?[0-9A-Fa-f]{40}|[0-9A-Fa-f]{64}|0[Xx][0-9A-Fa-f]+|[0-9]+\.[0-9]+\.[0-9]+)$' THEN RETURN bounded_key(v); END IF;
  IF whole ~ '^(?:(?:0[Xx]|[Xx][Dd][Cc])?[0-9A-Fa-f]{40}|(?:0[Xx])?[0-9A-Fa-f]{64})$' THEN
    RETURN '0x' || lower(regexp_replace(whole, '^(?:0[Xx]|[Xx][Dd][Cc])(?=(?:.{40}|.{64})$)', '') COLLATE "C");
  END IF;
  IF whole = upper(whole COLLATE "C") OR whole ~ '^0[Xx]' THEN RETURN lower(whole COLLATE "C"); END IF;
  RETURN whole;
END $$;

CREATE FUNCTION transaction_key(v text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  part text[];
BEGIN
  IF v ~ '^0x[0-9a-f]{64}$' THEN RETURN v; END IF;
  part := regexp_match(plain_text(v), '^([^#]+)(?:#([0-9]{1,10}))?$');
  IF part IS NULL OR part[2]::bigint > 2147483647 THEN RETURN address_key(v); END IF;
  RETURN address_key(part[1]) || coalesce('#' || part[2]::bigint, '');
END $$;

-- The names are those of src/core/evm-chains.json and src/core/other-chains.ts at this version.
CREATE FUNCTION chain_key(v text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  name text := plain_text(v);
  known text := lower(name COLLATE "pg_c_utf8");
BEGIN
  known := regexp_replace(regexp_replace(known, '[\u0001-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028-\u2029\u202f\u205f\u3000\ufeff_-]+', '', 'g'), '(?<=[^:])mainnet$', '');
  IF known = '' THEN known := NULL; END IF;
  IF name ~ '^[1-9][0-9]{0,14}$' THEN name := 'eip155:' || name; END IF;
  known := (SELECT '{
"0g":"eip155:16661","0gnewtontestnet":"eip155:16600","5irechain":"eip155:995","5irechainthundertestnet":"eip155:997",
"abey":"eip155:179","abstract":"eip155:2741","abstracttestnet":"eip155:11124","acala":"eip155:787",
"acria":"eip155:47","acriaintellichain":"eip155:47","adf":"eip155:1215","adfchain":"eip155:1215","adi":"eip155:36900",
"adichain":"eip155:36900","agungnetwork":"eip155:9990","agungtestnet":"eip155:9990","aioz":"eip155:168",
"aioznetwork":"eip155:168","alephzero":"eip155:41455","alephzerotestnet":"eip155:2039","alfajores":"eip155:44787",
"algorand":"algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k",
"algorand:sgo1gkszye7iepittxcbyw9x8fmnrcde":"algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe",
"algorand:wghe2pwdvd7s12bl5faop20egyesn73k":"algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k",
"algorandtestnet":"algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe","alienx":"eip155:10241024",
"alienxhaltestnet":"eip155:10241025","alpentestnet":"eip155:8150","ancient8":"eip155:888888888",
"ancient8sepolia":"eip155:28122024","ancient8testnet":"eip155:28122024","apechain":"eip155:33139",
"apextestnet":"eip155:3993","apollo":"eip155:62606","apothemnetwork":"eip155:51","aptos":"aptos:1",
"aptos:1":"aptos:1","aptos:2":"aptos:2","aptostestnet":"aptos:2","arb1":"eip155:42161","arbitrum":"eip155:42161",
"arbitrumgoerli":"eip155:421613","arbitrumnova":"eip155:42170","arbitrumone":"eip155:42161",
"arbitrumsepolia":"eip155:421614","arc":"eip155:5042","arctestnet":"eip155:5042002","arenaz":"eip155:7897",
"areonnetwork":"eip155:463","areonnetworktestnet":"eip155:462","areum":"eip155:463","artelatestnet":"eip155:11822",
"arthera":"eip155:10242","artheratestnet":"eip155:10243","assetchain":"eip155:42420",
"assetchaintestnet":"eip155:42421","astar":"eip155:592","astarzkevm":"eip155:3776",
"astarzkevmtestnetzkyoto":"eip155:6038361","astarzkyoto":"eip155:6038361","atletaolympia":"eip155:2340",
"aurora":"eip155:1313161554","auroratestnet":"eip155:1313161555","auroria":"eip155:205205",
"auroriatestnet":"eip155:205205","autheotestnet":"eip155:785","avalanche":"eip155:43114",
"avalanchecchain":"eip155:43114","avalanchefuji":"eip155:43113","avax":"eip155:43114","b2":"eip155:223",
"b2testnet":"eip155:1123","b3":"eip155:8333","b3sepolia":"eip155:1993","bahamut":"eip155:5165","base":"eip155:8453",
"basecamptestnet":"eip155:123420001114","basegoerli":"eip155:84531","basepreconf":"eip155:8453",
"basesepolia":"eip155:84532","basesepoliapreconf":"eip155:84532","battlechain":"eip155:626",
"battlechaintestnet":"eip155:627","bch":"bip122:000000000000000000651ef99cb9fcbe","beam":"eip155:4337",
"beamtestnet":"eip155:13337","bearnetworkchain":"eip155:641230","bearnetworkchaintestnet":"eip155:751230",
"bera":"eip155:80094","berachain":"eip155:80094","berachainartio":"eip155:80085","berachainbartio":"eip155:80084",
"berachainbepolia":"eip155:80069","berachaintestnet":"eip155:80085","berachaintestnetbartio":"eip155:80084",
"beresheetbereevmtestnet":"eip155:2022","bevm":"eip155:11501","bifrost":"eip155:3068",
"bip122:000000000000000000651ef99cb9fcbe":"bip122:000000000000000000651ef99cb9fcbe",
"bip122:000000000019d6689c085ae165831e93":"bip122:000000000019d6689c085ae165831e93",
"bip122:000000000933ea01ad0ee984209779ba":"bip122:000000000933ea01ad0ee984209779ba",
"bip122:12a765e31ffd4059bada1e25190f6e98":"bip122:12a765e31ffd4059bada1e25190f6e98",
"bip122:1a91e3dace36e2be3bf030a65679fe82":"bip122:1a91e3dace36e2be3bf030a65679fe82",
"bip122:4966625a4b2851d9fdee139e56211a0d":"bip122:4966625a4b2851d9fdee139e56211a0d",
"bip122:bb0a78264637406b6360aad926284d54":"bip122:bb0a78264637406b6360aad926284d54","birdlayer":"eip155:53456",
"bitcoin":"bip122:000000000019d6689c085ae165831e93","bitcoincash":"bip122:000000000000000000651ef99cb9fcbe",
"bitcointestnet":"bip122:000000000933ea01ad0ee984209779ba","bitgert":"eip155:32520","bitkub":"eip155:96",
"bitkubtestnet":"eip155:25925","bitlayer":"eip155:200901","bitlayertestnet":"eip155:200810","bitrock":"eip155:7171",
"bittorrent":"eip155:199","bittorrentchaintestnet":"eip155:1028","bittorrenttestnet":"eip155:1028",
"blackfortexchangenetwork":"eip155:4999","blackfortexchangenetworktestnet":"eip155:4777","blast":"eip155:81457",
"blastsepolia":"eip155:168587773","blockdag":"eip155:1404","bnb":"eip155:56","bnbgreenfieldchain":"eip155:1017",
"bnbsmartchain":"eip155:56","bnbsmartchaintestnet":"eip155:97","bob":"eip155:60808","boba":"eip155:288",
"bobanetwork":"eip155:288","bobasepolia":"eip155:28882","bobsepolia":"eip155:808813","boolbeta":"eip155:11100",
"botanix":"eip155:3637","botanixtestnet":"eip155:3636","bouncebit":"eip155:6001","bouncebittestnet":"eip155:6000",
"bronos":"eip155:1039","bronostestnet":"eip155:1038","bsc":"eip155:56","bscgreenfield":"eip155:1017",
"bsctestnet":"eip155:97","bsquared":"eip155:223","bsquaredtestnet":"eip155:1123",
"btc":"bip122:000000000019d6689c085ae165831e93","btr":"eip155:200901","btrtestnet":"eip155:200810",
"bxn":"eip155:4999","bxntestnet":"eip155:4777","candychain":"eip155:2828","cannon":"eip155:13370",
"canto":"eip155:7700","celo":"eip155:42220","celoalfajores":"eip155:44787","celosepolia":"eip155:11142220",
"celosepoliatestnet":"eip155:11142220","chang":"eip155:5858","changchainfoundation":"eip155:5858",
"chiliz":"eip155:88888","chilizchain":"eip155:88888","chilizspicytestnet":"eip155:88882","chips":"eip155:2882",
"chipsnetwork":"eip155:2882","citrate":"eip155:40204","citrea":"eip155:4114","citreatestnet":"eip155:5115",
"classic":"eip155:61","codex":"eip155:81224","codextestnet":"eip155:812242","coinbit":"eip155:112",
"coinex":"eip155:52","confluxespace":"eip155:1030","confluxespacetestnet":"eip155:71","conxchain":"eip155:37",
"coredao":"eip155:1116","coretestnet":"eip155:1115","coretestnet1":"eip155:1115","coretestnet2":"eip155:1114",
"corn":"eip155:21000000","corntestnet":"eip155:21000001","coston2":"eip155:114","cpchain":"eip155:86608",
"crab":"eip155:44","crabnetwork":"eip155:44","creator":"eip155:66665","creatortestnet":"eip155:66665",
"creditcoin":"eip155:102030","creditcoin3":"eip155:102030","creditcoin3devnet":"eip155:102032",
"creditcoin3testnet":"eip155:102031","creditcoindevnet":"eip155:102032","creditcointestnet":"eip155:102031",
"cronos":"eip155:25","cronostestnet":"eip155:338","cronoszkevm":"eip155:388","cronoszkevmtestnet":"eip155:282",
"crossbell":"eip155:3737","crossfi":"eip155:4158","curtis":"eip155:33111","cyber":"eip155:7560",
"cybertestnet":"eip155:111557560","dailynetwork":"eip155:824","dailynetworktestnet":"eip155:825",
"darwinia":"eip155:46","darwinianetwork":"eip155:46","datahaventestnet":"eip155:55931","datanetwork":"eip155:1514",
"datanetworkaeneid":"eip155:1315","dbkchain":"eip155:20240603","dchain":"eip155:2716446429837000",
"dchaintestnet":"eip155:2713017997578000","defichainevm":"eip155:1130","defichainevmtestnet":"eip155:1131",
"defioraclemeta":"eip155:138","degen":"eip155:666666666","dfk":"eip155:53935","dfkchain":"eip155:53935",
"diode":"eip155:15","diodeprenet":"eip155:15","dischain":"eip155:513100","dodochaintestnet":"eip155:53457",
"doge":"bip122:1a91e3dace36e2be3bf030a65679fe82","dogechain":"eip155:2000",
"dogecoin":"bip122:1a91e3dace36e2be3bf030a65679fe82","dogecointestnet":"bip122:bb0a78264637406b6360aad926284d54",
"domatestnet":"eip155:97476","donatuz":"eip155:42026","doschain":"eip155:7979","doschaintestnet":"eip155:3939",
"dreyerx":"eip155:23451","dreyerxtestnet":"eip155:23452","dustboyiot":"eip155:555888","dymension":"eip155:1100",
"ecanna":"eip155:4111","ecannatestnet":"eip155:4112","eden":"eip155:714","edexa":"eip155:5424",
"edexatestnet":"eip155:1995","edgeless":"eip155:2026","edgelessnetwork":"eip155:2026","edgelesstestnet":"eip155:202",
"edgeware":"eip155:2021","edgewareedgeevm":"eip155:2021","edgewaretestnet":"eip155:2022","educhain":"eip155:41923",
"educhaintestnet":"eip155:656476","eip155:1":"eip155:1","eip155:10":"eip155:10","eip155:100":"eip155:100",
"eip155:100009":"eip155:100009","eip155:100021":"eip155:100021","eip155:1001":"eip155:1001",
"eip155:10081":"eip155:10081","eip155:101003":"eip155:101003","eip155:1012":"eip155:1012",
"eip155:10143":"eip155:10143","eip155:1017":"eip155:1017","eip155:10200":"eip155:10200",
"eip155:102030":"eip155:102030","eip155:102031":"eip155:102031","eip155:102032":"eip155:102032",
"eip155:1020352220":"eip155:1020352220","eip155:10218":"eip155:10218","eip155:10241024":"eip155:10241024",
"eip155:10241025":"eip155:10241025","eip155:10242":"eip155:10242","eip155:10243":"eip155:10243",
"eip155:1026062157":"eip155:1026062157","eip155:1028":"eip155:1028","eip155:103":"eip155:103",
"eip155:1030":"eip155:1030","eip155:1032942172":"eip155:1032942172","eip155:1038":"eip155:1038",
"eip155:1039":"eip155:1039","eip155:105105":"eip155:105105","eip155:105363":"eip155:105363","eip155:106":"eip155:106",
"eip155:1073":"eip155:1073","eip155:1075":"eip155:1075","eip155:108":"eip155:108","eip155:1088":"eip155:1088",
"eip155:109":"eip155:109","eip155:11":"eip155:11","eip155:1100":"eip155:1100","eip155:1101":"eip155:1101",
"eip155:11011":"eip155:11011","eip155:110110":"eip155:110110","eip155:11100":"eip155:11100",
"eip155:1111":"eip155:1111","eip155:111188":"eip155:111188","eip155:1112":"eip155:1112","eip155:11124":"eip155:11124",
"eip155:1114":"eip155:1114","eip155:11142220":"eip155:11142220","eip155:1115":"eip155:1115",
"eip155:11155111":"eip155:11155111","eip155:11155420":"eip155:11155420","eip155:111557560":"eip155:111557560",
"eip155:11155931":"eip155:11155931","eip155:1116":"eip155:1116","eip155:112":"eip155:112","eip155:1122":"eip155:1122",
"eip155:1123":"eip155:1123","eip155:11235":"eip155:11235","eip155:11297108099":"eip155:11297108099",
"eip155:11297108109":"eip155:11297108109","eip155:1130":"eip155:1130","eip155:1131":"eip155:1131",
"eip155:1135":"eip155:1135","eip155:114":"eip155:114","eip155:11501":"eip155:11501","eip155:11822":"eip155:11822",
"eip155:1187947933":"eip155:1187947933","eip155:119":"eip155:119","eip155:120893":"eip155:120893",
"eip155:1215":"eip155:1215","eip155:122":"eip155:122","eip155:12227332":"eip155:12227332","eip155:123":"eip155:123",
"eip155:1230":"eip155:1230","eip155:12306":"eip155:12306","eip155:1231":"eip155:1231","eip155:12323":"eip155:12323",
"eip155:12324":"eip155:12324","eip155:12325":"eip155:12325","eip155:1234":"eip155:1234",
"eip155:123420000220":"eip155:123420000220","eip155:123420001114":"eip155:123420001114",
"eip155:124832":"eip155:124832","eip155:12553":"eip155:12553","eip155:127001":"eip155:127001",
"eip155:1273227453":"eip155:1273227453","eip155:127823":"eip155:127823","eip155:1281":"eip155:1281",
"eip155:128123":"eip155:128123","eip155:1284":"eip155:1284","eip155:1285":"eip155:1285","eip155:1287":"eip155:1287",
"eip155:130":"eip155:130","eip155:13001":"eip155:13001","eip155:1301":"eip155:1301",
"eip155:1313161554":"eip155:1313161554","eip155:1313161555":"eip155:1313161555","eip155:1315":"eip155:1315",
"eip155:1328":"eip155:1328","eip155:1329":"eip155:1329","eip155:132902":"eip155:132902","eip155:133":"eip155:133",
"eip155:13337":"eip155:13337","eip155:1336":"eip155:1336","eip155:13370":"eip155:13370","eip155:13371":"eip155:13371",
"eip155:1337803":"eip155:1337803","eip155:1338":"eip155:1338","eip155:13381":"eip155:13381",
"eip155:13473":"eip155:13473","eip155:1350216234":"eip155:1350216234","eip155:137":"eip155:137",
"eip155:138":"eip155:138","eip155:14":"eip155:14","eip155:140":"eip155:140","eip155:1404":"eip155:1404",
"eip155:143":"eip155:143","eip155:1439":"eip155:1439","eip155:1440000":"eip155:1440000",
"eip155:1440002":"eip155:1440002","eip155:1442":"eip155:1442","eip155:1444673419":"eip155:1444673419",
"eip155:1449000":"eip155:1449000","eip155:1453":"eip155:1453","eip155:146":"eip155:146","eip155:148":"eip155:148",
"eip155:1480":"eip155:1480","eip155:14800":"eip155:14800","eip155:1482601649":"eip155:1482601649",
"eip155:14853":"eip155:14853","eip155:15":"eip155:15","eip155:15000":"eip155:15000","eip155:151":"eip155:151",
"eip155:1513":"eip155:1513","eip155:1514":"eip155:1514","eip155:1516":"eip155:1516",
"eip155:1523903251":"eip155:1523903251","eip155:153":"eip155:153","eip155:15551":"eip155:15551",
"eip155:15557":"eip155:15557","eip155:1559":"eip155:1559","eip155:1564830818":"eip155:1564830818",
"eip155:157":"eip155:157","eip155:16":"eip155:16","eip155:1612":"eip155:1612","eip155:1612127":"eip155:1612127",
"eip155:161221135":"eip155:161221135","eip155:1625":"eip155:1625","eip155:164":"eip155:164",
"eip155:1643":"eip155:1643","eip155:16507":"eip155:16507","eip155:166":"eip155:166","eip155:16600":"eip155:16600",
"eip155:16601":"eip155:16601","eip155:16602":"eip155:16602","eip155:1660990954":"eip155:1660990954",
"eip155:1663":"eip155:1663","eip155:16661":"eip155:16661","eip155:1666600000":"eip155:1666600000",
"eip155:167000":"eip155:167000","eip155:167005":"eip155:167005","eip155:167007":"eip155:167007",
"eip155:167008":"eip155:167008","eip155:167009":"eip155:167009","eip155:167013":"eip155:167013",
"eip155:168":"eip155:168","eip155:168587773":"eip155:168587773","eip155:1686":"eip155:1686","eip155:169":"eip155:169",
"eip155:17000":"eip155:17000","eip155:17069":"eip155:17069","eip155:1722641160":"eip155:1722641160",
"eip155:1729":"eip155:1729","eip155:173":"eip155:173","eip155:1750":"eip155:1750","eip155:177":"eip155:177",
"eip155:1776":"eip155:1776","eip155:17777":"eip155:17777","eip155:1783":"eip155:1783","eip155:179":"eip155:179",
"eip155:1802203764":"eip155:1802203764","eip155:181228":"eip155:181228","eip155:18233":"eip155:18233",
"eip155:183":"eip155:183","eip155:185":"eip155:185","eip155:1868":"eip155:1868","eip155:1874":"eip155:1874",
"eip155:1875":"eip155:1875","eip155:1879":"eip155:1879","eip155:18881":"eip155:18881","eip155:1890":"eip155:1890",
"eip155:1891":"eip155:1891","eip155:19":"eip155:19","eip155:190415":"eip155:190415","eip155:1923":"eip155:1923",
"eip155:1924":"eip155:1924","eip155:1946":"eip155:1946","eip155:1952":"eip155:1952",
"eip155:1952959480":"eip155:1952959480","eip155:196":"eip155:196","eip155:1983":"eip155:1983",
"eip155:199":"eip155:199","eip155:1993":"eip155:1993","eip155:1995":"eip155:1995","eip155:1996":"eip155:1996",
"eip155:1998991":"eip155:1998991","eip155:19991":"eip155:19991","eip155:2":"eip155:2","eip155:20":"eip155:20",
"eip155:2000":"eip155:2000","eip155:200024":"eip155:200024","eip155:200810":"eip155:200810",
"eip155:200901":"eip155:200901","eip155:2017":"eip155:2017","eip155:2019775":"eip155:2019775",
"eip155:202":"eip155:202","eip155:2020":"eip155:2020","eip155:2021":"eip155:2021","eip155:2022":"eip155:2022",
"eip155:2024":"eip155:2024","eip155:20240603":"eip155:20240603","eip155:20241133":"eip155:20241133",
"eip155:20250217":"eip155:20250217","eip155:20256789":"eip155:20256789","eip155:2026":"eip155:2026",
"eip155:202601":"eip155:202601","eip155:2039":"eip155:2039","eip155:204":"eip155:204","eip155:2040":"eip155:2040",
"eip155:2046399126":"eip155:2046399126","eip155:205205":"eip155:205205","eip155:20993":"eip155:20993",
"eip155:20994":"eip155:20994","eip155:21":"eip155:21","eip155:21000000":"eip155:21000000",
"eip155:21000001":"eip155:21000001","eip155:21072026":"eip155:21072026","eip155:21363":"eip155:21363",
"eip155:2139927552":"eip155:2139927552","eip155:216":"eip155:216","eip155:2184":"eip155:2184",
"eip155:2192":"eip155:2192","eip155:2201":"eip155:2201","eip155:22052002":"eip155:22052002",
"eip155:2221":"eip155:2221","eip155:2222":"eip155:2222","eip155:22222":"eip155:22222","eip155:223":"eip155:223",
"eip155:22776":"eip155:22776","eip155:23023":"eip155:23023","eip155:232":"eip155:232","eip155:23294":"eip155:23294",
"eip155:23295":"eip155:23295","eip155:2331":"eip155:2331","eip155:2340":"eip155:2340","eip155:2345":"eip155:2345",
"eip155:23451":"eip155:23451","eip155:23452":"eip155:23452","eip155:2355":"eip155:2355","eip155:2358":"eip155:2358",
"eip155:239":"eip155:239","eip155:2391":"eip155:2391","eip155:24":"eip155:24","eip155:240":"eip155:240",
"eip155:242":"eip155:242","eip155:2442":"eip155:2442","eip155:2443":"eip155:2443",
"eip155:245022926":"eip155:245022926","eip155:245022934":"eip155:245022934","eip155:246":"eip155:246",
"eip155:248":"eip155:248","eip155:2494104990":"eip155:2494104990","eip155:25":"eip155:25","eip155:250":"eip155:250",
"eip155:251":"eip155:251","eip155:252":"eip155:252","eip155:2522":"eip155:2522","eip155:2524852":"eip155:2524852",
"eip155:2525":"eip155:2525","eip155:253":"eip155:253","eip155:253368190":"eip155:253368190",
"eip155:25363":"eip155:25363","eip155:254":"eip155:254","eip155:255":"eip155:255","eip155:25925":"eip155:25925",
"eip155:260":"eip155:260","eip155:261":"eip155:261","eip155:2625":"eip155:2625","eip155:2651420":"eip155:2651420",
"eip155:269":"eip155:269","eip155:270":"eip155:270","eip155:2710":"eip155:2710",
"eip155:2713017997578000":"eip155:2713017997578000","eip155:2716446429837000":"eip155:2716446429837000",
"eip155:272":"eip155:272","eip155:273":"eip155:273","eip155:2730":"eip155:2730","eip155:2741":"eip155:2741",
"eip155:278611351":"eip155:278611351","eip155:2810":"eip155:2810","eip155:28122024":"eip155:28122024",
"eip155:2818":"eip155:2818","eip155:282":"eip155:282","eip155:2828":"eip155:2828","eip155:288":"eip155:288",
"eip155:2882":"eip155:2882","eip155:28882":"eip155:28882","eip155:291":"eip155:291","eip155:2911":"eip155:2911",
"eip155:29112":"eip155:29112","eip155:295":"eip155:295","eip155:29548":"eip155:29548","eip155:296":"eip155:296",
"eip155:297":"eip155:297","eip155:30":"eip155:30","eip155:300":"eip155:300","eip155:3068":"eip155:3068",
"eip155:309075":"eip155:309075","eip155:31":"eip155:31","eip155:3109":"eip155:3109","eip155:311":"eip155:311",
"eip155:3110":"eip155:3110","eip155:31318":"eip155:31318","eip155:314":"eip155:314","eip155:3141":"eip155:3141",
"eip155:314159":"eip155:314159","eip155:31611":"eip155:31611","eip155:31612":"eip155:31612","eip155:321":"eip155:321",
"eip155:324":"eip155:324","eip155:324705682":"eip155:324705682","eip155:32520":"eip155:32520",
"eip155:32659":"eip155:32659","eip155:32769":"eip155:32769","eip155:33101":"eip155:33101",
"eip155:33111":"eip155:33111","eip155:33139":"eip155:33139","eip155:333000333":"eip155:333000333",
"eip155:3338":"eip155:3338","eip155:336":"eip155:336","eip155:33772211":"eip155:33772211","eip155:338":"eip155:338",
"eip155:33979":"eip155:33979","eip155:3397901":"eip155:3397901","eip155:3441005":"eip155:3441005",
"eip155:3441006":"eip155:3441006","eip155:34443":"eip155:34443","eip155:3448148188":"eip155:3448148188",
"eip155:34952":"eip155:34952","eip155:35441":"eip155:35441","eip155:35443":"eip155:35443","eip155:360":"eip155:360",
"eip155:360890":"eip155:360890","eip155:361":"eip155:361","eip155:3636":"eip155:3636","eip155:3637":"eip155:3637",
"eip155:365":"eip155:365","eip155:369":"eip155:369","eip155:36900":"eip155:36900","eip155:37":"eip155:37",
"eip155:37084624":"eip155:37084624","eip155:37111":"eip155:37111","eip155:3721":"eip155:3721",
"eip155:3737":"eip155:3737","eip155:375":"eip155:375","eip155:37714555429":"eip155:37714555429",
"eip155:3776":"eip155:3776","eip155:380929":"eip155:380929","eip155:383414847825":"eip155:383414847825",
"eip155:388":"eip155:388","eip155:38833":"eip155:38833","eip155:391845894":"eip155:391845894",
"eip155:3939":"eip155:3939","eip155:397":"eip155:397","eip155:398":"eip155:398","eip155:3993":"eip155:3993",
"eip155:4002":"eip155:4002","eip155:40204":"eip155:40204","eip155:4090":"eip155:4090","eip155:41":"eip155:41",
"eip155:4111":"eip155:4111","eip155:4112":"eip155:4112","eip155:4114":"eip155:4114",
"eip155:41144114":"eip155:41144114","eip155:41455":"eip155:41455","eip155:4153":"eip155:4153",
"eip155:4158":"eip155:4158","eip155:41923":"eip155:41923","eip155:42":"eip155:42","eip155:420":"eip155:420",
"eip155:4200":"eip155:4200","eip155:42000":"eip155:42000","eip155:4201":"eip155:4201","eip155:4202":"eip155:4202",
"eip155:42026":"eip155:42026","eip155:4203":"eip155:4203","eip155:420420421":"eip155:420420421",
"eip155:420420422":"eip155:420420422","eip155:42070":"eip155:42070","eip155:42161":"eip155:42161",
"eip155:421613":"eip155:421613","eip155:421614":"eip155:421614","eip155:4217":"eip155:4217",
"eip155:42170":"eip155:42170","eip155:42220":"eip155:42220","eip155:4242":"eip155:4242","eip155:42420":"eip155:42420",
"eip155:42421":"eip155:42421","eip155:42431":"eip155:42431","eip155:42766":"eip155:42766",
"eip155:42793":"eip155:42793","eip155:43111":"eip155:43111","eip155:43113":"eip155:43113",
"eip155:43114":"eip155:43114","eip155:4326":"eip155:4326","eip155:4337":"eip155:4337","eip155:43419":"eip155:43419",
"eip155:4352":"eip155:4352","eip155:43521":"eip155:43521","eip155:43851":"eip155:43851","eip155:44":"eip155:44",
"eip155:440017":"eip155:440017","eip155:4460":"eip155:4460","eip155:44787":"eip155:44787",
"eip155:45003":"eip155:45003","eip155:45004":"eip155:45004","eip155:45005":"eip155:45005",
"eip155:45006":"eip155:45006","eip155:45007":"eip155:45007","eip155:45008":"eip155:45008",
"eip155:45009":"eip155:45009","eip155:45010":"eip155:45010","eip155:45011":"eip155:45011",
"eip155:45012":"eip155:45012","eip155:45013":"eip155:45013","eip155:45014":"eip155:45014",
"eip155:450815":"eip155:450815","eip155:46":"eip155:46","eip155:462":"eip155:462","eip155:463":"eip155:463",
"eip155:4663":"eip155:4663","eip155:46630":"eip155:46630","eip155:46688":"eip155:46688","eip155:4689":"eip155:4689",
"eip155:4690":"eip155:4690","eip155:47":"eip155:47","eip155:475":"eip155:475","eip155:4759":"eip155:4759",
"eip155:47763":"eip155:47763","eip155:4777":"eip155:4777","eip155:478":"eip155:478","eip155:47805":"eip155:47805",
"eip155:480":"eip155:480","eip155:4801":"eip155:4801","eip155:48898":"eip155:48898","eip155:48900":"eip155:48900",
"eip155:490092":"eip155:490092","eip155:4999":"eip155:4999","eip155:5":"eip155:5","eip155:50":"eip155:50",
"eip155:5000":"eip155:5000","eip155:50005":"eip155:50005","eip155:50006":"eip155:50006","eip155:5001":"eip155:5001",
"eip155:5003":"eip155:5003","eip155:50104":"eip155:50104","eip155:5031":"eip155:5031","eip155:50312":"eip155:50312",
"eip155:50341":"eip155:50341","eip155:50342":"eip155:50342","eip155:5042":"eip155:5042",
"eip155:5042002":"eip155:5042002","eip155:51":"eip155:51","eip155:5112":"eip155:5112","eip155:5115":"eip155:5115",
"eip155:5124":"eip155:5124","eip155:513100":"eip155:513100","eip155:5165":"eip155:5165","eip155:52":"eip155:52",
"eip155:52014":"eip155:52014","eip155:5201420":"eip155:5201420","eip155:52164803":"eip155:52164803",
"eip155:5234":"eip155:5234","eip155:531050104":"eip155:531050104","eip155:5318007":"eip155:5318007",
"eip155:5330":"eip155:5330","eip155:53302":"eip155:53302","eip155:534351":"eip155:534351",
"eip155:534352":"eip155:534352","eip155:53456":"eip155:53456","eip155:53457":"eip155:53457",
"eip155:53935":"eip155:53935","eip155:54170":"eip155:54170","eip155:54211":"eip155:54211","eip155:5424":"eip155:5424",
"eip155:543210":"eip155:543210","eip155:545":"eip155:545","eip155:5464":"eip155:5464","eip155:55244":"eip155:55244",
"eip155:5551":"eip155:5551","eip155:555888":"eip155:555888","eip155:55931":"eip155:55931","eip155:56":"eip155:56",
"eip155:560048":"eip155:560048","eip155:5611":"eip155:5611","eip155:57":"eip155:57","eip155:570":"eip155:570",
"eip155:5700":"eip155:5700","eip155:57000":"eip155:57000","eip155:57054":"eip155:57054","eip155:57073":"eip155:57073",
"eip155:571":"eip155:571","eip155:5734951":"eip155:5734951","eip155:58008":"eip155:58008","eip155:5858":"eip155:5858",
"eip155:5887":"eip155:5887","eip155:5888":"eip155:5888","eip155:589":"eip155:589","eip155:59140":"eip155:59140",
"eip155:59141":"eip155:59141","eip155:59144":"eip155:59144","eip155:592":"eip155:592","eip155:595":"eip155:595",
"eip155:599":"eip155:599","eip155:59902":"eip155:59902","eip155:60":"eip155:60","eip155:6000":"eip155:6000",
"eip155:6001":"eip155:6001","eip155:6038361":"eip155:6038361","eip155:60600":"eip155:60600",
"eip155:60603":"eip155:60603","eip155:60808":"eip155:60808","eip155:61":"eip155:61","eip155:61166":"eip155:61166",
"eip155:62049":"eip155:62049","eip155:62050":"eip155:62050","eip155:62092":"eip155:62092","eip155:626":"eip155:626",
"eip155:62606":"eip155:62606","eip155:627":"eip155:627","eip155:63157":"eip155:63157","eip155:631571":"eip155:631571",
"eip155:6343":"eip155:6343","eip155:641230":"eip155:641230","eip155:64165":"eip155:64165","eip155:6423":"eip155:6423",
"eip155:64240":"eip155:64240","eip155:646":"eip155:646","eip155:6497":"eip155:6497","eip155:656476":"eip155:656476",
"eip155:66":"eip155:66","eip155:660279":"eip155:660279","eip155:66665":"eip155:66665","eip155:666666":"eip155:666666",
"eip155:666666666":"eip155:666666666","eip155:680":"eip155:680","eip155:681":"eip155:681",
"eip155:68414":"eip155:68414","eip155:685689":"eip155:685689","eip155:686":"eip155:686","eip155:690":"eip155:690",
"eip155:6900":"eip155:6900","eip155:6912115":"eip155:6912115","eip155:695569":"eip155:695569",
"eip155:6969":"eip155:6969","eip155:698":"eip155:698","eip155:6985385":"eip155:6985385","eip155:699":"eip155:699",
"eip155:7":"eip155:7","eip155:7000":"eip155:7000","eip155:7001":"eip155:7001","eip155:701":"eip155:701",
"eip155:7070":"eip155:7070","eip155:7078815900":"eip155:7078815900","eip155:7080969":"eip155:7080969",
"eip155:71":"eip155:71","eip155:7119":"eip155:7119","eip155:7120":"eip155:7120","eip155:714":"eip155:714",
"eip155:71402":"eip155:71402","eip155:7171":"eip155:7171","eip155:7200":"eip155:7200","eip155:721":"eip155:721",
"eip155:7225878":"eip155:7225878","eip155:7233":"eip155:7233","eip155:7234":"eip155:7234",
"eip155:72344":"eip155:72344","eip155:723487":"eip155:723487","eip155:728126428":"eip155:728126428",
"eip155:73115":"eip155:73115","eip155:7332":"eip155:7332","eip155:74":"eip155:74","eip155:743111":"eip155:743111",
"eip155:747":"eip155:747","eip155:747474":"eip155:747474","eip155:751230":"eip155:751230","eip155:7518":"eip155:7518",
"eip155:752025":"eip155:752025","eip155:753":"eip155:753","eip155:7560":"eip155:7560","eip155:763373":"eip155:763373",
"eip155:763375":"eip155:763375","eip155:766":"eip155:766","eip155:7668":"eip155:7668","eip155:7672":"eip155:7672",
"eip155:7700":"eip155:7700","eip155:7771777":"eip155:7771777","eip155:7773777":"eip155:7773777",
"eip155:7777777":"eip155:7777777","eip155:7847":"eip155:7847","eip155:785":"eip155:785","eip155:787":"eip155:787",
"eip155:7887":"eip155:7887","eip155:7897":"eip155:7897","eip155:7979":"eip155:7979","eip155:8":"eip155:8",
"eip155:80001":"eip155:80001","eip155:80002":"eip155:80002","eip155:80008":"eip155:80008",
"eip155:80069":"eip155:80069","eip155:8008":"eip155:8008","eip155:80084":"eip155:80084","eip155:80085":"eip155:80085",
"eip155:80094":"eip155:80094","eip155:8017":"eip155:8017","eip155:8082":"eip155:8082","eip155:808813":"eip155:808813",
"eip155:80931":"eip155:80931","eip155:81":"eip155:81","eip155:810180":"eip155:810180","eip155:810181":"eip155:810181",
"eip155:8118":"eip155:8118","eip155:81224":"eip155:81224","eip155:812242":"eip155:812242",
"eip155:81457":"eip155:81457","eip155:8150":"eip155:8150","eip155:82":"eip155:82","eip155:8217":"eip155:8217",
"eip155:824":"eip155:824","eip155:825":"eip155:825","eip155:83":"eip155:83","eip155:8333":"eip155:8333",
"eip155:839999":"eip155:839999","eip155:8408":"eip155:8408","eip155:841":"eip155:841","eip155:842":"eip155:842",
"eip155:8428":"eip155:8428","eip155:8453":"eip155:8453","eip155:84531":"eip155:84531","eip155:84532":"eip155:84532",
"eip155:86":"eip155:86","eip155:86608":"eip155:86608","eip155:8668":"eip155:8668","eip155:88":"eip155:88",
"eip155:8822":"eip155:8822","eip155:8866":"eip155:8866","eip155:888":"eip155:888","eip155:8880":"eip155:8880",
"eip155:8881":"eip155:8881","eip155:8882":"eip155:8882","eip155:88882":"eip155:88882","eip155:88888":"eip155:88888",
"eip155:888888":"eip155:888888","eip155:888888888":"eip155:888888888","eip155:8899":"eip155:8899",
"eip155:88991":"eip155:88991","eip155:89":"eip155:89","eip155:9":"eip155:9","eip155:9000":"eip155:9000",
"eip155:9001":"eip155:9001","eip155:9002":"eip155:9002","eip155:911867":"eip155:911867","eip155:91342":"eip155:91342",
"eip155:919":"eip155:919","eip155:920637907288165":"eip155:920637907288165","eip155:9280":"eip155:9280",
"eip155:94":"eip155:94","eip155:943":"eip155:943","eip155:9496":"eip155:9496","eip155:957":"eip155:957",
"eip155:96":"eip155:96","eip155:96370":"eip155:96370","eip155:964":"eip155:964","eip155:97":"eip155:97",
"eip155:9700":"eip155:9700","eip155:974399131":"eip155:974399131","eip155:9745":"eip155:9745",
"eip155:97453":"eip155:97453","eip155:9746":"eip155:9746","eip155:9747":"eip155:9747","eip155:97476":"eip155:97476",
"eip155:978658":"eip155:978658","eip155:98":"eip155:98","eip155:984122":"eip155:984122",
"eip155:984123":"eip155:984123","eip155:988":"eip155:988","eip155:98864":"eip155:98864","eip155:98865":"eip155:98865",
"eip155:98867":"eip155:98867","eip155:994873017":"eip155:994873017","eip155:995":"eip155:995",
"eip155:997":"eip155:997","eip155:998":"eip155:998","eip155:999":"eip155:999","eip155:9990":"eip155:9990",
"eip155:9999999":"eip155:9999999","eip155:999999999":"eip155:999999999","elastos":"eip155:20",
"elastossmartchain":"eip155:20","elastossmartchaintestnet":"eip155:21","elastostestnet":"eip155:21",
"electroneum":"eip155:52014","electroneumtestnet":"eip155:5201420","elysiumtestnet":"eip155:1338",
"energy":"eip155:246","eni":"eip155:173","enitestnet":"eip155:6912115","enuls":"eip155:119","eon":"eip155:7332",
"eos":"eip155:17777","eosevm":"eip155:17777","eosevmtestnet":"eip155:15557","eostestnet":"eip155:15557",
"etc":"eip155:61","eteria":"eip155:140","eth":"eip155:1","ethereum":"eip155:1","ethereumclassic":"eip155:61",
"etherlink":"eip155:42793","etherlinkshadownettestnet":"eip155:127823","etherlinktestnet":"eip155:128123",
"ethernity":"eip155:183","etp":"eip155:20256789","evmos":"eip155:9001","evmostestnet":"eip155:9000",
"excelon":"eip155:22052002","exordenetwork":"eip155:2139927552","expanse":"eip155:2","expansenetwork":"eip155:2",
"exsat":"eip155:7200","exsatnetwork":"eip155:7200","exsattestnet":"eip155:839999","fantom":"eip155:250",
"fantomsonicopentestnet":"eip155:64240","fantomsonictestnet":"eip155:64240","fantomtestnet":"eip155:4002",
"fibo":"eip155:12306","fibochain":"eip155:12306","filecoin":"eip155:314","filecoincalibration":"eip155:314159",
"filecoinhyperspace":"eip155:3141","firechain":"eip155:995","flame":"eip155:253368190","flare":"eip155:14",
"flaretestnet":"eip155:114","flaretestnetcoston2":"eip155:114","flow":"eip155:747","flowevm":"eip155:747",
"flowevmpreviewnet":"eip155:646","flowevmtestnet":"eip155:545","flowpreviewnet":"eip155:646",
"flowtestnet":"eip155:545","fluence":"eip155:9999999","fluencestage":"eip155:123420000220",
"fluencetestnet":"eip155:52164803","fluent":"eip155:25363","fluentdevnet":"eip155:20993",
"fluenttestnet":"eip155:20994","form":"eip155:478","forma":"eip155:984122","formasketchpad":"eip155:984123",
"formicarium":"eip155:43521","formnetwork":"eip155:478","formtestnet":"eip155:132902","forta":"eip155:80931",
"fortachain":"eip155:80931","fraxtal":"eip155:252","fraxtaltestnet":"eip155:2522","funki":"eip155:33979",
"funkisepolia":"eip155:3397901","funkisepoliasandbox":"eip155:3397901","fuse":"eip155:122",
"fusesparknet":"eip155:123","fusion":"eip155:32659","fusiontestnet":"eip155:46688","garnet":"eip155:17069",
"garnettestnet":"eip155:17069","gatechain":"eip155:86","geist":"eip155:63157","genesys":"eip155:16507",
"gensyn":"eip155:685689","giwasepolia":"eip155:91342","giwasepoliapreconf":"eip155:91342",
"glidel1protocol":"eip155:251","glidel1protocolxp":"eip155:251","glidel2protocol":"eip155:253",
"glidel2protocolxp":"eip155:253","gno":"eip155:100","gnosis":"eip155:100","gnosischiado":"eip155:10200",
"goat":"eip155:2345","gobi":"eip155:1663","gochain":"eip155:60","godwoken":"eip155:71402","goerli":"eip155:5",
"graphite":"eip155:440017","graphitenetwork":"eip155:440017","graphitenetworktestnet":"eip155:54170",
"graphitetestnet":"eip155:54170","grav":"eip155:127001","gravityalpha":"eip155:1625","gunz":"eip155:43419",
"gurunetwork":"eip155:260","gurunetworktestnet":"eip155:261","gurutestnet":"eip155:261","ham":"eip155:5112",
"happychaintestnet":"eip155:216","haqq":"eip155:11235","haqqtestedge2":"eip155:54211",
"harmonyone":"eip155:1666600000","hashkey":"eip155:177","hashkeychain":"eip155:177",
"hashkeychaintestnet":"eip155:133","hashkeytestnet":"eip155:133","hauschaintestnet":"eip155:2443",
"haustestnet":"eip155:2443","haustnetworktestnet":"eip155:1523903251","hausttestnet":"eip155:1523903251",
"hedera":"eip155:295","hedera:mainnet":"eip155:295","hedera:testnet":"eip155:296","hederapreviewnet":"eip155:297",
"hederatestnet":"eip155:296","hela":"eip155:8668","heliostestnet":"eip155:42000","hemi":"eip155:43111",
"hemisepolia":"eip155:743111","henesys":"eip155:68414","highperformanceblockchain":"eip155:269",
"holesky":"eip155:17000","hoodi":"eip155:560048","horizeneon":"eip155:7332","horizengobitestnet":"eip155:1663",
"horizentestnet":"eip155:2651420","hpb":"eip155:269","hpp":"eip155:190415","hppsepolia":"eip155:181228",
"huddle01":"eip155:12323","huddle01drtcchain":"eip155:12323","huddle01drtcchaintestnet":"eip155:2524852",
"huddle01testnet":"eip155:2524852","humanity":"eip155:6985385","humanitytestnet":"eip155:7080969",
"humanode":"eip155:5234","humanodetestnet5":"eip155:14853","hychain":"eip155:2911","hychaintestnet":"eip155:29112",
"hyperevm":"eip155:999","hyperliquid":"eip155:999","hyperliquidevmtestnet":"eip155:998","hyvechain":"eip155:7847",
"icbnetwork":"eip155:73115","idchain":"eip155:74","igra":"eip155:38833","igranetwork":"eip155:38833",
"immutablezkevm":"eip155:13371","immutablezkevmtestnet":"eip155:13473","inevm":"eip155:2525",
"initverse":"eip155:7233","initversegenesis":"eip155:7234","initversegenesistestnet":"eip155:7234",
"injective":"eip155:1776","injectivetestnet":"eip155:1439","ink":"eip155:57073","inksepolia":"eip155:763373",
"iota":"eip155:8822","iotaevm":"eip155:8822","iotaevmtestnet":"eip155:1075","iotatestnet":"eip155:1075",
"iotex":"eip155:4689","iotextestnet":"eip155:4690","isuncoin":"eip155:8017","japanopenchain":"eip155:81",
"japanopenchaintestnet":"eip155:10081","jasmychain":"eip155:680","jasmychaintestnet":"eip155:681","jbc":"eip155:8899",
"jbchain":"eip155:8899","jbctestnet":"eip155:88991","jibchaintestnet":"eip155:88991","joc":"eip155:81",
"joctestnet":"eip155:10081","jovay":"eip155:5734951","jovaysepolia":"eip155:2019775",
"jovaysepoliatestnet":"eip155:2019775","juneo":"eip155:45003","juneobch1chain":"eip155:45013",
"juneodai1chain":"eip155:45004","juneodoge1chain":"eip155:45010","juneoeur1chain":"eip155:45011",
"juneogld1chain":"eip155:45008","juneojunechain":"eip155:45003","juneolink1chain":"eip155:45014",
"juneoltc1chain":"eip155:45009","juneombtc1chain":"eip155:45007","juneosgd1chain":"eip155:45012",
"juneosocotratestnet":"eip155:101003","juneousd1chain":"eip155:45006","juneousdt1chain":"eip155:45005",
"kaia":"eip155:8217","kairos":"eip155:1001","kairostestnet":"eip155:1001","kakarotsepolia":"eip155:1802203764",
"kakarotstarknetsepolia":"eip155:920637907288165","kardiachain":"eip155:24","karura":"eip155:686",
"katana":"eip155:747474","kava":"eip155:2222","kavaevm":"eip155:2222","kavaevmtestnet":"eip155:2221",
"kavatestnet":"eip155:2221","kcc":"eip155:321","kii":"eip155:1783","kiichain":"eip155:1783",
"kiitestnetoro":"eip155:1336","kinto":"eip155:7887","klaytn":"eip155:8217","klaytnbaobab":"eip155:1001",
"klaytnbaobabtestnet":"eip155:1001","koi":"eip155:701","koinetwork":"eip155:701","kortana":"eip155:9002",
"kroma":"eip155:255","kromasepolia":"eip155:2358","krown":"eip155:1983","kub":"eip155:96",
"kusama":"polkadot:b0a8d493285c2df73290dfb7e61f870f","l3x":"eip155:12324","l3xprotocol":"eip155:12324",
"l3xprotocoltestnet":"eip155:12325","l3xtestnet":"eip155:12325","ladychain":"eip155:589","lavita":"eip155:360890",
"lens":"eip155:232","lenstestnet":"eip155:37111","lestnet":"eip155:21363","lightlinkpegasus":"eip155:1891",
"lightlinkpegasustestnet":"eip155:1891","lightlinkphoenix":"eip155:1890","linea":"eip155:59144",
"lineagoerli":"eip155:59140","lineagoerlitestnet":"eip155:59140","lineasepolia":"eip155:59141",
"lineasepoliatestnet":"eip155:59141","lineatestnet":"eip155:59140","lisk":"eip155:1135","lisksepolia":"eip155:4202",
"litecoin":"bip122:12a765e31ffd4059bada1e25190f6e98","litecointestnet":"bip122:4966625a4b2851d9fdee139e56211a0d",
"loadalphanet":"eip155:9496","loop":"eip155:15551","loopnetwork":"eip155:15551",
"ltc":"bip122:12a765e31ffd4059bada1e25190f6e98","lukso":"eip155:42","luksotestnet":"eip155:4201",
"lumia":"eip155:994873017","lumiatestnet":"eip155:1952959480","lumoz":"eip155:96370","lumoztestnet":"eip155:105363",
"luxeports":"eip155:1122","lycan":"eip155:721","lyra":"eip155:957","lyrachain":"eip155:957","mandala":"eip155:595",
"mandalatc9":"eip155:595","manta":"eip155:169","mantapacific":"eip155:169",
"mantapacificsepoliatestnet":"eip155:3441006","mantapacifictestnet":"eip155:3441005",
"mantasepoliatestnet":"eip155:3441006","mantatestnet":"eip155:3441005","mantle":"eip155:5000",
"mantlesepoliatestnet":"eip155:5003","mantletestnet":"eip155:5001","mantradukongevmtestnet":"eip155:5887",
"mantraevm":"eip155:5888","mapprotocol":"eip155:22776","marootestnet":"eip155:450815","marscredit":"eip155:110110",
"matchain":"eip155:698","matchaintestnet":"eip155:699","matic":"eip155:137","mchverse":"eip155:29548",
"megaeth":"eip155:4326","megaethtestnet":"eip155:6343","mekong":"eip155:7078815900",
"mekongpectradevnet":"eip155:7078815900","meld":"eip155:333000333","memecore":"eip155:4352","merlin":"eip155:4200",
"merlinerigontestnet":"eip155:4203","metachain":"eip155:571","metachainistanbul":"eip155:1453","metadium":"eip155:11",
"metadiumnetwork":"eip155:11","metall2":"eip155:1750","meter":"eip155:82","metertestnet":"eip155:83",
"metis":"eip155:1088","metisgoerli":"eip155:599","metissepolia":"eip155:59902","mev":"eip155:7518",
"meversechain":"eip155:7518","meversechaintestnet":"eip155:4759","mevtestnet":"eip155:4759","mezo":"eip155:31612",
"mezotestnet":"eip155:31611","mint":"eip155:185","mintsepoliatestnet":"eip155:1686","mitosistestnet":"eip155:124832",
"mizuhikitestnetawaji":"eip155:6497","mode":"eip155:34443","modetestnet":"eip155:919","monad":"eip155:143",
"monadtestnet":"eip155:10143","moonbasealpha":"eip155:1287","moonbeam":"eip155:1284","moonbeamdev":"eip155:1281",
"moonbeamdevelopmentnode":"eip155:1281","moonriver":"eip155:1285","morph":"eip155:2818","morphholesky":"eip155:2810",
"morphsepolia":"eip155:2710","morphtachyon":"eip155:2184","morphtachyontestnet":"eip155:34952","nahmii":"eip155:5551",
"nahmii2":"eip155:5551","nautilus":"eip155:22222","near":"eip155:397","nearprotocol":"eip155:397",
"nearprotocoltestnet":"eip155:398","neartestnet":"eip155:398","neon":"eip155:245022934",
"neondevnet":"eip155:245022926","neonevm":"eip155:245022934","neonevmdevnet":"eip155:245022926","neox":"eip155:47763",
"neoxt4":"eip155:12227332","neoxtestnett4":"eip155:12227332","newton":"eip155:1012","nexi":"eip155:4242",
"nexilix":"eip155:240","nexilixsmartchain":"eip155:240","nibiru":"eip155:6900","nitrographtestnet":"eip155:200024",
"nomina":"eip155:166","oasissapphire":"eip155:23294","oasissapphiretestnet":"eip155:23295",
"oasistestnet":"eip155:4090","oasys":"eip155:248","odysseytestnet":"eip155:911867","oeth":"eip155:10",
"okc":"eip155:66","omax":"eip155:311","omni":"eip155:166","omniomega":"eip155:164","oneworld":"eip155:309075",
"oneworldchain":"eip155:309075","oortmainnetdev":"eip155:9700","op":"eip155:10","opaltestnet":"eip155:8882",
"opbnb":"eip155:204","opbnbtestnet":"eip155:5611","openledger":"eip155:1612","opsepolia":"eip155:11155420",
"optimism":"eip155:10","optimismgoerli":"eip155:420","optimismsepolia":"eip155:11155420","optopia":"eip155:62050",
"optopiatestnet":"eip155:62049","orderly":"eip155:291","orderlysepolia":"eip155:4460","otimdevnet":"eip155:41144114",
"palm":"eip155:11297108109","palmtestnet":"eip155:11297108099","paseopassethub":"eip155:420420422",
"peaq":"eip155:3338","pgntestnet":"eip155:58008","phoenix":"eip155:13381","phoenixblockchain":"eip155:13381",
"planq":"eip155:7070","plasma":"eip155:9745","plasmadevnet":"eip155:9747","plasmatestnet":"eip155:9746",
"playfialbireo":"eip155:1612127","playfialbireotestnet":"eip155:1612127","plinga":"eip155:242",
"plume(legacy)":"eip155:98865","plumedevnet":"eip155:98864","plumedevnet(legacy)":"eip155:98864",
"plumesepolia":"eip155:98867","plumetestnet(legacy)":"eip155:161221135",
"polkadot":"polkadot:91b171bb158e2d3848fa23a9f1c25182",
"polkadot:91b171bb158e2d3848fa23a9f1c25182":"polkadot:91b171bb158e2d3848fa23a9f1c25182",
"polkadot:b0a8d493285c2df73290dfb7e61f870f":"polkadot:b0a8d493285c2df73290dfb7e61f870f",
"poltertestnet":"eip155:631571","polygon":"eip155:137","polygonamoy":"eip155:80002","polygonmumbai":"eip155:80001",
"polygonzkevm":"eip155:1101","polygonzkevmcardona":"eip155:2442","polygonzkevmtestnet":"eip155:1442",
"polynomial":"eip155:8008","polynomialsepolia":"eip155:80008","polynomiasepolia":"eip155:80008",
"potos":"eip155:60603","potostestnet":"eip155:60600","premiumblocktestnet":"eip155:23023","pulsechain":"eip155:369",
"pulsechainv4":"eip155:943","pumpfitestnet":"eip155:490092","puppynetshibarium":"eip155:157","pyrope":"eip155:695569",
"pyropetestnet":"eip155:695569","q":"eip155:35441","ql1":"eip155:766","qtestnet":"eip155:35443","quai":"eip155:9",
"quainetwork":"eip155:9","quainetworktestnet":"eip155:15000","quaitestnet":"eip155:15000","quartz":"eip155:8881",
"rabbitchaintestnet":"eip155:9280","radius":"eip155:723487","radiusnetwork":"eip155:723487",
"radiustestnet":"eip155:72344","radiustestnetwork":"eip155:72344","re.al":"eip155:111188",
"reactivelasnatestnet":"eip155:5318007","reactivetestnet":"eip155:5318007","real":"eip155:111188",
"redbelly":"eip155:151","redbellynetwork":"eip155:151","redbellynetworktestnet":"eip155:153",
"redbellytestnet":"eip155:153","reddio":"eip155:50342","reddiosepolia":"eip155:50341","redstone":"eip155:690",
"rei":"eip155:47805","reyanetwork":"eip155:1729","ripple":"xrpl:0","rise":"eip155:4153",
"risetestnet":"eip155:11155931","rivalz":"eip155:753","robinhood":"eip155:4663","robinhoodchain":"eip155:4663",
"robinhoodchaintestnet":"eip155:46630","robinhoodtestnet":"eip155:46630","rollux":"eip155:570",
"rolluxtestnet":"eip155:57000","ronin":"eip155:2020","roninsaigontestnet":"eip155:202601","root":"eip155:7668",
"rootporcini":"eip155:7672","rootstock":"eip155:30","rootstocktestnet":"eip155:31","rss3":"eip155:12553",
"rss3sepolia":"eip155:2331","rss3vsl":"eip155:12553","rss3vslsepoliatestnet":"eip155:2331","saakuru":"eip155:7225878",
"saga":"eip155:5464","saigon":"eip155:202601","sanko":"eip155:1996","sapphire":"eip155:23294",
"sapphiretestnet":"eip155:23295","satoshivm":"eip155:3109","satoshivmalpha":"eip155:3109",
"satoshivmtestnet":"eip155:3110","scroll":"eip155:534352","scrollsepolia":"eip155:534351","sei":"eip155:1329",
"seinetwork":"eip155:1329","seismicdevnet":"eip155:5124","seitestnet":"eip155:1328","sentrix":"eip155:7119",
"sentrixchain":"eip155:7119","sentrixtestnet":"eip155:7120","sepolia":"eip155:11155111","shape":"eip155:360",
"shapesepolia":"eip155:11011","shapesepoliatestnet":"eip155:11011","shardeum":"eip155:8118",
"shardeumsphinx":"eip155:8082","shibarium":"eip155:109","shibariumtestnet":"eip155:157","shiden":"eip155:336",
"shimmer":"eip155:148","shimmertestnet":"eip155:1073","sidrachain":"eip155:97453","silentdata":"eip155:380929",
"silicon":"eip155:2355","siliconsepolia":"eip155:1722641160","siliconsepoliazkevm":"eip155:1722641160",
"siliconzkevm":"eip155:2355","sixprotocol":"eip155:98","skalebase":"eip155:1187947933",
"skalebasesepolia":"eip155:324705682","skalebasesepoliatestnet":"eip155:324705682",
"skaleblockbrawlers":"eip155:391845894","skalecalypso":"eip155:1564830818","skalecalypsohub":"eip155:1564830818",
"skalecalypsotestnet":"eip155:974399131","skalecryptoblades":"eip155:1026062157",
"skalecryptocolosseum":"eip155:1032942172","skaleeuropa":"eip155:2046399126","skaleeuropahub":"eip155:2046399126",
"skaleeuropatestnet":"eip155:1444673419","skaleexorde":"eip155:2139927552","skalehumanprotocol":"eip155:1273227453",
"skalenebula":"eip155:1482601649","skalenebulahub":"eip155:1482601649","skalenebulatestnet":"eip155:37084624",
"skalerazor":"eip155:278611351","skaletitan":"eip155:1350216234","skaletitanhub":"eip155:1350216234",
"skaletitantestnet":"eip155:1020352220","skale|blockbrawlers":"eip155:391845894",
"skale|cryptoblades":"eip155:1026062157","skale|cryptocolosseum":"eip155:1032942172",
"skale|humanprotocol":"eip155:1273227453","skale|razornetwork":"eip155:278611351","sketchpad":"eip155:984123",
"snax":"eip155:2192","snaxchain":"eip155:2192","snaxchaintestnet":"eip155:13001","snaxtestnet":"eip155:13001",
"socotrajunechain":"eip155:101003","sol":"solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
"solana":"solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
"solana:4uhcvjyu9pjkvqys88urdiswhxscky3z":"solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z",
"solana:5eykt4usfv8p8njdtrepy1vzqkqzkvdp":"solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
"solana:devnet":"solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1",
"solana:etwtrabzayq6imfeykouru166vu2xqa1":"solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1",
"solana:mainnet":"solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp","solana:testnet":"solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z",
"solanadevnet":"solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1",
"solanamainnetbeta":"solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
"solanatestnet":"solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z","somnia":"eip155:5031","somniatestnet":"eip155:50312",
"soneium":"eip155:1868","soneiumminato":"eip155:1946","soneiumminatotestnet":"eip155:1946","songbird":"eip155:19",
"songbirdcanarynetwork":"eip155:19","songbirdtestnet":"eip155:16","songbirdtestnetcoston":"eip155:16",
"sonic":"eip155:146","sonicblazetestnet":"eip155:57054","sonictestnet":"eip155:64165","sophon":"eip155:50104",
"sophontestnet":"eip155:531050104","sova":"eip155:100021","sovanetworksepolia":"eip155:120893",
"sovasepolia":"eip155:120893","spicy":"eip155:88882","stable":"eip155:988","stabletestnet":"eip155:2201",
"starknet":"starknet:SN_MAIN","starknet:snmain":"starknet:SN_MAIN","statusnetworksepolia":"eip155:1660990954",
"statussepolia":"eip155:1660990954","stellar":"stellar:pubnet","stellar:mainnet":"stellar:pubnet",
"stellar:pubnet":"stellar:pubnet","stellar:testnet":"stellar:testnet","stellarpubnet":"stellar:pubnet",
"stellartestnet":"stellar:testnet","step":"eip155:1234","stepnetwork":"eip155:1234","story":"eip155:1514",
"storyaeneid":"eip155:1315","storyodyssey":"eip155:1516","storytestnet":"eip155:1513","stratis":"eip155:105105",
"subtensorevm":"eip155:964","sui":"sui:mainnet","sui:mainnet":"sui:mainnet","sui:testnet":"sui:testnet",
"suitestnet":"sui:testnet","superlumio":"eip155:8866","superposition":"eip155:55244","superseed":"eip155:5330",
"superseedsepolia":"eip155:53302","surgetestnet":"eip155:763375","swan":"eip155:254","swanchain":"eip155:254",
"swanproximatestnet":"eip155:20241133","swansaturntestnet":"eip155:2024","swellchain":"eip155:1923",
"swellchaintestnet":"eip155:1924","swissdlt":"eip155:94","syscoin":"eip155:57",
"syscointanenbaumtestnet":"eip155:5700","syscointestnet":"eip155:5700","tac":"eip155:239","tacspb":"eip155:2391",
"tacspbtestnet":"eip155:2391","taiko":"eip155:167000","taiko(alpha3testnet)":"eip155:167005",
"taikohekla":"eip155:167009","taikoheklal2":"eip155:167009","taikohoodi":"eip155:167013",
"taikojolnir":"eip155:167007","taikojolnir(alpha5testnet)":"eip155:167007","taikokatla":"eip155:167008",
"taikokatla(alpha6testnet)":"eip155:167008","taikotestnetsepolia":"eip155:167005","taraxa":"eip155:841",
"taraxatestnet":"eip155:842","teasepolia":"eip155:10218","telcoinadiritestnet":"eip155:2017",
"telcointestnet":"eip155:2017","telostestnet":"eip155:41","tempo":"eip155:4217","tempodevnet":"eip155:31318",
"tempomoderato":"eip155:42431","tempotestnet":"eip155:42431","tempotestnet(moderato)":"eip155:42431",
"tenet":"eip155:1559","ternoa":"eip155:752025","tezos":"tezos:NetXdQprcVkpaWU",
"tezos:mainnet":"tezos:NetXdQprcVkpaWU","tezos:netxdqprcvkpawu":"tezos:NetXdQprcVkpaWU","thaichain":"eip155:7",
"that":"eip155:8428","therootnetwork":"eip155:7668","therootnetworkporcini":"eip155:7672","theta":"eip155:361",
"thetatestnet":"eip155:365","thundercore":"eip155:108","thundertestnet":"eip155:997","tiktrixtestnet":"eip155:62092",
"tomb":"eip155:6969","ton":"tvm:-239","treasure":"eip155:61166","treasuretopaz":"eip155:978658",
"treasuretopaztestnet":"eip155:978658","tron":"eip155:728126428","tron:0x2b6653dc":"eip155:728126428",
"tron:mainnet":"eip155:728126428","tronnile":"eip155:3448148188","tronshasta":"eip155:2494104990",
"tvm:239":"tvm:-239","ubiq":"eip155:8","ultra":"eip155:19991","ultraevm":"eip155:19991",
"ultraevmtestnet":"eip155:18881","ultratestnet":"eip155:18881","ultron":"eip155:1231","ultrontestnet":"eip155:1230",
"unichain":"eip155:130","unichainsepolia":"eip155:1301","unique":"eip155:8880","uniqueopal":"eip155:8882",
"uniquequartz":"eip155:8881","unreal":"eip155:18233","valygonft":"eip155:7773777","valygosmartchain":"eip155:7771777",
"vana":"eip155:1480","vanamoksha":"eip155:14800","vanamokshatestnet":"eip155:14800","vanar":"eip155:2040",
"vechain":"eip155:100009","velas":"eip155:106","velasevm":"eip155:106","viction":"eip155:88",
"victiontestnet":"eip155:89","vision":"eip155:888888","visiontestnet":"eip155:666666","wanchain":"eip155:888",
"wanchaintestnet":"eip155:999","weavevmalphanet":"eip155:9496","wemix":"eip155:1111","wemixtestnet":"eip155:1112",
"westendassethub":"eip155:420420421","whitechain":"eip155:1875","whitechainsepolia":"eip155:1874",
"whitechaintestnet":"eip155:2625","wmctestnet":"eip155:42070","worldchain":"eip155:480",
"worldchainsepolia":"eip155:4801","worldland":"eip155:103","x1testnet":"eip155:1952","xai":"eip155:660279",
"xaitestnet":"eip155:37714555429","xdai":"eip155:100","xdc":"eip155:50","xdcnetwork":"eip155:50",
"xdctestnet":"eip155:51","xgr":"eip155:1643","xgrtestnet":"eip155:1879","xinfin":"eip155:50","xlayer":"eip155:196",
"xlayertestnet":"eip155:1952","xlm":"stellar:pubnet","xone":"eip155:3721","xonechain":"eip155:3721",
"xonechaintestnet":"eip155:33772211","xonetestnet":"eip155:33772211","xphere":"eip155:20250217",
"xpheretestnet":"eip155:1998991","xpla":"eip155:37","xrone":"eip155:273","xrp":"xrpl:0","xrpl":"xrpl:0",
"xrpl:0":"xrpl:0","xrpl:1":"xrpl:1","xrpl:2":"xrpl:2","xrpldevnet":"xrpl:2","xrpledger":"xrpl:0",
"xrplevm":"eip155:1440000","xrplevmdevnet":"eip155:1440002","xrplevmtestnet":"eip155:1449000","xrpltestnet":"xrpl:1",
"xrsepolia":"eip155:2730","ynxtestnet":"eip155:6423","yooldoverse":"eip155:50005","yooldoversetestnet":"eip155:50006",
"zagros":"eip155:21072026","zenchaintestnet":"eip155:8408","zeniq":"eip155:383414847825",
"zeroggalileotestnet":"eip155:16601","zerogtestnet":"eip155:16602","zeronetwork":"eip155:543210",
"zetachain":"eip155:7000","zetachainathenstestnet":"eip155:7001","zhejiang":"eip155:1337803","zilliqa":"eip155:32769",
"zilliqatestnet":"eip155:33101","zircuit":"eip155:48900","zircuitgarfieldtestnet":"eip155:48898",
"zkfair":"eip155:42766","zkfairtestnet":"eip155:43851","zklinknova":"eip155:810180",
"zklinknovasepoliatestnet":"eip155:810181","zksync":"eip155:324","zksyncclilocalcustomhyperchain":"eip155:272",
"zksyncclilocalhyperchain":"eip155:270","zksyncclilocalhyperchainl1":"eip155:9","zksyncclilocalnode":"eip155:270",
"zksyncera":"eip155:324","zksyncinmemorynode":"eip155:260","zksynclocalcustomhyperchain":"eip155:272",
"zksynclocalhyperchain":"eip155:270","zksynclocalhyperchainl1":"eip155:9","zksynclocalnode":"eip155:270",
"zksyncsepoliatestnet":"eip155:300","zkxpla":"eip155:375","zkxplatestnet":"eip155:475","zora":"eip155:7777777",
"zoragoerlitestnet":"eip155:999","zorasepolia":"eip155:999999999","zoratestnet":"eip155:999"
}'::jsonb ->> known);
  IF known IS NOT NULL THEN RETURN known; END IF;
  IF name !~ '^[-A-Za-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$' THEN RETURN bounded_key(lower(name COLLATE "pg_c_utf8")); END IF;
  RETURN lower(split_part(name, ':', 1) COLLATE "C") || ':' ||
    CASE WHEN split_part(name, ':', 2) ~ '^[0-9A-Fa-f]+$' THEN lower(split_part(name, ':', 2) COLLATE "C") ELSE split_part(name, ':', 2) END;
END $$;
