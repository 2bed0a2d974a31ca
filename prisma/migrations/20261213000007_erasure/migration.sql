ALTER TABLE "blobs" ADD COLUMN     "erased_at" TIMESTAMPTZ(3);

ALTER TABLE "receipts" ADD COLUMN     "erased_at" TIMESTAMPTZ(3);
