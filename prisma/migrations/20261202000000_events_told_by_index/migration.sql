-- The receipt of an event is looked up by its id, and so are the deliveries of the receipt. A connection keeps the plan
-- of this function: one that was made while the tables were small read all receipts for each statement, 10 ms for
-- 34,000, until statistics were gathered.
CREATE OR REPLACE FUNCTION event_tell() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  INSERT INTO "webhook_deliveries" ("project_id", "event_id", "endpoint_id", "url", "receipt_id", "lane")
    SELECT e.project_id, e.id, w.id, NULL, e.receipt_id, w.id
    FROM "fresh" e JOIN "webhook_endpoints" w ON w.project_id = e.project_id AND w.deleted_at IS NULL
      AND (w.disabled_at IS NULL AND e.type = ANY (w.event_types) OR e.type = 'webhook.test' AND w.id = e.endpoint_id)
    UNION ALL
    SELECT e.project_id, e.id, NULL, r.callback_url, e.receipt_id,
      callback_lane(e.project_id, r.callback_url, false)
    -- OFFSET 0 keeps PostgreSQL from joining all receipts, or all deliveries.
    FROM "fresh" e CROSS JOIN LATERAL (SELECT callback_url FROM "receipts" WHERE id = e.receipt_id OFFSET 0) AS r
    WHERE r.callback_url IS NOT NULL
      -- A receiver that answered 410 gets no further callbacks of the receipt.
      AND NOT EXISTS (
        SELECT FROM "webhook_deliveries" d
        WHERE d.receipt_id = e.receipt_id AND d.endpoint_id IS NULL AND d.state = 'gone' OFFSET 0
      );
  IF FOUND THEN PERFORM pg_notify('events', 'webhooks'); END IF;
  PERFORM pg_notify('events', string_agg(topic, ',')) FROM (
    SELECT topic, row_number() OVER () / 200 AS n FROM (
      SELECT DISTINCT unnest(ARRAY[project_id, receipt_id, payment_id])::text AS topic FROM "fresh"
    ) AS topics WHERE topic IS NOT NULL
  ) AS numbered GROUP BY n;
  RETURN NULL;
END $$;
