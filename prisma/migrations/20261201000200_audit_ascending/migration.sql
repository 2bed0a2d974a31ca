-- The same for audit rows.
CREATE INDEX IF NOT EXISTS audit_events_created_at_id_new ON audit_events (created_at, id);
CREATE INDEX IF NOT EXISTS audit_events_project_id_created_at_id_new ON audit_events (project_id DESC, created_at, id);
CREATE INDEX IF NOT EXISTS audit_events_project_id_action_created_at_id_new ON audit_events (project_id DESC, action DESC, created_at, id);
CREATE INDEX IF NOT EXISTS audit_events_project_id_object_type_created_at_id_new ON audit_events (project_id DESC, object_type DESC, created_at, id);
CREATE INDEX IF NOT EXISTS audit_events_project_id_object_id_created_at_id_new ON audit_events (project_id DESC, object_id DESC, created_at, id);
CREATE INDEX IF NOT EXISTS audit_events_project_id_actor_created_at_id_new ON audit_events (project_id DESC, actor DESC, created_at, id);
DO $$ DECLARE unfinished text; BEGIN
  SELECT indexrelid::regclass::text INTO unfinished FROM pg_index
    WHERE indrelid = 'audit_events'::regclass AND NOT indisvalid AND indexrelid::regclass::text LIKE '%\_new' LIMIT 1;
  IF FOUND THEN RAISE EXCEPTION 'The index % was not built completely: drop it, and migrate again.', unfinished; END IF;
END $$;
