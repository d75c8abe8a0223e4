#!/usr/bin/env bash
# Tests that the archive of scripts/dist.sh runs with nothing installed: unpacks it, starts the service with a cleared environment,
# uploads a report and reads it back, here and in a bare Debian 12 if available.
#   scripts/check-dist.sh [ARCHIVE]
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$repo"

archive=${1:-$(find target/dist -maxdepth 1 -name 'coverage-dashboard-*.tar.gz' 2>/dev/null | sort | tail -n 1)}
[ -f "$archive" ] || fail "no archive in target/dist: run 'make dist'"
have curl || fail "curl is needed"
oldest_glibc=2.36 # Debian 12's
server=

end_check() {
    if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi
    server=
    tidy
}
work=$(mktemp -d)
trap end_check EXIT
tar -xzf "$archive" -C "$work"
folder=$(echo "$work"/coverage-dashboard-*)
binary=$folder/coverage-dashboard

# --- what the binary needs ---

needed=$(objdump -p "$binary" | awk '$1 == "NEEDED" { print $2 }' | sort)
others=$(echo "$needed" | grep -vxE 'libc\.so\.6|libm\.so\.6|libgcc_s\.so\.1|ld-linux-x86-64\.so\.2' || true)
[ -z "$others" ] || fail "the binary needs libraries other than glibc and libgcc_s: $others"
glibc=$(objdump -T "$binary" | grep -oE 'GLIBC_[0-9.]+' | cut -d_ -f2 | sort -Vu | tail -n 1)
[ "$(printf '%s\n' "$glibc" "$oldest_glibc" | sort -V | tail -n 1)" = "$oldest_glibc" ] || fail "the binary needs glibc $glibc, Debian 12 has $oldest_glibc"
say "the binary needs $(echo "$needed" | tr '\n' ' ')of glibc $glibc; Debian 12 has $oldest_glibc"
for file in LICENSES.txt INSTALL.md README.md CHANGELOG.md docs/src/configuration.md docs/src/images/overview.png coverage-dashboard.service coverage-dashboard.env hash.txt site/favicon.svg; do
    [ -s "$folder/$file" ] || fail "the archive has no $file"
done
(cd "$(dirname "$archive")" && sha256sum --quiet --check SHA256SUMS) || fail "SHA256SUMS does not match the files beside it"
parts=${archive%.tar.gz}.cdx.json
for part in tokio wasm-bindgen; do
    grep -q "\"purl\": \"pkg:cargo/$part@" "$parts" || fail "$parts does not list $part"
done
scripts/check-links.py "$folder" || fail "documents in the archive have broken links"

# --- a report to upload ---

mkdir "$work/report"
echo '<!doctype html><title>report</title><h1>read back</h1>' >"$work/report/index.html"
echo '<?xml version="1.0"?><coverage lines-covered="3" lines-valid="4" line-rate="0.75"><packages/></coverage>' >"$work/report/coverage.xml"
tar -czf "$work/report.tar.gz" -C "$work/report" index.html coverage.xml

# try WHERE COMMAND…: tests the service that COMMAND starts, with requests from this system.
try() {
    local where=$1 log=$work/log-${1// /-} url='' token query
    shift
    : >"$log"
    "$@" >"$log" 2>&1 &
    server=$!
    for _ in $(seq 100); do
        url=$(grep -oEm 1 'http://127\.0\.0\.1:[0-9]+' "$log" || true)
        if [ -n "$url" ]; then break; fi
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    [ -n "$url" ] || { cat "$log" >&2 && fail "$where: the service does not start"; }
    token=$(grep -oE 'cov_[0-9A-Za-z]{36}' "$log" | head -n 1)
    query='org_name=acme&repo_name=dist&branch_name=main&commit_hash=c1&commit_author=Kim&language=c&coverage_xml_file_name=coverage.xml'
    curl -sSf -H "Authorization: Bearer $token" -F "file=@$work/report.tar.gz" "$url/coverages-api?$query" >"$work/answer"
    grep -q '"percentage":75' "$work/answer" || fail "$where: the response to the upload is $(cat "$work/answer")"
    curl -sSf "$url/reports/1/index.html" | grep -q 'read back' || fail "$where: the report is not served"
    if grep WARN "$log"; then fail "$where: the service logs a warning"; fi
    curl -sSf "$url/" >"$work/page"
    grep -q 'acme/dist' "$work/page" || fail "$where: the overview does not show the repository"
    grep -oE '/pkg/[^"]+\.(css|js|wasm)' "$work/page" | sort -u >"$work/files"
    while read -r file; do
        curl -sSf -o "$work/file" "$url$file" </dev/null || fail "$where: a page loads $file, which does not exist"
    done <"$work/files"
    curl -sSf "$url/metrics" | grep -q '^coverage_lines_covered{org="acme",repo="dist",language="c"} 3$' || fail "$where: no metrics"
    "$binary" healthcheck --url "$url" --ready
    kill "$server"
    wait "$server" || fail "$where: the service exits with an error"
    server=
    say "$where: the service starts, accepts an upload, serves it, and exits without error"
}

mkdir "$work/data"
try 'a cleared environment' env -i -C "$work/data" "$binary" serve --addr 127.0.0.1:0

# --- a bare Debian 12 ---

if [ "$(id -u)" -ne 0 ]; then
    say "a bare Debian: not tested, it needs root"
    exit
fi
have mmdebstrap || apt_install mmdebstrap || { say "a bare Debian: not tested, mmdebstrap cannot be installed" && exit; }
root=$work/debian
# Essential packages only, from the mirror of this system.
# shellcheck disable=SC2016 # apt-get replaces it
mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep -E 'debian/?$' | head -n 1)
if ! slowly debian "unpacking a bare Debian 12" mmdebstrap --variant=essential bookworm "$root" "${mirror:-}"; then
    say "a bare Debian: not tested, mmdebstrap failed"
    exit
fi
cp -R "$folder" "$root/opt/coverage-dashboard"
mkdir "$root/srv/data"
# The service finds its site through /proc. Each command replaces itself by the next, so that the service gets the signals.
# shellcheck disable=SC2016 # that shell's own
try 'a bare Debian 12' unshare --mount sh -c 'mount -t proc proc "$1/proc" && exec env -i "$(command -v chroot)" "$@"' sh "$root" /opt/coverage-dashboard/coverage-dashboard serve --addr 127.0.0.1:0 \
    --database-url sqlite:///srv/data/coverage.db --reports-url /srv/data/reports
