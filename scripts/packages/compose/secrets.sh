#!/bin/sh
# Writes .env for compose.yaml into the current folder, with new secrets. It never replaces one, because the stored data needs its secrets.
#   secrets.sh VERSION    the version of the image
set -eu

[ $# -eq 1 ] || { echo "secrets: name the version of the image, such as 1.2.3" >&2 && exit 1; }
[ ! -e .env ] || { echo "secrets: .env exists, and is kept" >&2 && exit 1; }
# random BYTES: prints them as hexadecimal digits.
random() { od -An -N "$1" -tx1 /dev/urandom | tr -d ' \n'; }

umask 077
cat >.env.new <<END
# The version of the image.
COVERAGE_VERSION=$1
# The port on this machine. A proxy in front must handle TLS.
COVERAGE_PORT=8080
# The address that people and CI jobs use.
PUBLIC_URL=http://127.0.0.1:8080
# Secrets of the containers, for each other. Keep them: the stored data needs them.
POSTGRES_PASSWORD=$(random 24)
S3_ACCESS_KEY=GK$(random 12)
S3_SECRET_KEY=$(random 32)
GARAGE_RPC_SECRET=$(random 32)
END
mv .env.new .env
echo "secrets: wrote .env" >&2
