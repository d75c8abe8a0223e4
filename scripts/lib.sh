# shellcheck shell=bash
# What the scripts here share: how they speak, fail, become root, install Debian packages and wait for long commands.

me=$(basename "$0" .sh)
# shellcheck disable=SC2034 # for those that source this
repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# One folder for every clone on the machine, so that a second clone builds at once.
cache=${COVERAGE_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/coverage-dashboard}
work=
heartbeat=

say() { printf '%s: %s\n' "$me" "$*" >&2; }
fail() {
    say "$*"
    exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }

tidy() {
    if [ -n "$heartbeat" ]; then kill "$heartbeat" 2>/dev/null || true; fi
    if [ -n "$work" ]; then rm -rf "$work"; fi
    work=
    heartbeat=
}
trap tidy EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# From here on no other run of these scripts installs anything; $work is a fresh folder that goes away at the end.
# What is installed is made in there and moved to its place when whole, so an interrupted install leaves nothing behind.
begin_install() {
    if [ -n "$work" ]; then return; fi
    mkdir -p "$cache/log"
    if have flock; then
        exec 9>"$cache/lock"
        if ! flock --nonblock 9; then
            say "waiting: another clone is installing tools into $cache"
            flock 9
        fi
        rm -rf "$cache"/tmp.*
    fi
    work=$(mktemp -d "$cache/tmp.XXXXXX")
}

# Closes the lock and gives way to the command: it must not hold the lock for as long as it runs.
hand_over() {
    tidy
    exec 9>&-
    exec "$@"
}

# slowly NAME WHY COMMAND…: runs it with its output in a log, a sign of life every 30 s, and the log's end when it fails.
slowly() {
    local name=$1 why=$2 log=$cache/log/$1.log start=$SECONDS status=0
    shift 2
    mkdir -p "$cache/log"
    say "$why (output: $log)"
    # The sleeps keep none of our streams, so whoever reads them does not wait for the last one.
    while sleep 30 >/dev/null 2>&1 9>&-; do say "still at it after $((SECONDS - start)) s: $why"; done &
    heartbeat=$!
    "$@" >"$log" 2>&1 </dev/null || status=$?
    kill "$heartbeat" 2>/dev/null || true
    wait "$heartbeat" 2>/dev/null || true
    heartbeat=
    if [ "$status" -ne 0 ]; then
        tail -n 20 "$log" | sed 's/^/    /' >&2
        say "failed after $((SECONDS - start)) s, the end of $log is above: $name"
        return "$status"
    fi
    say "$name: done in $((SECONDS - start)) s"
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

# need_root PURPOSE
need_root() {
    if [ "$(id -u)" -eq 0 ] || { have sudo && sudo -n true 2>/dev/null; }; then return; fi
    fail "$1 needs root: run this once as root, or where sudo asks for no password"
}

# apt_install PACKAGE…
apt_install() {
    need_root "installing $* with apt-get"
    slowly apt "installing Debian's $*" as_root sh -c '
        export DEBIAN_FRONTEND=noninteractive
        apt-get -o DPkg::Lock::Timeout=300 update || echo "going on with the package lists that are there"
        apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@"' apt "$@"
}

# These tools run for seconds, so a quick compile is worth more than a quick program. Their target folder goes away with $work.
compile() {
    env -u RUSTFLAGS -u CARGO_BUILD_TARGET CARGO_TARGET_DIR="$work/target" CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_OPT_LEVEL=1 \
        CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_DEBUG=0 cargo install --root "$work/root" "$@"
}

# install_crate CRATE VERSION FOLDER MINUTES [ARGUMENT…]: compiles it behind the lock, and moves what came of it to the folder.
install_crate() {
    local crate=$1 version=$2 folder=$3 minutes=$4
    shift 4
    # A registry mirror may lack the very newest version that a tool's own lock file names: then without that file.
    slowly "$crate" "compiling $crate $version (about $minutes minutes on two cores, once)" compile --locked "$crate" --version "$version" "$@" ||
        slowly "$crate" "compiling $crate $version with the versions that this registry has" compile "$crate" --version "$version" "$@" ||
        return 1
    rm -rf "${work:?}/target" "$folder"
    mv "$work/root" "$folder"
}
