#!/usr/bin/env bash
# Starts a temporary PostgreSQL, runs a command with its URL in COVERAGE_TEST_POSTGRES, and removes it afterwards.
#
#   scripts/with-postgres.sh COMMAND…             for tests: nothing is synced to the disk
#   DURABLE=1 scripts/with-postgres.sh COMMAND…   with PostgreSQL's default settings, for benchmarks
#
# If PostgreSQL is missing and cannot be installed, it prints a message and does not run the command.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

# Prints the folder of PostgreSQL's programs. Debian installs them outside of PATH, in a folder for each version.
binaries() {
    local folder
    for folder in $(dirname "$(command -v initdb || echo /)") $(find /usr/lib/postgresql/*/bin /usr/pgsql-*/bin -maxdepth 0 2>/dev/null | sort -rV); do
        if [ -x "$folder/initdb" ] && [ -x "$folder/pg_ctl" ]; then
            echo "$folder"
            return
        fi
    done
    return 1
}

if ! binaries >/dev/null || ! have psql; then
    if have apt-get && { [ "$(id -u)" -eq 0 ] || { have sudo && sudo -n true 2>/dev/null; }; }; then
        begin_install
        # Without a cluster, which would start automatically with the machine.
        slowly postgresql "installing Debian's postgresql" as_root sh -c '
            export DEBIAN_FRONTEND=noninteractive
            mkdir -p /etc/postgresql-common
            [ -e /etc/postgresql-common/createcluster.conf ] || echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf
            apt-get -o DPkg::Lock::Timeout=300 update || echo "continuing with the existing package lists"
            apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends postgresql postgresql-client' || true
    fi
fi
if ! bin=$(binaries) || ! have psql; then
    say "PostgreSQL is missing and cannot be installed here: these tests DID NOT RUN ($*)."
    exit 0
fi

# The server refuses to run as root.
as_server() {
    if [ "$(id -u)" -ne 0 ]; then
        "$@"
    elif id postgres >/dev/null 2>&1; then
        runuser -u postgres -- "$@"
    else
        runuser -u nobody -- "$@"
    fi
}

# In memory if there is room: each test creates and deletes a database, which has hundreds of files.
place=${TMPDIR:-/tmp}
memory=/dev/shm
if [ -z "${DURABLE:-}" ] && [ -w "$memory" ] && [ "$(df --output=avail -k "$memory" | tail -n 1)" -gt "$((2 << 20))" ]; then place=$memory; fi

folder=$(mktemp -d "$place/coverage-postgres.XXXXXX")
chmod 755 "$folder"
mkdir "$folder/socket" "$folder/data"
chmod 755 "$folder/socket"
if [ "$(id -u)" -eq 0 ]; then chown "$(as_server id -u)" "$folder" "$folder/socket" "$folder/data"; fi
# shellcheck disable=SC2317,SC2329 # the trap calls it
end() {
    (cd / && as_server "$bin/pg_ctl" --pgdata "$folder/data" --mode immediate stop >/dev/null 2>&1) || true
    rm -rf "$folder"
    tidy
}
trap end EXIT

settings=(listen_addresses= "unix_socket_directories=$folder/socket" max_connections=500 timezone=UTC)
if [ -z "${DURABLE:-}" ]; then settings+=(fsync=off synchronous_commit=off full_page_writes=off max_wal_size=256MB); fi
options=
for setting in "${settings[@]}"; do options+=" -c $setting"; done
(
    cd "$folder"
    # The default collation differs from the collation of the columns, as on most servers. So tests notice an order that depends on it.
    as_server "$bin/initdb" --pgdata data --username coverage --auth trust --encoding UTF8 --locale-provider icu --icu-locale en-US --locale C.UTF-8 \
        || { rm -rf data/* && as_server "$bin/initdb" --pgdata data --username coverage --auth trust --encoding UTF8 --locale C.UTF-8; }
    as_server "$bin/pg_ctl" --pgdata data --log log --wait --options "$options" start
) >"$folder/start.log" 2>&1 || {
    cat "$folder/start.log" "$folder/log" >&2 2>/dev/null || true
    fail "PostgreSQL of $bin does not start"
}
socket=$folder/socket
status=0
# Before Debian's psql, which is a program in Perl that looks for the newest psql.
PATH=$(dirname "$(readlink -f "$bin/initdb")"):$PATH
COVERAGE_TEST_POSTGRES="postgres://coverage@${socket//\//%2F}" "$@" || status=$?
exit "$status"
