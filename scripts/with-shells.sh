#!/usr/bin/env bash
# Provides the shells for the tests of the uploader: dash, bash, busybox and zsh.
#
#   scripts/with-shells.sh COMMAND…   runs COMMAND, with COVERAGE_TEST_SHELLS set if all of them are installed
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

missing() {
    local shell
    for shell in dash bash busybox zsh; do have "$shell" || printf '%s ' "$shell"; done
}

lacking=$(missing)
if [ -n "$lacking" ] && have apt-get; then
    begin_install
    # shellcheck disable=SC2086 # a list of packages
    (apt_install $lacking) || true
    lacking=$(missing)
fi
if [ -n "$lacking" ]; then
    say "not installed: ${lacking% }. The uploader IS NOT TESTED with these shells."
else
    export COVERAGE_TEST_SHELLS=all
fi
hand_over "$@"
