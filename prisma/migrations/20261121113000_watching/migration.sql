-- CreateIndex
CREATE INDEX "anchor_transactions_open" ON "anchor_transactions"("created_at") WHERE ("state" = 'signed');

-- CreateIndex
CREATE INDEX "anchor_transactions_failed" ON "anchor_transactions"("chain") WHERE ("proof_failure" IS NOT NULL);

-- CreateIndex
CREATE INDEX "receipts_open" ON "receipts"("status", "created_at") WHERE ("status" != 'anchored');
