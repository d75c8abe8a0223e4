#!/usr/bin/env bash
# Exports from Coveralls: prints the builds of a repository as lines for `coverage-dashboard import`.
#
#   [COVERALLS_TOKEN=…] scripts/moving/coveralls.sh SERVICE OWNER/REPO LANGUAGE >history.ndjson
#   scripts/moving/coveralls.sh SERVICE OWNER/REPO LANGUAGE PAGE.json… >history.ndjson    from saved responses
#
# SERVICE is github, gitlab or bitbucket. COVERALLS_URL is the address of a self-hosted Coveralls.
set -euo pipefail
# shellcheck source=scripts/moving/lib.sh
. "$(dirname "$0")/lib.sh"
[ $# -ge 3 ] || fail "usage: SERVICE OWNER/REPO LANGUAGE, for example github acme/payments go"
begin COVERALLS_TOKEN
authorization=${COVERALLS_TOKEN:+token $COVERALLS_TOKEN}
service=$1 repository=$2 language=$3
shift 3
[[ $service =~ ^[a-z]+$ ]] || fail "the service must be github, gitlab or bitbucket, not '$service'"
check_names "$repository" "$language"

shape='(.builds | type) == "array" and (.pages | type) == "number"'
# Responses of older versions have no counts.
# shellcheck disable=SC2016 # the variables belong to jq
records='.builds[] | {
    org_name: $owner, repo_name: $name, language: $language, branch_name: .branch, commit_hash: .commit_sha,
    commit_author: .committer_name, created_at, percentage: .covered_percent,
    lines_covered: .covered_lines, lines_total: .relevant_lines,
    branches_covered: .covered_branches, branches_total: .relevant_branches}'
constants=(--arg owner "${repository%/*}" --arg name "${repository##*/}" --arg language "$language")
for file; do add_page "$file" "$shape" "$records" "${constants[@]}"; done
if [ $# -gt 0 ]; then
    finish
    exit
fi

page=1
while true; do
    # Without a page number the response has only the last build.
    fetch "${COVERALLS_URL:-https://coveralls.io}/$service/$repository.json?page=$page"
    add_page "$work/page" "$shape" "$records" "${constants[@]}"
    jq -e --argjson page "$page" '.pages > $page and .builds != []' "$work/page" >/dev/null || break
    page=$((page + 1))
done
finish
