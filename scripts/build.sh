#!/usr/bin/env bash
# Makes the release build: target/release/coverage-dashboard and target/site. It rebuilds them only when their sources changed.
#
#   scripts/build.sh          both
#   scripts/build.sh --site   target/site alone, for target/debug/coverage-dashboard
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$repo"
unset CARGO_TARGET_DIR # other scripts read the results from target

environment=$(scripts/toolchain.sh --env)
eval "$environment"

sources=(Cargo.toml Cargo.lock app frontend style public/assets)
if [ "${1:-}" = --site ]; then
    made=(site) only=--frontend-only binary=
else
    made=(site release) only='' binary=target/release/coverage-dashboard
    sources+=(server migrations)
fi
stamp=target/${made[-1]}.stamp # contains the version of the compiler; older than every source that changed after the build started
compiler=$(rustc --version)
changed() { find "${sources[@]}" -newer "$stamp" -print -quit; }
if [ -d target/site/pkg ] && [ -x "${binary:-/}" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$compiler" ] && [ -z "$(changed)" ]; then
    say "nothing has changed"
    exit
fi

mkdir -p target/debug
rm -f "$stamp"
echo "$compiler" >"$stamp.new" # before the build, so that files edited during the build are newer
say "building with $compiler (a first build takes some minutes)"
cargo leptos build --release --precompress --split ${only:+"$only"}
if have node; then
    node scripts/shrink-site.mjs target/site/pkg coverage-dashboard target/release/hash.txt
else
    say "no node: every page loads 6 kB more (see scripts/shrink-site.mjs)"
fi
# Every server reads the names of the files beside its binary, including the server of tests.
cp target/release/hash.txt target/debug/hash.txt
for name in "${made[@]}"; do cp --preserve=timestamps "$stamp.new" "target/$name.stamp"; done
rm "$stamp.new"
for file in target/site/pkg/*.wasm; do
    name=$(basename "$file")
    say "built in $((SECONDS)) s; ${name%%.*}.wasm has $(wc -c <"$file") bytes, $(wc -c <"$file.br") with brotli"
done
