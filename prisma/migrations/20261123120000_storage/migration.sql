-- Bytes may stand in an object store; published bundles have a CID; a bundle's key is known without reading the bundle.
ALTER TABLE "blobs" ALTER COLUMN "bytes" DROP NOT NULL;
ALTER TABLE "blobs" ADD COLUMN "size" INTEGER;
-- Every row of before has its bytes: not looking at them keeps the lock short.
ALTER TABLE "blobs" ADD CONSTRAINT "blobs_place_check" CHECK (num_nonnulls("bytes", "size") = 1) NOT VALID;

ALTER TABLE "artifacts" ADD COLUMN "signed_by" TEXT;

ALTER TABLE "receipts" ADD COLUMN "bundle_cid" TEXT;
