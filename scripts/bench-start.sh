#!/usr/bin/env bash
# Benchmarks a start: from exec to the first 200 of /coverages-api/health, with a million records in the database.
# DATABASE=… uses an existing database: the file of a SQLite database, or a URL.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/bench-lib.sh
. "$repo/scripts/bench-lib.sh"

rounds=${ROUNDS:-5}
records=${RECORDS:-1000000}
# Milliseconds, for the median.
budget=${BUDGET:-15}

have python3 || fail "python3 is needed to create the database and to measure"
begin_bench
database=${DATABASE:-}
if [ -z "$database" ]; then
    say "writing a database (DATABASE=… uses an existing one)"
    start_server "$work"
    stop_server
    database=sqlite://$work/coverage.db
    "$repo/scripts/seed-records.py" "$database" "$records"
fi
case $database in
*://*) ;;
*) database=sqlite://$database ;;
esac

# start: prints the milliseconds of one start, and stops the server cleanly. It sends a request every millisecond until one succeeds.
start() {
    python3 - "$binary" "$database" "$work" <<'PYTHON'
import http.client, os, socket, subprocess, sys, time

binary, database, work = sys.argv[1:]
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
arguments = ["serve", "--addr", f"127.0.0.1:{port}", "--database-url", database, "--reports-url", f"{work}/reports", "--upload-token", "bench"]
log = open(f"{work}/log", "w")
began = time.monotonic()
server = subprocess.Popen([binary, *arguments], stdout=subprocess.DEVNULL, stderr=log, env={**os.environ, "RUST_LOG": "warn"})
try:
    while True:
        if server.poll() is not None:
            sys.exit(f"the server did not start: {open(log.name).read()}")
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
            connection.request("GET", "/coverages-api/health")
            status = connection.getresponse().status
            took = time.monotonic() - began
            connection.close()
            if status == 200:
                break
        except ConnectionError:
            pass
        time.sleep(0.001)
finally:
    server.terminate()
    server.wait()
print(f"{took * 1000:.1f}")
PYTHON
}

say "the first start, which may run migrations: $(start) ms"
for _ in $(seq "$rounds"); do start; done | sort -n >"$work/times"
middle=$(median <"$work/times")
echo "from exec to the first response, of $rounds starts: best $(head -n 1 "$work/times") ms, median $middle ms   (goal: $budget or less)"
reached 'the median of a start' "$middle" '<=' "$budget"
