-- The same for audit rows.
CREATE INDEX IF NOT EXISTS audit_events_created_at_id_new ON audit_events (created_at, id);
CREATE INDEX IF NOT EXISTS audit_events_project_id_created_at_id_new ON audit_events (project_id DESC, created_at, id);
CREATE INDEX IF NOT EXISTS audit_events_project_id_action_created_at_id_new ON audit_events (project_id DESC, action DESC, created_at, id);
CREATE INDEX IF NOT EXISTS audit_events_project_id_object_type_created_at_id_new ON audit_events (project_id DESC, object_type DESC, created_at, id);
CREATE INDEX IF NOT EXISTS audit_events_project_id_object_id_created_at_id_new ON audit_events (project_id DESC, object_id DESC, created_at, id);
CREATE INDEX IF NOT EXISTS audit_events_project_id_actor_created_at_id_new ON audit_events (project_id DESC, actor DESC, created_at, id);
