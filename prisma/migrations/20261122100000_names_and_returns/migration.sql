-- CreateTable
CREATE TABLE "project_configs" (
    "version" SERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "config" JSONB NOT NULL,
    "is_house" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "project_configs_pkey" PRIMARY KEY ("version")
);

-- AlterTable
ALTER TABLE "projects" ADD COLUMN     "config_version" INTEGER;

-- AlterTable
ALTER TABLE "receipts" ADD COLUMN     "project_config_version" INTEGER,
ADD COLUMN     "refund_tx_hash" TEXT;

-- What projects had configured is their first version.
INSERT INTO "project_configs" ("project_id", "config") SELECT "id", "config" FROM "projects" WHERE "config" IS NOT NULL;
UPDATE "projects" SET "config_version" = "version" FROM "project_configs" WHERE "project_id" = "id";
ALTER TABLE "projects" DROP COLUMN "config";

-- A refund from before names no return transaction: it is announced, and no entry of an account.
UPDATE "receipts" SET "booked_at" = NULL WHERE "refund_of_id" IS NOT NULL;

-- CreateIndex
CREATE INDEX "project_configs_project_id_version_idx" ON "project_configs"("project_id", "version");

-- CreateIndex
CREATE UNIQUE INDEX "projects_config_version_key" ON "projects"("config_version");

-- AddForeignKey
ALTER TABLE "projects" ADD CONSTRAINT "projects_config_version_fkey" FOREIGN KEY ("config_version") REFERENCES "project_configs"("version") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_configs" ADD CONSTRAINT "project_configs_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_project_config_version_fkey" FOREIGN KEY ("project_config_version") REFERENCES "project_configs"("version") ON DELETE RESTRICT ON UPDATE CASCADE;
