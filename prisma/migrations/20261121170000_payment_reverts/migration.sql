-- AlterTable
ALTER TABLE "payments" ADD COLUMN     "reverts" INTEGER NOT NULL DEFAULT 0;
