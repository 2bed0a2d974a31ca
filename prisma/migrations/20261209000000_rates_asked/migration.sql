-- How many times the rate of a receipt was requested.
ALTER TABLE "fiat_equivalents" ADD COLUMN "asked" INTEGER NOT NULL DEFAULT 1;
