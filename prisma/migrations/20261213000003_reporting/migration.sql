-- Views for programs that read SQL, such as Metabase and Superset. They show a role what reporting.access names, and are
-- read with the rights of their owner, so that a role needs no right on any table.
CREATE SCHEMA reporting;

CREATE TABLE reporting.access (
  role_name name NOT NULL,
  -- Null: all projects.
  project_id uuid REFERENCES public.projects ON UPDATE CASCADE ON DELETE CASCADE,
  UNIQUE NULLS NOT DISTINCT (role_name, project_id)
);

-- The projects that the role of the connection may read.
CREATE VIEW reporting.projects WITH (security_barrier) AS
  SELECT p.id, p.name, p.owner_wallet, p.created_at FROM public.projects p
  WHERE EXISTS (
    SELECT FROM reporting.access a WHERE a.role_name = current_user AND (a.project_id IS NULL OR a.project_id = p.id)
  );

CREATE VIEW reporting.receipts WITH (security_barrier) AS
  SELECT r.id, r.project_id, r.reference, r.status::text AS status,
    public.receipt_kind(r.refund_of_id, r.refund_tx_hash)::text AS kind, r.refund_of_id,
    r.chain, substring(r.chain_key FROM '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$') AS network, r.tip_tx_hash AS settlement_tx,
    r.refund_tx_hash AS refund_tx, r.amount, r.currency, f.amount::numeric AS fiat_amount, f.currency AS fiat_currency,
    r.sender_wallet, r.receiver_wallet, r.bundle_hash, r.ledger_txid AS anchor_tx, r.created_at, r.anchored_at, r.booked_at
  FROM public.receipts r LEFT JOIN public.fiat_equivalents f ON f.receipt_id = r.id AND f.state = 'known'
  WHERE r.project_id IN (SELECT id FROM reporting.projects);

CREATE VIEW reporting.payments WITH (security_barrier) AS
  SELECT p.id, p.project_id, p.status::text AS status, p.endpoint, p.network, p.amount, p.currency, p.payer,
    p.pay_to AS recipient, CASE WHEN p.status IN ('settled', 'delivered') THEN p.txid END AS settlement_tx, p.receipt_id,
    p.verified_at, p.settled_at
  FROM public.payments p WHERE p.project_id IN (SELECT id FROM reporting.projects);

CREATE VIEW reporting.anchors WITH (security_barrier) AS
  SELECT a.id, r.project_id, a.receipt_id, a.chain, a.bundle_hash, t.txid AS anchor_tx, t.block_number,
    t.finality::text AS finality, a.created_at, t.block_time AS anchored_at
  FROM public.anchors a JOIN public.receipts r ON r.id = a.receipt_id
    LEFT JOIN public.anchor_transactions t ON t.id = a.transaction_id
  WHERE r.project_id IN (SELECT id FROM reporting.projects);

-- Sums that are kept with the writes: a chart over years takes as long for many receipts in an hour as for few.
CREATE VIEW reporting.receipt_hours WITH (security_barrier) AS
  SELECT project_id, date_trunc('hour', created_at, 'UTC') AS hour, chain_key AS chain, currency, status::text AS status,
    kind::text AS kind, sum(count)::bigint AS count, sum(amount) AS amount
  FROM public.receipt_periods
  WHERE width = 'hour' AND project_id IN (SELECT id FROM reporting.projects)
  GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(count) <> 0;

-- Lets a role read the views of a project, or of all. Run it as the owner of the database.
CREATE FUNCTION reporting.allow(role_name name, project_id uuid DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA reporting TO %I', role_name);
  EXECUTE format(
    'GRANT SELECT ON reporting.projects, reporting.receipts, reporting.payments, reporting.anchors, reporting.receipt_hours TO %I',
    role_name);
  INSERT INTO reporting.access VALUES (role_name, project_id) ON CONFLICT DO NOTHING;
END $$;
REVOKE ALL ON FUNCTION reporting.allow FROM public;
