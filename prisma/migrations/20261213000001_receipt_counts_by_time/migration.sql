CREATE TYPE "receipt_kind" AS ENUM ('payment', 'announced_refund', 'settled_refund');
CREATE TYPE "period_width" AS ENUM ('quarter', 'hour');

CREATE FUNCTION receipt_kind(refund_of_id uuid, refund_tx_hash text) RETURNS receipt_kind LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN refund_of_id IS NULL THEN 'payment' WHEN refund_tx_hash IS NULL THEN 'announced_refund' ELSE 'settled_refund' END::receipt_kind;

CREATE FUNCTION period_begin(width period_width, at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN date_bin(CASE width WHEN 'hour' THEN interval '1 hour' ELSE interval '15 minutes' END, at, timestamptz '2000-01-01 00:00:00Z');

CREATE TABLE "receipt_time_counts" (
    "id" BIGSERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "width" "period_width" NOT NULL,
    "slot" TIMESTAMPTZ(3) NOT NULL,
    "chain_key" TEXT NOT NULL,
    "chain" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "status" "receipt_status" NOT NULL,
    "kind" "receipt_kind" NOT NULL,
    "count" BIGINT NOT NULL,
    "amount" DECIMAL(56,18) NOT NULL,

    CONSTRAINT "receipt_time_counts_pkey" PRIMARY KEY ("project_id","width","slot","id")
);

-- The counters are made again: those that there are tell neither kinds nor times apart. No receipt changes meanwhile.
LOCK TABLE "receipts" IN SHARE ROW EXCLUSIVE MODE;
TRUNCATE "receipt_counts";
ALTER TABLE "receipt_counts" ADD COLUMN     "kind" "receipt_kind" NOT NULL,
ADD COLUMN     "slot" TIMESTAMPTZ(3);

-- No version of the program writes counters without the key of their chain.
DROP TRIGGER receipt_count_key ON "receipt_counts";
DROP FUNCTION receipt_count_key();

CREATE OR REPLACE FUNCTION receipt_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF tg_op = 'INSERT' THEN
    INSERT INTO "receipt_counts" ("project_id", "chain", "chain_key", "currency", "status", "kind", "slot", "count", "amount")
      SELECT project_id, chain, chain_key, currency, status, receipt_kind(refund_of_id, refund_tx_hash),
        period_begin('quarter', created_at), count(*), sum(amount)
      FROM "fresh" GROUP BY 1, 2, 3, 4, 5, 6, 7;
  ELSIF tg_op = 'DELETE' THEN
    INSERT INTO "receipt_counts" ("project_id", "chain", "chain_key", "currency", "status", "kind", "slot", "count", "amount")
      SELECT project_id, chain, coalesce(chain_key, chain_key(chain)), currency, status, receipt_kind(refund_of_id, refund_tx_hash),
        period_begin('quarter', created_at), -count(*), -sum(amount)
      FROM "stale" GROUP BY 1, 2, 3, 4, 5, 6, 7;
  ELSE
    INSERT INTO "receipt_counts" ("project_id", "chain", "chain_key", "currency", "status", "kind", "slot", "count", "amount")
      SELECT project_id, chain, coalesce(chain_key, chain_key(chain)), currency, status, receipt_kind(refund_of_id, refund_tx_hash),
        period_begin('quarter', created_at), sum(n), sum(amount) FROM (
        SELECT project_id, chain, chain_key, currency, status, refund_of_id, refund_tx_hash, created_at, 1 AS n, amount FROM "fresh"
        UNION ALL
        SELECT project_id, chain, chain_key, currency, status, refund_of_id, refund_tx_hash, created_at, -1, -amount FROM "stale"
      ) AS changes GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(n) <> 0 OR sum(amount) <> 0;
  END IF;
  RETURN NULL;
END $$;

-- The counters of time: those that are added up, and what changed since.
CREATE VIEW receipt_periods AS
  SELECT project_id, chain, chain_key, currency, status, kind, width, slot AS created_at, count, amount FROM "receipt_time_counts"
  UNION ALL
  SELECT project_id, chain, chain_key, currency, status, kind, width, slot, count, amount
  FROM "receipt_counts" CROSS JOIN unnest(enum_range(NULL::period_width)) AS width WHERE slot IS NOT NULL;

-- Adds what the counters lack, with its time: receipts that were written without triggers. One statement sees one moment
-- of all tables, so this is exact while others write.
CREATE OR REPLACE FUNCTION receipt_recount() RETURNS void LANGUAGE sql AS $$
  INSERT INTO "receipt_counts" ("project_id", "chain", "chain_key", "currency", "status", "kind", "slot", "count", "amount")
  SELECT project_id, chain, chain_key, currency, status, kind, slot, sum(n), sum(amount) FROM (
    SELECT project_id, chain, chain_key, currency, status, receipt_kind(refund_of_id, refund_tx_hash) AS kind,
      period_begin('quarter', created_at) AS slot, count(*) AS n, sum(amount) AS amount
    FROM "receipts" GROUP BY 1, 2, 3, 4, 5, 6, 7
    UNION ALL
    SELECT project_id, chain, chain_key, currency, status, kind, created_at, -"count", -"amount" FROM "receipt_periods" WHERE width = 'quarter'
  ) AS both_sides GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(n) <> 0 OR sum(amount) <> 0
$$;

SELECT receipt_recount();
