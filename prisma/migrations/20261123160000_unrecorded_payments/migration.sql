-- CreateIndex
CREATE INDEX "payments_unrecorded" ON "payments"("payer", "settled_at") WHERE ("receipt_id" IS NULL AND "record_failure" IS NULL);
