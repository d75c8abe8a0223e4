#!/usr/bin/env bash
# Benchmarks the overview with 5,000 repositories and three months of history, and the pages of orgs with 20,000 main branches and a year:
# whole responses, compressed, one at a time.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/bench-lib.sh
. "$repo/scripts/bench-lib.sh"

rounds=${ROUNDS:-300}
repositories=${REPOSITORIES:-5000}
orgs=${ORGS:-100}
# Milliseconds, for the median of each address.
budget=${BUDGET:-15}
# With one or two languages each, they have almost 20,000 main branches.
repositories_of_orgs=${REPOSITORIES_OF_ORGS:-16600}
budget_of_orgs=${BUDGET_OF_ORGS:-50}
budget_of_trend=${BUDGET_OF_TREND:-200}

have python3 || fail "python3 is needed to create the database"
begin_bench
mkdir "$work/server"
"$repo/scripts/seed-overview.py" "$work/server/coverage.db" "$repositories" "$orgs"
start_server "$work/server"
settle

addresses=(
    '/'
    '/?sort=coverage'
    '/?sort=change'
    '/?sort=-uploaded'
    '/?p=50'
    '/?sort=coverage&p=100'
    '/?keyword=repository-01'
    '/?keyword=repository-01&sort=change'
    '/?org_name=org-007'
    '/?org_name=org-007&sort=change'
    '/?language=rust'
    '/?language=rust&sort=coverage'
    '/?show=dropped'
    '/?show=dropped&sort=change'
    '/?show=below&sort=coverage'
    '/?show=stale&sort=-uploaded'
    '/?keyword=repo&language=go&show=below&sort=change'
    '/?keyword=nothing-of-this-name'
)

# measure ADDRESS: writes the milliseconds of each response on one connection to $work/times, without the first ones.
measure() {
    local warming=5
    for _ in $(seq $((rounds + warming))); do
        printf 'url = "%s"\noutput = "%s"\n' "$url$1" "$work/page"
    done >"$work/requests"
    curl --silent --show-error --fail --header "Accept-Encoding: br" --config "$work/requests" --write-out '%{time_total}\n' |
        tail -n +$((warming + 1)) | awk '{ printf "%.2f\n", $1 * 1000 }' | sort -n >"$work/times"
    [ "$(wc -l <"$work/times")" -eq "$rounds" ] || fail "some requests of $1 failed"
}
at() { awk -v share="$1" '{ all[NR] = $1 } END { i = int(NR * share + 0.999999); print all[i < 1 ? 1 : i] }' "$work/times"; }

# measure_all ADDRESS…: prints a line for each, and sets $slowest to the slowest median
measure_all() {
    local address middle
    printf '%8s %8s %8s  %s\n' 'median' 'p99' 'kB' "of $rounds responses, in milliseconds"
    slowest=0
    for address; do
        measure "$address"
        middle=$(median <"$work/times")
        printf '%8.2f %8.2f %8d  %s\n' "$middle" "$(at 0.99)" "$(($(stat -c %s "$work/page") / 1000))" "$address"
        slowest=$(awk -v a="$slowest" -v b="$middle" 'BEGIN { print (a > b ? a : b) }')
    done
}

measure_all "${addresses[@]}"
overview=$slowest
echo "the slowest median: $overview ms   (goal: $budget or less)"
stop_server

mkdir "$work/orgs"
"$repo/scripts/seed-overview.py" "$work/orgs/coverage.db" "$repositories_of_orgs" 200 365
start_server "$work/orgs"
settle
rounds=$((rounds / 15))
measure_all /orgs '/orgs?over=all' /orgs/org-007 /coverages-api/orgs/groups.csv
orgs=$slowest
echo "the slowest median: $orgs ms   (goal: $budget_of_orgs or less)"
from=$(date --utc --date '-330 days' +%F)
measure_all "/coverages-api/orgs/trend.csv?from=$from" "/coverages-api/orgs/trend.csv?from=$from&over=all"
echo "the slowest median: $slowest ms   (goal: $budget_of_trend or less)"
reached 'the overview' "$overview" '<=' "$budget"
reached 'a page of orgs' "$orgs" '<=' "$budget_of_orgs"
reached 'the trend of a year' "$slowest" '<=' "$budget_of_trend"
