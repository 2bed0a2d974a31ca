-- A payment can be refunded in parts. From here on the trigger adds them up; the next migration adds the refunds that are
-- recorded already. It is another transaction, so that the locks of this one are short.
ALTER TABLE "receipts"
  ADD COLUMN "refunded_amount" numeric(38, 18) NOT NULL DEFAULT 0,
  ADD COLUMN "refund_claimed" boolean NOT NULL DEFAULT false;
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_refunded_check" CHECK (refunded_amount <= amount) NOT VALID;

CREATE OR REPLACE FUNCTION receipt_refunded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "receipts" SET "has_refund" = true,
    "refunded_amount" = "refunded_amount" + CASE WHEN new.refund_claimed THEN 0 ELSE new.amount END
    WHERE "id" = new.refund_of_id AND NOT ("has_refund" AND new.refund_claimed);
  RETURN NULL;
END $$;

CREATE TRIGGER receipt_refund_confirmed AFTER UPDATE OF refund_claimed ON receipts
  FOR EACH ROW WHEN (old.refund_claimed AND NOT new.refund_claimed) EXECUTE FUNCTION receipt_refunded();

ALTER TABLE "events" ADD COLUMN "refund_id" uuid;
