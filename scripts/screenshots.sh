#!/usr/bin/env bash
# Owns screenshots: of every page, light and dark, on a phone and on a desk, over the demonstration data, into target/screenshots.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$repo"

work=$(mktemp -d)
server=
stop() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    [ -z "$server" ] || wait "$server" 2>/dev/null || true
    server=
}
trap 'stop; rm -rf "$work"' EXIT
have python3 || fail "python3 is needed to give the demonstration data a history"

token=screenshots-of-the-demonstration
start() {
    : >"$work/out"
    target/release/coverage-dashboard serve --addr 127.0.0.1:0 --database-url "sqlite://$work/coverage.db" --reports-url "$work/reports" \
        --upload-token "$token" --site-root target/site >"$work/out" 2>"$work/log" &
    server=$!
    for _ in $(seq 100); do
        url=$(grep -oE -m1 'http://127\.0\.0\.1:[0-9]+' "$work/out") && return
        sleep 0.1
    done
    cat "$work/log" >&2
    fail "the server did not start"
}

start
say "uploading demonstration data"
URL=$url TOKEN=$token scripts/demo.sh >/dev/null
# Something for the ledger: an upload that is refused.
curl --silent --output /dev/null --header "Authorization: Bearer $token" --form "file=@README.md" \
    "$url/coverages-api?org_name=acme&repo_name=webshop&branch_name=main&commit_hash=c0ffee&commit_author=Ada&language=typescript&coverage_xml_file_name=coverage.xml"
stop
python3 scripts/age-demo.py "$work/coverage.db"
start
say "taking screenshots"
SCREENSHOTS_OF=$url SCREENSHOTS_TO=$repo/target/screenshots scripts/test-tools.sh npx playwright test --config screenshots.config.ts "$@"
say "see target/screenshots"
