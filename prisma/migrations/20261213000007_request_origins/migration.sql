ALTER TABLE "events" ADD COLUMN     "origin" TEXT;

ALTER TABLE "receipts" ADD COLUMN     "origin" TEXT;
