-- Numbers of events, deliveries and audit rows no longer count the rows of all projects: whoever sees two of his own would
-- know how much the others do. A number is now made of its time, in units of 10 µs since November 2026, and of the number of
-- the project's lock. It stays below 2^53, the largest that JavaScript keeps exact, until 2037.
CREATE FUNCTION number_of_now(lock integer) RETURNS bigint LANGUAGE sql VOLATILE
  RETURN (extract(epoch FROM clock_timestamp()) * 100000 - 179349120000000)::bigint * 256 + lock;

-- After the project's last number whatever the clock says, so that no reader misses an event.
CREATE OR REPLACE FUNCTION event_number() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  lock integer := event_lock(new.project_id);
BEGIN
  PERFORM pg_advisory_xact_lock(7472, lock);
  IF new.project_id IS NULL THEN
    SELECT max(id) INTO new.id FROM "events" WHERE project_id IS NULL;
  ELSE
    SELECT max(id) INTO new.id FROM "events" WHERE project_id = new.project_id;
  END IF;
  new.id := greatest(number_of_now(lock), (new.id / 256 + 1) * 256 + lock);
  WHILE EXISTS (SELECT FROM "events" WHERE id = new.id) LOOP
    new.id := new.id + 256;
  END LOOP;
  RETURN new;
END $$;

CREATE FUNCTION delivery_number() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  lock integer := event_lock(new.project_id);
BEGIN
  PERFORM pg_advisory_xact_lock(7472, lock);
  new.id := number_of_now(lock);
  WHILE EXISTS (SELECT FROM "webhook_deliveries" WHERE id = new.id) LOOP
    new.id := new.id + 256;
  END LOOP;
  RETURN new;
END $$;

CREATE FUNCTION audit_number() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  lock integer := event_lock(new.project_id);
BEGIN
  PERFORM pg_advisory_xact_lock(7473, lock);
  new.id := number_of_now(lock);
  WHILE EXISTS (SELECT FROM "audit_events" WHERE id = new.id) LOOP
    new.id := new.id + 256;
  END LOOP;
  RETURN new;
END $$;

CREATE TRIGGER delivery_number BEFORE INSERT ON webhook_deliveries FOR EACH ROW EXECUTE FUNCTION delivery_number();
-- Triggers run in the order of their names: the number is part of what audit_chain hashes.
CREATE TRIGGER audit_a_number BEFORE INSERT ON audit_events FOR EACH ROW EXECUTE FUNCTION audit_number();

ALTER TABLE events ALTER COLUMN id DROP DEFAULT;
ALTER TABLE webhook_deliveries ALTER COLUMN id DROP DEFAULT;
ALTER TABLE audit_events ALTER COLUMN id DROP DEFAULT;
DROP SEQUENCE events_id_seq, webhook_deliveries_id_seq, audit_events_id_seq;
