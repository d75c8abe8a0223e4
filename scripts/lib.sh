# shellcheck shell=bash
# Functions for the scripts: print messages, fail, run commands as root, install tools, run long commands.

me=$(basename "$0" .sh)
# shellcheck disable=SC2034 # used by the scripts that source this
repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# One folder for all clones on the machine, so that a second clone builds immediately.
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

# Locks installations against other runs of these scripts, and sets $work to a new folder that is removed at the end.
# Tools are built there and moved when complete, so an interrupted installation leaves no files.
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

# Releases the lock and replaces this process by the command, which must not hold the lock while it runs.
hand_over() {
    tidy
    exec 9>&-
    exec "$@"
}

# slowly NAME WHY COMMAND…: runs the command with its output in a log; prints a line every 30 s, and the end of the log on failure.
slowly() {
    local name=$1 why=$2 log=$cache/log/$1.log start=$SECONDS status=0
    shift 2
    mkdir -p "$cache/log"
    say "$why (output: $log)"
    # The sleeps do not inherit the streams, so a reader of them does not wait for the last sleep.
    while sleep 30 >/dev/null 2>&1 9>&-; do say "still running after $((SECONDS - start)) s: $why"; done &
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
    fail "$1 needs root: run this once as root, or with a sudo that needs no password"
}

# apt_install PACKAGE…
apt_install() {
    need_root "installing $* with apt-get"
    slowly apt "installing Debian's $*" as_root sh -c '
        export DEBIAN_FRONTEND=noninteractive
        apt-get -o DPkg::Lock::Timeout=300 update || echo "continuing with the existing package lists"
        apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@"' apt "$@"
}

# These tools run for seconds, so a fast build matters more than a fast program: opt_level=0 is for tools that only start others.
# With the system's OpenSSL, none has to be built. Their target folder is removed with $work.
compile() {
    if pkg-config --exists openssl 2>/dev/null; then export OPENSSL_NO_VENDOR=1; fi
    env -u RUSTFLAGS -u CARGO_BUILD_TARGET CARGO_TARGET_DIR="$work/target" CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_OPT_LEVEL="${opt_level:-1}" \
        CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_DEBUG=0 cargo install --root "$work/root" "$@"
}

# install_crate CRATE VERSION FOLDER MINUTES [ARGUMENT…]: compiles it under the lock, and moves the result to the folder.
install_crate() {
    local crate=$1 version=$2 folder=$3 minutes=$4
    shift 4
    # A registry mirror may lack the newest versions in a tool's own lock file: then build without that file.
    slowly "$crate" "compiling $crate $version (about $minutes minutes on two cores, once)" compile --locked "$crate" --version "$version" "$@" ||
        slowly "$crate" "compiling $crate $version with the versions that this registry has" compile "$crate" --version "$version" "$@" ||
        return 1
    rm -rf "${work:?}/target" "$folder"
    mv "$work/root" "$folder"
}
