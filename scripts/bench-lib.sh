# shellcheck shell=bash
# Functions for the benchmarks of the service: start a server, make a report to upload, compute medians.
# Sourced after lib.sh.

binary=${BINARY:-$repo/target/release/coverage-dashboard}
# shellcheck disable=SC2034 # used by the scripts that source this
token=bench-token
server=
url=

stop_server() {
    if [ -z "$server" ]; then return 0; fi
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    server=
}
end_bench() {
    stop_server
    tidy
}

# $work is on the disk of the repository, because a temporary folder may be in memory.
begin_bench() {
    [ -x "$binary" ] || fail "no release build at $binary: run 'make build', or set BINARY=…"
    have curl || fail "curl is needed"
    mkdir -p "$repo/target"
    work=$(mktemp -d "$repo/target/bench.XXXXXX")
    trap end_bench EXIT
}

# start_server FOLDER [DATABASE_URL]: starts the server on a free port and sets $url. By default the database is in the folder.
start_server() {
    mkdir -p "$1"
    : >"$1/stdout"
    RUST_LOG=warn "$binary" serve --addr 127.0.0.1:0 --database-url "${2:-sqlite://$1/coverage.db}" --reports-url "$1/reports" \
        --upload-token "$token" >"$1/stdout" 2>"$1/log" &
    server=$!
    for _ in $(seq 100); do
        url=$(grep -oEm 1 'http://127\.0\.0\.1:[0-9]+' "$1/stdout" || true)
        if [ -n "$url" ]; then return; fi
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    cat "$1/log" >&2
    fail "$binary does not start"
}

# Waits until the service has done what it does at its start and once a day: the seeds leave the values of today to it.
settle() {
    local before after
    for _ in $(seq 300); do
        before=$(processor_time)
        sleep 1
        after=$(processor_time)
        if [ $((after - before)) -le 2 ]; then return; fi
    done
    fail "the service works in the background for over five minutes"
}
# The processor time of the server, in hundredths of a second.
processor_time() { awk '{ print $14 + $15 }' "/proc/$server/stat"; }

# Sets $archive, and $coverage_file to the name of its coverage file.
find_report() {
    archive=${COVERAGE_SAMPLE_REPORTS:-}/py-large-sympy.tar.gz
    coverage_file=coverage.xml
    if [ -e "$archive" ]; then
        say "a real report: $(basename "$archive")"
        return
    fi
    say "COVERAGE_SAMPLE_REPORTS has no py-large-sympy.tar.gz: a generated report replaces it"
    archive=$work/generated.tar.gz
    mkdir -p "$work/generated/html"
    awk -v folder="$work/generated" 'BEGIN {
        files = 3000; lines = 400; srand(1)
        for (f = 1; f <= files; f++) {
            page = folder "/html/file" f ".html"; hit = 0
            print "<!doctype html><meta charset=utf-8><title>file " f "</title><pre>" >page
            for (i = 1; i <= lines; i++) {
                on = rand() < 0.7; hit += on; total += on
                printf "<p class=\"%s\"><a href=\"#t%d\">%d</a> value_%d = compute(%d, \"%x\")</p>\n", on ? "run" : "mis", i, i, int(rand() * 999), i, rand() * 1e9 >page
            }
            print "</pre>" >page; close(page)
            classes = classes "<class name=\"c" f "\" filename=\"src/file" f ".py\" line-rate=\"" hit / lines "\"><lines><line number=\"1\" hits=\"1\"/></lines></class>\n"
            index_page = index_page "<li><a href=\"file" f ".html\">file" f "</a>"
        }
        print "<!doctype html><title>Coverage</title><ul>" index_page >(folder "/html/index.html")
        print "<?xml version=\"1.0\"?>\n<coverage line-rate=\"" total / files / lines "\" lines-covered=\"" total "\" lines-valid=\"" files * lines \
            "\" version=\"1\" timestamp=\"0\"><packages><package name=\"src\"><classes>\n" classes "</classes></package></packages></coverage>" >(folder "/coverage.xml")
    }'
    tar -czf "$archive" -C "$work/generated" .
    rm -rf "$work/generated"
}

# Further parts of the form of an upload, as arguments of curl.
more_forms=()
# post COMMIT: uploads the report as a new commit; the response goes to $work/answer-COMMIT; fails unless a record is created
post() {
    local status answer=$work/answer-$1
    status=$(curl --silent --show-error --output "$answer" --write-out '%{http_code}' --header "Authorization: Bearer $token" --form "file=@$archive" "${more_forms[@]}" \
        "$url/coverages-api?org_name=bench&repo_name=bench&branch_name=main&commit_hash=$1&commit_author=bench&language=python&coverage_xml_file_name=$coverage_file")
    [ "$status" = 201 ] || fail "the status of an upload is $status: $(head -c 400 "$answer")"
}

# Prints the median of the numbers on standard input, one per line.
median() { sort -n | awk '{ all[NR] = $1 } END { print NR % 2 ? all[(NR + 1) / 2] : (all[NR / 2] + all[NR / 2 + 1]) / 2 }'; }
# ratio A B: A divided by B
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f\n", a / b }'; }
# reached WHAT VALUE '<=' GOAL (or '>='): fails the benchmark if the goal is missed
reached() { awk -v value="$2" -v goal="$4" "BEGIN { exit !(value $3 goal) }" || fail "$1: $2 is not $3 $4"; }
seconds() { date +%s.%N; }
# since START: the seconds since then
since() { awk -v from="$1" -v to="$(seconds)" 'BEGIN { printf "%.3f\n", to - from }'; }
# The peak memory of the server, in KiB.
peak_memory() { awk '/^VmHWM:/ { print $2 }' "/proc/$server/status"; }
