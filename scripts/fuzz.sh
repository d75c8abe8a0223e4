#!/usr/bin/env bash
# Fuzzes the reader of coverage files, starting with the files in testdata, the encodings of lines and of
# their history, and the reader of diffs.
# Each target runs for TIME seconds.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$repo"

time=${TIME:-300}
crate=server/formats
store=$repo/target/fuzz

if ! have cargo-fuzz || ! rustup run nightly rustc --version >/dev/null 2>&1; then
    say "fuzzing did not run: it needs 'cargo install cargo-fuzz' and 'rustup toolchain install nightly'"
    exit 0
fi

# seeds TARGET FORMAT…: the coverage files that a target starts with
seeds() {
    local target=$1 format
    shift
    mkdir -p "$store/seeds/$target" "$store/corpus/$target"
    for format; do
        for report in "$crate/testdata/$format"/*; do
            case $report in
            *.expected) ;;
            *) cp "$report" "$store/seeds/$target/$format-$(basename "$report")" ;;
            esac
        done
    done
}

seeds common_xml cobertura jacoco clover
seeds dotnet_xml opencover visual-studio dotcover ncover mprof
seeds other_xml sonarqube-generic phpunit-xml scoverage bullseye ctc
seeds json istanbul coverage-py-json llvm-json simplecov codecov coveralls
seeds text lcov go

rm -rf "$store/seeds/anything"
for format in "$crate"/testdata/*/; do
    format=$(basename "$format")
    [ "$format" != programs ] || continue
    compgen -G "$store/seeds/*/$format-*" >/dev/null || fail "no target fuzzes $format: add it to scripts/fuzz.sh"
    seeds anything "$format"
done

# run CRATE TARGET [ARGUMENT…]
run() {
    local crate=$1 target=$2
    shift 2
    say "fuzzing $target for $time s"
    mkdir -p "$store/seeds/$target" "$store/corpus/$target"
    # The build's toolchain must not override the nightly toolchain.
    env -u RUSTUP_TOOLCHAIN -u RUSTC_WRAPPER cargo +nightly fuzz run --fuzz-dir "$crate/fuzz" --target-dir "$store/build" "$target" \
        "$store/corpus/$target" "$store/seeds/$target" -- "$@" -max_total_time="$time" -max_len=100000 -timeout=10 -rss_limit_mb=1024 \
        -verbosity=0 -print_final_stats=1 -artifact_prefix="$store/$target-" >"$store/$target.log" 2>&1 || {
        grep -A 30 -m 1 -E 'panicked|ERROR' "$store/$target.log" || tail -n 40 "$store/$target.log"
        fail "$target found an input that violates an assertion: $(find "$store" -maxdepth 1 -name "$target-*" -newer "$store/seeds" | tail -n 1)"
    }
    awk '/^stat::number_of_executed_units/ { units = $2 } /^stat::peak_rss_mb/ { peak = $2 } END { print "  " units " inputs, at most " peak " MB" }' "$store/$target.log"
}

for target in ${TARGETS:-common_xml dotnet_xml other_xml json text anything blob changes history}; do
    case $target in
    blob | changes | history)
        run server/lines "$target"
        continue
        ;;
    esac
    # The common words of its coverage files. The fuzzer inserts them, so that more inputs are valid.
    cat "$store/seeds/$target"/* | grep -aoE '[A-Za-z_-]{3,40}' | sort | uniq -c | awk '$1 > 2 { print "\"" $2 "\"" }' >"$store/$target.words"
    run "$crate" "$target" -dict="$store/$target.words"
done
