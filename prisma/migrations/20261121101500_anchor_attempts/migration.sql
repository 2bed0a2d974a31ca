-- CreateEnum
CREATE TYPE "finality" AS ENUM ('included', 'safe', 'final');

-- AlterEnum
ALTER TYPE "anchor_transaction_state" ADD VALUE 'overtaken';

-- CreateTable
CREATE TABLE "anchor_attempts" (
    "txid" TEXT NOT NULL,
    "transaction_id" UUID NOT NULL,
    "raw_transaction" TEXT NOT NULL,
    "max_fee_per_gas" DECIMAL(38,0) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "anchor_attempts_pkey" PRIMARY KEY ("txid")
);

-- Every transaction so far was signed once. What it paid at most stands in its bytes, which SQL does not read.
INSERT INTO "anchor_attempts" ("txid", "transaction_id", "raw_transaction", "max_fee_per_gas", "created_at")
SELECT "txid", "id", "raw_transaction", 0, "created_at" FROM "anchor_transactions";

-- DropIndex
DROP INDEX "anchor_transactions_txid_key";

-- AlterTable
ALTER TABLE "anchor_transactions" DROP COLUMN "raw_transaction",
ADD COLUMN     "finality" "finality",
ADD COLUMN     "project_id" UUID,
ADD COLUMN     "proof_failure" TEXT,
ADD COLUMN     "proved_at" TIMESTAMPTZ(3),
ALTER COLUMN "signer" DROP NOT NULL,
ALTER COLUMN "nonce" DROP NOT NULL;

UPDATE "anchor_transactions" SET "finality" = 'final', "proved_at" = "created_at" WHERE "state" = 'confirmed';

-- AlterTable
ALTER TABLE "anchors" ALTER COLUMN "receipt_id" DROP NOT NULL;

-- CreateIndex
CREATE INDEX "anchor_attempts_transaction_id_idx" ON "anchor_attempts"("transaction_id");

-- CreateIndex
CREATE INDEX "anchor_transactions_txid_idx" ON "anchor_transactions"("txid");

-- CreateIndex
CREATE INDEX "anchor_transactions_proved" ON "anchor_transactions"("proved_at") WHERE ("state" = 'confirmed');

-- CreateIndex
CREATE UNIQUE INDEX "anchor_transactions_project_id_chain_txid_key" ON "anchor_transactions"("project_id", "chain", "txid");

-- AddForeignKey
ALTER TABLE "anchor_transactions" ADD CONSTRAINT "anchor_transactions_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "anchor_attempts" ADD CONSTRAINT "anchor_attempts_transaction_id_fkey" FOREIGN KEY ("transaction_id") REFERENCES "anchor_transactions"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
