#!/usr/bin/env bash
# Tests the packages of scripts/image.sh and scripts/deb.sh for this processor, compose.yaml and the Helm chart, as far as this
# system can. It prints which tests it skips.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$repo"
# shellcheck source=scripts/dist-lib.sh
. scripts/dist-lib.sh
# shellcheck source=scripts/try-lib.sh
. scripts/try-lib.sh

target=$(uname -m)-unknown-linux-musl
begin_tries
archive=$(archive_of "$target")
tar -xzf "$archive" -C "$work" --strip-components=1 --wildcards '*/coverage-dashboard'
binary=$work/coverage-dashboard
(cd "$dist" && sha256sum --quiet --check SHA256SUMS) || fail "SHA256SUMS does not match the files beside it"

# --- the image ---

image=${archive%.tar.gz}-image.tar
[ -f "$image" ] || fail "no image $image: run 'make image'"

# bundle NAME [COMMAND…]: makes a container of the image, whose volume is $work/volume.
bundle() {
    local name=$1
    shift
    scripts/packages/bundle.py "$image" "$work/container-$name" "$work/volume" "$address" "$@" || fail "the image cannot be unpacked"
}

# container NAME: replaces this process by the container.
container() {
    # crun refuses a system with both versions of cgroups, so it sees only version 2.
    # shellcheck disable=SC2016 # the inner shell replaces them
    exec unshare --mount sh -c 'mount -t cgroup2 none /sys/fs/cgroup; exec crun "$@"' crun \
        --root "$work/crun" --cgroup-manager disabled run --bundle "$work/container-$1" "coverage-$1-$$"
}

check_image() {
    local where='the image under crun'
    address=127.0.0.1:$(python3 -c 'import socket; free = socket.socket(); free.bind(("127.0.0.1", 0)); print(free.getsockname()[1])')
    install -d -o 65532 -g 65532 "$work/volume"
    bundle version --version
    bundle first
    bundle health healthcheck --ready
    bundle second
    if ! (container version) >"$work/version" 2>&1; then
        sed 's/^/    /' "$work/version" >&2
        say "the image: not started, crun cannot run it here (its message is above)"
        return
    fi
    grep -q " $version$" "$work/version" || fail "$where: the version is $(cat "$work/version")"
    start "$where" container first
    upload "$where"
    read_back "$where"
    check_client "$where"
    (container health) >"$work/health" || fail "$where: its health check fails"
    stop "$where"
    [ "$(stat -c %u "$work/volume/coverage.db")" = 65532 ] || fail "$where: the service does not run as user 65532"
    start "$where" container second
    read_back "$where"
    stop "$where"
    say "$where: the service accepts an upload, is healthy, and has it after a restart with the same volume"
}

# --- the Debian package ---

package=$dist/coverage-dashboard_${version}_$(architecture_of "$target").deb
[ -f "$package" ] || fail "no package $package: run 'make deb'"

# next_version: packs the same files as a newer version, whose configuration file differs; prints its path.
next_version() {
    dpkg-deb --raw-extract "$package" "$work/next"
    sed -i "s/^Version: .*/Version: $version+next/" "$work/next/DEBIAN/control"
    echo '# A newer release.' >>"$work/next/etc/coverage-dashboard.env"
    dpkg-deb --root-owner-group -Znone --build "$work/next" "$work/next.deb" >/dev/null
    echo "$work/next.deb"
}

# unit NAME: prints the values of a setting of the installed unit, such as ExecStart.
unit() { sed -n "s/^$1=//p" "$debian/usr/lib/systemd/system/coverage-dashboard.service"; }

# as_unit: starts the unit's command as its user with its variables, without systemd (see packages/check-systemd.sh).
as_unit() {
    local variable variables=()
    while read -r variable; do variables+=("$variable"); done < <(unit Environment && grep -v '^ *\(#\|$\)' "$debian/etc/coverage-dashboard.env")
    # setpriv replaces itself by the command, so that the service gets the signals.
    # shellcheck disable=SC2046 # the command and its arguments are words
    in_root "$debian" /usr/bin/setpriv --reuid "$(unit User)" --regid "$(unit User)" --init-groups /usr/bin/env -C "$(unit WorkingDirectory)" "${variables[@]}" $(unit ExecStart)
}

apt_in() { chroot "$debian" env DEBIAN_FRONTEND=noninteractive apt-get -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold "$@" >>"$work/apt.log" 2>&1 || { cat "$work/apt.log" >&2 && fail "apt-get $* fails"; }; }

check_deb() {
    local where='the Debian package' settings
    debian=$work/debian
    debian "$debian" apt adduser || return 0
    cp "$package" "$debian/tmp/first.deb"
    apt_in install -y --no-install-recommends /tmp/first.deb
    settings=$debian/etc/coverage-dashboard.env
    [ "$(stat -c %a "$settings")" = 600 ] || fail "$where: others can read the settings"
    sed -i 's/^COVERAGE_ADDR=.*/COVERAGE_ADDR=127.0.0.1:0/' "$settings"
    echo '# changed by the operator' >>"$settings"
    start "$where" as_unit
    upload "$where"
    read_back "$where"
    check_client "$where"
    stop "$where"

    cp "$(next_version)" "$debian/tmp/next.deb"
    apt_in install -y --no-install-recommends /tmp/next.deb
    chroot "$debian" dpkg -s coverage-dashboard | grep -q "^Version: $version+next" || fail "$where: it was not upgraded"
    grep -q 'changed by the operator' "$settings" || fail "$where: an upgrade replaces changed settings"
    start "$where" as_unit
    read_back "$where"
    stop "$where"

    apt_in remove -y coverage-dashboard
    [ ! -e "$debian/usr/bin/coverage-dashboard" ] || fail "$where: removal leaves the program"
    [ -s "$debian/var/lib/coverage-dashboard/coverage.db" ] || fail "$where: removal deletes data"
    [ -s "$settings" ] || fail "$where: removal deletes settings"
    apt_in purge -y coverage-dashboard
    for file in "$settings" "$debian/var/lib/coverage-dashboard"; do
        [ ! -e "$file" ] || fail "$where: purge leaves $file"
    done
    if chroot "$debian" getent passwd coverage-dashboard; then fail "$where: purge leaves the user"; fi
    say "$where: installed, upgraded with changed settings kept, removed with data kept, purged; its service works as its user"
}

if [ "$(id -u)" -eq 0 ]; then
    have crun || apt_install crun || true
    if have crun; then check_image; else say "the image: not started, crun cannot be installed"; fi
    scripts/packages/check-podman.sh "$image"
    check_deb
    [ -f "$work/next.deb" ] || next_version >/dev/null
    scripts/packages/check-systemd.sh "$archive" "$package" "$work/next.deb"
else
    say "the image and the Debian package: not tested, they need root"
fi
scripts/packages/check-compose.sh
scripts/packages/check-chart.sh
