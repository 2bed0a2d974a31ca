-- CreateEnum
CREATE TYPE "payment_status" AS ENUM ('verified', 'settling', 'settled', 'delivered', 'failed');

-- CreateTable
CREATE TABLE "payments" (
    "id" UUID NOT NULL,
    "network" TEXT NOT NULL,
    "asset" TEXT NOT NULL,
    "payer" TEXT NOT NULL,
    "nonce" BYTEA NOT NULL,
    "amount" DECIMAL(38,18) NOT NULL,
    "pay_to" TEXT NOT NULL,
    "endpoint" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "payload" JSONB NOT NULL,
    "project_id" UUID,
    "status" "payment_status" NOT NULL DEFAULT 'verified',
    "failure_reason" TEXT,
    "since_block" BIGINT NOT NULL,
    "signer" TEXT,
    "signer_nonce" BIGINT,
    "raw_transaction" TEXT,
    "txid" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "answer" JSONB,
    "answer_until" TIMESTAMPTZ(3),
    "verified_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "settled_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "payments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "price_settings" (
    "path" TEXT NOT NULL,
    "price" DECIMAL(38,18),
    "recipient" TEXT,
    "enabled" BOOLEAN,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "price_settings_pkey" PRIMARY KEY ("path")
);

-- CreateIndex
CREATE INDEX "payments_verified_at_id_idx" ON "payments"("verified_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "payments_project_id_verified_at_id_idx" ON "payments"("project_id", "verified_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "payments_open" ON "payments"("lease_until") WHERE ("delivered_at" IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "payments_network_asset_payer_nonce_key" ON "payments"("network", "asset", "payer", "nonce");

-- CreateIndex
CREATE UNIQUE INDEX "payments_network_signer_signer_nonce_key" ON "payments"("network", "signer", "signer_nonce");

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

