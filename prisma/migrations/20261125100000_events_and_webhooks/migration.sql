-- The events of receipts become the log of all changes.
ALTER TABLE "receipt_events" RENAME TO "events";
ALTER TABLE "events" RENAME CONSTRAINT "receipt_events_pkey" TO "events_pkey";
ALTER TABLE "events" RENAME CONSTRAINT "receipt_events_receipt_id_fkey" TO "events_receipt_id_fkey";
ALTER SEQUENCE "receipt_events_id_seq" RENAME TO "events_id_seq";
DROP INDEX "receipt_events_receipt_id_id_idx";

ALTER TABLE "events" ADD COLUMN "type" TEXT,
ADD COLUMN     "project_id" UUID,
ADD COLUMN     "payment_id" UUID,
ADD COLUMN     "anchor_id" UUID,
ADD COLUMN     "endpoint_id" UUID,
ADD COLUMN     "refund_settled" BOOLEAN,
ALTER COLUMN "receipt_id" DROP NOT NULL,
ALTER COLUMN "status" DROP NOT NULL;
UPDATE "events" SET "type" = 'receipt.' || "events"."status", "project_id" = "receipts"."project_id" FROM "receipts" WHERE "receipts"."id" = "receipt_id";
ALTER TABLE "events" ALTER COLUMN "type" SET NOT NULL;

-- CreateEnum
CREATE TYPE "webhook_delivery_state" AS ENUM ('waiting', 'delivered', 'failed', 'gone', 'cancelled');

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "event_types" TEXT[],
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "failing_since" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_secrets" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "endpoint_id" UUID,
    "made_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_secrets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "id" BIGSERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "event_id" BIGINT NOT NULL,
    "endpoint_id" UUID,
    "url" TEXT,
    "receipt_id" UUID,
    "lane" UUID NOT NULL,
    "state" "webhook_delivery_state" NOT NULL DEFAULT 'waiting',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
    "lease_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_attempts" (
    "delivery_id" BIGINT NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "duration_ms" INTEGER,
    "status_code" INTEGER,
    "error" TEXT,
    "answer_start" TEXT,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("delivery_id","number")
);

-- CreateIndex
CREATE INDEX "events_receipt_id_id_idx" ON "events"("receipt_id", "id") WHERE ("receipt_id" IS NOT NULL);
CREATE INDEX "events_project_id_id_idx" ON "events"("project_id", "id");
CREATE INDEX "webhook_endpoints_live" ON "webhook_endpoints"("project_id", "created_at") WHERE ("deleted_at" IS NULL);
CREATE UNIQUE INDEX "webhook_secrets_of_endpoints" ON "webhook_secrets"("endpoint_id") WHERE ("expires_at" IS NULL);
CREATE UNIQUE INDEX "webhook_secrets_of_callbacks" ON "webhook_secrets"("project_id") WHERE ("endpoint_id" IS NULL AND "expires_at" IS NULL);
CREATE INDEX "webhook_secrets_endpoint_id_idx" ON "webhook_secrets"("endpoint_id");
CREATE INDEX "webhook_secrets_project_id_idx" ON "webhook_secrets"("project_id");
CREATE UNIQUE INDEX "webhook_deliveries_of_endpoints" ON "webhook_deliveries"("endpoint_id", "event_id") WHERE ("endpoint_id" IS NOT NULL);
CREATE UNIQUE INDEX "webhook_deliveries_of_callbacks" ON "webhook_deliveries"("event_id") WHERE ("endpoint_id" IS NULL);
CREATE INDEX "webhook_deliveries_project_id_id_idx" ON "webhook_deliveries"("project_id", "id");
CREATE INDEX "webhook_deliveries_project_id_state_id_idx" ON "webhook_deliveries"("project_id", "state", "id");
CREATE INDEX "webhook_deliveries_to_endpoints" ON "webhook_deliveries"("endpoint_id", "id") WHERE ("endpoint_id" IS NOT NULL);
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries"("project_id", "next_attempt_at") WHERE ("state" = 'waiting');
CREATE INDEX "webhook_deliveries_of_receipts" ON "webhook_deliveries"("receipt_id", "id") WHERE ("receipt_id" IS NOT NULL);
CREATE INDEX "webhook_deliveries_waiting" ON "webhook_deliveries"("project_id", "lane", "next_attempt_at") WHERE ("state" = 'waiting');
CREATE INDEX "webhook_deliveries_under_way" ON "webhook_deliveries"("project_id", "lane") WHERE ("lease_id" IS NOT NULL);
CREATE INDEX "webhook_deliveries_finished" ON "webhook_deliveries"("finished_at") WHERE ("finished_at" IS NOT NULL);

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "webhook_secrets" ADD CONSTRAINT "webhook_secrets_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "webhook_secrets" ADD CONSTRAINT "webhook_secrets_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "events"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "webhook_deliveries"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "events" ADD CONSTRAINT "events_anchor_id_fkey" FOREIGN KEY ("anchor_id") REFERENCES "anchors"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "events" ADD CONSTRAINT "events_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "events" ADD CONSTRAINT "events_subject_check" CHECK (num_nonnulls("receipt_id", "payment_id", "anchor_id", "endpoint_id") = 1);

