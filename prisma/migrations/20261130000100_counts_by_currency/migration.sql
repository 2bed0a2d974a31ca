-- Counters of receipts tell currencies apart. Those from before have none, and the next migration replaces them.
ALTER TABLE "receipt_counts" ADD COLUMN "currency" text NOT NULL DEFAULT '';
ALTER TABLE "receipt_counts" ALTER COLUMN "currency" DROP DEFAULT;

CREATE OR REPLACE FUNCTION receipt_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF tg_op = 'INSERT' THEN
    INSERT INTO "receipt_counts" ("project_id", "chain", "currency", "status", "count")
      SELECT project_id, chain, currency, status, count(*) FROM "fresh" GROUP BY 1, 2, 3, 4;
  ELSIF tg_op = 'DELETE' THEN
    INSERT INTO "receipt_counts" ("project_id", "chain", "currency", "status", "count")
      SELECT project_id, chain, currency, status, -count(*) FROM "stale" GROUP BY 1, 2, 3, 4;
  ELSE
    INSERT INTO "receipt_counts" ("project_id", "chain", "currency", "status", "count")
      SELECT project_id, chain, currency, status, sum(n) FROM (
        SELECT project_id, chain, currency, status, 1 AS n FROM "fresh"
        UNION ALL SELECT project_id, chain, currency, status, -1 FROM "stale"
      ) AS changes GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION receipt_recount() RETURNS void LANGUAGE sql AS $$
  INSERT INTO "receipt_counts" ("project_id", "chain", "currency", "status", "count")
  SELECT project_id, chain, currency, status, sum(n) FROM (
    SELECT project_id, chain, currency, status, count(*) AS n FROM "receipts" GROUP BY 1, 2, 3, 4
    UNION ALL SELECT project_id, chain, currency, status, -"count" FROM "receipt_counts"
  ) AS both_sides GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0
$$;
