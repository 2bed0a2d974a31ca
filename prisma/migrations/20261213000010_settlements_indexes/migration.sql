CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "anchors_of_settlements" ON "anchors"("settlement_id", "chain") WHERE ("settlement_id" IS NOT NULL);

CREATE INDEX CONCURRENTLY IF NOT EXISTS "receipts_checked" ON "receipts"("project_id" DESC, "settlement_status" DESC, "created_at", "id") WHERE ("settlement_status" IS NOT NULL);
