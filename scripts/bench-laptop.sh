#!/usr/bin/env bash
# Benchmarks the commands for laptops in a repository of 1,500 measured files, with answers in the cache: diff against git diff, and pull.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/bench-lib.sh
. "$repo/scripts/bench-lib.sh"

rounds=${ROUNDS:-15}
begin_bench
have git || fail "git is needed"

# --- a repository, and its record ---

clone=$work/clone
mkdir "$clone"
git -C "$clone" init -q -b main
git -C "$clone" remote add origin https://git.example.com/acme/laptop.git
awk -v folder="$clone" -v report="$work/coverage.xml" 'BEGIN {
    srand(1)
    for (f = 0; f < 1500; f++) {
        path = "file" f ".py"; lines = 100 + int(rand() * 200)
        print "SF:" path >report
        for (i = 1; i <= lines; i++) {
            print "line " i " of file " f >(folder "/" path)
            if (i % 2) print "DA:" i "," int(rand() * 2) >report
        }
        print "end_of_record" >report; close(folder "/" path)
    }
}'
git -C "$clone" add -A
git -C "$clone" -c user.name=Kim -c user.email=kim@example.com commit -q -m 'all files'
tar -czf "$work/upload.tar.gz" -C "$work" coverage.xml
start_server "$work/service"
query="org_name=acme&repo_name=laptop&branch_name=main&commit_hash=$(git -C "$clone" rev-parse HEAD)&commit_author=Kim&language=python&coverage_xml_file_name=coverage.xml"
curl --silent --show-error --fail --output /dev/null -H "Authorization: Bearer $token" -F "file=@$work/upload.tar.gz" "$url/coverages-api?$query"

# --- measured in turn ---

export COVERAGE_URL=$url XDG_CACHE_HOME=$work/cache
# milliseconds_of NAME COMMAND…: adds a time to $work/times-NAME
milliseconds_of() {
    local name=$1 start
    shift
    start=$(seconds)
    (cd "$clone" && "$@" >/dev/null 2>&1)
    since "$start" >>"$work/times-$name"
}
of() { median <"$work/times-$1" | awk '{ printf "%.0f", $1 * 1000 }'; }

(cd "$clone" && "$binary" pull >/dev/null 2>&1 && "$binary" diff >/dev/null) # fills the cache
for file in 1 2 3 4 5 6 7 8 9 10; do echo 'a new line' >>"$clone/file$file.py"; done
for _ in $(seq "$rounds"); do
    milliseconds_of pull "$binary" pull
    milliseconds_of diff "$binary" diff
    milliseconds_of git git diff HEAD
done
for file in "$clone"/*.py; do echo 'a new line' >>"$file"; done
for _ in $(seq "$rounds"); do
    milliseconds_of diff-all "$binary" diff
    milliseconds_of git-all git diff HEAD
done
printf 'pull of 1,500 files: %s ms (median)\n' "$(of pull)"
printf 'diff with 10 of 1,500 files changed: %s ms, git diff %s ms\n' "$(of diff)" "$(of git)"
printf 'diff with all files changed: %s ms, git diff %s ms\n' "$(of diff-all)" "$(of git-all)"
reached 'the milliseconds of pull' "$(of pull)" '<' 100
reached 'the milliseconds of diff' "$(of diff)" '<' 100
