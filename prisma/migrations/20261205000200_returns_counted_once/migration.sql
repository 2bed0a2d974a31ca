-- A return that was recorded as a payment and as a refund is booked once. What is booked already stays as it is, because
-- it is in statements.
ALTER TABLE "receipts" ADD COLUMN "counted_as_id" uuid
  CONSTRAINT "receipts_counted_as_id_fkey" REFERENCES "receipts" ("id") ON UPDATE CASCADE ON DELETE RESTRICT;
