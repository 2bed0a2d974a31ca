-- Fills the keys of the receipts that are recorded already, part by part, so that the triggers hold few rows at a time.
-- Recording goes on; a receipt that is changed meanwhile waits.
DO $$
DECLARE
  done uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  LOOP
    WITH part AS (
      SELECT id FROM "receipts" WHERE id > done ORDER BY id LIMIT 10000
    ), filled AS (
      UPDATE "receipts" AS r SET
        "chain_key" = chain_key(chain),
        "tx_key" = transaction_key(coalesce(refund_tx_hash, tip_tx_hash)),
        "sender_key" = address_key(sender_wallet),
        "receiver_key" = address_key(receiver_wallet)
      FROM part WHERE r.id = part.id AND r.chain_key IS NULL
    )
    SELECT id INTO done FROM part ORDER BY id DESC LIMIT 1;
    EXIT WHEN done IS NULL;
  END LOOP;
END $$;
