-- DropIndex
DROP INDEX "audit_events_project_id_id_idx";

-- AlterTable
ALTER TABLE "audit_events" ADD COLUMN     "hash" BYTEA NOT NULL DEFAULT '\x',
ADD COLUMN     "seq" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "projects" ADD COLUMN     "config" JSONB;

-- CreateTable
CREATE TABLE "audit_heads" (
    "chain" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_heads_pkey" PRIMARY KEY ("chain")
);

-- CreateTable
CREATE TABLE "idempotent_requests" (
    "principal" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    "status" INTEGER,
    "headers" JSONB,
    "body" BYTEA,

    CONSTRAINT "idempotent_requests_pkey" PRIMARY KEY ("principal","key")
);

-- CreateTable
CREATE UNLOGGED TABLE "rate_windows" (
    "bucket" TEXT NOT NULL,
    "window" BIGINT NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "rate_windows_pkey" PRIMARY KEY ("bucket","window")
);

-- CreateTable
CREATE TABLE "sign_in_nonces" (
    "nonce" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sign_in_nonces_pkey" PRIMARY KEY ("nonce")
);

-- CreateTable
CREATE TABLE "linked_wallets" (
    "project_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "linked_wallets_pkey" PRIMARY KEY ("project_id","address")
);

-- CreateIndex
CREATE INDEX "idempotent_requests_created_at_idx" ON "idempotent_requests"("created_at");

-- CreateIndex
CREATE INDEX "rate_windows_window_idx" ON "rate_windows"("window");

-- CreateIndex
CREATE INDEX "sign_in_nonces_created_at_idx" ON "sign_in_nonces"("created_at");

-- CreateIndex
CREATE INDEX "linked_wallets_address_idx" ON "linked_wallets"("address");


-- CreateIndex
CREATE INDEX "projects_owner_wallet_idx" ON "projects"("owner_wallet");

-- AddForeignKey
ALTER TABLE "linked_wallets" ADD CONSTRAINT "linked_wallets_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The chain of audit rows. What is hashed is each value as its length in bytes, a colon, the value and a comma.
CREATE FUNCTION "audit_hash"("before" bytea, "e" "audit_events") RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(convert_to(string_agg(octet_length(v) || ':' || v || ',', '' ORDER BY i), 'UTF8'))
  FROM unnest(ARRAY[
    encode(before, 'hex'), e.seq::text, e.id::text, e.action, e.object_type, e.object_id, coalesce(e.project_id::text, ''),
    e.actor, e.details::text, to_char(e.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  ]) WITH ORDINALITY AS part(v, i)
$$;

-- The row of the chain's end is locked until the transaction ends, so that a project's rows have one order.
CREATE FUNCTION "audit_chain"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  head "audit_heads";
BEGIN
  INSERT INTO "audit_heads" AS h ("chain", "seq", "hash") VALUES (coalesce(new.project_id::text, 'service'), 1, '')
    ON CONFLICT ("chain") DO UPDATE SET "seq" = h.seq + 1 RETURNING * INTO head;
  new.seq := head.seq;
  new.hash := audit_hash(head.hash, new);
  UPDATE "audit_heads" SET "hash" = new.hash WHERE "chain" = head.chain;
  RETURN new;
END $$;

-- Rows from before there was a chain take their place in it.
DO $$
DECLARE
  row "audit_events";
  head "audit_heads";
BEGIN
  FOR row IN SELECT * FROM "audit_events" ORDER BY "id" LOOP
    INSERT INTO "audit_heads" AS h ("chain", "seq", "hash") VALUES (coalesce(row.project_id::text, 'service'), 1, '')
      ON CONFLICT ("chain") DO UPDATE SET "seq" = h.seq + 1 RETURNING * INTO head;
    row.seq := head.seq;
    row.hash := audit_hash(head.hash, row);
    UPDATE "audit_events" SET "seq" = row.seq, "hash" = row.hash WHERE "id" = row.id;
    UPDATE "audit_heads" SET "hash" = row.hash WHERE "chain" = head.chain;
  END LOOP;
END $$;

-- CreateIndex
CREATE UNIQUE INDEX "audit_events_project_id_seq_key" ON "audit_events"("project_id", "seq");

CREATE TRIGGER "audit_chain" BEFORE INSERT ON "audit_events" FOR EACH ROW EXECUTE FUNCTION "audit_chain"();

CREATE FUNCTION "audit_is_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_events is append-only';
END $$;

CREATE TRIGGER "audit_is_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_events"
  FOR EACH STATEMENT EXECUTE FUNCTION "audit_is_append_only"();
