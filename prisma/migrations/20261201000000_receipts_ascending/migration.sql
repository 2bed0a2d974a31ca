-- Indexes with a time become ascending in it. Where entries are added behind others, PostgreSQL fills a page before it
-- begins the next; before others, it leaves both halves of a split page half empty. The columns before the time become
-- descending: read backwards, such an index has the same order as the old one, also for processes of the old version.
-- Two others leave out receipts without a value, which a new receipt is. Writers wait while an index is built, readers
-- do not; an index that was built under this name before (CREATE INDEX CONCURRENTLY) is taken.
CREATE INDEX IF NOT EXISTS receipts_created_at_id_new ON receipts (created_at, id);
CREATE INDEX IF NOT EXISTS receipts_project_id_created_at_id_new ON receipts (project_id DESC, created_at, id);
CREATE INDEX IF NOT EXISTS receipts_project_id_status_created_at_id_new ON receipts (project_id DESC, status DESC, created_at, id);
CREATE INDEX IF NOT EXISTS receipts_project_id_chain_created_at_id_new ON receipts (project_id DESC, chain DESC, created_at, id);
CREATE INDEX IF NOT EXISTS receipts_project_id_currency_created_at_id_new ON receipts (project_id DESC, currency DESC, created_at, id);
CREATE INDEX IF NOT EXISTS receipts_project_id_sender_wallet_created_at_id_new ON receipts (project_id DESC, sender_wallet DESC, created_at, id);
CREATE INDEX IF NOT EXISTS receipts_project_id_receiver_wallet_created_at_id_new ON receipts (project_id DESC, receiver_wallet DESC, created_at, id);
CREATE INDEX IF NOT EXISTS receipts_refunded_new ON receipts (project_id DESC, created_at, id) WHERE (has_refund = true);
CREATE INDEX IF NOT EXISTS receipts_project_id_booked_at_new ON receipts (project_id, booked_at) WHERE (booked_at IS NOT NULL);
CREATE INDEX IF NOT EXISTS receipts_bundle_hash_new ON receipts (bundle_hash) WHERE (bundle_hash IS NOT NULL);
DO $$ DECLARE unfinished text; BEGIN
  SELECT indexrelid::regclass::text INTO unfinished FROM pg_index
    WHERE indrelid = 'receipts'::regclass AND NOT indisvalid AND indexrelid::regclass::text LIKE '%\_new' LIMIT 1;
  IF FOUND THEN RAISE EXCEPTION 'The index % was not built completely: drop it, and migrate again.', unfinished; END IF;
END $$;
