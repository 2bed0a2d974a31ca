-- CreateEnum
CREATE TYPE "agent_status" AS ENUM ('active', 'paused', 'disabled');

-- CreateTable
CREATE TABLE "agents" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "wallet_address" TEXT NOT NULL,
    "xmtp_address" TEXT,
    "status" "agent_status" NOT NULL DEFAULT 'active',
    "max_per_call" DECIMAL(38,18),
    "max_per_day" DECIMAL(38,18),
    "auto_anchor_enabled" BOOLEAN NOT NULL DEFAULT false,
    "anchor_payments_since" TIMESTAMPTZ(3),
    "anchor_wallet" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "agents_pkey" PRIMARY KEY ("id")
);

-- AlterTable
ALTER TABLE "anchor_transactions" ADD COLUMN     "sender" TEXT;
ALTER TABLE "anchors" ADD COLUMN     "agent_id" UUID;
ALTER TABLE "payments" ADD COLUMN     "record_failure" TEXT;

-- CreateIndex
CREATE INDEX "agents_project_id_created_at_id_idx" ON "agents"("project_id", "created_at" DESC, "id" DESC);
CREATE INDEX "agents_wallet" ON "agents"("wallet_address", "project_id") WHERE ("deleted_at" IS NULL);
CREATE UNIQUE INDEX "anchors_of_agents" ON "anchors"("agent_id", "chain", "bundle_hash") WHERE ("agent_id" IS NOT NULL);
CREATE INDEX "payments_payer_verified_at_idx" ON "payments"("payer", "verified_at" DESC);

-- AddForeignKey
ALTER TABLE "agents" ADD CONSTRAINT "agents_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "anchors" ADD CONSTRAINT "anchors_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
