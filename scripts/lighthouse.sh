#!/usr/bin/env bash
# Measures the overview, a repository and a record with Lighthouse, as on a phone and on a desk. The goal is 100 in each category.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/bench-lib.sh
. "$repo/scripts/bench-lib.sh"

have python3 || fail "python3 is needed to change the times of the demonstration data"
tools=$repo/end2end/lighthouse
# The copy of the lock file is written last, so it exists only after a complete installation.
if ! cmp -s "$tools/package-lock.json" "$tools/node_modules/.installed"; then
    begin_install
    slowly lighthouse "installing Lighthouse" npm ci --prefix "$tools" --ignore-scripts --no-audit --no-fund || fail "npm ci failed in $tools"
    cp "$tools/package-lock.json" "$tools/node_modules/.installed"
    tidy
    exec 9>&-
fi

begin_bench
start_server "$work/demonstration"
URL=$url TOKEN=$token SAMPLES=no "$repo/scripts/demo.sh" >/dev/null
stop_server
python3 "$repo/scripts/age-demo.py" "$work/demonstration/coverage.db"
start_server "$work/demonstration"
# shellcheck disable=SC2016 # the inner shell replaces them
"$repo/scripts/test-tools.sh" sh -c 'CHROME_PATH=${CHROMIUM_PATH:-$(node --print "require(\"@playwright/test\").chromium.executablePath()")} exec node lighthouse/scores.mjs "$@"' \
    sh "$url/" "$url/repos/acme/webshop" "$url/records/1"
