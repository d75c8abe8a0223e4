#!/usr/bin/env bash
# Tests that the archives of scripts/dist.sh run with nothing installed: unpacks them, starts the service with a cleared environment,
# uploads a report and reads it back. As root also in a folder without any other file, and in a bare Debian 12 if available.
# Archives for another processor run under qemu-user-static.
#   scripts/check-dist.sh [TARGET…]
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$repo"
# shellcheck source=scripts/dist-lib.sh
. scripts/dist-lib.sh
# shellcheck source=scripts/try-lib.sh
. scripts/try-lib.sh

[ $# -gt 0 ] || set -- "$default_target"
largest=30000000 # bytes of a binary

# check_binary FILE LARGEST: tests that the binary is static and has fewer bytes.
check_binary() {
    local size
    if readelf --program-headers --wide "$1" | grep INTERP >&2; then fail "$1 is not statically linked: it names a dynamic linker"; fi
    if readelf --dynamic --wide "$1" | grep NEEDED >&2; then fail "$1 is not statically linked: it needs the libraries above"; fi
    size=$(wc -c <"$1")
    [ "$size" -lt "$2" ] || fail "$1 has $size bytes; the limit is $2"
    say "${1#"$work"/}: statically linked, $size bytes; the limit is $2"
}

# check_contents ARCHIVE: unpacks the archive and tests its files; sets $folder and $binary.
check_contents() {
    local file part parts=${1%.tar.gz}.cdx.json
    folder=$work/$(basename "$1" .tar.gz)
    binary=$folder/coverage-dashboard
    tar -xzf "$1" -C "$work"
    check_binary "$binary" "$largest"
    for file in "$folder"/clients/*; do check_binary "$file" "$largest_client"; done
    for file in LICENSES.txt INSTALL.md README.md CHANGELOG.md docs/src/configuration.md docs/src/images/overview.png coverage-dashboard.service coverage-dashboard.env hash.txt site/favicon.svg; do
        [ -s "$folder/$file" ] || fail "the archive has no $file"
    done
    for part in tokio wasm-bindgen tikv-jemallocator; do
        grep -q "\"purl\": \"pkg:cargo/$part@" "$parts" || fail "$parts does not list $part"
    done
    for part in 'tokio ' 'tikv-jemallocator ' musl:; do
        grep -q "^$part" "$folder/LICENSES.txt" || fail "LICENSES.txt does not name $part"
    done
    grep -q '"name": "musl"' "$parts" || fail "$parts does not list musl"
    scripts/check-links.py "$folder" || fail "documents in the archive have broken links"
}

begin_tries
have readelf || fail "readelf is needed (Debian's binutils)"
(cd "$dist" && sha256sum --quiet --check SHA256SUMS) || fail "SHA256SUMS does not match the files beside it"
for target; do
    archive=$(archive_of "$target")
    check_contents "$archive"
    emulator=
    if [ "${target%%-*}" != "$(uname -m)" ]; then
        emulator=qemu-${target%%-*}-static
        have "$emulator" || apt_install qemu-user-static || { say "$target: not started, $emulator cannot be installed" && continue; }
        "$emulator" "$binary" --version >&2
        "$emulator" "$binary" config >"$work/config" || fail "$target: the settings are not printed"
    fi
    data=$work/data-$target
    mkdir "$data"
    # shellcheck disable=SC2086 # the emulator may be empty
    try "${emulator:+$emulator and }a cleared environment" env -i -C "$data" $emulator "$binary" serve --addr 127.0.0.1:0
    if [ -n "$emulator" ]; then continue; fi

    if [ "$(id -u)" -ne 0 ]; then
        say "an empty root and a bare Debian: not tested, they need root"
        continue
    fi
    for root in empty debian; do
        if [ "$root" = debian ]; then debian "$work/$root" essential || continue; fi
        mkdir -p "$work/$root/opt" "$work/$root/srv/data"
        cp -R "$folder" "$work/$root/opt/coverage-dashboard"
        try "a root folder: $root" in_root "$work/$root" /opt/coverage-dashboard/coverage-dashboard serve --addr 127.0.0.1:0 \
            --database-url sqlite:///srv/data/coverage.db --reports-url /srv/data/reports
    done
done
