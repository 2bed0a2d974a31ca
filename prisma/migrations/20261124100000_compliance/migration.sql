-- AlterTable
ALTER TABLE "compliance_checks" ADD COLUMN     "attempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "enforced" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "payment_id" UUID,
ADD COLUMN     "retry_at" TIMESTAMPTZ(3),
ALTER COLUMN "receipt_id" DROP NOT NULL;

-- CreateIndex
CREATE UNIQUE INDEX "compliance_checks_of_payments" ON "compliance_checks"("payment_id", "type") WHERE ("payment_id" IS NOT NULL);
CREATE INDEX "compliance_checks_awaited" ON "compliance_checks"("provider", "retry_at") WHERE ("retry_at" IS NOT NULL);

-- AddForeignKey
ALTER TABLE "compliance_checks" ADD CONSTRAINT "compliance_checks_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payments"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A check is of a receipt or of a payment, never of both.
ALTER TABLE "compliance_checks" ADD CONSTRAINT "compliance_checks_subject_check" CHECK (num_nonnulls("receipt_id", "payment_id") = 1);
