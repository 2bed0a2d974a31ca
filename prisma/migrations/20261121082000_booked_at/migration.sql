-- DropIndex
DROP INDEX "receipts_project_id_anchored_at_idx";

-- AlterTable
ALTER TABLE "receipts" ADD COLUMN     "booked_at" TIMESTAMPTZ(3);

-- Receipts from before are booked by the time of their block.
UPDATE "receipts" SET "booked_at" = "anchored_at" WHERE "anchored_at" IS NOT NULL;

-- CreateIndex
CREATE INDEX "receipts_project_id_booked_at_idx" ON "receipts"("project_id", "booked_at");
