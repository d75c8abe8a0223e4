#!/usr/bin/env bash
# Installs the optional tools of scripts/check.sh: typos and cargo-deny. Without them it skips their checks.
#
#   scripts/check-tools.sh                      install the missing ones
#   eval "$(scripts/check-tools.sh --env)"      use the installed ones in this shell
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

typos=1.52.0
deny=0.20.2

tools=$cache/typos-cli-$typos/bin:$cache/cargo-deny-$deny/bin
if [ "${1:-}" = --env ]; then
    # shellcheck disable=SC2016 # the other shell replaces PATH
    printf 'export PATH="$PATH":%q\n' "$tools"
    exit
fi
PATH=$PATH:$tools
have typos || { begin_install && install_crate typos-cli "$typos" "$cache/typos-cli-$typos" 4; } || fail "typos could not be compiled"
have cargo-deny || { begin_install && install_crate cargo-deny "$deny" "$cache/cargo-deny-$deny" 7; } || fail "cargo-deny could not be compiled"
say "$(typos --version) and $(cargo-deny --version) are installed"
