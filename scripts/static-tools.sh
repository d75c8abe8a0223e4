#!/usr/bin/env bash
# Installs what static binaries need: Rust's standard libraries for musl, and zig with cargo-zigbuild. zig is the C compiler and the
# linker of every target.
#   eval "$(scripts/static-tools.sh [TARGET…])"    installs what is missing for these targets, then uses it in this shell
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$repo"

zig=0.17.1
zigbuild=0.24.1
tools=$cache/zig-$zig-zigbuild-$zigbuild

environment=$(scripts/toolchain.sh --env)
eval "$environment"

has_std() { ls "$(rustc --print target-libdir --target "$1" 2>/dev/null)"/libstd-*.rlib >/dev/null 2>&1; }
for target; do
    if has_std "$target"; then continue; fi
    have rustup || fail "a static binary needs Rust's standard library for $target, which only rustup installs: install rustup"
    begin_install
    slowly rustup-target "adding $target to rustup's toolchain" env RUST_BACKTRACE=0 rustup target add "$target" ||
        fail "a static binary needs Rust's standard library for $target, and 'rustup target add $target' failed"
done

has_zig() { [ -x "$tools/bin/cargo-zigbuild" ]; }
install_zig() {
    have python3 || fail "python3 is needed to install zig, the C compiler of static binaries"
    # A virtual environment contains its own path, so it is created in its final folder.
    rm -rf "$tools"
    # shellcheck disable=SC2016 # the inner shell replaces them
    slowly zig "installing zig $zig and cargo-zigbuild $zigbuild from PyPI" sh -c '
        python3 -m venv "$1" && "$1/bin/pip" install --quiet --only-binary=:all: "ziglang==$2" "cargo-zigbuild==$3"' sh "$tools" "$zig" "$zigbuild" || {
        rm -rf "$tools"
        fail "zig $zig and cargo-zigbuild $zigbuild could not be installed from PyPI"
    }
}
has_zig || { begin_install && has_zig; } || install_zig

# cargo-zigbuild finds zig through the Python of its environment. ZIG_FILES has the licences of what zig links.
files=$("$tools/bin/python" -c 'import os, ziglang; print(os.path.dirname(ziglang.__file__))')
# shellcheck disable=SC2016 # the shell that reads this replaces it
printf '%s\nexport PATH=%q:"$PATH" ZIG_FILES=%q\n' "$environment" "$tools/bin" "$files"
