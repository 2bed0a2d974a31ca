-- CreateEnum
CREATE TYPE "agent_ai_mode" AS ENUM ('simple', 'shared', 'custom');

-- AlterTable
ALTER TABLE "agents" ADD COLUMN     "ai_endpoint" TEXT,
ADD COLUMN     "ai_mode" "agent_ai_mode" NOT NULL DEFAULT 'simple',
ADD COLUMN     "ai_model" TEXT,
ADD COLUMN     "ai_provider" TEXT,
ADD COLUMN     "ai_system_prompt" TEXT;

-- CreateTable
CREATE TABLE "agent_ai_keys" (
    "agent_id" UUID NOT NULL,
    "wrapped_by" TEXT NOT NULL,
    "wrapped_key" BYTEA NOT NULL,
    "ciphertext" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_ai_keys_pkey" PRIMARY KEY ("agent_id")
);

-- CreateTable
CREATE TABLE "assistant_exchanges" (
    "id" UUID NOT NULL,
    "project_id" UUID,
    "principal" TEXT NOT NULL,
    "session" TEXT NOT NULL,
    "question" TEXT NOT NULL,
    "reply" TEXT NOT NULL,
    "used_tools" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "assistant_exchanges_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "model_usage" (
    "subject" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "input_tokens" BIGINT NOT NULL DEFAULT 0,
    "output_tokens" BIGINT NOT NULL DEFAULT 0,
    "spent" DECIMAL(38,18) NOT NULL,

    CONSTRAINT "model_usage_pkey" PRIMARY KEY ("subject","day")
);

-- CreateIndex
CREATE INDEX "assistant_exchanges_principal_session_created_at_idx" ON "assistant_exchanges"("principal", "session", "created_at");

-- CreateIndex
CREATE INDEX "assistant_exchanges_project_id_idx" ON "assistant_exchanges"("project_id");

-- CreateIndex
CREATE INDEX "assistant_exchanges_created_at_idx" ON "assistant_exchanges"("created_at");

-- AddForeignKey
ALTER TABLE "agent_ai_keys" ADD CONSTRAINT "agent_ai_keys_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "assistant_exchanges" ADD CONSTRAINT "assistant_exchanges_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
