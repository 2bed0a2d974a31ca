#!/bin/sh
# Runs once, in the new database: the role that owns the tables, and the one of the service.
set -eu
secrets=${QUITTANCE_SECRETS:-/run/quittance}
psql --set ON_ERROR_STOP=1 --set database="$POSTGRES_DB" --dbname "$POSTGRES_DB" --username "${POSTGRES_USER:-postgres}" \
  --set owner="$(cat "$secrets/OWNER_PASSWORD")" --set service="$(cat "$secrets/SERVICE_PASSWORD")" <<'SQL'
create role quittance_owner login password :'owner';
create role quittance_service login password :'service';
alter database :"database" owner to quittance_owner;
alter schema public owner to quittance_owner;
SQL
