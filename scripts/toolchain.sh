#!/usr/bin/env bash
# Installs what the build needs: a Rust compiler that links WebAssembly, cargo-leptos, wasm-bindgen and wasm-opt.
#
#   scripts/toolchain.sh                 install what is missing
#   scripts/toolchain.sh COMMAND…        the same, then run COMMAND with it
#   eval "$(scripts/toolchain.sh --env)" the same, then use it in this shell
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

leptos=0.3.10 # 0.3.11 needs rustc 1.96
binaryen=132.0.0
bindgen=$(awk '$1 == "name" { name = $3 } $1 == "version" && name == "\"wasm-bindgen\"" { gsub(/"/, "", $3); print $3; exit }' "$repo/Cargo.lock")
oldest=$(sed -n 's/^rust-version = "1\.\([0-9]*\).*/\1/p' "$repo/Cargo.toml")
target=wasm32-unknown-unknown

tools=$cache/bin:$cache/cargo-leptos-$leptos/bin:$cache/wasm-bindgen-$bindgen/bin:$cache/binaryen-$binaryen/node_modules/.bin
PATH=$tools:$PATH
export PATH

# --- the compiler ---

debian=/usr/bin # the folder of Debian's rustc-web and cargo-web, regardless of PATH
linked=coverage-web # their name in rustup
chosen=
why=

version() { "$1" -vV | awk '/^release:/ { r = $2 } /^commit-hash:/ { c = $2 } /^LLVM version:/ { l = $3 } END { print r "-" c "-llvm" l }'; }
std_folder() { "$1" --print target-libdir --target "$target"; }

# Checks whether this rustc links a wasm crate with link-time optimisation, as the build does. Stores the result for each version.
usable() {
    local rustc=$1 version proof
    if ! version=$(version "$rustc" 2>/dev/null); then
        why="there is no $rustc (rustup installs one)"
        return 1
    fi
    if [ "$(echo "$version" | cut -d. -f2)" -lt "$oldest" ]; then
        why="rustc ${version%%-*} is older than 1.$oldest, which Cargo.toml requires ('rustup update stable' installs a newer one)"
        return 1
    fi
    if ! ls "$(std_folder "$rustc")"/libstd-*.rlib >/dev/null 2>&1; then
        why="rustc ${version%%-*} has no standard library for $target"
        return 1
    fi
    proof=$cache/links/$version
    if [ ! -e "$proof" ]; then
        begin_install
        say "testing once whether rustc $version links WebAssembly"
        printf '%s\n' '#[unsafe(no_mangle)]' 'pub extern "C" fn length(n: usize) -> usize { format!("{n}").len() }' >"$work/tiny.rs"
        if ! "$rustc" --edition 2024 --target "$target" --crate-type cdylib -O -C lto=fat "$work/tiny.rs" -o "$work/tiny.wasm" >"$cache/log/link.log" 2>&1; then
            why="rustc $version does not link WebAssembly (see $cache/log/link.log)"
            return 1
        fi
        mkdir -p "$cache/links"
        : >"$proof"
    fi
    chosen=$rustc
}

rustup_way() {
    have rustup || return 1
    begin_install
    slowly rustup-target "adding $target to rustup's toolchain" env RUST_BACKTRACE=0 rustup target add "$target" && usable rustc
}

