# shellcheck shell=bash
# shellcheck disable=SC2154 # lib.sh sets the variables
# Functions for the tests of packages: start a service, upload a report, read it back.
# Sourced after lib.sh.

server=
url=
largest_client=8000000 # bytes of the program for jobs

stop_service() {
    if [ -z "$server" ]; then return 0; fi
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    server=
}
end_tries() {
    stop_service
    tidy
}

# Sets $work to a temporary folder with a report to upload.
begin_tries() {
    have curl || fail "curl is needed"
    work=$(mktemp -d)
    trap end_tries EXIT
    mkdir "$work/report"
    echo '<!doctype html><title>report</title><h1>read back</h1>' >"$work/report/index.html"
    {
        echo '<?xml version="1.0"?><coverage lines-covered="3" lines-valid="4" line-rate="0.75"><packages><package><classes><class filename="a.c"><lines>'
        printf '<line number="%s" hits="%s"/>' 1 1 2 1 3 1 4 0
        echo '</lines></class></classes></package></packages></coverage>'
    } >"$work/report/coverage.xml"
    tar -czf "$work/report.tar.gz" -C "$work/report" index.html coverage.xml
}

# start WHERE COMMAND…: starts a service, waits for its address, and sets $url and $log.
start() {
    local where=$1
    log=$work/log-${1//[ \/]/-}
    url=
    shift
    : >"$log"
    "$@" >"$log" 2>&1 &
    server=$!
    for _ in $(seq 300); do
        url=$(grep -oEm 1 'http://(127\.0\.0\.1|0\.0\.0\.0):[0-9]+' "$log" | sed 's/0\.0\.0\.0/127.0.0.1/' || true)
        if [ -n "$url" ]; then return; fi
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    cat "$log" >&2
    fail "$where: the service does not start"
}

# upload WHERE: uploads the report to a new service, with the token that it printed.
upload() {
    local token query
    token=$(grep -oE 'cov_[0-9A-Za-z]{36}' "$log" | head -n 1)
    query='org_name=acme&repo_name=dist&branch_name=main&commit_hash=c1&commit_author=Kim&language=c&coverage_xml_file_name=coverage.xml'
    curl -sSf -H "Authorization: Bearer $token" -F "file=@$work/report.tar.gz" "$url/coverages-api?$query" >"$work/answer"
    grep -q '"percentage":75' "$work/answer" || fail "$1: the response to the upload is $(cat "$work/answer")"
}

# read_back WHERE: reads the uploaded report, the overview with all its files, and the metrics.
read_back() {
    local file
    # Into files, because grep -q would end before curl has written everything.
    curl -sSf "$url/reports/1/index.html" >"$work/report.html"
    grep -q 'read back' "$work/report.html" || fail "$1: the report is not served"
    if grep WARN "$log"; then fail "$1: the service logs a warning"; fi
    curl -sSf "$url/" >"$work/page"
    grep -q 'acme/dist' "$work/page" || fail "$1: the overview does not show the repository"
    grep -oE '/pkg/[^"]+\.(css|js|wasm)' "$work/page" | sort -u >"$work/files"
    [ -s "$work/files" ] || fail "$1: the overview loads no files"
    while read -r file; do
        curl -sSf -o "$work/file" "$url$file" </dev/null || fail "$1: a page loads $file, which does not exist"
    done <"$work/files"
    curl -sSf "$url/metrics" >"$work/metrics"
    grep -q '^coverage_lines_covered{org="acme",repo="dist",language="c"} 3$' "$work/metrics" || fail "$1: no metrics"
}

# stop WHERE: stops the service, which must exit without an error.
stop() {
    kill "$server"
    wait "$server" || fail "$1: the service exits with an error"
    server=
}

# try WHERE COMMAND…: runs all these tests with a new service.
try() {
    start "$@"
    upload "$1"
    read_back "$1"
    check_health "$1"
    if [ -z "${emulator:-}" ]; then check_client "$1"; fi
    stop "$1"
    say "$1: the service starts, accepts an upload, serves it, and exits without error"
}

# check_health WHERE: checks the health like a monitor, with $binary, which $emulator runs if it is for another processor.
check_health() {
    # shellcheck disable=SC2086 # the emulator may be empty
    ${emulator:-} "$binary" healthcheck --url "$url" --ready || fail "$1: the service is not healthy"
}

# check_client WHERE: downloads the program for jobs like a job, and checks the report with it.
check_client() {
    local program=$work/download/coverage-dashboard path
    mkdir -p "$work/download"
    path=$url/download/$(uname -m)-linux
    curl -sSf -o "$program" "$path"
    curl -sSf -o "$program.sha256" "$path.sha256"
    (cd "$work/download" && sha256sum --quiet --check coverage-dashboard.sha256) || fail "$1: the program for jobs has another digest"
    [ "$(wc -c <"$program")" -lt "$largest_client" ] || fail "$1: the program for jobs is not the small one"
    chmod +x "$program"
    git init --quiet "$work/download/clone"
    cp "$work/report/coverage.xml" "$work/download/clone/"
    env -i -C "$work/download/clone" PATH="$PATH" "$program" check coverage.xml >"$work/verdict" 2>&1 ||
        { cat "$work/verdict" >&2 && fail "$1: the program for jobs fails"; }
    rm -r "$work/download"
}

# debian FOLDER VARIANT [PACKAGES]: unpacks Debian 12 from the mirror of this system; prints why if it cannot.
debian() {
    local mirror
    have mmdebstrap || apt_install mmdebstrap || { say "a bare Debian: not tested, mmdebstrap cannot be installed" && return 1; }
    # shellcheck disable=SC2016 # apt-get replaces it
    mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep -E 'debian/?$' | head -n 1)
    slowly debian "unpacking a bare Debian 12" mmdebstrap --variant="$2" ${3:+"--include=$3"} bookworm "$1" "${mirror:-}" ||
        { say "a bare Debian: not tested, mmdebstrap failed" && return 1; }
}

# in_root FOLDER COMMAND…: runs the command with the folder as its root and nothing in the environment. Each command replaces itself by
# the next, so that the service gets the signals. The service finds its site through /proc.
in_root() {
    # shellcheck disable=SC2016 # the inner shell replaces them
    exec unshare --mount sh -c 'mkdir -p "$1/proc" && mount -t proc proc "$1/proc" && exec env -i "$(command -v chroot)" "$@"' sh "$@"
}
