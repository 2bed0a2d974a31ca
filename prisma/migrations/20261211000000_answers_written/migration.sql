-- A payment is delivered when the answer was written to its client, and no longer when it was stored. `answered_at`: when it
-- was stored; `left_at`: when the client of the last request left before it was written.
ALTER TABLE "payments" ADD COLUMN "answered_at" timestamptz(3), ADD COLUMN "left_at" timestamptz(3);
UPDATE "payments" SET "answered_at" = "delivered_at" WHERE "delivered_at" IS NOT NULL;

-- The payments whose answer has not reached its client: a payer who asks again with a new authorization means these.
CREATE INDEX IF NOT EXISTS payments_unwritten ON payments (payer, fingerprint) WHERE delivered_at IS NULL;
