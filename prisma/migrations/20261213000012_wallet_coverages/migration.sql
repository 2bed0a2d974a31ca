CREATE TYPE "coverage_status" AS ENUM ('missing', 'unknown');

CREATE TABLE "wallet_coverages" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "wallet" TEXT NOT NULL,
    "chain" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "chain_key" TEXT NOT NULL,
    "asset_id" TEXT NOT NULL,
    "decimals" INTEGER NOT NULL,
    "labels" TEXT[],
    "from_block" BIGINT,
    "to_block" BIGINT,
    "next_block" BIGINT,
    "as_of" TIMESTAMPTZ(3),
    "span" INTEGER NOT NULL DEFAULT 16,
    "last_at" TIMESTAMPTZ(3),
    "last_id" UUID,
    "recorded_count" INTEGER NOT NULL DEFAULT 0,
    "missing_count" INTEGER NOT NULL DEFAULT 0,
    "unknown_count" INTEGER NOT NULL DEFAULT 0,
    "recorded_amount" TEXT NOT NULL DEFAULT '0',
    "missing_amount" TEXT NOT NULL DEFAULT '0',
    "unknown_amount" TEXT NOT NULL DEFAULT '0',
    "recorded_balance" TEXT NOT NULL DEFAULT '0',
    "chain_balance" TEXT,
    "balance_difference" TEXT,
    "nodes_disagreed" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failure_reason" TEXT,
    "failed_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "wallet_coverages_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "coverage_transfers" (
    "id" BIGSERIAL NOT NULL,
    "coverage_id" UUID NOT NULL,
    "status" "coverage_status" NOT NULL,
    "transaction" TEXT NOT NULL,
    "log_index" INTEGER,
    "block_number" BIGINT,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "from_wallet" TEXT NOT NULL,
    "to_wallet" TEXT NOT NULL,
    "amount" TEXT NOT NULL,
    "receipt_id" UUID,

    CONSTRAINT "coverage_transfers_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "coverage_receipts" (
    "coverage_id" UUID NOT NULL,
    "receipt_id" UUID NOT NULL,

    CONSTRAINT "coverage_receipts_pkey" PRIMARY KEY ("coverage_id","receipt_id")
);

CREATE INDEX "wallet_coverages_project_id_created_at_id_idx" ON "wallet_coverages"("project_id", "created_at", "id");

CREATE INDEX "wallet_coverages_created_at_id_idx" ON "wallet_coverages"("created_at", "id");

CREATE INDEX "wallet_coverages_expires_at_idx" ON "wallet_coverages"("expires_at");

CREATE INDEX "coverage_transfers_coverage_id_id_idx" ON "coverage_transfers"("coverage_id", "id");

CREATE INDEX "coverage_transfers_coverage_id_status_id_idx" ON "coverage_transfers"("coverage_id", "status", "id");

ALTER TABLE "wallet_coverages" ADD CONSTRAINT "wallet_coverages_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "coverage_transfers" ADD CONSTRAINT "coverage_transfers_coverage_id_fkey" FOREIGN KEY ("coverage_id") REFERENCES "wallet_coverages"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "coverage_transfers" ADD CONSTRAINT "coverage_transfers_receipt_id_fkey" FOREIGN KEY ("receipt_id") REFERENCES "receipts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "coverage_receipts" ADD CONSTRAINT "coverage_receipts_coverage_id_fkey" FOREIGN KEY ("coverage_id") REFERENCES "wallet_coverages"("id") ON DELETE CASCADE ON UPDATE CASCADE;
