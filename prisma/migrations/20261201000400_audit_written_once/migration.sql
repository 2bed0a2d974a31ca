-- The end of a chain is written once for each audit row and not twice: an update that waited for another transaction
-- computes its values again, from the row as that transaction left it. audit_part is inlined, and therefore calls only
-- immutable functions; the query in audit_hash was set up anew for each row. audit_hash stays, because a transaction
-- that runs during this migration may be about to call it.
CREATE FUNCTION audit_part(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN octet_length(v)::text || ':' || v || ',';

CREATE OR REPLACE FUNCTION audit_chain() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  own text := coalesce(new.project_id::text, 'service');
  rest text := audit_part(new.id::text) || audit_part(new.action) || audit_part(new.object_type)
    || audit_part(new.object_id) || audit_part(coalesce(new.project_id::text, '')) || audit_part(new.actor)
    || audit_part(new.details::text)
    || audit_part(to_char(new.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
BEGIN
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
