#!/usr/bin/env bash
# Exports from the system that this one replaces: prints the records of its HTTP listing as lines for `coverage-dashboard import`.
#
#   scripts/moving/listing.sh https://old.example.com >history.ndjson                (OLD_TOKEN=… if it needs a token)
#   scripts/moving/listing.sh PAGE.json… >history.ndjson                             from saved responses
set -euo pipefail
# shellcheck source=scripts/moving/lib.sh
. "$(dirname "$0")/lib.sh"
[ $# -ge 1 ] || fail "usage: the address of the old service, or files with its responses"
begin OLD_TOKEN
authorization=${OLD_TOKEN:-}

shape='(.data | type) == "object" and (.has_next | type) == "boolean"'
# The keys (org/repo) are not needed: the records have the same names.
# shellcheck disable=SC2016 # the variables belong to jq
records='.data[][] | {id, org_name, repo_name, branch_name, commit_hash, commit_author, language, percentage, created_at, updated_at}'
if [[ $1 != http://* && $1 != https://* ]]; then
    for file; do add_page "$file" "$shape" "$records"; done
    finish
    exit
fi

[ $# -eq 1 ] || fail "usage: one address"
# The first page is 0 or 1. If both are the same page, its records come twice and are written once.
page=0
while true; do
    fetch "${1%/}/coverages-api?full=true&p=$page"
    add_page "$work/page" "$shape" "$records"
    jq -e '.has_next and .data != {}' "$work/page" >/dev/null || break
    page=$((page + 1))
done
finish
