#!/usr/bin/env bash
# Benchmarks trends: reading, thinning and drawing a chart of 100,000 records, against a chart of 100.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/bench-lib.sh
. "$repo/scripts/bench-lib.sh"

records=${RECORDS:-100000}
rounds=${ROUNDS:-21}
goal_ms=${GOAL_MS:-20}

have python3 || fail "python3 is needed to create a history"
begin_bench

# The server creates the tables; the history is inserted while it is stopped.
start_server "$work/trend"
stop_server
python3 - "$work/trend/coverage.db" "$records" <<'END'
import random, sqlite3, sys, time

database, records = sqlite3.connect(sys.argv[1]), int(sys.argv[2])
DAY, now = 86_400 * 1_000_000, int(time.time() * 1_000_000)
random.seed(1)
database.execute("insert into repositories (id, org_name, repo_name, created_at) values (1, 'bench', 'bench', 0)")
for branch, (name, count) in enumerate([("long", records), ("short", 100)], 1):
    database.execute("insert into branches (id, repository_id, name, record_count) values (?, 1, ?, ?)", (branch, name, count))
    percentage, step, rows = 8_000, 1_000 * DAY // count, []
    for n in range(count):
        percentage = min(10_000, max(0, percentage + random.randint(-9, 9)))
        at = now - (count - 1 - n) * step
        rows.append((branch, "%040x" % random.getrandbits(160), percentage, "%032x" % random.getrandbits(128), at, at, None if n == count - 1 else at + step))
    database.executemany(
        "insert into records (repository_id, branch_id, language, commit_hash, commit_author, percentage_basis_points, lines_covered,"
        " lines_total, report_format, report_key, report_start_page, created_at, updated_at, superseded_at)"
        " values (1, ?, 'rust', ?, 'Ada Lovelace', ?, 32000, 40000, 'cobertura', ?, 'index.html', ?, ?, ?)",
        rows,
    )
# Releases with this column store the main branch in the repository's row.
if any(column[1] == "main_branch_id" for column in database.execute("pragma table_info (repositories)")):
    database.execute("update repositories set main_branch_id = 1")
# A trigger of releases with `trend_spans` counts the spans, as with the next upload.
database.execute("update branches set record_count = record_count")
database.commit()
END
start_server "$work/trend"

# milliseconds PATH: the median time of the whole response
milliseconds() {
    for _ in $(seq "$rounds"); do
        curl --silent --fail --output "$work/answer" --write-out '%{time_total}\n' "$url$1" || fail "the request of $1 failed"
    done | median | awk '{ printf "%.1f\n", $1 * 1000 }'
}
of="org_name=bench&repo_name=bench&branch_name"
long=$(milliseconds "/coverages-api/trend.svg?$of=long&range=all")
grep -q polyline "$work/answer" || fail "the chart has no line"
short=$(milliseconds "/coverages-api/trend.svg?$of=short&range=all")
page=$(milliseconds "/repos/bench/bench?branch_name=long&compare=-&range=all")
printf 'trend of %s records: %s ms, of 100 records: %s ms, ratio %s; the whole page: %s ms\n' \
    "$records" "$long" "$short" "$(ratio "$long" "$short")" "$page"
reached "the milliseconds of a trend" "$long" '<=' "$goal_ms"
for range in all 12m 6m 3m 30d; do
    points=$(milliseconds "/coverages-api/trend?$of=long&range=$range")
    printf 'its points, range=%s: %s ms\n' "$range" "$points"
    reached "the milliseconds of the points of $range" "$points" '<=' "$goal_ms"
done
