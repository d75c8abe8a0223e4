#!/usr/bin/env bash
# Tests that podman runs the image with the commands of the manual (docs/src/install.md), with a separate storage.
#   scripts/packages/check-podman.sh IMAGE
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/../lib.sh"
cd "$repo"
# shellcheck source=scripts/try-lib.sh
. scripts/try-lib.sh

where='the image under podman'
image=$1

# podman refuses a system with both versions of cgroups, so this script sees only version 2.
if [ "${2:-}" != alone ]; then
    # shellcheck disable=SC2016 # the inner shell replaces them
    exec unshare --mount sh -c 'mount -t cgroup2 none /sys/fs/cgroup; exec "$@"' sh "$0" "$image" alone
fi

end_podman() {
    if have podman; then podman rm --force --time 1 coverage >/dev/null 2>&1 || true; fi
    end_tries
}

begin_tries
trap end_podman EXIT
have podman || apt_install podman crun containernetworking-plugins || { say "$where: not tested, podman cannot be installed" && exit; }
# Without limits that only the owner of the whole machine may raise.
export CONTAINERS_CONF=$work/containers.conf CONTAINERS_STORAGE_CONF=$work/storage.conf
printf '[containers]\ncgroups = "disabled"\ndefault_ulimits = ["nofile=1024:1024", "nproc=1000:1000"]\n' >"$CONTAINERS_CONF"
printf '[storage]\ndriver = "vfs"\ngraphroot = "%s/images"\nrunroot = "%s/run"\n' "$work" "$work" >"$CONTAINERS_STORAGE_CONF"
port=$(python3 -c 'import socket; free = socket.socket(); free.bind(("127.0.0.1", 0)); print(free.getsockname()[1])')

commands=$(awk '/^## As a container/ { is_here = 1 } is_here && /^```/ { if (is_code) exit; is_code = 1; next } is_code' docs/src/install.md |
    sed -e "s|target/dist/coverage-dashboard-\*-image.tar|$image|" -e "s|127.0.0.1:3000:|127.0.0.1:$port:|")
case $commands in *"--input $image"*"127.0.0.1:$port:"*) ;; *) fail "$where: docs/src/install.md has other commands than this test expects" ;; esac
podman info >/dev/null 2>"$work/info" || { sed 's/^/    /' "$work/info" >&2 && say "$where: not tested, podman does not run here (its message is above)" && exit; }
# The last command looks for the token at once.
bash -euc "${commands%podman logs*}" >"$work/commands" 2>&1 || { cat "$work/commands" >&2 && fail "$where: a command of the manual fails"; }

# ready: waits for the service; sets $log and $url.
ready() {
    log=$work/podman
    url=http://127.0.0.1:$port
    for _ in $(seq 100); do
        if curl -sf -o /dev/null "$url/coverages-api/ready"; then
            podman logs coverage >"$log" 2>&1
            return
        fi
        sleep 0.2
    done
    podman logs coverage >&2
    fail "$where: the service is not ready"
}
ready
upload "$where"
read_back "$where"
podman healthcheck run coverage >/dev/null || fail "$where: its health check fails"
# It complains if systemd is missing, which would repeat the health check.
podman restart coverage >/dev/null 2>&1
ready
read_back "$where"
podman stop coverage >/dev/null 2>&1
[ "$(podman inspect --format '{{.State.ExitCode}}' coverage)" = 0 ] || fail "$where: the service ends with an error"
say "$where: the commands of the manual run it; it is healthy, and has the upload after a restart"
