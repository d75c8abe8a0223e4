#!/usr/bin/env bash
# Makes the release archive target/dist/coverage-dashboard-VERSION-TARGET.tar.gz, reproducibly: the same build gives the same bytes.
# BINARY=… and SITE=… set another build than that of scripts/build.sh.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$repo"

binary=${BINARY:-target/release/coverage-dashboard}
site=${SITE:-target/site}
if ! [ -x "$binary" ] || ! [ -d "$site/pkg" ]; then fail "no release build at $binary and $site: run 'make build'"; fi
have python3 || fail "python3 is needed to gather the licences"
have strip || fail "strip is needed (Debian's binutils)"

environment=$(scripts/toolchain.sh --env)
eval "$environment"
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
target=$(rustc -vV | sed -n 's/^host: //p')
name=coverage-dashboard-$version-$target
# The time of the commit, so that the bytes do not depend on the time of packing.
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}

mkdir -p target/dist
work=$(mktemp -d "$repo/target/dist/tmp.XXXXXX")
folder=$work/$name
mkdir "$folder"
# Function names are most of the file. Panics name their line without them.
strip --strip-all -o "$folder/coverage-dashboard" "$binary"
# What the build called the files that pages load; the server looks for it beside itself.
cp "$(dirname "$binary")/hash.txt" "$folder/"
cp -R "$site" "$folder/site"
cp scripts/dist/coverage-dashboard.service scripts/dist/coverage-dashboard.env "$folder/"
# What documents include is put in, and those about the sources stay out: links to them lose their address.
scripts/manual.py "$folder"
scripts/licences.py server:x86_64-unknown-linux-gnu frontend:wasm32-unknown-unknown >"$folder/LICENSES.txt"

tar --create --directory "$work" --format=gnu --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$epoch" "$name" |
    gzip -9 --no-name >"$work/$name.tar.gz"
mv "$work/$name.tar.gz" target/dist/
say "target/dist/$name.tar.gz: $(wc -c <"target/dist/$name.tar.gz") bytes, sha256 $(sha256sum "target/dist/$name.tar.gz" | cut -c 1-64)"
