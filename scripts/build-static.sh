#!/usr/bin/env bash
# Builds the service as a static binary, which needs no other file of its system: target/TARGET/dist/coverage-dashboard.
# Beside it the small program with the commands for jobs and laptops, which the service offers for download: coverage-client.
# Both belong to the site of scripts/build.sh, which must be built first.
#   scripts/build-static.sh [TARGET…]    x86_64-unknown-linux-musl by default; also aarch64-unknown-linux-musl
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$repo"
# shellcheck source=scripts/dist-lib.sh
. scripts/dist-lib.sh
unset CARGO_TARGET_DIR # other scripts read the results from target

# The names of the site's files, which the server reads from its own folder.
hashes=target/release/hash.txt
if ! [ -s "$hashes" ] || ! [ -d target/site/pkg ]; then fail "no site in target/site: run 'make build'"; fi
[ $# -gt 0 ] || set -- "$default_target"
environment=$(scripts/static-tools.sh "$@")
eval "$environment"

for target; do
    say "building the static binary for $target (a first build takes some minutes)"
    start=$SECONDS
    # cargo-leptos builds the server with the same features, so the names of islands are the same as in the site.
    # Link-time optimisation vectorises loops only if the last crate has opt-level 3; the other crates keep their levels.
    cargo-zigbuild rustc --locked --profile dist --target "$target" --package server --features jemalloc --bin coverage-dashboard -- -C opt-level=3
    cargo-zigbuild rustc --locked --profile dist --target "$target" --package client --bin coverage-client -- -C opt-level=3
    cp "$hashes" "target/$target/dist/"
    for program in coverage-dashboard coverage-client; do
        say "target/$target/dist/$program: $(wc -c <"target/$target/dist/$program") bytes"
    done
    say "built in $((SECONDS - start)) s"
done
