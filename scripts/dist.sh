#!/usr/bin/env bash
# Makes the release archive target/dist/coverage-dashboard-VERSION-TARGET.tar.gz, reproducibly: the same build gives the same bytes.
# Beside it: the bill of materials …-TARGET.cdx.json, and SHA256SUMS of both.
# BINARY=… and SITE=… set another build than that of scripts/build.sh.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$repo"

binary=${BINARY:-target/release/coverage-dashboard}
site=${SITE:-target/site}
if ! [ -x "$binary" ] || ! [ -d "$site/pkg" ]; then fail "no release build at $binary and $site: run 'make build'"; fi
have python3 || fail "python3 is needed to collect the licences and the bill of materials"
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
# Function names are most of the file. Panics print their source line without them.
strip --strip-all -o "$folder/coverage-dashboard" "$binary"
# The hashes in the names of the files that pages load; the server reads them from its own folder.
cp "$(dirname "$binary")/hash.txt" "$folder/"
cp -R "$site" "$folder/site"
cp scripts/dist/coverage-dashboard.service scripts/dist/coverage-dashboard.env "$folder/"
# Replaces includes by their texts. Documents about the sources are not packed, and links to them become plain text.
scripts/manual.py "$folder"
linked=(server:x86_64-unknown-linux-gnu frontend:wasm32-unknown-unknown)
scripts/licences.py "${linked[@]}" >"$folder/LICENSES.txt"
SOURCE_DATE_EPOCH=$epoch scripts/sbom.py "${linked[@]}" >"$work/$name.cdx.json"

tar --create --directory "$work" --format=gnu --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$epoch" "$name" |
    gzip -9 --no-name >"$work/$name.tar.gz"
(cd "$work" && sha256sum "$name.tar.gz" "$name.cdx.json" >SHA256SUMS)
mv "$work/$name.tar.gz" "$work/$name.cdx.json" "$work/SHA256SUMS" target/dist/
say "target/dist/$name.tar.gz: $(wc -c <"target/dist/$name.tar.gz") bytes; the bill of materials is $name.cdx.json, the checksums are in SHA256SUMS:"
cat target/dist/SHA256SUMS >&2
