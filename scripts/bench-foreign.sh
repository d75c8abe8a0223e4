#!/usr/bin/env bash
# Benchmarks an upload of codecov-cli: its call and its body against a native upload of the same coverage file, in time and memory.
#
# The script sends what codecov-cli 11 sends, with curl, so that the time is the service's.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/bench-lib.sh
. "$repo/scripts/bench-lib.sh"

rounds=${ROUNDS:-7}
begin_bench
have python3 || fail "python3 is needed"
export ACCEPT=codecov

# --- a coverage file of 16 MB, as the archive of a native upload and as the body of codecov-cli ---

coverage_file=coverage.xml
archive=$work/coverage.tar.gz
mkdir "$work/coverage"
awk -v report="$work/coverage/$coverage_file" -v list="$work/list" 'BEGIN {
    srand(1)
    print "<?xml version=\"1.0\"?>\n<coverage line-rate=\"0.7\" version=\"1\" timestamp=\"0\"><packages><package name=\"p\"><classes>" >report
    for (file = 1; file <= 1340; file++) {
        path = "src/lib" file % 40 "/file" file ".py"
        printf "%s%c", path, 0 >list
        print "<class name=\"c" file "\" filename=\"" path "\"><lines>" >report
        for (line = 1; line <= 400; line++) print "<line number=\"" line "\" hits=\"" int(rand() * 3) "\"/>" >report
        print "</lines></class>" >report
    }
    print "</classes></package></packages></coverage>" >report
}'
tar -czf "$archive" -C "$work/coverage" .
python3 - "$work/coverage/$coverage_file" "$work/list" "$work/body" <<'END'
import base64, json, sys, zlib

report, listed, body = sys.argv[1:]
data = base64.b64encode(zlib.compress(open(report, "rb").read())).decode()
file = {"filename": "/home/runner/work/r/r/coverage.xml", "format": "base64+compressed", "data": data, "labels": ""}
json.dump(
    {
        "report_fixes": {"format": "legacy", "value": {}},
        "network_files": open(listed).read().split("\0"),
        "coverage_files": [file],
        "metadata": {},
    },
    open(body, "w"),
)
END
more_forms=(--form "paths=@$work/list")
say "$(stat -c %s "$work/coverage/$coverage_file") bytes, of which codecov-cli sends $(stat -c %s "$work/body")"

# put NUMBER: uploads the body for a new commit
put() {
    local commit answer=$work/answer-put-$1 address
    commit=$(printf '%040x' "$1")
    curl --silent --show-error --fail --output "$answer" --header "Authorization: token $token" \
        --json "{\"branch\": \"main\", \"commitid\": \"$commit\", \"flags\": [], \"code\": \"default\"}" \
        "$url/upload/github/bench::::foreign/upload-coverage" || fail "the call is refused"
    address=$(grep -oE '"raw_upload_location":"[^"]+' "$answer" | cut -d '"' -f 4)
    curl --silent --show-error --fail --output "$answer" --upload-file "$work/body" "$address" || fail "the body is refused"
}

# --- time ---

# time_of COMMAND ARGUMENT
time_of() {
    local start
    start=$(seconds)
    "$@"
    since "$start"
}
start_server "$work/timed"
for round in $(seq 0 "$rounds"); do
    native=$(time_of post "$(printf '%040x' "$round")")
    foreign=$(time_of put "$round")
    # The first round is a warm-up.
    if [ "$round" -eq 0 ]; then continue; fi
    echo "$native" >>"$work/native"
    echo "$foreign" >>"$work/foreign"
    say "round $round of $rounds: native $native s, codecov-cli $foreign s"
done
# Both read the same lines.
percentages=$(curl --silent --fail "$url/coverages-api?full=true" | grep -oE '"percentage":[0-9.]+' | sort -u | wc -l)
[ "$percentages" -eq 1 ] || fail "the uploads have $percentages percentages"
stop_server

# --- memory, each time with a newly started server ---

# memory_of FOLDER COMMAND ARGUMENT: the growth above idle in MiB during one upload
memory_of() {
    local idle folder=$1
    shift
    start_server "$folder"
    curl --silent --fail --output /dev/null "$url/coverages-api/health"
    idle=$(peak_memory)
    "$@"
    awk -v a="$(peak_memory)" -v b="$idle" 'BEGIN { printf "%.1f", (a - b) / 1024 }' >"$work/grown"
    stop_server
}
memory_of "$work/native-memory" post "$(printf '%040x' 1)"
memory_native=$(cat "$work/grown")
memory_of "$work/foreign-memory" put 1
memory_foreign=$(cat "$work/grown")
more=$(awk -v a="$memory_foreign" -v b="$memory_native" 'BEGIN { printf "%.1f", a - b }')

native=$(median <"$work/native")
foreign=$(median <"$work/foreign")
cat <<END
upload of a coverage file of $(stat -c %s "$work/coverage/$coverage_file") bytes
  native                   $native s   (median of $rounds)
  codecov-cli              $foreign s
  RATIO                    $(ratio "$foreign" "$native")        (goal: 1.1 or less)
  memory above idle        $memory_native MiB native, $memory_foreign MiB of codecov-cli (goal: at most 32 MiB more)
END
reached 'the ratio of an upload of codecov-cli' "$(ratio "$foreign" "$native")" '<=' 1.1
reached 'the further memory of codecov-cli in MiB' "$more" '<=' 32
