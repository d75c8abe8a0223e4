#!/usr/bin/env bash
# Benchmarks the service against the tools that people know, on the same files: CPU time and peak memory.
#
#   scripts/with-coverage-tools.sh scripts/bench-peers.sh
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/bench-lib.sh
. "$repo/scripts/bench-lib.sh"

rounds=${ROUNDS:-5}
grcov=0.10.7
lcov_cobertura=2.1.1
lcov_result_merger=6.0.0

# --- tools that only this benchmark needs; one that cannot be installed is named in the result ---

peers=$cache/peers-grcov-$grcov-lcov_cobertura-$lcov_cobertura-lcov-result-merger-$lcov_result_merger
if ! [ -e "$peers/complete" ]; then
    begin_install
    rm -rf "$peers"
    mkdir -p "$peers"
    # With its own profile, unlike tools that only tests run.
    slowly grcov "compiling grcov $grcov (about 6 minutes on two cores, once)" env -u RUSTFLAGS CARGO_TARGET_DIR="$work/target" \
        cargo install --locked --root "$peers" grcov --version "$grcov" || true
    # shellcheck disable=SC2016 # the inner shell replaces them
    slowly lcov_cobertura "installing lcov_cobertura $lcov_cobertura" sh -c 'python3 -m venv "$1" && "$1/bin/pip" install --quiet "lcov_cobertura==$2"' sh "$peers/venv" "$lcov_cobertura" || true
    slowly merger "installing lcov-result-merger $lcov_result_merger" npm install --prefix "$peers" --no-audit --no-fund --no-save "lcov-result-merger@$lcov_result_merger" || true
    : >"$peers/complete"
    tidy
    exec 9>&-
fi
PATH=$peers/bin:$peers/venv/bin:$peers/node_modules/.bin:$PATH

# --- the files ---

begin_bench
"$(dirname "$(command -v coverage)")/python" "$repo/scripts/seed-peers.py" "$work"
cd "$work"
for file in a.info b.info a.xml a.json; do tar -cf "$file.tar" "$file"; done

# --- measuring ---

# of_command NAME COMMAND…: adds the CPU time in seconds and the peak memory in MiB of a command to the file NAME, once for each round.
of_command() {
    local name=$1
    shift
    for _ in $(seq "$rounds"); do
        python3 -c 'if True:
            import resource, subprocess, sys
            subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            usage = resource.getrusage(resource.RUSAGE_CHILDREN)
            print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)' "$@" >>"$name" || {
            rm -f "$name"
            say "failed: $*"
            return
        }
    done
}

# In seconds. The kernel counts hundredths, so each figure is of all rounds together.
cpu_of_service() { awk -v hertz="$(getconf CLK_TCK)" '{ print ($14 + $15) / hertz }' "/proc/$server/stat"; }

# of_service NAME FUNCTION: the same for the service, which runs FUNCTION once before, and once for each round with its number.
of_service() {
    local name=$1 before round
    start_server "$work/service-$name"
    "$2" 0
    before=$(cpu_of_service)
    for round in $(seq "$rounds"); do "$2" "$round"; done
    awk -v from="$before" -v to="$(cpu_of_service)" -v rounds="$rounds" -v peak="$(peak_memory)" 'BEGIN { print (to - from) / rounds, peak / 1024 }' >"$name"
    stop_server
}

# send FILE COMMIT [PARAMETERS]: uploads a coverage file, and sets $id to the number of its record.
send() {
    local answer
    answer=$(curl --silent --show-error --fail --header "Authorization: Bearer $token" --form "file=@$1.tar" \
        "$url/coverages-api?org_name=bench&repo_name=peers&branch_name=main&commit_hash=$2&commit_author=bench&language=python&coverage_xml_file_name=$1${3:-}")
    id=$(sed -E 's/.*"id":([0-9]+).*/\1/' <<<"$answer")
}
get() { curl --silent --show-error --fail --output answer "$url/$1"; }

unite() {
    send a.info "u$1" '&part=a&parts=a,b'
    send b.info "u$1" '&part=b&parts=a,b'
    get "coverages-api/records/$id/report.lcov"
}
write_cobertura() { send a.info "c$1" && get "coverages-api/records/$id/report.cobertura.xml"; }
show_xml() { send a.xml "x$1" && get "records/$id"; }
show_llvm() { send a.json "l$1" && get "records/$id"; }

