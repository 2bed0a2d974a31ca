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
