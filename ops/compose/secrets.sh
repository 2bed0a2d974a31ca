#!/bin/sh
# Makes each secret that is not there yet: secrets.sh <folder> <folder of the proxy's certificate>. It needs the right to
# give the files to the users of the images: 10001 of the service, 999 of PostgreSQL, 99 of HAProxy.
set -eu
umask 077
secrets=$1
tls=$2

# Writes standard input, unless the file is there; a start that was interrupted leaves no half of a secret.
make() {
  [ -s "$1" ] || { cat > "$1.new" && mv "$1.new" "$1"; }
}
random() { openssl rand -hex 24; }

random | make "$secrets/POSTGRES_PASSWORD"
random | make "$secrets/OWNER_PASSWORD"
random | make "$secrets/SERVICE_PASSWORD"
url() { echo "postgresql://$1:$(cat "$secrets/$2")@postgres:5432/quittance"; }
url quittance_service SERVICE_PASSWORD | make "$secrets/DATABASE_URL"
url quittance_owner OWNER_PASSWORD | make "$secrets/MIGRATION_DATABASE_URL"
echo "admin_$(random)" | make "$secrets/ADMIN_API_KEYS"
random | make "$secrets/METRICS_TOKEN"
echo "first:$(openssl rand -base64 32)" | make "$secrets/SECRETS_KEY"
echo "first:$(openssl rand -base64 32)" | make "$secrets/WEBHOOK_SECRET"
echo "0x$(openssl rand -hex 32)" | make "$secrets/ANCHOR_PRIVATE_KEY"
openssl genpkey -algorithm ed25519 | make "$secrets/signing-key.pem"

# For trials: browsers warn of it. A certificate of your own takes its place.
if [ ! -s "$tls/quittance.pem" ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost -keyout "$tls/key.pem" -out "$tls/cert.pem" 2> /dev/null
  cat "$tls/cert.pem" "$tls/key.pem" | make "$tls/quittance.pem"
  rm "$tls/cert.pem" "$tls/key.pem"
fi

chown -R 10001:10001 "$secrets"
# Each container reads what it needs: PostgreSQL, which makes the roles, their passwords; the migration (10002) the role
# that owns the tables, and the name of the other; Prometheus (65534) its token.
chmod 0711 "$secrets"
chown 999:999 "$secrets/POSTGRES_PASSWORD" "$secrets/OWNER_PASSWORD" "$secrets/SERVICE_PASSWORD"
chown 10002:10002 "$secrets/MIGRATION_DATABASE_URL"
chown 10001:10002 "$secrets/DATABASE_URL"
chown 10001:65534 "$secrets/METRICS_TOKEN"
chmod 0440 "$secrets/DATABASE_URL" "$secrets/METRICS_TOKEN"
chown -R 99:99 "$tls"
