-- What the sealed message states of the wallets, so that every later message states the same.
ALTER TABLE "receipts" ADD COLUMN "sender_proven" BOOLEAN, ADD COLUMN "receiver_proven" BOOLEAN;
