CREATE INDEX CONCURRENTLY IF NOT EXISTS "payments_unanswered" ON "payments"("status") WHERE ("answered_at" IS NULL);
