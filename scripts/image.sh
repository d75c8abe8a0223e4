#!/usr/bin/env bash
# Makes an OCI image of the archive of scripts/dist.sh: target/dist/coverage-dashboard-VERSION-TARGET-image.tar (an OCI archive).
# It has no base image: the static binary, the site, the licences, and the certificates of this system's ca-certificates.
#   scripts/image.sh [TARGET]
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$repo"
# shellcheck source=scripts/dist-lib.sh
. scripts/dist-lib.sh

target=${1:-$default_target}
architecture=$(architecture_of "$target")
archive=$(archive_of "$target")
name=coverage-dashboard-$version-$target
user=65532 # no user of the host; other images without a shell use it too
certificates=/etc/ssl/certs/ca-certificates.crt # the same path in the image, where the service looks for them
have buildah || apt_install buildah || fail "an image needs buildah, which cannot be installed"
[ -s "$certificates" ] || apt_install ca-certificates || fail "an image needs $certificates, of the package ca-certificates"

mkdir -p "$dist"
work=$(mktemp -d "$dist/tmp.XXXXXX")
root=$work/root
mkdir -p "$root/opt/coverage-dashboard" "$root/etc/ssl/certs" "$root/tmp" "$work/data"
tar -xzf "$archive" -C "$root/opt/coverage-dashboard" --no-same-owner --strip-components=1 \
    "$name/coverage-dashboard" "$name/clients" "$name/hash.txt" "$name/site" "$name/LICENSES.txt"
cp -L "$certificates" "$root/etc/ssl/certs/"
chmod -R u=rwX,go=rX "$root"
chmod 1777 "$root/tmp"

# The storage of buildah is temporary too. chroot and vfs need no kernel features.
buildah() { command buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"; }
pack() {
    local container
    container=$(buildah from --arch "$architecture" scratch)
    buildah copy --chown 0:0 "$container" "$root" /
    # A new volume gets the owner of this folder.
    buildah copy --chown "$user:$user" "$container" "$work/data" /data
    buildah config --os linux --arch "$architecture" --user "$user:$user" --workingdir /data --volume /data --port 3000 \
        --env PATH=/opt/coverage-dashboard --env COVERAGE_ADDR=0.0.0.0:3000 \
        --env DATABASE_URL=sqlite:///data/coverage.db --env REPORTS_URL=/data/reports \
        --entrypoint '["coverage-dashboard"]' --cmd serve \
        --label org.opencontainers.image.title=coverage-dashboard --label "org.opencontainers.image.version=$version" \
        "$container"
    buildah commit --quiet --omit-history --timestamp "$epoch" "$container" "coverage-dashboard:$version"
    buildah push --quiet "coverage-dashboard:$version" "oci-archive:$work/image.tar:coverage-dashboard:$version"
}
log=$work/log
pack >"$log" 2>&1 || { cat "$log" >&2 && fail "buildah cannot make the image"; }
mv "$work/image.tar" "$dist/$name-image.tar"
say "target/dist/$name-image.tar: $(wc -c <"$dist/$name-image.tar") bytes, for $architecture"
write_checksums
