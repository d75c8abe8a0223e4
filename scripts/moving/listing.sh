#!/usr/bin/env bash
# Owns the way from the system that this one replaces, by its HTTP listing: every record that it lists, as the lines that
# `coverage-dashboard import` takes.
#
#   scripts/moving/listing.sh https://old.example.com >history.ndjson                (OLD_TOKEN=… if it needs a token)
#   scripts/moving/listing.sh PAGE.json… >history.ndjson                             of answers that were saved before
set -euo pipefail
# shellcheck source=scripts/moving/lib.sh
. "$(dirname "$0")/lib.sh"
[ $# -ge 1 ] || fail "say the address of the old service, or the files that hold its answers"
begin OLD_TOKEN
authorization=${OLD_TOKEN:-}

shape='(.data | type) == "object" and (.has_next | type) == "boolean"'
# The key, org/repo, says no more than the records do.
# shellcheck disable=SC2016 # the variables are those of jq
records='.data[][] | {id, org_name, repo_name, branch_name, commit_hash, commit_author, language, percentage, created_at, updated_at}'
if [[ $1 != http://* && $1 != https://* ]]; then
    for file; do take "$file" "$shape" "$records"; done
    finish
    exit
fi

[ $# -eq 1 ] || fail "say one address"
# Pages count from 0 or from 1; where 0 is 1, its records come twice and are written once.
page=0
while true; do
    fetch "${1%/}/coverages-api?full=true&p=$page"
    take "$work/page" "$shape" "$records"
    jq -e '.has_next and .data != {}' "$work/page" >/dev/null || break
    page=$((page + 1))
done
finish
