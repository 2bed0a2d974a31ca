#!/bin/sh
# Runs once, in the new database: the role that owns the tables, and the one of the service.
set -eu
export QUITTANCE_SECRETS="${QUITTANCE_SECRETS:-/run/quittance}"
# psql reads the passwords itself, because every user of the machine sees the arguments of a program.
psql --set ON_ERROR_STOP=1 --set database="$POSTGRES_DB" --dbname "$POSTGRES_DB" --username "${POSTGRES_USER:-postgres}" <<'SQL'
\set owner `cat "$QUITTANCE_SECRETS/OWNER_PASSWORD"`
\set service `cat "$QUITTANCE_SECRETS/SERVICE_PASSWORD"`
create role quittance_owner login password :'owner';
create role quittance_service login password :'service';
alter database :"database" owner to quittance_owner;
alter schema public owner to quittance_owner;
SQL
