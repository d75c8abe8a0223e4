#!/usr/bin/env bash
# Measures two instances on a PostgreSQL with a standby: each instance is restarted in turn, and the standby is promoted, while
# clients upload and read pages. It takes about two minutes (more rounds in ROUNDS=…).
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/bench-lib.sh
. "$repo/scripts/bench-lib.sh"

have python3 || fail "python3 is needed"
if [ -z "${COVERAGE_TEST_POSTGRES:-}" ]; then
    DURABLE=1 exec "$repo/scripts/with-object-storage.sh" "$repo/scripts/with-postgres.sh" "$0"
fi
begin_bench
python3 -B "$repo/scripts/failover.py" "$binary" "$work" || {
    tail -n 20 "$work"/instance-*.log >&2
    fail 'it did not end'
}
