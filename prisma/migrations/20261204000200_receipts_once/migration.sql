-- From here on a settlement is one receipt of a project, however it is written. What was recorded several times under
-- other spellings keeps its rows, ids and files: the first is the receipt of the settlement, the others are marked.
-- Writers wait, readers do not.
LOCK TABLE "receipts" IN SHARE ROW EXCLUSIVE MODE;
UPDATE "receipts" SET "is_repeated" = true WHERE id IN (
  SELECT id FROM (
    SELECT id, row_number() OVER (PARTITION BY project_id, chain_key, tx_key ORDER BY created_at, id) AS n
    FROM "receipts" WHERE refund_of_id IS NULL
  ) AS told WHERE n > 1
);
CREATE UNIQUE INDEX receipts_identity_key ON receipts (project_id, chain_key, tx_key) WHERE (refund_of_id IS NULL AND is_repeated = false);
ALTER TABLE "receipts"
  ALTER COLUMN "chain_key" SET NOT NULL,
  ALTER COLUMN "tx_key" SET NOT NULL,
  ALTER COLUMN "sender_key" SET NOT NULL,
  ALTER COLUMN "receiver_key" SET NOT NULL;

-- Returns the receipt of the whole transaction of which a payment is one transfer, or of one transfer of the whole, if it
-- states the same. Whoever records one of the two waits until the other is committed, and sees it, because each statement
-- of a volatile function has a snapshot of its own. The keys that enclose what is searched are those of record-input.ts.
CREATE FUNCTION part_or_whole(project uuid, on_chain text, tx text, first text, last text, paid numeric, asset text, sender text, receiver text)
  RETURNS uuid LANGUAGE plpgsql
  -- Planned once: a plan for each value would take longer than the lookup.
  SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(concat_ws(E'\n', project, on_chain, CASE WHEN first = last THEN first ELSE tx END), 0));
  RETURN (
    SELECT r.id FROM receipts r
    WHERE r.project_id = project AND r.chain_key = on_chain AND r.refund_of_id IS NULL AND r.tx_key ~>=~ first AND r.tx_key ~<=~ last
      AND r.amount = paid AND r.currency = asset AND r.sender_key = sender AND r.receiver_key = receiver
    ORDER BY r.created_at, r.id LIMIT 1
  );
END $$;
