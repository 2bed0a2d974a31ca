ALTER TABLE "receipts" ADD COLUMN     "settled_at" TIMESTAMPTZ(3);

CREATE OR REPLACE VIEW reporting.receipt_rows AS
  SELECT r.id, r.project_id, r.reference, r.status::text AS status,
    public.receipt_kind(r.refund_of_id, r.refund_tx_hash)::text AS kind, r.refund_of_id,
    r.chain, substring(r.chain_key FROM '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$') AS network, r.tip_tx_hash AS settlement_tx,
    r.refund_tx_hash AS refund_tx, r.amount, r.currency, f.amount::numeric AS fiat_amount, f.currency AS fiat_currency,
    r.sender_wallet, r.receiver_wallet, r.bundle_hash, r.ledger_txid AS anchor_tx, r.created_at, r.anchored_at, r.booked_at,
    r.settled_at
  FROM public.receipts r LEFT JOIN public.fiat_equivalents f ON f.receipt_id = r.id AND f.state = 'known';

CREATE OR REPLACE VIEW reporting.receipts WITH (security_barrier) AS
  SELECT * FROM reporting.receipt_rows WHERE project_id IN (SELECT id FROM reporting.projects);
