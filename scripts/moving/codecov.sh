#!/usr/bin/env bash
# Exports from Codecov: prints the commits of a repository as lines for `coverage-dashboard import`.
#
#   [CODECOV_TOKEN=…] scripts/moving/codecov.sh SERVICE OWNER/REPO LANGUAGE >history.ndjson
#   scripts/moving/codecov.sh SERVICE OWNER/REPO LANGUAGE PAGE.json… >history.ndjson      from saved responses
#
# SERVICE is github, gitlab, bitbucket, or one of these with _enterprise or _server. CODECOV_URL: the API of a self-hosted Codecov.
set -euo pipefail
# shellcheck source=scripts/moving/lib.sh
. "$(dirname "$0")/lib.sh"
[ $# -ge 3 ] || fail "usage: SERVICE OWNER/REPO LANGUAGE, for example github acme/payments go"
begin CODECOV_TOKEN
authorization=${CODECOV_TOKEN:+bearer $CODECOV_TOKEN}
service=$1 repository=$2 language=$3
shift 3
[[ $service =~ ^[a-z_]+$ ]] || fail "the service must be github, gitlab or bitbucket, not '$service'"
check_names "$repository" "$language"
owner=${repository%/*} name=${repository##*/}

shape='(.results | type) == "array"'
# An incomplete commit has no totals, or only the totals of some of its uploads.
# shellcheck disable=SC2016 # the variables belong to jq
records='.results[] | {
    org_name: $owner, repo_name: $name, language: $language, branch_name: .branch, commit_hash: .commitid,
    commit_author: (.author.username // .author.name), created_at: .timestamp,
    percentage: (if (.state // "complete") == "complete" then .totals.coverage else null end),
    lines_covered: .totals.hits, lines_total: .totals.lines}'
constants=(--arg owner "$owner" --arg name "$name" --arg language "$language")
for file; do add_page "$file" "$shape" "$records" "${constants[@]}"; done
if [ $# -gt 0 ]; then
    finish
    exit
fi

page=1
while true; do
    # The API of Codecov separates nested groups of GitLab with colons.
    fetch "${CODECOV_URL:-https://api.codecov.io}/api/v2/$service/${owner//\//:}/repos/$name/commits/?page=$page&page_size=100"
    add_page "$work/page" "$shape" "$records" "${constants[@]}"
    jq -e '.next' "$work/page" >/dev/null || break
    page=$((page + 1))
done
finish
