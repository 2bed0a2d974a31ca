-- When and where a settlement was last seen, and when it is looked up again. Payments that settled before have no
-- `final_at`, so each is looked up.
ALTER TABLE payments
  ADD COLUMN settled_block bigint,
  ADD COLUMN transfer_index integer,
  ADD COLUMN is_shared boolean NOT NULL DEFAULT false,
  ADD COLUMN final_at timestamptz(3),
  ADD COLUMN reversed_at timestamptz(3),
  ADD COLUMN look_at timestamptz(3);

-- The settlements that are to be looked up: at once where `look_at` is null.
CREATE INDEX payments_unsure ON payments (look_at) WHERE (settled_at IS NOT NULL AND (final_at IS NULL OR look_at IS NOT NULL));
