-- CreateEnum
CREATE TYPE "fiat_equivalent_state" AS ENUM ('waiting', 'known', 'unknown', 'ambiguous', 'unavailable', 'too_large');

-- CreateTable
CREATE TABLE "fiat_equivalents" (
    "receipt_id" UUID NOT NULL,
    "state" "fiat_equivalent_state" NOT NULL,
    "currency" TEXT NOT NULL,
    "rate_of" TEXT,
    "amount" TEXT,
    "rate" TEXT,
    "source" TEXT,
    "as_of" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "fiat_equivalents_pkey" PRIMARY KEY ("receipt_id")
);

-- AlterTable
ALTER TABLE "organisation_configs" ADD COLUMN     "actor" TEXT;
ALTER TABLE "project_configs" ADD COLUMN     "actor" TEXT;

-- Who set the versions there are is known from the audit trail. An organisation's row names its version. A project's rows
-- do not: but each version was written with one of them, so that the newest belong together, and so on backwards.
UPDATE "organisation_configs" AS c SET "actor" = e."actor" FROM "audit_events" AS e
  WHERE e."action" = 'organisation.configure' AND e."object_id" = c."version"::text;
UPDATE "project_configs" AS c SET "actor" = e."actor", "created_at" = e."created_at"
  FROM (
    SELECT "version", "project_id", row_number() OVER (PARTITION BY "project_id" ORDER BY "version" DESC) AS "nth"
    FROM "project_configs"
  ) AS v JOIN (
    SELECT "project_id", "actor", "created_at", row_number() OVER (PARTITION BY "project_id" ORDER BY "seq" DESC) AS "nth"
    FROM "audit_events" WHERE "action" IN ('project.configure', 'project.mark_house')
  ) AS e USING ("project_id", "nth")
  WHERE v."version" = c."version";

-- CreateIndex
CREATE INDEX "fiat_equivalents_waiting" ON "fiat_equivalents"("created_at") WHERE ("state" = 'waiting');

-- AddForeignKey
ALTER TABLE "fiat_equivalents" ADD CONSTRAINT "fiat_equivalents_receipt_id_fkey" FOREIGN KEY ("receipt_id") REFERENCES "receipts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
