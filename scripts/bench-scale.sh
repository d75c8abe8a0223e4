#!/usr/bin/env bash
# Measures the constants of docs/src/scale.md on PostgreSQL: what an upload stores, and pages and uploads with ten million records
# of 100,000 repositories against 100,000 records of 1,000. It takes about 10 minutes and 25 GB.
#
#   RECORDS=1000000 REPOSITORIES=10000   another large database
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/bench-lib.sh
. "$repo/scripts/bench-lib.sh"

records=${RECORDS:-10000000}
repositories=${REPOSITORIES:-100000}
rounds=${ROUNDS:-15}

if [ -z "${COVERAGE_TEST_POSTGRES:-}" ]; then DURABLE=1 exec "$repo/scripts/with-postgres.sh" "$0"; fi
begin_bench

query() { psql "$1" -qXAtF $'\t' -c "$2"; }

new_database() {
    psql "$COVERAGE_TEST_POSTGRES/postgres" -qXc "create database $1"
    database=$COVERAGE_TEST_POSTGRES/$1
}

# The milliseconds of CPU that the server has used.
cpu() { awk -v hertz="$(getconf CLK_TCK)" '{ print ($14 + $15) * 1000 / hertz }' "/proc/$server/stat"; }

# The size of each table in bytes, with its indexes: one line each.
sizes() {
    query "$database" "
        select relname, pg_total_relation_size(oid) from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname"
}

# per NAME ARCHIVE COVERAGE_FILE UPLOADS: the costs of one upload, as the mean of this many commits
per() {
    local cpu_before wal_before started commit uploads=$4
    new_database "per_$1"
    start_server "$work/per-$1" "$database"
    archive=$2
    coverage_file=$3
    post first
    query "$database" checkpoint
    sizes >"$work/before"
    cpu_before=$(cpu)
    wal_before=$(query "$database" 'select pg_current_wal_lsn()')
    started=$(seconds)
    for commit in $(seq "$uploads"); do post "$commit"; done
    printf '\n%s: %s bytes\n' "$1" "$(stat -c %s "$archive")"
    each() { awk -v what="$1" -v all="$2" -v n="$uploads" 'BEGIN { printf "  %-34s %14.1f\n", what, all / n }'; }
    each 'milliseconds' "$(awk -v s="$(since "$started")" 'BEGIN { print s * 1000 }')"
    each 'milliseconds of CPU in the service' "$(awk -v a="$(cpu)" -v b="$cpu_before" 'BEGIN { print a - b }')"
    each 'bytes of write-ahead log' "$(query "$database" "select pg_wal_lsn_diff(pg_current_wal_lsn(), '$wal_before')")"
    each 'bytes of HTML report' "$(($(du --bytes --summarize "$work/per-$1/reports" | cut -f1) * uploads / (uploads + 1)))"
    sizes | paste "$work/before" - | while IFS=$'\t' read -r table before _ after; do
        if [ "$after" != "$before" ]; then each "bytes of $table" "$((after - before))"; fi
    done
    query "$database" "select '  coverable lines', coverable, 'bytes of lines', octet_length(lines) from record_lines limit 1"
    stop_server
}

# request URL: the milliseconds of one request
request() {
    curl --silent --fail --output /dev/null --write-out '%{time_total}\n' --header 'Accept-Encoding: gzip' "$1" |
        awk '{ printf "%.1f\n", $1 * 1000 }' || fail "$1 failed"
}

# upload_to ORG REPO COMMIT: the milliseconds of an upload of a small report
upload_to() {
    curl --silent --fail --output /dev/null --write-out '%{time_total}\n' --header "Authorization: Bearer $token" --form "file=@$small" \
        "$url/coverages-api?org_name=$1&repo_name=$2&branch_name=main&commit_hash=$3&commit_author=Kim&language=rust&coverage_xml_file_name=coverage.info" |
        awk '{ printf "%.1f\n", $1 * 1000 }'
}

