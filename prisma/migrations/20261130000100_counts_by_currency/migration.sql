-- Counters of receipts tell currencies apart, and have the sum of the amounts. Those from before have neither, and the
-- next migration replaces them.
ALTER TABLE "receipt_counts" ADD COLUMN "currency" text NOT NULL DEFAULT '', ADD COLUMN "amount" numeric(56, 18) NOT NULL DEFAULT 0;
ALTER TABLE "receipt_counts" ALTER COLUMN "currency" DROP DEFAULT, ALTER COLUMN "amount" DROP DEFAULT;

CREATE OR REPLACE FUNCTION receipt_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF tg_op = 'INSERT' THEN
    INSERT INTO "receipt_counts" ("project_id", "chain", "currency", "status", "count", "amount")
      SELECT project_id, chain, currency, status, count(*), sum(amount) FROM "fresh" GROUP BY 1, 2, 3, 4;
  ELSIF tg_op = 'DELETE' THEN
    INSERT INTO "receipt_counts" ("project_id", "chain", "currency", "status", "count", "amount")
      SELECT project_id, chain, currency, status, -count(*), -sum(amount) FROM "stale" GROUP BY 1, 2, 3, 4;
  ELSE
    INSERT INTO "receipt_counts" ("project_id", "chain", "currency", "status", "count", "amount")
      SELECT project_id, chain, currency, status, sum(n), sum(amount) FROM (
        SELECT project_id, chain, currency, status, 1 AS n, amount FROM "fresh"
        UNION ALL SELECT project_id, chain, currency, status, -1, -amount FROM "stale"
      ) AS changes GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0 OR sum(amount) <> 0;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION receipt_recount() RETURNS void LANGUAGE sql AS $$
  INSERT INTO "receipt_counts" ("project_id", "chain", "currency", "status", "count", "amount")
  SELECT project_id, chain, currency, status, sum(n), sum(amount) FROM (
    SELECT project_id, chain, currency, status, count(*) AS n, sum(amount) AS amount FROM "receipts" GROUP BY 1, 2, 3, 4
    UNION ALL SELECT project_id, chain, currency, status, -"count", -"amount" FROM "receipt_counts"
  ) AS both_sides GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0 OR sum(amount) <> 0
$$;
