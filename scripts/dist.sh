#!/usr/bin/env bash
# Makes the release archive target/dist/coverage-dashboard-VERSION-TARGET.tar.gz, reproducibly: the same build gives the same bytes.
# Beside it: the bill of materials …-TARGET.cdx.json, and SHA256SUMS of all files of this version.
#   scripts/dist.sh [TARGET…]    the targets that scripts/build-static.sh has built
# SITE=… names another site than the one of scripts/build.sh.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$repo"
# shellcheck source=scripts/dist-lib.sh
. scripts/dist-lib.sh

site=${SITE:-target/site}
[ $# -gt 0 ] || set -- "$default_target"
[ -d "$site/pkg" ] || fail "no site at $site: run 'make build'"
have python3 || fail "python3 is needed to collect the licences and the bill of materials"

environment=$(scripts/static-tools.sh "$@")
eval "$environment"
mkdir -p "$dist"
work=$(mktemp -d "$dist/tmp.XXXXXX")

for target; do
    binary=target/$target/dist/coverage-dashboard
    [ -x "$binary" ] || fail "no static binary at $binary: run 'scripts/build-static.sh $target'"
    name=coverage-dashboard-$version-$target
    folder=$work/$name
    mkdir "$folder"
    # The hashes in the names of the files that pages load; the server reads them from its own folder.
    cp "$binary" "$(dirname "$binary")/hash.txt" "$folder/"
    # The small programs that this service offers to jobs and laptops, for all targets.
    mkdir "$folder/clients"
    for built in "$@"; do
        client=target/$built/dist/coverage-client
        [ -x "$client" ] || fail "no program for jobs at $client: run 'scripts/build-static.sh $built'"
        cp "$client" "$folder/clients/${built%%-*}-linux"
    done
    cp -R "$site" "$folder/site"
    cp scripts/dist/coverage-dashboard.service scripts/dist/coverage-dashboard.env "$folder/"
    # Replaces includes by their texts. Documents about the sources are not packed, and links to them become plain text.
    scripts/manual.py "$folder"
    linked=("server:$target" frontend:wasm32-unknown-unknown)
    scripts/licences.py "${linked[@]}" >"$folder/LICENSES.txt"
    SOURCE_DATE_EPOCH=$epoch scripts/sbom.py "${linked[@]}" >"$work/$name.cdx.json"

    tar --create --directory "$work" --format=gnu --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$epoch" "$name" |
        gzip -9 --no-name >"$work/$name.tar.gz"
    mv "$work/$name.tar.gz" "$work/$name.cdx.json" "$dist/"
    say "target/dist/$name.tar.gz: $(wc -c <"$dist/$name.tar.gz") bytes; the bill of materials is $name.cdx.json"
done
write_checksums