# together ORGS: uploads per second of small reports on 8 connections, of 8 repositories in this many orgs
together() {
    local started uploads=800
    started=$(seconds)
    for n in $(seq "$uploads"); do echo "org-$((n % $1)) together-$((n % 8)) together-$1-$n"; done |
        xargs -P 8 -n 3 bash -c 'upload_to "$@" >/dev/null' _ || fail 'an upload failed'
    awk -v n="$uploads" -v s="$(since "$started")" 'BEGIN { printf "%.0f\n", n / s }'
}

# measure NAME RECORDS REPOSITORIES ORGS: a line for each request: name, milliseconds of the first answer, median of the next ones
measure() {
    local started number=$(($3 / 2)) org path first
    new_database "scale_$1"
    # The first start creates the tables.
    start_server "$work/scale-$1" "$database"
    stop_server
    say "creating $2 records of $3 repositories"
    started=$(seconds)
    psql "$database" -qX -v records="$2" -v repositories="$3" -v orgs="$4" -f "$repo/scripts/seed-scale.sql" >"$work/seed.log" 2>&1 ||
        fail "$(tail -n 5 "$work/seed.log")"
    # The days and sums of orgs, as the migrations that created their tables fill them.
    sed -n '/^insert into main_/,/;$/p' "$repo"/migrations/postgres/{0011_org_days,0013_main_repositories}.sql |
        psql "$database" -qX -v ON_ERROR_STOP=1 >>"$work/seed.log" 2>&1 || fail "$(tail -n 5 "$work/seed.log")"
    say "created in $(since "$started") s"
    start_server "$work/scale-$1" "$database"
    org=org-$((number % $4))
    for path in / "/?sort=coverage&p=10" '/?keyword=repo-7' "/orgs/$org" /orgs "/repos/$org/repo-$number" "/records/$(($2 / 2))" /storage '/coverages-api' \
        "/coverages-api?full&p=$(($2 / 200))" "/coverages-api?org_name=$org&repo_name=repo-$number&full" \
        "/coverages-api/badge?org_name=$org&repo_name=repo-$number" '/coverages-api/search?q=repo-77' /metrics; do
        first=$(request "$url$path")
        printf '%s\t%s\t%s\n' "$(sed -E 's/org-[0-9]+/ORG/; s/repo-[0-9]{2,}/REPO/; s/[0-9]{4,}/N/' <<<"$path")" "$first" \
            "$(for _ in $(seq "$rounds"); do request "$url$path"; done | median)"
    done
    first=$(upload_to "$org" "repo-$number" new)
    printf 'upload\t%s\t%s\n' "$first" "$(for commit in $(seq "$rounds"); do upload_to "$org" "repo-$number" "new-$commit"; done | median)"
    export -f upload_to fail
    export token small url
    printf 'uploads at once per second, one org\t-\t%s\n' "$(together 1)"
    printf 'uploads at once per second, 8 orgs\t-\t%s\n' "$(together 8)"
    printf 'memory of the service, MiB\t-\t%s\n' "$(($(peak_memory) / 1024))"
    stop_server
    query "$database" "
        select 'bytes of a record, without indexes', '-', pg_table_size('records') / count(*) from records
        union all select 'bytes of a record, with indexes', '-', pg_total_relation_size('records') / count(*) from records
        union all select 'database, MB', '-', pg_database_size(current_database()) / 1000000"
}

mkdir "$work/small-report"
echo '<!doctype html><title>report</title>' >"$work/small-report/index.html"
printf 'SF:src/fee.c\nDA:1,1\nDA:2,0\nend_of_record\n' >"$work/small-report/coverage.info"
small=$work/small.tar.gz
tar -czf "$small" -C "$work/small-report" .

per small "$small" coverage.info 500
find_report
per large "$archive" "$coverage_file" 20

measure small 100000 1000 20 >"$work/small.tsv"
measure large "$records" "$repositories" 2000 >"$work/large.tsv"
printf '\n%-52s %21s %21s\n%-52s %10s %10s %10s %10s %8s\n' '' "100,000 records" "$records records" \
    'milliseconds' first median first median ratio
paste "$work/small.tsv" "$work/large.tsv" | while IFS=$'\t' read -r what first median _ large_first large_median; do
    printf '%-52s %10s %10s %10s %10s %8s\n' "$what" "$first" "$median" "$large_first" "$large_median" "$(ratio "$large_median" "$median")"
done
