-- DropIndex
DROP INDEX "payments_open";

-- CreateIndex
CREATE INDEX "payments_status_verified_at_id_idx" ON "payments"("status", "verified_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "payments_kept" ON "payments"("answer_until") WHERE ("answer_until" IS NOT NULL);
