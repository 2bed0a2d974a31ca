-- AlterTable
ALTER TABLE "artifacts" ADD COLUMN     "statement_id" UUID,
ALTER COLUMN "receipt_id" DROP NOT NULL;

-- AlterTable
ALTER TABLE "receipts" ADD COLUMN     "config_version" INTEGER,
ADD COLUMN     "refund_reason" TEXT;

-- CreateTable
CREATE TABLE "organisation_configs" (
    "version" SERIAL NOT NULL,
    "config" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organisation_configs_pkey" PRIMARY KEY ("version")
);

-- CreateTable
CREATE TABLE "statements" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "from" TIMESTAMPTZ(3) NOT NULL,
    "to" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "statements_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "statements_project_id_created_at_id_idx" ON "statements"("project_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "artifacts_statement_id_name_key" ON "artifacts"("statement_id", "name");

-- CreateIndex
CREATE INDEX "receipts_project_id_anchored_at_idx" ON "receipts"("project_id", "anchored_at");

-- AddForeignKey
ALTER TABLE "artifacts" ADD CONSTRAINT "artifacts_statement_id_fkey" FOREIGN KEY ("statement_id") REFERENCES "statements"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_config_version_fkey" FOREIGN KEY ("config_version") REFERENCES "organisation_configs"("version") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "statements" ADD CONSTRAINT "statements_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- One artifact belongs to one receipt or to one statement.
ALTER TABLE "artifacts" ADD CONSTRAINT "artifacts_owner_check" CHECK (num_nonnulls("receipt_id", "statement_id") = 1);
