ALTER TABLE "linked_wallets" ADD COLUMN "id" uuid NOT NULL DEFAULT gen_random_uuid();
CREATE UNIQUE INDEX linked_wallets_id_key ON linked_wallets (id);
