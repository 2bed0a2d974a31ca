-- The filter hasRefund read every receipt of the project until it had found enough.
CREATE INDEX receipts_refunded ON receipts (project_id, created_at DESC, id DESC) WHERE (has_refund = true);
