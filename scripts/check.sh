#!/usr/bin/env bash
# Runs the quick checks: formatting, spelling, architecture, documents, dependencies, clippy, rustdoc, shell scripts.
# A check whose tool is missing is skipped with a message.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$repo"

# rustfmt and clippy come from rustup's own toolchain, because Debian's toolchain has neither.
unset RUSTUP_TOOLCHAIN
# If scripts/toolchain.sh builds with Debian's compiler, the two would rebuild each other's files in one folder.
if [ -e "${RUSTUP_HOME:-$HOME/.rustup}/toolchains/coverage-web" ]; then export CARGO_TARGET_DIR=$repo/target/clippy; fi

tools=$(scripts/check-tools.sh --env)
eval "$tools"

lints() { cargo fmt --version && cargo clippy --version; }
install_lints() {
    begin_install
    if have rustup; then
        slowly rustup-lints "adding rustfmt and clippy to rustup's toolchain" rustup component add rustfmt clippy
    elif have apt-get; then
        apt_install rustfmt-web rust-web-clippy
    else
        false
    fi || fail "cargo fmt and cargo clippy are needed for the checks: install them"
}
lints >/dev/null 2>&1 || install_lints

say "formatting"
cargo fmt --all --check
# A macro declares the pages, so cargo does not find their files.
git ls-files -z 'app/src/pages/*.rs' | xargs -0 "${RUSTFMT:-rustfmt}" --edition 2024 --check
cargo fmt --manifest-path server/formats/fuzz/Cargo.toml --check
cargo fmt --manifest-path server/lines/fuzz/Cargo.toml --check

if have typos; then
    say "spelling"
    typos
else
    say "spelling: not checked, typos is missing"
fi

say "architecture"
scripts/check-architecture.sh

if have python3; then
    say "links of the documents"
    scripts/check-links.py
    say "guarantees"
    scripts/guarantees.py --check
else
    say "links of the documents, guarantees: not checked, python3 is missing"
fi
say "manual"
scripts/docs.sh --if-installed

if have cargo-deny; then
    say "dependencies: bans, licences, sources"
    cargo deny --locked --log-level warn check bans licenses sources
    # Advisories change daily, so they are shown but do not fail the check of a commit.
    if timeout 60 cargo deny fetch db >/dev/null 2>&1; then
        say "dependencies: advisories"
        cargo deny --locked --log-level warn check --disable-fetch advisories || say "see the advisories above"
    else
        say "dependencies: advisories not checked, their database cannot be fetched here"
    fi
else
    say "dependencies: not checked, cargo-deny is missing"
fi

# Server and browser separately, because app has different features in each.
say "clippy: server"
cargo clippy --locked --all-targets --workspace --exclude frontend --exclude wasm-streams --features app/ssr -- --deny warnings
say "clippy: browser"
cargo clippy --locked --package frontend --package app --features app/hydrate -- --deny warnings

say "documentation of the code"
RUSTDOCFLAGS="--deny warnings" cargo doc --locked --no-deps --document-private-items --workspace --exclude frontend --exclude wasm-streams --features app/ssr

if have shellcheck; then
    say "shell scripts"
    shellcheck --external-sources --source-path=. scripts/*.sh scripts/moving/*.sh scripts/packages/*.sh scripts/packages/compose/*.sh scripts/packages/deb/p* .ci/run server/uploader/upload.sh
else
    say "shell scripts: not checked, shellcheck is missing"
fi
