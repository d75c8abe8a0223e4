# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # the scripts that source this use the variables; lib.sh sets the others
# Functions for the scripts that pack a release: its version, its target, the archive of scripts/dist.sh.
# Sourced after lib.sh.

version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$repo/Cargo.toml" | head -n 1)
# The time of the commit, so that the bytes do not depend on the time of packing.
epoch=${SOURCE_DATE_EPOCH:-$(git -C "$repo" log -1 --format=%ct 2>/dev/null || echo 0)}
dist=$repo/target/dist
default_target=x86_64-unknown-linux-musl

# archive_of TARGET: prints the path of its archive, or fails.
archive_of() {
    local archive=$dist/coverage-dashboard-$version-$1.tar.gz
    [ -f "$archive" ] || fail "no archive $archive: run 'make dist', or 'make dist TARGETS=$1'"
    echo "$archive"
}

# architecture_of TARGET: prints the name that Debian and OCI use for its processor.
architecture_of() {
    case $1 in
    x86_64-*) echo amd64 ;;
    aarch64-*) echo arm64 ;;
    *) fail "there are no packages for $1" ;;
    esac
}

# Writes SHA256SUMS of all files of this version that are in target/dist.
write_checksums() {
    (cd "$dist" && find . -maxdepth 1 -type f -name "coverage-dashboard[-_]${version}[-_]*" -printf '%P\n' | LC_ALL=C sort | xargs sha256sum >"$work/SHA256SUMS")
    mv "$work/SHA256SUMS" "$dist/"
    say "target/dist/SHA256SUMS:"
    cat "$dist/SHA256SUMS" >&2
}
