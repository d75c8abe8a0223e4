#!/usr/bin/env bash
# Benchmarks the lines of a large report: answers about one file and about a change, and their memory. Then answers about the tests of a
# line, in a record of 464 tests.
#
#   BEFORE=…   another build of the service, such as one that keeps no lines: uploads to both, alternately
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/bench-lib.sh
. "$repo/scripts/bench-lib.sh"

rounds=${ROUNDS:-15}
begin_bench
find_report

start_server "$work/lines"
post first
id=$(sed -E 's/.*"coverage":\{"id":([0-9]+).*/\1/' "$work/answer-first")
post second
head=$(sed -E 's/.*"coverage":\{"id":([0-9]+).*/\1/' "$work/answer-second")
files=$(curl --silent --fail "$url/coverages-api/records/$id/report.lcov" | tee "$work/report.lcov" | grep -c '^SF:')
stop_server

# A new start, so that only the answers cause the peak of the memory.
start_server "$work/lines"
curl --silent --fail --output /dev/null "$url/coverages-api/health"
idle=$(peak_memory)
sed -n 's/^SF://p' "$work/report.lcov" | awk -v every="$((files / rounds))" 'NR % every == 0' | head -n "$rounds" >"$work/paths"
milliseconds=$(while read -r path; do
    curl --silent --fail --output /dev/null --write-out '%{time_total}\n' --get --data-urlencode "path=$path" "$url/coverages-api/records/$id/lines"
done <"$work/paths" | median | awk '{ printf "%.1f", $1 * 1000 }')
memory=$(awk -v a="$(peak_memory)" -v b="$idle" 'BEGIN { printf "%.1f", (a - b) / 1024 }')
stop_server

# The request names the base, so the explanation is computed each time.
start_server "$work/lines"
curl --silent --fail --output /dev/null "$url/coverages-api/health"
idle=$(peak_memory)
explained=$(for _ in $(seq "$rounds"); do
    curl --silent --fail --output /dev/null --write-out '%{time_total}\n' "$url/coverages-api/records/$id/explanation?base=$head"
done | median | awk '{ printf "%.1f", $1 * 1000 }')
memory_explained=$(awk -v a="$(peak_memory)" -v b="$idle" 'BEGIN { printf "%.1f", (a - b) / 1024 }')
stop_server
printf 'an explanation of %s files: %s ms (median), %s MiB above idle\n' "$files" "$explained" "$memory_explained"
printf 'lines of one of %s files: %s ms (median), %s MiB above idle\n' "$files" "$milliseconds" "$memory"

if [ -n "${BEFORE:-}" ]; then
    now=$binary
    for round in $(seq 0 "$rounds"); do
        for build in now before; do
            if [ "$build" = now ]; then binary=$now; else binary=$BEFORE; fi
            rm -rf "${work:?}/$build"
            start_server "$work/$build"
            post warm
            sync
            start=$(seconds)
            post measured
            if [ "$round" -gt 0 ]; then since "$start" >>"$work/times-$build"; fi
            stop_server
        done
    done
    now=$(median <"$work/times-now")
    before=$(median <"$work/times-before")
    printf 'an upload: %s s, with the other build %s s, ratio %s\n' "$now" "$before" "$(ratio "$now" "$before")"
    reached 'the ratio of an upload' "$(ratio "$now" "$before")" '<=' 1.15
fi

# As many tests, files and pairs of a line and a test as in a library of 1,600 lines.
mkdir "$work/tested"
awk 'BEGIN {
    for (t = 0; t < 464; t++) {
        print "TN:tests/test_module_" int(t / 29) ".py::test_case_" t "[value-" t * 37 % 100 "]"
        for (f = t % 2; f < 16; f += 2) {
            print "SF:src/module_" f ".py"
            for (l = 1; l <= 100; l++) print "DA:" l "," ((int(l / 10) + int(t / 29) + f) % 3 > 0)
            print "end_of_record"
        }
    }
}' >"$work/tested/lcov.info"
archive=$work/tested.tar.gz
coverage_file=lcov.info
tar -czf "$archive" -C "$work/tested" lcov.info
start_server "$work/tested"
post tested
id=$(sed -E 's/.*"coverage":\{"id":([0-9]+).*/\1/' "$work/answer-tested")
about=$url/coverages-api/records/$id/tests?path=src/module_3.py
tests=$(curl --silent --fail "$about&line=20" | sed -E 's/.*"of":([0-9]+).*/\1/')
tested=$(for line in $(seq "$rounds"); do
    curl --silent --fail --output /dev/null --write-out '%{time_total}\n' "$about&line=$((line * 6))"
done | median | awk '{ printf "%.1f", $1 * 1000 }')
stop_server
printf 'the tests of a line, in a record of %s tests: %s ms (median)\n' "$tests" "$tested"

reached 'the milliseconds of lines' "$milliseconds" '<' 10
reached 'the memory of lines in MiB' "$memory" '<' 16
reached 'the milliseconds of the tests of a line' "$tested" '<' 10
reached 'the milliseconds of an explanation' "$explained" '<' 30
reached 'the memory of an explanation in MiB' "$memory_explained" '<' 32
