#!/usr/bin/env bash
# Benchmarks uploads: POST of a large report against tar and sync of the same archive, and the server's peak memory.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/bench-lib.sh
. "$repo/scripts/bench-lib.sh"

rounds=${ROUNDS:-7}
uploads_at_once=64
begin_bench
find_report

# --- time: both read the archive from the page cache, and finish when their files are on the disk ---

cat "$archive" >/dev/null
sync
time_tar() {
    local folder=$work/unpacked start
    mkdir "$folder"
    start=$(seconds)
    tar -xzf "$archive" -C "$folder"
    sync -f "$folder"
    since "$start"
}
time_post() {
    local start
    start=$(seconds)
    post "$1"
    since "$start"
}

start_server "$work/timed"
for round in $(seq 0 "$rounds"); do
    tarred=$(time_tar)
    if [ "$round" -eq 0 ]; then
        files=$(find "$work/unpacked" -type f | wc -l)
        bytes=$(du --apparent-size --block-size=1 --summarize "$work/unpacked" | cut -f 1)
    fi
    # Remove files outside the measured time.
    rm -rf "$work/unpacked"
    sync
    posted=$(time_post "c$round")
    sync
    # The first round is a warm-up.
    if [ "$round" -eq 0 ]; then continue; fi
    echo "$tarred" >>"$work/tar"
    echo "$posted" >>"$work/post"
    say "round $round of $rounds: tar and sync $tarred s, POST $posted s"
done
stop_server
kept=$(du --block-size=1 --summarize "$work/timed/reports" | cut -f 1)

# --- memory, each time with a newly started server ---

# memory_of FOLDER COUNT: the growth above idle in MiB during COUNT concurrent uploads
memory_of() {
    local idle peak n uploads=()
    start_server "$1"
    curl --silent --fail --output /dev/null "$url/coverages-api/health"
    idle=$(peak_memory)
    for n in $(seq "$2"); do
        post "m$n" &
        uploads+=($!)
    done
    for n in "${uploads[@]}"; do wait "$n" || fail "some of $2 concurrent uploads created no record"; done
    peak=$(peak_memory)
    stop_server
    grown=$(awk -v a="$peak" -v b="$idle" 'BEGIN { printf "%.1f", (a - b) / 1024 }')
}
rm -rf "$work/timed"
memory_of "$work/one" 1
memory_of_one=$grown
memory_of "$work/many" "$uploads_at_once"
memory_of_many=$grown

# --- paths: 20,000 files of a coverage file, 200,000 files of the repository, and 20 sources ---

uploaded="$(basename "$archive"): $(stat -c %s "$archive")"
mkdir "$work/coverage"
awk -v folder="$work" 'BEGIN {
    report = folder "/coverage/coverage.xml"
    print "<coverage line-rate=\"1\"><sources>" >report
    for (n = 0; n < 20; n++) print "<source>/home/runner/work/r/r/source" n "</source>" >report
    print "</sources><packages><package name=\"p\"><classes>" >report
    for (n = 0; n < 200000; n++) {
        path = "src" n % 24 "/lib" n % 97 "/part" n % 31 "/file" n ".rs"
        printf "%s%c", path, 0 >(folder "/list")
        if (n % 10 == 0) print "<class name=\"c\" filename=\"" path "\"><lines><line number=\"1\" hits=\"1\"/></lines></class>" >report
    }
    print "</classes></package></packages></coverage>" >report
}'
archive=$work/paths.tar.gz coverage_file=coverage.xml
tar -czf "$archive" -C "$work/coverage" .
start_server "$work/timed"
for round in $(seq 0 "$rounds"); do
    for kind in alone listed; do
        more_forms=()
        [ "$kind" = alone ] || more_forms=(--form "paths=@$work/list")
        took=$(time_post "$kind$round")
        [ "$round" -eq 0 ] || echo "$took" >>"$work/$kind"
    done
done
stop_server
more_forms=()
memory_of "$work/alone-memory" 1
memory_alone=$grown
more_forms=(--form "paths=@$work/list")
memory_of "$work/listed-memory" 1
of_paths=$(awk -v a="$(median <"$work/listed")" -v b="$(median <"$work/alone")" 'BEGIN { printf "%.2f", a - b }')
memory_of_paths=$(awk -v a="$grown" -v b="$memory_alone" 'BEGIN { printf "%.1f", a - b }')

tarred=$(median <"$work/tar")
posted=$(median <"$work/post")
cat <<END
upload of $uploaded bytes, $files files of $bytes bytes
  tar -xzf and sync        $tarred s   (median of $rounds)
  POST                     $posted s
  RATIO                    $(ratio "$posted" "$tarred")        (goal: 0.7 or less)
  disk                     $((kept / (rounds + 1))) bytes for each report
  memory above idle        $memory_of_one MiB for one upload (goal: under 64), $memory_of_many MiB for $uploads_at_once at once
20,000 files against 200,000 paths, in 20 sources
  more time                $of_paths s   (goal: under 1)
  more memory              $memory_of_paths MiB   (goal: under 100)
END
reached 'the seconds of paths' "$of_paths" '<' 1
reached 'the memory of paths in MiB' "$memory_of_paths" '<' 100
reached 'the ratio of an upload' "$(ratio "$posted" "$tarred")" '<=' 0.7
reached 'the memory of one upload in MiB' "$memory_of_one" '<' 64
