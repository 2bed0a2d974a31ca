-- DropIndex
DROP INDEX "anchor_transactions_project_id_chain_txid_key";

-- CreateIndex
CREATE UNIQUE INDEX "anchor_transactions_project_id_chain_contract_txid_key" ON "anchor_transactions"("project_id", "chain", "contract", "txid");
