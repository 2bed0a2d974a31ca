-- The lanes of the deliveries that are due longest are read from the index alone.
DROP INDEX webhook_deliveries_due;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (project_id, next_attempt_at, lane) WHERE (state = 'waiting');
