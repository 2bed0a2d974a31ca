-- AlterTable
ALTER TABLE "payments" ADD COLUMN     "currency" TEXT,
ADD COLUMN     "lease_id" UUID,
ADD COLUMN     "receipt_id" UUID;
UPDATE "payments" SET "currency" = "asset";
ALTER TABLE "payments" ALTER COLUMN "currency" SET NOT NULL;

-- AlterTable
ALTER TABLE "statements" ADD COLUMN     "wallet" TEXT,
ALTER COLUMN "project_id" DROP NOT NULL;
ALTER TABLE "statements" ADD CONSTRAINT "statements_owner_check" CHECK (num_nonnulls("project_id", "wallet") = 1);

-- CreateIndex
CREATE INDEX "payments_receipt_id_idx" ON "payments"("receipt_id");

-- CreateIndex
CREATE INDEX "payments_settled_at_idx" ON "payments"("settled_at");

-- CreateIndex
CREATE INDEX "receipts_sent" ON "receipts"("sender_wallet", "booked_at") WHERE ("booked_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX "receipts_received" ON "receipts"("receiver_wallet", "booked_at") WHERE ("booked_at" IS NOT NULL);

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_receipt_id_fkey" FOREIGN KEY ("receipt_id") REFERENCES "receipts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
