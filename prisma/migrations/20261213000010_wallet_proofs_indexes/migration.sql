CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "linked_wallets_proof_id_key" ON "linked_wallets"("proof_id");

CREATE INDEX CONCURRENTLY IF NOT EXISTS "receipts_proofs" ON "receipts"("receiver_proof_id") WHERE ("receiver_proof_id" IS NOT NULL);
