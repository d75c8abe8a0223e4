#!/usr/bin/env bash
# Makes the release build: target/release/coverage-dashboard and target/site. It rebuilds them only when their sources changed.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$repo"
unset CARGO_TARGET_DIR # other scripts read the results from target

environment=$(scripts/toolchain.sh --env)
eval "$environment"

built=target/site.built # contains the version of the compiler; older than every source that changed after the build started
compiler=$(rustc --version)
changed() { find Cargo.toml Cargo.lock app frontend server migrations style public/assets -newer "$built" -print -quit; }
if [ -x target/release/coverage-dashboard ] && [ -d target/site/pkg ] && [ "$(cat "$built" 2>/dev/null)" = "$compiler" ] && [ -z "$(changed)" ]; then
    say "nothing has changed"
    exit
fi

mkdir -p target
rm -f "$built"
echo "$compiler" >"$built.new" # before the build, so that files edited during the build are newer
say "building with $compiler (a first build takes some minutes)"
cargo leptos build --release --precompress --split
if have node; then
    node scripts/shorten-imports.mjs target/site/pkg coverage-dashboard
else
    say "no node: every page loads 4 kB more (see scripts/shorten-imports.mjs)"
fi
mv "$built.new" "$built"
for file in target/site/pkg/*.wasm; do
    name=$(basename "$file")
    say "built in $((SECONDS)) s; ${name%%.*}.wasm has $(wc -c <"$file") bytes, $(wc -c <"$file.br") with brotli"
done
