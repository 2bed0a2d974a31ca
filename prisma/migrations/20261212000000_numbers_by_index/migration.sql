-- PostgreSQL keeps the plans of functions for each connection. A plan that was made while a table had few rows read the
-- whole table for each row that was added, until statistics were gathered again: adding n rows took n² steps.
CREATE OR REPLACE FUNCTION event_number() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  lock integer := event_lock(new.project_id);
  last bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(7472, lock);
  -- In the order of the index by project. By the condition alone, PostgreSQL may read the newest events of all projects.
  IF new.project_id IS NULL THEN
    SELECT id INTO last FROM (SELECT project_id, id FROM "events" ORDER BY project_id DESC, id DESC LIMIT 1) AS newest
      WHERE project_id IS NULL;
  ELSE
    SELECT id INTO last FROM (
      SELECT project_id, id FROM "events" WHERE (project_id, id) <= (new.project_id, 9223372036854775807)
      ORDER BY project_id DESC, id DESC LIMIT 1
    ) AS newest WHERE project_id = new.project_id;
  END IF;
  new.id := greatest(number_of_now(lock), (last / 256 + 1) * 256 + lock);
  WHILE EXISTS (SELECT FROM "events" WHERE id = new.id) LOOP
    new.id := new.id + 256;
  END LOOP;
  RETURN new;
END $$;

-- The number is part of what is hashed, so both are made in one function.
CREATE OR REPLACE FUNCTION audit_chain() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  own text := coalesce(new.project_id::text, 'service');
  lock integer := event_lock(new.project_id);
  rest text;
BEGIN
  PERFORM pg_advisory_xact_lock(7473, lock);
  new.id := number_of_now(lock);
  WHILE EXISTS (SELECT FROM "audit_events" WHERE id = new.id) LOOP
    new.id := new.id + 256;
  END LOOP;
  rest := audit_part(new.id::text) || audit_part(new.action) || audit_part(new.object_type)
    || audit_part(new.object_id) || audit_part(coalesce(new.project_id::text, '')) || audit_part(new.actor)
    || audit_part(new.details::text)
    || audit_part(to_char(new.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
  LOOP
    UPDATE "audit_heads" AS h SET "seq" = h.seq + 1,
      "hash" = sha256(convert_to(audit_part(encode(h.hash, 'hex')) || audit_part((h.seq + 1)::text) || rest, 'UTF8'))
      WHERE h.chain = own RETURNING h.seq, h.hash INTO new.seq, new.hash;
    EXIT WHEN FOUND;
    -- Two first rows at once: the second waits here, and then updates the row of the first.
    INSERT INTO "audit_heads" ("chain", "seq", "hash") VALUES (own, 0, '') ON CONFLICT ("chain") DO NOTHING;
  END LOOP;
  RETURN new;
END $$;
DROP TRIGGER audit_a_number ON audit_events;
DROP FUNCTION audit_number();

ALTER FUNCTION delivery_number() SET enable_seqscan = off;
ALTER FUNCTION receipt_refunded() SET enable_seqscan = off;

-- By the index of transactions. PostgreSQL also took one that begins with the project, the chain or the currency, and read
-- all receipts of the project in the order of their records. No index serves IS NOT DISTINCT FROM.
CREATE OR REPLACE FUNCTION part_or_whole(project uuid, on_chain text, tx text, first text, last text, paid numeric, asset text, sender text, receiver text)
  RETURNS uuid LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(concat_ws(E'\n', project, on_chain, CASE WHEN first = last THEN first ELSE tx END), 0));
  RETURN (
    SELECT id FROM (
      SELECT r.id, r.created_at FROM receipts r
      WHERE r.project_id = project AND r.tx_key ~>=~ first AND r.tx_key ~<=~ last AND r.refund_of_id IS NULL
        AND r.chain_key IS NOT DISTINCT FROM on_chain AND r.amount IS NOT DISTINCT FROM paid
        AND r.currency IS NOT DISTINCT FROM asset AND r.sender_key IS NOT DISTINCT FROM sender
        AND r.receiver_key IS NOT DISTINCT FROM receiver
      OFFSET 0
    ) AS told ORDER BY created_at, id LIMIT 1
  );
END $$;
