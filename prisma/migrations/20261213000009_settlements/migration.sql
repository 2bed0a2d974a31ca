CREATE TYPE "settlement_status" AS ENUM ('confirmed', 'mismatch', 'not_found', 'reverted', 'not_final', 'ambiguous', 'unknown_asset', 'unsupported_chain', 'unavailable');

CREATE TYPE "payment_grade" AS ENUM ('stated', 'observed', 'proved');

ALTER TYPE "compliance_type" ADD VALUE 'settlement';

ALTER TABLE "anchors" ADD COLUMN     "settlement_id" UUID;

ALTER TABLE "receipts" ADD COLUMN     "settlement_status" "settlement_status";

ALTER TABLE "events" ADD COLUMN     "settlement_status" "settlement_status";

CREATE TABLE "settlements" (
    "receipt_id" UUID NOT NULL,
    "status" "settlement_status" NOT NULL,
    "grade" "payment_grade" NOT NULL DEFAULT 'stated',
    "checked_at" TIMESTAMPTZ(3) NOT NULL,
    "asset_id" TEXT,
    "block_number" BIGINT,
    "block_hash" TEXT,
    "block_time" TIMESTAMPTZ(3),
    "sent_by" TEXT,
    "fee" TEXT,
    "leg_index" INTEGER,
    "leg_from" TEXT,
    "leg_to" TEXT,
    "leg_amount" TEXT,
    "legs" INTEGER[],
    "differences" JSONB NOT NULL DEFAULT '[]',
    "reason" TEXT,
    "document" JSONB NOT NULL,
    "later" JSONB,
    "rebookings" INTEGER NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 1,
    "retry_at" TIMESTAMPTZ(3),

    CONSTRAINT "settlements_pkey" PRIMARY KEY ("receipt_id")
);

-- Most of it is hashes, and trying to compress them takes longer than writing them.
ALTER TABLE "settlements" ALTER COLUMN "document" SET STORAGE EXTERNAL;

CREATE INDEX "settlements_waiting" ON "settlements"("retry_at") WHERE ("retry_at" IS NOT NULL);

-- Not validated, which would read all rows while writers wait: the column is new, so that no row has a value yet.
ALTER TABLE "anchors" ADD CONSTRAINT "anchors_settlement_id_fkey" FOREIGN KEY ("settlement_id") REFERENCES "settlements"("receipt_id") ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;

ALTER TABLE "settlements" ADD CONSTRAINT "settlements_receipt_id_fkey" FOREIGN KEY ("receipt_id") REFERENCES "receipts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
