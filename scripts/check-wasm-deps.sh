#!/usr/bin/env bash
# Checks that the browser's wasm depends on nothing that only the server needs.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$repo"

server_only='sqlx.*|tokio|axum|hyper|quick-xml|utoipa|regex|reqwest'
# leptos_config depends on regex, to read Cargo.toml on the server; the linker removes it from the wasm.
tree() {
    cargo tree --locked --package frontend --target wasm32-unknown-unknown --edges normal,no-proc-macro --prune leptos_config "$@"
}

crates=$(tree --prefix none --format '{p}' | cut -d' ' -f1 | sort -u)
found=$(grep -Ex "$server_only" <<<"$crates" || true)
if [ -n "$found" ]; then
    for crate in $found; do tree --invert "$crate" >&2 || true; done
    fail "the browser's build depends on these crates, as shown above: ${found//$'\n'/ }"
fi
say "none of $server_only among the $(wc -l <<<"$crates") crates of the browser's build"
