#!/usr/bin/env bash
# Tests that the service follows its OpenAPI document: schemathesis sends thousands of valid and invalid requests.
#
#   scripts/check-openapi.sh [ARGUMENTS OF SCHEMATHESIS…]
#
# BINARY=… names another build than the release. If Python is missing or schemathesis cannot be installed, it prints a message.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/bench-lib.sh
. "$repo/scripts/bench-lib.sh"

version=4.32.5
tools=$cache/schemathesis-$version
# With a fixed seed every run sends the same requests.
seed=7
examples=${EXAMPLES:-40}

if ! [ -x "$tools/bin/schemathesis" ]; then
    if ! have python3; then
        say "Python is missing: the interface WAS NOT CHECKED against its OpenAPI document."
        exit 0
    fi
    begin_install
    # A virtual environment contains its own path, so it is created in its final folder.
    rm -rf "$tools"
    # shellcheck disable=SC2016 # the inner shell replaces them
    slowly schemathesis "installing schemathesis" sh -c 'python3 -m venv "$1" && "$1/bin/pip" install --quiet "schemathesis==$2"' sh "$tools" "$version" || {
        rm -rf "$tools"
        say "schemathesis cannot be installed here: the interface WAS NOT CHECKED against its OpenAPI document."
        exit 0
    }
    tidy
    exec 9>&-
fi

begin_bench
# The check sends refused tokens, which must not exhaust the rate limit for other requests.
export FAILED_TRIES_PER_ADDRESS=1000000 FAILED_TRIES_PER_REPOSITORY=1000000
start_server "$work"

# --- records with reports: one repository keeps its branches, the other gets lists of its branches ---

mkdir "$work/report"
echo '<!doctype html><title>report</title>' >"$work/report/index.html"
echo '<?xml version="1.0"?><coverage lines-covered="3" lines-valid="4" line-rate="0.75"><packages/></coverage>' >"$work/report/coverage.xml"
tar -czf "$work/report.tar.gz" -C "$work/report" index.html coverage.xml
for branch in main feature/x; do
    curl -sSf -o /dev/null -H "Authorization: Bearer $token" -F "file=@$work/report.tar.gz" \
        "$url/coverages-api?org_name=acme&repo_name=kept&branch_name=$branch&commit_hash=c1&commit_author=Kim&language=python&coverage_xml_file_name=coverage.xml"
done
curl -sSf -o /dev/null -H "Authorization: Bearer $token" -F "file=@$work/report.tar.gz" \
    "$url/coverages-api?org_name=acme&repo_name=listed&branch_name=main&commit_hash=c1&commit_author=Kim&language=python&coverage_xml_file_name=coverage.xml"

say "testing $url"
cd "$work"
status=0
SCHEMATHESIS_HOOKS=openapi_hooks PYTHONPATH=$repo/scripts PYTHONDONTWRITEBYTECODE=1 \
    "$tools/bin/schemathesis" run "$url/coverages-api/openapi.json" \
    --header "Authorization: Bearer $token" --checks all --seed "$seed" --max-examples "$examples" --continue-on-failure \
    --generation-database none --no-color --request-timeout 20 "$@" || status=$?
kill -0 "$server" 2>/dev/null || fail "the service has stopped: $(cat "$work/log")"
if grep -qi panicked "$work/log"; then
    grep -i -A5 panicked "$work/log" >&2
    fail "the service panicked"
fi
exit "$status"
