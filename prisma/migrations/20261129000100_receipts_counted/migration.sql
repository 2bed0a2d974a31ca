-- Adds the receipts that were recorded before there were counters. Writers are not held up meanwhile.
SELECT receipt_recount();

UPDATE "receipts" SET "has_refund" = true WHERE "id" IN (SELECT "refund_of_id" FROM "receipts" WHERE "refund_of_id" IS NOT NULL) AND NOT "has_refund";
