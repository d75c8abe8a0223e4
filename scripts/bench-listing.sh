#!/usr/bin/env bash
# Benchmarks pages over long histories: the listing and the dashboard with 1,000, 100,000 and 1,000,000 records, on each engine.
#
#   RECORDS="1000 100000"   other numbers of records
#   ENGINES=sqlite          one engine only
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/bench-lib.sh
. "$repo/scripts/bench-lib.sh"
# shellcheck source=scripts/bench-nginx.sh
. "$repo/scripts/bench-nginx.sh"

sizes=${RECORDS:-1000 100000 1000000}
engines=${ENGINES:-sqlite postgres}
read -r smallest _ <<<"$sizes"
largest=${sizes##* }
rounds=${ROUNDS:-3}
seconds_each=${SECONDS_EACH:-5}
connections=32

have python3 || fail "python3 is needed to create the databases and to measure"
if [[ $engines == *postgres* && -z ${COVERAGE_TEST_POSTGRES:-} ]]; then
    DURABLE=1 exec "$repo/scripts/with-postgres.sh" "$0"
fi
need_nginx_and_wrk
begin_bench
trap 'stop_nginx; end_bench' EXIT
mkdir "$work/www"

# database_for ENGINE SIZE: its URL, the same for each pair
database_for() {
    case $1 in
    sqlite) echo "sqlite://$work/$1-$2/coverage.db" ;;
    postgres) echo "$COVERAGE_TEST_POSTGRES/bench_$2" ;;
    esac
}

# compare ENGINE: measures page 1 of the smallest and the largest database alternately. The server of the largest must be running.
compare() (
    large_url=$url
    small_database=$(database_for "$1" "$smallest")
    trap stop_server EXIT
    start_server "$work/$1-$smallest" "$small_database"
    "$repo/scripts/measure-pages.py" --compare "$url" "$small_database" "$large_url" "$(database_for "$1" "$largest")" >"$work/compared-$1"
)

header='%-9s %9s  %-34s %9s %9s %9s\n'
# shellcheck disable=SC2059 # the format is ours
printf "$header" engine records 'page' 'p50 ms' 'p99 ms' 'requests/s' | tee "$work/table"
missed=0
for engine in $engines; do
    for size in $sizes; do
        folder=$work/$engine-$size
        database=$(database_for "$engine" "$size")
        if [ "$engine" = postgres ]; then psql "$COVERAGE_TEST_POSTGRES/postgres" -qXc "create database bench_$size"; fi
        # The first start creates the tables.
        start_server "$folder" "$database"
        stop_server
        "$repo/scripts/seed-records.py" "$database" "$size"
        start_server "$folder" "$database"
        "$repo/scripts/measure-pages.py" "$url" "$database" "$size" >"$work/measured"
        curl --silent --fail --output "$work/www/page.json" "$url/coverages-api"
        start_nginx "$work/www" page.json
        : >"$work/rates-ours"
        : >"$work/rates-nginx"
        for _ in $(seq "$rounds"); do
            rate "$nginx_url/page.json" >>"$work/rates-nginx"
            rate "$url/coverages-api" >>"$work/rates-ours"
        done
        stop_nginx
        if [ "$size" = "$largest" ]; then compare "$engine"; fi
        stop_server
        ours=$(median <"$work/rates-ours")
        theirs=$(median <"$work/rates-nginx")
        while IFS=$'\t' read -r what p50 p99 rate; do
            if [ "$what" = 'page 1, cached' ]; then rate=$ours; fi
            # shellcheck disable=SC2059
            printf "$header" "$engine" "$size" "$what" "$p50" "$p99" "$rate"
        done <"$work/measured" | tee -a "$work/table"
        if [ "$size" = "$largest" ]; then
            echo "$engine $(awk -F '\t' '$1 == "page 1, after a change" { print $2 }' "$work/measured") \
$(awk -F '\t' '$1 ~ /^the last page/ { print $2 }' "$work/measured") $ours $theirs" >>"$work/ratios"
        fi
        if [ "$size" != "$smallest" ]; then rm -rf "$folder"; fi
    done
done

echo
echo 'Ratios, each within one run:'
# goal WHAT VALUE OPERATOR GOAL
goal() {
    local verdict=reached
    awk -v value="$2" -v goal="$4" "BEGIN { exit !(value $3 goal) }" || verdict=MISSED
    if [ "$verdict" = MISSED ]; then missed=1; fi
    printf '  %-78s %7s   (goal: %s %s, %s)\n' "$1" "$2" "$3" "$4" "$verdict"
}
for engine in $engines; do
    read -r _ first deep ours theirs <<<"$(grep "^$engine " "$work/ratios")"
    while read -r state small large; do
        case $state in
        cached) goal "$engine: page 1, cached, p50 at $largest records against $smallest" "$(ratio "$large" "$small")" '<=' 1.2 ;;
        # The first reader after an upload waits for this page. In a large database its rows are further apart, but the time is bounded.
        changed) goal "$engine: page 1 after a change, p50 at $largest records against $smallest" "$(ratio "$large" "$small")" '<=' 2 ;;
        esac
    done <"$work/compared-$engine"
    goal "$engine: the last page of $largest records against page 1, p50, both after a change" "$(ratio "$deep" "$first")" '<=' 3
    goal "$engine: page 1 of $largest records against nginx and a file, requests/s" "$(ratio "$ours" "$theirs")" '>=' 0.7
done
[ "$missed" -eq 0 ] || fail "a goal was missed"
