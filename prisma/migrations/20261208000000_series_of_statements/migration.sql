-- Each account of a project has a numbered series of statements, which the worker continues when a day has ended.
-- Statements from before keep their rows and files, and have no number.
CREATE TYPE "statement_kind" AS ENUM ('series', 'copy', 'report', 'provisional', 'earlier');
CREATE TYPE "statement_status" AS ENUM ('pending', 'awaiting_anchor', 'anchored');

CREATE TABLE "statement_accounts" (
  "id" uuid NOT NULL,
  "project_id" uuid NOT NULL,
  "wallet_key" text NOT NULL,
  "chain_key" text NOT NULL,
  "currency" text NOT NULL,
  "wallet" text NOT NULL,
  "chain" text NOT NULL,
  "since" timestamptz(3) NOT NULL,
  "last_number" integer NOT NULL DEFAULT 0,
  "balance" numeric(56, 18) NOT NULL,
  CONSTRAINT "statement_accounts_pkey" PRIMARY KEY ("id")
);
-- The names of wallet, chain and currency together can be too long for an index.
CREATE UNIQUE INDEX "statement_accounts_key" ON "statement_accounts" ("project_id", "wallet_key", "chain_key", text_hash("currency"));
CREATE INDEX "statement_accounts_project_id_id_idx" ON "statement_accounts" ("project_id", "id");
ALTER TABLE "statement_accounts" ADD CONSTRAINT "statement_accounts_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "statements"
  ADD COLUMN "kind" "statement_kind" NOT NULL DEFAULT 'earlier',
  ADD COLUMN "day" text,
  ADD COLUMN "window" text,
  ADD COLUMN "time_zone" text NOT NULL DEFAULT 'UTC',
  ADD COLUMN "once" text,
  ADD COLUMN "account_id" uuid,
  ADD COLUMN "number" integer,
  ADD COLUMN "opening" numeric(56, 18),
  ADD COLUMN "closing" numeric(56, 18),
  ADD COLUMN "config_version" integer,
  ADD COLUMN "project_config_version" integer,
  ADD COLUMN "status" "statement_status",
  ADD COLUMN "bundle_hash" text,
  ADD COLUMN "ledger_txid" text,
  ADD COLUMN "anchored_at" timestamptz(3);
UPDATE "statements" SET
  "day" = to_char("from" AT TIME ZONE 'UTC', 'YYYY-MM-DD'),
  "window" = to_char("from" AT TIME ZONE 'UTC', 'HH24:MI') || '-' || to_char(("to" - interval '1 minute') AT TIME ZONE 'UTC', 'HH24:MI');
ALTER TABLE "statements"
  ALTER COLUMN "kind" DROP DEFAULT,
  ALTER COLUMN "day" SET NOT NULL,
  ALTER COLUMN "window" SET NOT NULL,
  ADD CONSTRAINT "statements_series_check" CHECK (
    CASE WHEN "kind" = 'series'
      THEN num_nulls("project_id", "account_id", "number", "opening", "closing", "status") = 0
        AND ("status" = 'pending') = ("bundle_hash" IS NULL)
      ELSE num_nonnulls("number", "opening", "closing", "config_version", "project_config_version", "status", "bundle_hash") = 0
    END
  ),
  ADD CONSTRAINT "statements_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "statement_accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  ADD CONSTRAINT "statements_config_version_fkey" FOREIGN KEY ("config_version") REFERENCES "organisation_configs" ("version") ON DELETE RESTRICT ON UPDATE CASCADE,
  ADD CONSTRAINT "statements_project_config_version_fkey" FOREIGN KEY ("project_config_version") REFERENCES "project_configs" ("version") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE UNIQUE INDEX "statements_once_key" ON "statements" ("once");
CREATE UNIQUE INDEX "statements_account_id_number_key" ON "statements" ("account_id", "number");
CREATE UNIQUE INDEX "statements_account_day" ON "statements" ("account_id", "day") WHERE ("kind" = 'series');
CREATE INDEX "statements_account_id_created_at_id_idx" ON "statements" ("account_id", "created_at" DESC, "id" DESC);
CREATE INDEX "statements_project_id_kind_created_at_id_idx" ON "statements" ("project_id", "kind", "created_at" DESC, "id" DESC);
CREATE INDEX "statements_project_id_day_id_idx" ON "statements" ("project_id", "day" DESC, "id" DESC);
CREATE INDEX "statements_unwritten" ON "statements" ("created_at") WHERE ("status" = 'pending');
CREATE INDEX "statements_bundle_hash_idx" ON "statements" ("bundle_hash") WHERE ("bundle_hash" IS NOT NULL);

CREATE TABLE "statement_entries" (
  "receipt_id" uuid NOT NULL,
  "side" text NOT NULL,
  "statement_id" uuid NOT NULL,
  "booked_at" timestamptz(3) NOT NULL,
  CONSTRAINT "statement_entries_pkey" PRIMARY KEY ("receipt_id", "side"),
  CONSTRAINT "statement_entries_side_check" CHECK ("side" IN ('CRDT', 'DBIT'))
);
CREATE INDEX "statement_entries_statement_id_booked_at_receipt_id_side_idx" ON "statement_entries" ("statement_id", "booked_at", "receipt_id", "side");
ALTER TABLE "statement_entries"
  ADD CONSTRAINT "statement_entries_receipt_id_fkey" FOREIGN KEY ("receipt_id") REFERENCES "receipts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  ADD CONSTRAINT "statement_entries_statement_id_fkey" FOREIGN KEY ("statement_id") REFERENCES "statements" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "anchors" ADD COLUMN "statement_id" uuid;
CREATE UNIQUE INDEX "anchors_of_statements" ON "anchors" ("statement_id", "chain") WHERE ("statement_id" IS NOT NULL);
ALTER TABLE "anchors" ADD CONSTRAINT "anchors_statement_id_fkey" FOREIGN KEY ("statement_id") REFERENCES "statements" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The series of projects that exist already begin with the present day.
ALTER TABLE "projects"
  ADD COLUMN "series_from" timestamptz(3),
  ADD COLUMN "closed_to" timestamptz(3),
  ADD COLUMN "closed_day" text,
  ADD COLUMN "closes_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
UPDATE "projects" SET "series_from" = date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
CREATE INDEX "projects_closes_at_idx" ON "projects" ("closes_at");
