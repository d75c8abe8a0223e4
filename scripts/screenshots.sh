#!/usr/bin/env bash
# Takes screenshots of every page with demonstration data, light and dark, for phone and desktop, into target/screenshots.
#   scripts/screenshots.sh            all of them (arguments of Playwright may follow)
#   scripts/screenshots.sh --readme   only the picture of the README: docs/src/images/overview.png
# BINARY=… and SITE=… name another build than the one of scripts/build.sh.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$repo"

binary=${BINARY:-target/release/coverage-dashboard}
site=${SITE:-target/site}
to=$repo/target/screenshots
if [ "${1:-}" = --readme ]; then
    shift
    to=$repo/docs/src/images
    set -- readme.shots.ts "$@"
    # Only the invented projects: there are many samples of real tools, most with 0 %.
    export SAMPLES=no
fi
work=$(mktemp -d)
servers=()
stop() {
    local server
    for server in "${servers[@]}"; do
        kill "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    done
    servers=()
}
trap 'stop; rm -rf "$work"' EXIT
have python3 || fail "python3 is needed to change the times of the demonstration data"

token=screenshots-of-the-demonstration
# start NAME FLAG...: starts a service with its own data, and sets $url
start() {
    local name=$1
    shift
    mkdir -p "$work/$name"
    : >"$work/$name/out"
    "$binary" serve --addr 127.0.0.1:0 --database-url "sqlite://$work/$name/coverage.db" \
        --reports-url "$work/$name/reports" --upload-token "$token" --site-root "$site" "$@" \
        >"$work/$name/out" 2>"$work/$name/log" &
    servers+=($!)
    for _ in $(seq 100); do
        url=$(grep -oE -m1 'http://127\.0\.0\.1:[0-9]+' "$work/$name/out") && return
        sleep 0.1
    done
    cat "$work/$name/log" >&2
    fail "the server did not start"
}

start demonstration
say "uploading demonstration data"
URL=$url TOKEN=$token scripts/demo.sh >/dev/null
# A refused upload, for the ledger.
curl --silent --output /dev/null --header "Authorization: Bearer $token" --form "file=@README.md" \
    "$url/coverages-api?org_name=acme&repo_name=webshop&branch_name=main&commit_hash=c0ffee&commit_author=Ada&language=typescript&coverage_xml_file_name=coverage.xml"
stop
python3 scripts/age-demo.py "$work/demonstration/coverage.db"
# create_token NAME ARGUMENT...: creates a token of the demonstration and prints its secret
create_token() {
    local name=$1
    shift
    "$binary" token create --name "$name" "$@" --database-url "sqlite://$work/demonstration/coverage.db" 2>>"$work/demonstration/log"
}
admin=$(create_token operations --for admin)
create_token "webshop CI" --org acme --repo webshop >/dev/null
create_token dashboards --for read --expires 3d >/dev/null
start empty
empty=$url
start protected --protect-reading
protected=$url
start demonstration
say "taking screenshots"
SCREENSHOTS_OF=$url SCREENSHOTS_EMPTY=$empty SCREENSHOTS_PROTECTED=$protected SCREENSHOTS_ADMIN=$admin \
    SCREENSHOTS_TO=$to scripts/test-tools.sh npx playwright test --config screenshots.config.ts "$@"
if [ "$to" = "$repo/docs/src/images" ]; then
    size=$(wc -c <"$to/overview.png")
    [ "$size" -lt 150000 ] || fail "the README's picture has $size bytes, which is more than 150 kB"
fi
say "see $to"
