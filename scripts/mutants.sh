#!/usr/bin/env bash
# Runs mutation tests: cargo-mutants changes one function of PACKAGES at a time, and lists each change that no test detects.
#
#   scripts/mutants.sh [ARGUMENT…]   arguments of cargo mutants, such as --file 'count.rs'; output in target/mutants
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$repo"

mutants=27.1.0
PATH=$PATH:$cache/cargo-mutants-$mutants/bin
export PATH
have cargo-mutants || { begin_install && install_crate cargo-mutants "$mutants" "$cache/cargo-mutants-$mutants" 4; } ||
    fail "cargo-mutants could not be compiled"

packages=()
for package in ${PACKAGES:-formats domain}; do packages+=(--package "$package"); done
mkdir -p target/mutants
# It builds a copy of the sources, which needs a separate target folder.
unset CARGO_TARGET_DIR
hand_over scripts/toolchain.sh cargo mutants --output target/mutants "${packages[@]}" --cargo-arg=--locked "$@"
