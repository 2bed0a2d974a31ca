ALTER TABLE "receipts" ADD COLUMN     "reference_key" TEXT;

-- As searchKey() in src/core/text-filter.ts. This collation is in each database in UTF-8, whatever its locale.
CREATE FUNCTION search_key(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN regexp_replace(encode(convert_to(lower(v COLLATE "pg_c_utf8"), 'UTF8'), 'hex'), '(..)', 'g\1', 'g');

CREATE FUNCTION receipt_reference_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  new.reference_key := search_key(new.reference);
  RETURN new;
END $$;

CREATE TRIGGER receipt_reference_key BEFORE INSERT ON receipts
  FOR EACH ROW WHEN (octet_length(new.reference) <> char_length(new.reference)) EXECUTE FUNCTION receipt_reference_key();

UPDATE "receipts" SET "reference_key" = search_key("reference") WHERE octet_length("reference") <> char_length("reference");

CREATE INDEX IF NOT EXISTS "receipts_of_refunds" ON "receipts"("project_id" DESC, "created_at", "id") WHERE ("refund_of_id" IS NOT NULL);

CREATE INDEX IF NOT EXISTS "receipts_ledger_txid_idx" ON "receipts"("ledger_txid") WHERE ("ledger_txid" IS NOT NULL);

CREATE INDEX IF NOT EXISTS "receipts_reference_key_idx" ON "receipts" USING GIN ("reference_key" gin_trgm_ops) WHERE ("reference_key" IS NOT NULL);

CREATE INDEX IF NOT EXISTS "compliance_checks_found" ON "compliance_checks"("decision", "receipt_id") WHERE ("decision" <> 'allow');

CREATE INDEX IF NOT EXISTS "artifacts_of_few" ON "artifacts"("type", "receipt_id") WHERE (type <> ALL (ARRAY['evidence'::text, 'pain.001'::text, 'pain.002'::text]));
