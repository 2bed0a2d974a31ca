-- Filters and statements go by the keys. Writers wait while an index is built, readers do not; an index that was built
-- under this name before (CREATE INDEX CONCURRENTLY) is taken.
CREATE INDEX IF NOT EXISTS receipts_project_id_chain_key_created_at_id_idx ON receipts (project_id DESC, chain_key DESC, created_at, id);
CREATE INDEX IF NOT EXISTS receipts_project_id_sender_key_created_at_id_idx ON receipts (project_id DESC, sender_key DESC, created_at, id);
CREATE INDEX IF NOT EXISTS receipts_project_id_receiver_key_created_at_id_idx ON receipts (project_id DESC, receiver_key DESC, created_at, id);
-- Finds the legs of a transaction, whose keys begin with its own.
CREATE INDEX IF NOT EXISTS receipts_project_id_tx_key_idx ON receipts (project_id, tx_key text_pattern_ops);
CREATE INDEX IF NOT EXISTS receipts_sent_new ON receipts (sender_key, booked_at) WHERE (booked_at IS NOT NULL);
CREATE INDEX IF NOT EXISTS receipts_received_new ON receipts (receiver_key, booked_at) WHERE (booked_at IS NOT NULL);
DO $$ DECLARE unfinished text; BEGIN
  SELECT indexrelid::regclass::text INTO unfinished FROM pg_index
    WHERE indrelid = 'receipts'::regclass AND NOT indisvalid AND indexrelid::regclass::text ~ '_key_created_at_id_idx$|_tx_key_idx$|_new$' LIMIT 1;
  IF FOUND THEN RAISE EXCEPTION 'The index % was not built completely: drop it, and migrate again.', unfinished; END IF;
END $$;
