#!/usr/bin/env bash
# Compares the static binary with the release build on glibc: an upload of a large report, several uploads at once, and requests for
# pages. Both services run at the same time, and requests alternate between them. Prints ratios: static divided by glibc.
#   STATIC=… and BINARY=… name other builds. The site comes from scripts/build.sh.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/bench-lib.sh
. "$repo/scripts/bench-lib.sh"

rounds=${ROUNDS:-9}
requests=${REQUESTS:-300}
at_once=8
glibc=$binary
static=${STATIC:-$repo/target/x86_64-unknown-linux-musl/dist/coverage-dashboard}
[ -x "$static" ] || fail "no static binary at $static: run 'make static'"
have python3 || fail "python3 is needed to send requests"
export LEPTOS_SITE_ROOT=$repo/target/site
declare -A servers urls
end_both() {
    for server in "${servers[@]}"; do stop_server; done
    tidy
}
begin_bench
trap end_both EXIT
find_report
cat "$archive" >/dev/null

for kind in glibc static; do
    binary=${!kind}
    start_server "$work/$kind"
    servers[$kind]=$server
    urls[$kind]=$url
done
server=

# timed KIND WHAT COMMAND…: adds the seconds that the command takes to a file, except in the first round.
timed() {
    local kind=$1 what=$2 start
    shift 2
    url=${urls[$kind]}
    start=$(seconds)
    "$@"
    if [ "$round" -gt 0 ]; then since "$start" >>"$work/$what-$kind"; fi
    sync
}
post_many() {
    local n uploads=()
    for n in $(seq "$at_once"); do
        post "$1-$n" &
        uploads+=($!)
    done
    for n in "${uploads[@]}"; do wait "$n"; done
}
for round in $(seq 0 "$rounds"); do
    for kind in glibc static; do
        timed "$kind" upload post "$kind-$round"
        if [ "$((round % 3))" -eq 0 ]; then timed "$kind" uploads post_many "$kind-$round"; fi
    done
    say "round $round of $rounds"
done

say "glibc: $glibc, $(wc -c <"$glibc") bytes; static: $static, $(wc -c <"$static") bytes"
echo "what                                               glibc      static   (medians)"
for what in upload uploads; do
    a=$(median <"$work/$what-glibc")
    b=$(median <"$work/$what-static")
    printf '  %-45s %8s s  %8s s    RATIO %s\n' "$what of $(basename "$archive")" "$a" "$b" "$(ratio "$b" "$a")"
done

# Prints the median milliseconds of a page from each service, and the requests per second with several connections.
python3 - "$requests" "$at_once" "${urls[glibc]}" "${urls[static]}" <<'PYTHON'
import concurrent.futures, http.client, statistics, sys, time
from urllib.parse import urlsplit

requests, at_once, *urls = sys.argv[1:]
requests, at_once = int(requests), int(at_once)
pages = ["/", "/repos/bench/bench", "/records/1", "/coverages-api/records/1/report.lcov", "/coverages-api?org_name=bench&repo_name=bench"]

def connect(url):
    return http.client.HTTPConnection(urlsplit(url).netloc)

def get(connection, page):
    began = time.perf_counter()
    connection.request("GET", page)
    answer = connection.getresponse()
    answer.read()
    return answer.status, time.perf_counter() - began

def many(url, page, count):
    connection = connect(url)
    for _ in range(count):
        get(connection, page)

for page in pages:
    # New connections, because the service closes idle ones.
    alone = [connect(url) for url in urls]
    times = [[], []]
    if {get(each, page)[0] for each in alone} != {200}:
        print(page, "is missing", file=sys.stderr)
        continue
    for _ in range(requests):
        for each, seconds in zip(alone, times):
            seconds.append(get(each, page)[1])
    medians = [statistics.median(seconds) * 1000 for seconds in times]
    spans = [[], []]
    for _ in range(3):
        for url, span in zip(urls, spans):
            began = time.perf_counter()
            with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
                list(pool.map(lambda _, url=url: many(url, page, requests // at_once), range(at_once)))
            span.append(time.perf_counter() - began)
    together = [statistics.median(span) for span in spans]
    print(f"  {page:45} {medians[0]:8.2f} ms {medians[1]:8.2f} ms   RATIO {medians[1] / medians[0]:.2f}, {at_once} at once {together[1] / together[0]:.2f}")
PYTHON

for kind in glibc static; do
    server=${servers[$kind]}
    echo "  peak memory, $kind: $(($(peak_memory) / 1024)) MiB"
done
server=
