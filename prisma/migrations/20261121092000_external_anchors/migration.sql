-- AlterEnum
ALTER TYPE "anchor_state" ADD VALUE 'external';

