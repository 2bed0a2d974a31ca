CREATE TABLE "sessions" (
  "id" uuid NOT NULL,
  "project_id" uuid NOT NULL,
  "role" api_key_role NOT NULL,
  "api_key_id" uuid,
  "wallet" text,
  "token_hash" bytea NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" timestamptz(3) NOT NULL,
  "revoked_at" timestamptz(3),
  CONSTRAINT "sessions_pkey" PRIMARY KEY (id)
);
CREATE UNIQUE INDEX sessions_token_hash_key ON sessions (token_hash);
CREATE INDEX sessions_project_id_created_at_idx ON sessions (project_id, created_at);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);

ALTER TABLE "sessions" ADD CONSTRAINT "sessions_project_id_fkey" FOREIGN KEY (project_id) REFERENCES projects(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_api_key_id_fkey" FOREIGN KEY (api_key_id) REFERENCES api_keys(id) ON UPDATE CASCADE ON DELETE RESTRICT;