-- The lock under which a project's events are numbered. Statements that insert events of several projects sort them by it, so
-- that two of them never wait for each other. 256 of them, because the locks of all transactions share one small table.
CREATE FUNCTION "event_lock"("project" uuid) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN hashtext(coalesce("project"::text, '')) & 255;

-- The lock is held until the transaction ends: the second of two transactions gets a larger number, and is visible second.
CREATE FUNCTION "event_number"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7472, event_lock(new.project_id));
  new.id := nextval('events_id_seq');
  RETURN new;
END $$;

CREATE TRIGGER "event_number" BEFORE INSERT ON "events" FOR EACH ROW EXECUTE FUNCTION "event_number"();

-- What follows from new events, in their own transaction: deliveries to those who asked for them, and a notification with the
-- ids of their projects and subjects. A notification carries at most 8,000 bytes; an id and a comma are 37.
CREATE FUNCTION "event_tell"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "webhook_deliveries" ("project_id", "event_id", "endpoint_id", "url", "receipt_id", "lane")
    SELECT e.project_id, e.id, w.id, NULL, e.receipt_id, w.id
    FROM "fresh" e JOIN "webhook_endpoints" w ON w.project_id = e.project_id AND w.deleted_at IS NULL
      AND (w.disabled_at IS NULL AND e.type = ANY (w.event_types) OR e.type = 'webhook.test' AND w.id = e.endpoint_id)
    UNION ALL
    SELECT e.project_id, e.id, NULL, r.callback_url, r.id,
      md5(e.project_id || lower(substring(r.callback_url FROM '^[^/?#]*//[^/?#]*')))::uuid
    FROM "fresh" e JOIN "receipts" r ON r.id = e.receipt_id
    WHERE r.callback_url IS NOT NULL
      -- A receiver that said it is gone is not asked again.
      AND NOT EXISTS (SELECT FROM "webhook_deliveries" d WHERE d.receipt_id = r.id AND d.endpoint_id IS NULL AND d.state = 'gone');
  IF FOUND THEN PERFORM pg_notify('events', 'webhooks'); END IF;
  PERFORM pg_notify('events', string_agg(topic, ',')) FROM (
    SELECT topic, row_number() OVER () / 200 AS n FROM (
      SELECT DISTINCT unnest(ARRAY[project_id, receipt_id, payment_id])::text AS topic FROM "fresh"
    ) AS topics WHERE topic IS NOT NULL
  ) AS numbered GROUP BY n;
  RETURN NULL;
END $$;

CREATE TRIGGER "event_tell" AFTER INSERT ON "events" REFERENCING NEW TABLE AS "fresh" FOR EACH STATEMENT EXECUTE FUNCTION "event_tell"();
