-- Rows that a caller asked for as one file, and the parts of the file.
CREATE TABLE "exports" (
    "id" UUID NOT NULL,
    "project_id" UUID,
    "kind" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "filter" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "row_count" INTEGER NOT NULL DEFAULT 0,
    "size" BIGINT NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failed_at" TIMESTAMPTZ(3),
    "first_at" TIMESTAMPTZ(3),
    "last_at" TIMESTAMPTZ(3),
    "last_id" UUID,
    "secret" BYTEA NOT NULL,

    CONSTRAINT "exports_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "export_parts" (
    "export_id" UUID NOT NULL,
    "starts_at" BIGINT NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "export_parts_pkey" PRIMARY KEY ("export_id","starts_at")
);

CREATE INDEX "exports_project_id_created_at_id_idx" ON "exports"("project_id", "created_at", "id");

CREATE INDEX "exports_created_at_id_idx" ON "exports"("created_at", "id");

CREATE INDEX "exports_expires_at_idx" ON "exports"("expires_at");

ALTER TABLE "exports" ADD CONSTRAINT "exports_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "export_parts" ADD CONSTRAINT "export_parts_export_id_fkey" FOREIGN KEY ("export_id") REFERENCES "exports"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The rows of files and of the views for other programs are the same. No role of another program reads these two.
CREATE VIEW reporting.receipt_rows AS
  SELECT r.id, r.project_id, r.reference, r.status::text AS status,
    public.receipt_kind(r.refund_of_id, r.refund_tx_hash)::text AS kind, r.refund_of_id,
    r.chain, substring(r.chain_key FROM '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$') AS network, r.tip_tx_hash AS settlement_tx,
    r.refund_tx_hash AS refund_tx, r.amount, r.currency, f.amount::numeric AS fiat_amount, f.currency AS fiat_currency,
    r.sender_wallet, r.receiver_wallet, r.bundle_hash, r.ledger_txid AS anchor_tx, r.created_at, r.anchored_at, r.booked_at
  FROM public.receipts r LEFT JOIN public.fiat_equivalents f ON f.receipt_id = r.id AND f.state = 'known';

CREATE VIEW reporting.payment_rows AS
  SELECT p.id, p.project_id, p.status::text AS status, p.endpoint, p.network, p.amount, p.currency, p.payer,
    p.pay_to AS recipient, CASE WHEN p.status IN ('settled', 'delivered') THEN p.txid END AS settlement_tx, p.receipt_id,
    p.verified_at, p.settled_at
  FROM public.payments p;

CREATE OR REPLACE VIEW reporting.receipts WITH (security_barrier) AS
  SELECT * FROM reporting.receipt_rows WHERE project_id IN (SELECT id FROM reporting.projects);

CREATE OR REPLACE VIEW reporting.payments WITH (security_barrier) AS
  SELECT * FROM reporting.payment_rows WHERE project_id IN (SELECT id FROM reporting.projects);
