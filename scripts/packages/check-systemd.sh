#!/usr/bin/env bash
# Tests the steps of INSTALL.md and the Debian package with systemd itself, which runs in a separate Debian 12 (systemd-nspawn).
#   scripts/packages/check-systemd.sh ARCHIVE PACKAGE NEWER_PACKAGE
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/../lib.sh"
cd "$repo"
# shellcheck source=scripts/try-lib.sh
. scripts/try-lib.sh

unit=coverage-dashboard.service
machine_process=
init= # its systemd, as this system numbers it

# inside COMMAND…: runs the command in the machine.
inside() { nsenter --target "$init" --mount --uts --ipc --net --pid env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }
# The machine has its own loopback network: only requests from inside reach the service.
curl() { nsenter --target "$init" --net curl "$@"; }

end_machine() {
    if [ -n "$machine_process" ]; then
        kill "$machine_process" 2>/dev/null || true
        wait "$machine_process" 2>/dev/null || true
    fi
    end_tries
}

# boot FOLDER: starts systemd there; prints why if it cannot.
boot() {
    # systemd-nspawn refuses a system with both versions of cgroups, so it sees only version 2.
    # shellcheck disable=SC2016 # the inner shell replaces them
    unshare --mount sh -c 'mount -t cgroup2 none /sys/fs/cgroup; exec systemd-nspawn "$@"' systemd-nspawn --quiet --boot --directory="$1" \
        --private-network --register=no --keep-unit --machine="coverage-$$" --console=pipe >"$work/boot.log" 2>&1 </dev/null &
    machine_process=$!
    for _ in $(seq 300); do
        kill -0 "$machine_process" 2>/dev/null || break
        init=$(pgrep --parent "$machine_process" | head -n 1)
        case $([ -z "$init" ] || inside systemctl is-system-running 2>/dev/null) in
        running | degraded) return ;;
        esac
        sleep 0.2
    done
    sed 's/^/    /' "$work/boot.log" >&2
    say "systemd: not tested, systemd-nspawn does not start here (its messages are above)"
    return 1
}

# is_active WHERE: the service must accept requests; sets $log and $url.
is_active() {
    [ "$(inside systemctl is-active "$unit")" = active ] || { inside systemctl status "$unit" --no-pager >&2 || true && fail "$1: the service is not active"; }
    log=$work/journal
    inside journalctl --unit "$unit" --no-pager --output cat >"$log"
    url=$(grep -oE 'http://127\.0\.0\.1:[0-9]+' "$log" | head -n 1)
    [ "$(inside stat -c %u "/proc/$(inside systemctl show --property MainPID --value "$unit")")" != 0 ] || fail "$1: the service runs as root"
    curl -sSf -o /dev/null "$url/coverages-api/ready" || fail "$1: systemd reports that the service has started, but it is not ready"
}

# ended WHERE: the service must have ended without an error.
ended() { [ "$(inside systemctl show --property Result --value "$unit")" = success ] || fail "$1: the service ends with an error"; }

# killed WHERE: systemd must start the service again.
killed() {
    inside systemctl kill --signal KILL "$unit"
    for _ in $(seq 100); do
        if [ "$(inside systemctl show --property NRestarts --value "$unit")" = 1 ] && [ "$(inside systemctl is-active "$unit")" = active ]; then
            is_active "$1"
            return
        fi
        sleep 0.2
    done
    fail "$1: systemd does not start the killed service again"
}

# steps NUMBER: prints the commands of a block of INSTALL.md's section about systemd.
steps() {
    awk -v wanted="$1" '/^### With systemd/ { is_here = 1; next } /^### / { is_here = 0 } !is_here { next }
        /^```/ { is_code = !is_code; number += is_code; next } is_code && number == wanted' scripts/dist/INSTALL.md
}

check_archive() {
    local where='the archive under systemd'
    mkdir "$machine/root/unpacked"
    cp "$1" "$machine/root/unpacked/"
    inside sh -ec "cd /root/unpacked; $(steps 1)" 2>"$work/messages" || { cat "$work/messages" >&2 && fail "$where: a step of INSTALL.md fails"; }
    is_active "$where"
    [ "$(inside sh -ec "$(steps 2)" | grep -c 'cov_')" = 1 ] || fail "$where: the journal does not have the upload token once"
    upload "$where"
    read_back "$where"
    killed "$where"
    read_back "$where"
    inside sh -ec "$(steps 3)" 2>/dev/null | grep -q 'cov_' || fail "$where: root cannot create a token"
    inside sh -ec "cd /root/unpacked; $(steps 1); systemctl restart $unit" 2>/dev/null || fail "$where: the steps fail again, as an upgrade"
    is_active "$where"
    read_back "$where"
    inside systemctl disable --quiet --now "$unit"
    ended "$where"
    inside rm -r "/etc/systemd/system/$unit" /etc/coverage-dashboard.env /opt/coverage-dashboard /var/lib/private/coverage-dashboard /var/lib/coverage-dashboard
    inside systemctl daemon-reload
    say "$where: the steps of INSTALL.md install, upgrade and run it; it is started again after a kill, and not as root"
}

check_package() {
    local where='the Debian package under systemd' before
    cp "$1" "$machine/root/first.deb"
    cp "$2" "$machine/root/newer.deb"
    inside journalctl --quiet --rotate --vacuum-time 1s
    inside apt-get install -qq -y /root/first.deb >"$work/apt.log" 2>&1 || { cat "$work/apt.log" >&2 && fail "$where: it cannot be installed"; }
    is_active "$where"
    upload "$where"
    read_back "$where"
    before=$(inside systemctl show --property MainPID --value "$unit")
    inside apt-get install -qq -y /root/newer.deb >"$work/apt.log" 2>&1 || { cat "$work/apt.log" >&2 && fail "$where: it cannot be upgraded"; }
    is_active "$where"
    [ "$(inside systemctl show --property MainPID --value "$unit")" != "$before" ] || fail "$where: an upgrade does not start the new service"
    read_back "$where"
    inside apt-get purge -qq -y coverage-dashboard >"$work/apt.log" 2>&1 || { cat "$work/apt.log" >&2 && fail "$where: it cannot be removed"; }
    [ "$(inside systemctl is-active "$unit" || true)" = inactive ] || fail "$where: the service still runs after the removal"
    say "$where: installing starts the service, an upgrade restarts it, and removal stops it"
}

begin_tries
trap end_machine EXIT
for program in systemd-nspawn nsenter; do
    have "$program" || apt_install systemd-container util-linux || { say "systemd: not tested, $program cannot be installed" && exit; }
done
machine=$work/machine
debian "$machine" apt systemd-sysv,adduser,ca-certificates || exit 0
boot "$machine" || exit 0
check_archive "$1"
check_package "$2" "$3"
