-- AlterTable
ALTER TABLE "payments" ADD COLUMN     "identifier" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "payments_network_asset_payer_identifier_key" ON "payments"("network", "asset", "payer", "identifier");
