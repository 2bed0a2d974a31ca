ALTER TABLE "statements" ADD COLUMN     "balance_difference" TEXT,
ADD COLUMN     "chain_balance" TEXT,
ADD COLUMN     "closing_block" BIGINT;
