#!/usr/bin/env bash
# Makes a Debian package of the archive of scripts/dist.sh: target/dist/coverage-dashboard_VERSION_ARCHITECTURE.deb.
# dpkg-deb packs it: the archive has all files, so cargo-deb would only compile another tool.
#   scripts/deb.sh [TARGET]
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$repo"
# shellcheck source=scripts/dist-lib.sh
. scripts/dist-lib.sh

target=${1:-$default_target}
architecture=$(architecture_of "$target")
archive=$(archive_of "$target")
package=coverage-dashboard_${version}_$architecture.deb
have dpkg-deb || fail "a Debian package needs dpkg-deb: install the package dpkg"

mkdir -p "$dist"
work=$(mktemp -d "$dist/tmp.XXXXXX")
root=$work/root
program=$root/usr/lib/coverage-dashboard
documents=$root/usr/share/doc/coverage-dashboard
mkdir -p "$program" "$documents" "$root/DEBIAN" "$root/etc" "$root/usr/bin" "$root/usr/lib/systemd/system"
tar -xzf "$archive" -C "$program" --no-same-owner --strip-components=1
mv "$program"/*.md "$program/docs" "$documents/"
mv "$program/LICENSES.txt" "$documents/copyright"
mv "$program/coverage-dashboard.env" "$root/etc/"
ln -s ../lib/coverage-dashboard/coverage-dashboard "$root/usr/bin/coverage-dashboard"
# The package creates the user, so that commands can run as this user.
sed -e 's|^ExecStart=/opt/coverage-dashboard/|ExecStart=/usr/bin/|' -e 's|/opt/coverage-dashboard/|/usr/share/doc/coverage-dashboard/|g' \
    -e '/^DynamicUser=/d' "$program/coverage-dashboard.service" >"$root/usr/lib/systemd/system/coverage-dashboard.service"
rm "$program/coverage-dashboard.service"

echo /etc/coverage-dashboard.env >"$root/DEBIAN/conffiles"
cp scripts/packages/deb/p* "$root/DEBIAN/"
sed -e "s/@VERSION@/$version/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@SIZE@/$(du --summarize --apparent-size --block-size=1K "$root" | cut -f 1)/" \
    scripts/packages/deb/control >"$root/DEBIAN/control"
chmod -R u=rwX,go=rX "$root"
chmod 755 "$root"/DEBIAN/p*
# Settings may contain tokens. systemd reads the file as root.
chmod 600 "$root/etc/coverage-dashboard.env"

SOURCE_DATE_EPOCH=$epoch dpkg-deb --root-owner-group -Zxz --build "$root" "$work/$package" >/dev/null
mv "$work/$package" "$dist/"
say "target/dist/$package: $(wc -c <"$dist/$package") bytes"
write_checksums