check() {
    local name=$1
    shift
    of_command "$name" env -C clone COVERAGE_URL= "$binary" check --base HEAD~1 "${@/#/$work/}"
}
# coverage combine removes its input, so that each round would need a copy: --keep.
combine() { of_command "$1" env COVERAGE_FILE="$work/.coverage" coverage combine --keep "$work/.coverage.a" "$work/.coverage.b"; }

say "two LCOV files are united and written"
of_service service-unite unite
mv answer united.info
check check-unite a.info b.info
of_command grcov-unite grcov a.info b.info -t lcov -o grcov.info
of_command lcov-unite lcov -q -a a.info -a b.info -o lcov.info
of_command merger-unite lcov-result-merger '*[ab].info' merged.info
combine combine-unite

say "LCOV becomes Cobertura"
of_service service-cobertura write_cobertura
of_command grcov-cobertura grcov a.info -t cobertura -o grcov.xml
of_command lcov_cobertura-cobertura lcov_cobertura a.info -o lcov_cobertura.xml

say "changed lines, tables, and the JSON of LLVM"
check check-changed a.xml
of_command diff_cover-changed env -C clone diff-cover ../a.xml --compare-branch HEAD~1
of_service service-table show_xml
of_command pycobertura-table pycobertura show a.xml
of_service service-llvm show_llvm
check check-llvm a.json
of_command jq-llvm jq '[.data[].files[].summary.lines.covered] | add' a.json

# --- the result ---

lines_hit() { grep -cE '^DA:[0-9]+,[1-9]' "$1" || true; }
hit=$(lines_hit united.info)
for file in grcov.info lcov.info; do
    [ ! -e "$file" ] || [ "$(lines_hit "$file")" = "$hit" ] || fail "$file has $(lines_hit "$file") lines that were hit, the service $hit"
done

cpu() { [ ! -s "$1" ] || cut -d ' ' -f 1 "$1" | median; }
memory() { [ ! -s "$1" ] || cut -d ' ' -f 2 "$1" | median; }
missed=()
# row WORK OURS THEIRS TOOL GOAL
row() {
    local cpu memory ratio
    cpu=$(cpu "$3") memory=$(memory "$3")
    if [ -z "$cpu" ]; then
        printf '%-34s %-24s not installed, or failed\n' "$1" "$4"
        missed+=("$4")
        return
    fi
    ratio=$(awk -v a="$(cpu "$2")" -v b="$cpu" 'BEGIN { printf "%.3f", a / b }')
    printf '%-34s %-24s %6.2f s %4.0f MiB   %-8s %5.2f s %4.0f MiB   ratio %s (goal: %s)\n' "$1" "$4" "$cpu" "$memory" "${2%%-*}" "$(cpu "$2")" "$(memory "$2")" "$ratio" "$5"
    awk -v ratio="$ratio" -v goal="$5" 'BEGIN { exit !(ratio <= goal) }' || missed+=("$1 against $4")
}
# pycobertura prints no version of its own.
of_python() { "$(dirname "$(command -v coverage)")/python" -c 'import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))' "$1"; }
version() { "$@" 2>/dev/null | grep -oEm 1 '[0-9]+\.[0-9]+(\.[0-9]+)?' | head -n 1; }
printf '347,000 lines of 1,388 files; CPU time and peak memory, medians of %s rounds; %s\n' "$rounds" "$("$binary" --version)"
for ours in service check; do
    row "unite two LCOV, write" "$ours-unite" grcov-unite "grcov $(version grcov --version)" 1.0
    row "unite two LCOV, write" "$ours-unite" lcov-unite "lcov $(version lcov --version)" 0.05
    row "unite two LCOV, write" "$ours-unite" merger-unite "lcov-result-merger $lcov_result_merger" 0.05
    row "unite two runs of coverage.py" "$ours-unite" combine-unite "coverage $(version coverage --version)" 0.05
done
row "LCOV to Cobertura" service-cobertura grcov-cobertura "grcov $(version grcov --version)" 1.0
row "LCOV to Cobertura" service-cobertura lcov_cobertura-cobertura "lcov_cobertura $lcov_cobertura" 0.05
row "changed lines of 20 files" check-changed diff_cover-changed "diff-cover $(version diff-cover --version)" 0.05
row "table of a Cobertura file" service-table pycobertura-table "pycobertura $(of_python pycobertura)" 0.05
for ours in service check; do row "JSON of LLVM (jq only adds)" "$ours-llvm" jq-llvm "jq $(version jq --version)" 0.05; done
[ ${#missed[@]} -eq 0 ] || fail "missed: $(printf '%s; ' "${missed[@]}")"
