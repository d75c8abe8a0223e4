#!/usr/bin/env bash
# Builds the manual as a website: mdBook converts docs/src to docs/book.
#
#   scripts/docs.sh                  build it; installs mdbook if it is missing
#   scripts/docs.sh --if-installed   build it only if mdbook is installed
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$repo"

mdbook=0.5.4
PATH=$cache/mdbook-$mdbook/bin:$PATH
export PATH
has_mdbook() { [[ $(mdbook --version 2>/dev/null) =~ ^mdbook\ v?0\.5\. ]]; }

if ! has_mdbook; then
    if [ "${1:-}" = --if-installed ]; then
        say "not built: mdbook 0.5 is not installed ('make docs' installs it)"
        exit
    fi
    have cargo || fail "mdbook is needed for the manual: install it, or cargo"
    # Without the features for serving and watching a book.
    begin_install
    has_mdbook || install_crate mdbook "$mdbook" "$cache/mdbook-$mdbook" 2 --no-default-features --features search ||
        fail "mdbook could not be compiled"
fi
mdbook build docs >&2
say "see docs/book/index.html"
