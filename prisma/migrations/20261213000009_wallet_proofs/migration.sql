CREATE TYPE "wallet_proof_kind" AS ENUM ('eip4361', 'nonce');

CREATE TYPE "wallet_proof_method" AS ENUM ('eip191', 'eip1271', 'eip6492');

ALTER TABLE "linked_wallets" ADD COLUMN     "proof_id" UUID;

ALTER TABLE "receipts" ADD COLUMN     "receiver_proof_id" UUID;

CREATE TABLE "wallet_proofs" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "project_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "kind" "wallet_proof_kind" NOT NULL,
    "method" "wallet_proof_method" NOT NULL,
    "message" TEXT NOT NULL,
    "signature" TEXT NOT NULL,
    "network" TEXT,
    "block_number" BIGINT,
    "block_hash" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "wallet_proofs_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "wallet_proofs_text_check" CHECK (
        address ~ '^0x[0-9a-f]{40}$' AND length(message) BETWEEN 1 AND 4096
        AND signature ~ '^0x([0-9a-f]{2})*$' AND length(signature) <= 8194
        AND (kind = 'eip4361' OR (method = 'eip191' AND message ~ '^[0-9a-f]{32}$'))
    ),
    CONSTRAINT "wallet_proofs_block_check" CHECK (
        num_nulls(network, block_number, block_hash) = CASE WHEN method = 'eip191' THEN 3 ELSE 0 END
        AND network ~ '^eip155:[1-9][0-9]{0,15}$' AND block_number BETWEEN 0 AND 9007199254740991
        AND block_hash ~ '^0x[0-9a-f]{64}$'
    )
);

CREATE INDEX "wallet_proofs_project_id_idx" ON "wallet_proofs"("project_id");

-- Not validated, which would read all rows while writers wait: the columns are new, so that no row has a value yet.
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_receiver_proof_id_fkey" FOREIGN KEY ("receiver_proof_id") REFERENCES "wallet_proofs"("id") ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;

ALTER TABLE "linked_wallets" ADD CONSTRAINT "linked_wallets_proof_id_fkey" FOREIGN KEY ("proof_id") REFERENCES "wallet_proofs"("id") ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;

ALTER TABLE "wallet_proofs" ADD CONSTRAINT "wallet_proofs_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