# If only package registries are reachable: Debian's browser toolchain, with a wasm standard library that is built once.
debian_way() {
    local llvm lld
    have apt-get || return 1
    begin_install
    say "using Debian's rustc-web, because rustup cannot install $target here"
    if ! [ -x "$debian/rustc" ] || ! [ -x "$debian/cargo" ] || ! [ -d "$("$debian/rustc" --print sysroot)/lib/rustlib/src/rust/library" ]; then
        apt_install rustc-web cargo-web rust-web-src || return 1
    fi
    llvm=$("$debian/rustc" -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
    if ! [ -x "$debian/lld-$llvm" ]; then
        # The linker of rustc's LLVM version, else Debian's newest.
        apt_install "lld-$llvm" || apt_install "$(apt-cache pkgnames lld- | grep -E '^lld-[0-9]+$' | sort -t- -k2n | tail -n 1)" || return 1
    fi
    lld=$(printf '%s\n' "$debian"/lld-[0-9]* | sort -t- -k2n | tail -n 1)
    if [ -x "$debian/lld-$llvm" ]; then lld=$debian/lld-$llvm; fi
    mkdir -p "$cache/bin"
    ln -sf "$lld" "$cache/bin/rust-lld"
    if ! usable "$debian/rustc"; then
        install_wasm_std || return 1
        usable "$debian/rustc"
    fi
}

install_wasm_std() {
    local built folder
    built=$cache/wasm-std-$(version "$debian/rustc")
    folder=$(std_folder "$debian/rustc")
    need_root "copying the wasm standard library to $folder"
    if ! [ -d "$built" ]; then
        mkdir -p "$work/std/src"
        printf '[package]\nname = "nothing"\nversion = "0.0.0"\nedition = "2024"\n' >"$work/std/Cargo.toml"
        echo '#![no_std]' >"$work/std/src/lib.rs"
        # -Zbuild-std needs RUSTC_BOOTSTRAP; link-time optimisation needs the bitcode.
        slowly wasm-std "building the standard library for $target, which Debian does not ship (about a minute)" \
            env -u RUSTUP_TOOLCHAIN -u CARGO_BUILD_TARGET PATH="$debian:$PATH" RUSTC="$debian/rustc" CARGO_TARGET_DIR="$work/std/target" \
            RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Cembed-bitcode=yes "$debian/cargo" build --manifest-path "$work/std/Cargo.toml" \
            --release -Zbuild-std=std,panic_abort,panic_unwind,proc_macro --target "$target" || return 1
        rm "$work/std/target/$target/release/deps"/libnothing-*.rlib
        mkdir "$work/rlibs"
        mv "$work/std/target/$target/release/deps"/*.rlib "$work/rlibs"
        mv "$work/rlibs" "$built"
    fi
    # The whole folder is replaced, because rustc would also use libraries of an older rustc in it.
    # shellcheck disable=SC2016
    as_root sh -c 'rm -rf "$2.new" && mkdir -p "$2.new" && cp "$1"/*.rlib "$2.new" && rm -rf "$2" && mv "$2.new" "$2"' sh "$built" "$folder"
}

# --- the tools ---

has_bindgen() { [ "$(wasm-bindgen --version 2>/dev/null)" = "wasm-bindgen $bindgen" ]; }
has_leptos() { [ "$(cargo-leptos --version 2>/dev/null)" = "cargo-leptos $leptos" ]; }
# An old wasm-opt does not support all instructions that rustc emits.
has_wasm_opt() {
    [ -x "$cache/binaryen-$binaryen/node_modules/.bin/wasm-opt" ] ||
        [ "$(wasm-opt --version 2>/dev/null | awk '{ print $3 + 0 }')" -ge 123 ] 2>/dev/null
}

install_wasm_opt() {
    if ! have npm; then
        say "no npm for wasm-opt: cargo-leptos downloads it itself"
        return
    fi
    mkdir "$work/root"
    slowly wasm-opt "installing wasm-opt (npm package binaryen $binaryen)" \
        npm install --prefix "$work/root" --no-audit --no-fund "binaryen@$binaryen" || fail "the npm package binaryen $binaryen could not be installed"
    rm -rf "$cache/binaryen-$binaryen"
    mv "$work/root" "$cache/binaryen-$binaryen"
}

# --- quick checks first ---

[ -n "$bindgen" ] || fail "Cargo.lock names no wasm-bindgen, so its version is not known"

# Debian's rustc is used first only if this script has set it up before; else rustup is tried first.
usable rustc || { [ -e "$cache/bin/rust-lld" ] && usable "$debian/rustc"; } || rustup_way || debian_way ||
    fail "no Rust compiler for the browser's build: $why; neither 'rustup target add $target' nor Debian's rustc-web worked"

toolchain=
if [ "$chosen" = "$debian/rustc" ] && [ "$(command -v rustc || true)" != "$chosen" ]; then
    have rustup || fail "put $debian before $(dirname "$(command -v rustc)") in PATH: only Debian's rustc can build WebAssembly"
    [ -e "${RUSTUP_HOME:-$HOME/.rustup}/toolchains/$linked" ] || rustup toolchain link "$linked" /usr || fail "rustup could not link Debian's toolchain"
    toolchain=$linked
    export RUSTUP_TOOLCHAIN=$toolchain
fi

# After begin_install has the lock, it checks again: another clone may have installed the tool.
has_wasm_opt || { begin_install && has_wasm_opt; } || install_wasm_opt
has_bindgen || { begin_install && has_bindgen; } || install_crate wasm-bindgen-cli "$bindgen" "$cache/wasm-bindgen-$bindgen" 2 || fail "wasm-bindgen-cli could not be compiled"
has_leptos || { begin_install && has_leptos; } || opt_level=0 install_crate cargo-leptos "$leptos" "$cache/cargo-leptos-$leptos" 4 || fail "cargo-leptos could not be compiled"

if [ "${1:-}" = --env ]; then
    # shellcheck disable=SC2016
    printf 'export PATH=%q:"$PATH"\n' "$tools"
    if [ -n "$toolchain" ]; then printf 'export RUSTUP_TOOLCHAIN=%q\n' "$toolchain"; fi
elif [ $# -gt 0 ]; then
    hand_over "$@"
fi
