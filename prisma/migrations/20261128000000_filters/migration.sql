-- Each filter and each order of a list has an index. A list is of one project, and newest first unless the caller asks
-- for another order.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE INDEX receipts_project_id_status_created_at_id_idx ON receipts (project_id, status, created_at DESC, id DESC);
CREATE INDEX receipts_project_id_chain_created_at_id_idx ON receipts (project_id, chain, created_at DESC, id DESC);
CREATE INDEX receipts_project_id_currency_created_at_id_idx ON receipts (project_id, currency, created_at DESC, id DESC);
CREATE INDEX receipts_project_id_sender_wallet_created_at_id_idx ON receipts (project_id, sender_wallet, created_at DESC, id DESC);
CREATE INDEX receipts_project_id_receiver_wallet_created_at_id_idx ON receipts (project_id, receiver_wallet, created_at DESC, id DESC);
CREATE INDEX receipts_project_id_tip_tx_hash_idx ON receipts (project_id, tip_tx_hash);
CREATE INDEX receipts_project_id_amount_id_idx ON receipts (project_id, amount, id);
CREATE INDEX receipts_anchored ON receipts (project_id, anchored_at, id) WHERE (anchored_at IS NOT NULL);
CREATE INDEX receipts_reference_idx ON receipts USING gin (reference gin_trgm_ops);
DROP INDEX receipts_refund_of_id_idx;
CREATE INDEX receipts_refunds ON receipts (refund_of_id) WHERE (refund_of_id IS NOT NULL);

CREATE INDEX payments_project_id_status_verified_at_id_idx ON payments (project_id, status, verified_at DESC, id DESC);
CREATE INDEX payments_project_id_endpoint_verified_at_id_idx ON payments (project_id, endpoint, verified_at DESC, id DESC);
CREATE INDEX payments_project_id_network_verified_at_id_idx ON payments (project_id, network, verified_at DESC, id DESC);
CREATE INDEX payments_project_id_currency_verified_at_id_idx ON payments (project_id, currency, verified_at DESC, id DESC);
CREATE INDEX payments_project_id_payer_verified_at_id_idx ON payments (project_id, payer, verified_at DESC, id DESC);
CREATE INDEX payments_project_id_amount_id_idx ON payments (project_id, amount, id);
CREATE INDEX payments_settled ON payments (project_id, settled_at, id) WHERE (settled_at IS NOT NULL);
CREATE INDEX payments_recorded ON payments (project_id, verified_at DESC, id DESC) WHERE (receipt_id IS NOT NULL);
CREATE INDEX payments_not_recorded ON payments (project_id, verified_at DESC, id DESC) WHERE (receipt_id IS NULL);

CREATE INDEX audit_events_created_at_id_idx ON audit_events (created_at DESC, id DESC);
CREATE INDEX audit_events_project_id_created_at_id_idx ON audit_events (project_id, created_at DESC, id DESC);
CREATE INDEX audit_events_project_id_action_created_at_id_idx ON audit_events (project_id, action, created_at DESC, id DESC);
CREATE INDEX audit_events_project_id_object_type_created_at_id_idx ON audit_events (project_id, object_type, created_at DESC, id DESC);
CREATE INDEX audit_events_project_id_object_id_created_at_id_idx ON audit_events (project_id, object_id, created_at DESC, id DESC);
CREATE INDEX audit_events_project_id_actor_created_at_id_idx ON audit_events (project_id, actor, created_at DESC, id DESC);

CREATE INDEX statements_project_id_type_created_at_id_idx ON statements (project_id, type, created_at DESC, id DESC);
CREATE INDEX statements_project_id_from_id_idx ON statements (project_id, "from" DESC, id DESC);
