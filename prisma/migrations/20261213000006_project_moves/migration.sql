CREATE TABLE "project_moves" (
    "project_id" UUID NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sealed_at" TIMESTAMPTZ(3),
    "location" TEXT,

    CONSTRAINT "project_moves_pkey" PRIMARY KEY ("project_id")
);

ALTER TABLE "project_moves" ADD CONSTRAINT "project_moves_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Refuses what would be lost because a project is moved to another installation: new receipts and payments from the
-- start of the move on, and events and audit rows, which every change has, once it is sealed. It sees each move that is
-- committed, because each statement of a volatile function has a snapshot of its own. A transaction that saw none has a
-- number by then, so that sealing waits for its end.
CREATE FUNCTION refuse_moved() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved uuid;
BEGIN
  SELECT m.project_id INTO moved FROM "project_moves" m
    WHERE (m.sealed_at IS NOT NULL OR tg_argv[0] = 'draining')
      AND EXISTS (SELECT FROM "fresh" WHERE fresh.project_id = m.project_id) LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'the project % is moved to another installation', moved USING ERRCODE = 'QM001';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER receipt_refuse_moved AFTER INSERT ON receipts
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved('draining');
CREATE TRIGGER payment_refuse_moved AFTER INSERT ON payments
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved('draining');
CREATE TRIGGER event_refuse_moved AFTER INSERT ON events
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved();
CREATE TRIGGER audit_refuse_moved AFTER INSERT ON audit_events
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved();

-- An import writes events, deliveries and audit rows with their numbers and hashes, and refunds that are added up
-- already. It sets this for its transaction.
CREATE OR REPLACE TRIGGER event_number BEFORE INSERT ON events
  FOR EACH ROW WHEN (current_setting('quittance.importing', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION event_number();
CREATE OR REPLACE TRIGGER event_tell AFTER INSERT ON events
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT
  WHEN (current_setting('quittance.importing', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION event_tell();
CREATE OR REPLACE TRIGGER delivery_number BEFORE INSERT ON webhook_deliveries
  FOR EACH ROW WHEN (current_setting('quittance.importing', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION delivery_number();
CREATE OR REPLACE TRIGGER audit_chain BEFORE INSERT ON audit_events
  FOR EACH ROW WHEN (current_setting('quittance.importing', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION audit_chain();
CREATE OR REPLACE TRIGGER receipt_refunded AFTER INSERT OR UPDATE OF refund_of_id ON receipts
  FOR EACH ROW WHEN (new.refund_of_id IS NOT NULL AND current_setting('quittance.importing', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION receipt_refunded();
