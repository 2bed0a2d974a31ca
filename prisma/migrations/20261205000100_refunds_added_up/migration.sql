-- Until now a receipt had at most one refund, of its whole amount. Writers are not held up meanwhile.
UPDATE "receipts" AS payment SET "refunded_amount" = refund.amount FROM "receipts" AS refund
  WHERE refund.refund_of_id = payment.id AND payment.has_refund AND payment.refunded_amount = 0;
ALTER TABLE "receipts" VALIDATE CONSTRAINT "receipts_refunded_check";
