#!/usr/bin/env bash
# Benchmarks a long run: uploads, pages, lists and exports for an hour, and the memory of the service at its beginning and its end.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/bench-lib.sh
. "$repo/scripts/bench-lib.sh"

duration=${DURATION:-3600}
# Caches and pools of connections fill in this time.
warming=${WARMING:-300}
# With the large report, an hour uploads over 200 MB.
between_large=300
begin_bench
find_report
large=$archive large_file=$coverage_file

mkdir "$work/small"
awk -v file="$work/small/lcov.info" 'BEGIN {
    for (f = 0; f < 200; f++) {
        print "SF:src/file" f ".rs" >file
        for (n = 1; n <= 300; n++) print "DA:" n "," n * f % 7 >file
        print "end_of_record" >file
    }
}'
tar -czf "$work/small.tar.gz" -C "$work/small" .

memory() { awk '/^VmRSS:/ { print $2 / 1024 }' "/proc/$server/status"; }
read_page() { curl --silent --show-error --fail --location --compressed --output "$work/page" "$url$1" || fail "$1 failed"; }
export_all() {
    "$binary" export --lines --database-url "sqlite://$work/server/coverage.db" >"$work/exported" 2>"$work/export.log" || fail "the export failed"
}

start_server "$work/server"
begin=$SECONDS next_large=0 next_minute=0 uploads=0 large_uploads=0 pages=0 started=
while [ $((SECONDS - begin)) -lt "$duration" ]; do
    passed=$((SECONDS - begin))
    if [ "$passed" -ge "$next_large" ]; then
        archive=$large coverage_file=$large_file
        post "large$passed"
        export_all
        large_uploads=$((large_uploads + 1)) next_large=$((passed + between_large))
    fi
    archive=$work/small.tar.gz coverage_file=lcov.info
    post "c$uploads"
    uploads=$((uploads + 1))
    id=$(grep -oEm 1 '"id":[0-9]+' "$work/answer-c$((uploads - 1))" | head -n 1 | cut -d : -f 2)
    rm "$work/answer-c$((uploads - 1))"
    for address in / /orgs /orgs/bench /repos/bench/bench "/records/$id" "/records/$id/source?path=src/file7.rs" /uploads \
        '/coverages-api?per_page=100' '/coverages-api/trend.svg?org_name=bench&repo_name=bench' /coverages-api/orgs/groups.csv; do
        read_page "$address"
        pages=$((pages + 1))
    done
    if [ -z "$started" ] && [ "$passed" -ge "$warming" ]; then started=$(memory); fi
    if [ "$passed" -ge "$next_minute" ]; then
        say "$((passed / 60)) min: $(memory) MiB, $uploads uploads"
        next_minute=$((passed + 60))
    fi
    sleep 0.5
done
ended=$(memory)
grown=$(awk -v a="$ended" -v b="$started" 'BEGIN { printf "%.1f", a - b }')
cat <<END
$((duration / 60)) minutes: $uploads small and $large_uploads large uploads of $(stat -c %s "$large") bytes, $large_uploads exports, $pages pages and lists
  memory after $((warming / 60)) min    $started MiB
  memory at the end     $ended MiB
  grown                 $grown MiB   (goal: 10 or less)
END
reached 'the growth of the memory in MiB' "$grown" '<=' 10
