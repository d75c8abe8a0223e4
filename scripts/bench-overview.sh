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

# measure_all FOLDER ADDRESS…: prints a line for each, and sets $slowest and $slowest_changed to the slowest median, and to the slowest after a change
measure_all() {
    local database=sqlite://$1/coverage.db
    shift
    printf '%8s %8s %8s %8s  %s\n' 'median' 'p99' 'changed' 'kB' "of $rounds responses, in milliseconds; \"changed\" is the median if the database changed before each response"
    "$repo/scripts/measure-pages.py" --addresses "$url" "$database" "$rounds" "$@" | tee "$work/measured"
    read -r slowest slowest_changed <<<"$(awk '{ a = $1 > a ? $1 : a; b = $3 > b ? $3 : b } END { print a, b }' "$work/measured")"
}

measure_all "$work/server" "${addresses[@]}"
overview=$slowest
overview_changed=$slowest_changed
echo "the slowest medians: $overview and $overview_changed ms   (goal: $budget or less)"
stop_server

mkdir "$work/orgs"
"$repo/scripts/seed-overview.py" "$work/orgs/coverage.db" "$repositories_of_orgs" 200 365
start_server "$work/orgs"
settle
rounds=$((rounds / 15))
measure_all "$work/orgs" /orgs '/orgs?over=all' /orgs/org-007 /coverages-api/orgs/groups.csv
orgs=$slowest_changed
echo "the slowest median: $orgs ms   (goal: $budget_of_orgs or less)"
from=$(date --utc --date '-330 days' +%F)
measure_all "$work/orgs" "/coverages-api/orgs/trend.csv?from=$from" "/coverages-api/orgs/trend.csv?from=$from&over=all"
trend=$slowest_changed
echo "the slowest median: $trend ms   (goal: $budget_of_trend or less)"
reached 'the overview' "$overview" '<=' "$budget"
reached 'the overview after a change' "$overview_changed" '<=' "$budget"
reached 'a page of orgs' "$orgs" '<=' "$budget_of_orgs"
reached 'the trend of a year' "$trend" '<=' "$budget_of_trend"
