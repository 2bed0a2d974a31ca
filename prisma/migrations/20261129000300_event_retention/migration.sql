-- Events may be deleted after a time (EVENT_DAYS). All events up to this number have been considered: those after it
-- are complete, those before it are not.
CREATE TABLE "event_horizon" (
  "id" bigint NOT NULL,
  CONSTRAINT "event_horizon_pkey" PRIMARY KEY (id)
);
INSERT INTO "event_horizon" VALUES (0);

-- An event with a delivery is not deleted.
CREATE INDEX webhook_deliveries_event_id_idx ON webhook_deliveries (event_id);
