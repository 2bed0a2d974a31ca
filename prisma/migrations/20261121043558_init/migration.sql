-- CreateEnum
CREATE TYPE "anchor_state" AS ENUM ('waiting', 'sent', 'confirmed');

-- CreateEnum
CREATE TYPE "anchor_transaction_state" AS ENUM ('signed', 'confirmed', 'reverted');

-- CreateEnum
CREATE TYPE "api_key_role" AS ENUM ('project_admin', 'project', 'viewer');

-- CreateEnum
CREATE TYPE "receipt_status" AS ENUM ('pending', 'awaiting_anchor', 'anchored', 'failed');

-- CreateEnum
CREATE TYPE "compliance_type" AS ENUM ('travel_rule', 'sanctions');

-- CreateEnum
CREATE TYPE "compliance_decision" AS ENUM ('allow', 'flag', 'deny', 'unavailable');

-- CreateTable
CREATE TABLE "anchors" (
    "id" UUID NOT NULL,
    "receipt_id" UUID NOT NULL,
    "chain" TEXT NOT NULL,
    "bundle_hash" TEXT NOT NULL,
    "state" "anchor_state" NOT NULL DEFAULT 'waiting',
    "transaction_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "anchors_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "anchor_transactions" (
    "id" UUID NOT NULL,
    "chain" TEXT NOT NULL,
    "contract" TEXT NOT NULL,
    "signer" TEXT NOT NULL,
    "nonce" BIGINT NOT NULL,
    "txid" TEXT NOT NULL,
    "raw_transaction" TEXT NOT NULL,
    "state" "anchor_transaction_state" NOT NULL DEFAULT 'signed',
    "block_number" BIGINT,
    "block_hash" TEXT,
    "block_time" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "anchor_transactions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "artifacts" (
    "id" UUID NOT NULL,
    "receipt_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "media_type" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "artifacts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "blobs" (
    "sha256" TEXT NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "blobs_pkey" PRIMARY KEY ("sha256")
);

-- CreateTable
CREATE TABLE "signing_keys" (
    "key_id" TEXT NOT NULL,
    "public_key_pem" TEXT NOT NULL,
    "valid_from" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "valid_to" TIMESTAMPTZ(3),

    CONSTRAINT "signing_keys_pkey" PRIMARY KEY ("key_id")
);

-- CreateTable
CREATE TABLE "audit_events" (
    "id" BIGSERIAL NOT NULL,
    "action" TEXT NOT NULL,
    "object_type" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "project_id" UUID,
    "actor" TEXT NOT NULL,
    "details" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "projects" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "owner_wallet" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "projects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "label" TEXT NOT NULL,
    "role" "api_key_role" NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "receipts" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "tip_tx_hash" TEXT NOT NULL,
    "chain" TEXT NOT NULL,
    "amount" DECIMAL(38,18) NOT NULL,
    "currency" TEXT NOT NULL,
    "sender_wallet" TEXT NOT NULL,
    "receiver_wallet" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "resource_hash" TEXT,
    "callback_url" TEXT,
    "refund_of_id" UUID,
    "status" "receipt_status" NOT NULL DEFAULT 'pending',
    "failure_reason" TEXT,
    "bundle_hash" TEXT,
    "ledger_txid" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "anchored_at" TIMESTAMPTZ(3),

    CONSTRAINT "receipts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "receipt_events" (
    "id" BIGSERIAL NOT NULL,
    "receipt_id" UUID NOT NULL,
    "status" "receipt_status" NOT NULL,
    "bundle_hash" TEXT,
    "ledger_txid" TEXT,
    "anchored_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "receipt_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "compliance_checks" (
    "id" UUID NOT NULL,
    "receipt_id" UUID NOT NULL,
    "type" "compliance_type" NOT NULL,
    "decision" "compliance_decision" NOT NULL,
    "reason" TEXT,
    "provider" TEXT NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "compliance_checks_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "anchors_waiting" ON "anchors"("chain", "created_at", "id") WHERE ("state" = 'waiting');

-- CreateIndex
CREATE INDEX "anchors_transaction_id_idx" ON "anchors"("transaction_id");

-- CreateIndex
CREATE INDEX "anchors_bundle_hash_idx" ON "anchors"("bundle_hash");

-- CreateIndex
CREATE UNIQUE INDEX "anchors_receipt_id_chain_key" ON "anchors"("receipt_id", "chain");

-- CreateIndex
CREATE UNIQUE INDEX "anchor_transactions_txid_key" ON "anchor_transactions"("txid");

-- CreateIndex
CREATE UNIQUE INDEX "anchor_transactions_chain_signer_nonce_key" ON "anchor_transactions"("chain", "signer", "nonce");

-- CreateIndex
CREATE INDEX "artifacts_receipt_id_created_at_id_idx" ON "artifacts"("receipt_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "artifacts_receipt_id_name_key" ON "artifacts"("receipt_id", "name");

-- CreateIndex
CREATE INDEX "audit_events_project_id_id_idx" ON "audit_events"("project_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_key_hash_key" ON "api_keys"("key_hash");

-- CreateIndex
CREATE INDEX "api_keys_project_id_created_at_idx" ON "api_keys"("project_id", "created_at");

-- CreateIndex
CREATE INDEX "receipts_project_id_created_at_id_idx" ON "receipts"("project_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "receipts_created_at_id_idx" ON "receipts"("created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "receipts_bundle_hash_idx" ON "receipts"("bundle_hash");

-- CreateIndex
CREATE INDEX "receipts_refund_of_id_idx" ON "receipts"("refund_of_id");

-- CreateIndex
CREATE UNIQUE INDEX "receipts_settlement_key" ON "receipts"("project_id", "chain", "tip_tx_hash") WHERE ("refund_of_id" IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "receipts_reference_key" ON "receipts"("project_id", "reference");

-- CreateIndex
CREATE INDEX "receipt_events_receipt_id_id_idx" ON "receipt_events"("receipt_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "compliance_checks_receipt_id_type_key" ON "compliance_checks"("receipt_id", "type");

-- AddForeignKey
ALTER TABLE "anchors" ADD CONSTRAINT "anchors_receipt_id_fkey" FOREIGN KEY ("receipt_id") REFERENCES "receipts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "anchors" ADD CONSTRAINT "anchors_transaction_id_fkey" FOREIGN KEY ("transaction_id") REFERENCES "anchor_transactions"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "artifacts" ADD CONSTRAINT "artifacts_receipt_id_fkey" FOREIGN KEY ("receipt_id") REFERENCES "receipts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "artifacts" ADD CONSTRAINT "artifacts_sha256_fkey" FOREIGN KEY ("sha256") REFERENCES "blobs"("sha256") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_refund_of_id_fkey" FOREIGN KEY ("refund_of_id") REFERENCES "receipts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "receipt_events" ADD CONSTRAINT "receipt_events_receipt_id_fkey" FOREIGN KEY ("receipt_id") REFERENCES "receipts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "compliance_checks" ADD CONSTRAINT "compliance_checks_receipt_id_fkey" FOREIGN KEY ("receipt_id") REFERENCES "receipts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
