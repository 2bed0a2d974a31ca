-- Counters of receipts, and whether a receipt has a refund. From here on the triggers keep both; the next migration adds
-- what is recorded already. It is another transaction, so that the locks of this one are short.
CREATE TABLE "receipt_counts" (
  "id" bigserial NOT NULL,
  "project_id" uuid NOT NULL,
  "chain" text NOT NULL,
  "status" receipt_status NOT NULL,
  "count" bigint NOT NULL,
  CONSTRAINT "receipt_counts_pkey" PRIMARY KEY (project_id, chain, status, id)
);

-- Rows are only added, so that no writer waits for another.
CREATE FUNCTION receipt_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF tg_op = 'INSERT' THEN
    INSERT INTO "receipt_counts" ("project_id", "chain", "status", "count")
      SELECT project_id, chain, status, count(*) FROM "fresh" GROUP BY 1, 2, 3;
  ELSIF tg_op = 'DELETE' THEN
    INSERT INTO "receipt_counts" ("project_id", "chain", "status", "count")
      SELECT project_id, chain, status, -count(*) FROM "stale" GROUP BY 1, 2, 3;
  ELSE
    INSERT INTO "receipt_counts" ("project_id", "chain", "status", "count")
      SELECT project_id, chain, status, sum(n) FROM (
        SELECT project_id, chain, status, 1 AS n FROM "fresh" UNION ALL SELECT project_id, chain, status, -1 FROM "stale"
      ) AS changes GROUP BY 1, 2, 3 HAVING sum(n) <> 0;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER receipt_count_insert AFTER INSERT ON receipts REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION receipt_count();
CREATE TRIGGER receipt_count_update AFTER UPDATE ON receipts REFERENCING OLD TABLE AS stale NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION receipt_count();
CREATE TRIGGER receipt_count_delete AFTER DELETE ON receipts REFERENCING OLD TABLE AS stale FOR EACH STATEMENT EXECUTE FUNCTION receipt_count();

-- Adds what the counters lack. One statement sees one moment of both tables, so this is exact while others write.
CREATE FUNCTION receipt_recount() RETURNS void LANGUAGE sql AS $$
  INSERT INTO "receipt_counts" ("project_id", "chain", "status", "count")
  SELECT project_id, chain, status, sum(n) FROM (
    SELECT project_id, chain, status, count(*) AS n FROM "receipts" GROUP BY 1, 2, 3
    UNION ALL SELECT project_id, chain, status, -"count" FROM "receipt_counts"
  ) AS both_sides GROUP BY 1, 2, 3 HAVING sum(n) <> 0
$$;

ALTER TABLE "receipts" ADD COLUMN "has_refund" boolean NOT NULL DEFAULT false;

CREATE FUNCTION receipt_refunded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "receipts" SET "has_refund" = true WHERE "id" = new.refund_of_id AND NOT "has_refund";
  RETURN NULL;
END $$;

CREATE TRIGGER receipt_refunded AFTER INSERT OR UPDATE OF refund_of_id ON receipts
  FOR EACH ROW WHEN (new.refund_of_id IS NOT NULL) EXECUTE FUNCTION receipt_refunded();
