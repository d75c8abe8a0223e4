#!/usr/bin/env bash
# Tests that history can be moved as in docs/src/moving.md: with these scripts, on responses in the vendors' format, and with the
# queries on this page.
#
#   scripts/moving/check.sh        BINARY=… names another build than the release. Tests of PostgreSQL run only if it is installed.
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh
# shellcheck source=scripts/bench-lib.sh
. scripts/bench-lib.sh
export NO_PROXY=127.0.0.1 no_proxy=127.0.0.1
scripts=scripts/moving
for tool in jq python3; do have "$tool" || fail "$tool is needed"; done
begin_bench
answers=
serving=
end_check() {
    for process in $answers $serving; do
        kill "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
    end_bench
}
trap end_check EXIT
python3 $scripts/answers.py "$work/port" >"$work/requests" 2>&1 &
answers=$!
for _ in $(seq 100); do [ -e "$work/port" ] || sleep 0.1; done
other=http://127.0.0.1:$(cat "$work/port")
export CODECOV_URL=$other COVERALLS_URL=$other

# has_records FIXTURE DATABASE: checks that a database has exactly the expected records.
has_records() {
    "$binary" export --database-url "$2" 2>/dev/null | tee "$work/exported" | jq -cS '
        {org_name, repo_name, branch_name, commit_hash, commit_author, language, percentage, created_at,
         lines: [.lines_covered, .lines_total], branches: [.branches_covered, .branches_total],
         updated_at: (if .updated_at == .created_at then null else .updated_at end), is_current: (.superseded_at == null)}
        | with_entries(select(.value != null and .value != [null, null]))' | sort >"$work/records"
    [ -s "$work/records" ] || fail "$1: nothing was imported"
    diff <(jq -cS . "$scripts/fixtures/$1.expected.ndjson" | sort) "$work/records" || fail "$1: the records differ from the expected ones (left)"
}

# moves NAME FIXTURE COMMAND…: checks that importing the output of the command gives the expected records, that a second import
# adds none, and that an export can be imported into a second database.
moves() {
    local name=$1 fixture=$2
    shift 2
    "$@" >"$work/history.ndjson" 2>"$work/notes" || fail "$name: $(cat "$work/notes")"
    if grep -q good-token "$work/history.ndjson" "$work/notes"; then fail "$name: printed its token"; fi
    last_message=$(tail -n 1 "$work/notes")
    for database in "$name" "$name-again"; do
        stop_server
        start_server "$work/$database"
        for added in '[1-9][0-9]*' 0; do
            "$binary" import "$work/history.ndjson" --database-url "sqlite://$work/$database/coverage.db" >"$work/imported" 2>&1 || true
            grep -q "^$added records added" "$work/imported" || fail "$name: the import printed $(cat "$work/imported")"
        done
        has_records "$fixture" "sqlite://$work/$database/coverage.db"
        cp "$work/exported" "$work/history.ndjson"
    done
    say "$name: $(wc -l <"$work/records") records are as expected${last_message:+ ($last_message)}"
}

# last_message_is SENTENCE: checks the last line that the last script printed.
last_message_is() { [ "$last_message" = "$1" ] || fail "expected '$1', not '$last_message'"; }

# refused NAME SENTENCE COMMAND…: checks that the command writes nothing, and prints the reason in one line without a token.
refused() {
    local name=$1 sentence=$2
    shift 2
    if "$@" >"$work/out" 2>"$work/err"; then fail "$name: was not refused"; fi
    [ ! -s "$work/out" ] || fail "$name: wrote lines"
    if [ "$(wc -l <"$work/err")" -ne 1 ] || ! grep -q "$sentence" "$work/err"; then fail "$name: printed $(cat "$work/err")"; fi
    if grep -q secret "$work/err"; then fail "$name: printed its token"; fi
    say "$name: $(sed "s|$other||" "$work/err")"
}

# block ENGINE: prints the query of the page for a database engine.
block() { awk -v mark="-- $1" '/^```/ { inside = 0 } inside { print } $0 == mark { inside = 1; found = 1 } END { exit !found }' docs/src/moving.md; }

moves codecov codecov env CODECOV_TOKEN=good-token $scripts/codecov.sh github acme/payments go
last_message_is 'codecov: 4 records; left out: 1 without a branch, 3 without a percentage, 2 replaced by a newer record of the same commit'
for status in 429 200; do
    grep -q "repos/payments/commits/?page=2.* $status " "$work/requests" || fail "codecov: the second page did not get status $status"
done
# As on the page, a list of branches retires deleted branches.
curl -sSf -o /dev/null -X PUT -H "Authorization: Bearer $token" -H 'Content-Type: application/json' "$url/coverages-api" \
    -d '{"org_name":"acme","repo_name":"payments","commit_hash":"9be01d2","active_branches":["main"]}'
"$binary" export --database-url "sqlite://$work/codecov-again/coverage.db" 2>/dev/null | jq -es 'map(select(.branch_name == "feature/tax") | .superseded_at != null) == [true]' >/dev/null ||
    fail "a deleted branch is still current"
moves codecov-files codecov $scripts/codecov.sh github acme/payments go $scripts/fixtures/codecov-[12].json
$scripts/codecov.sh gitlab acme/platform/payments go 2>/dev/null | jq -es 'map(.org_name) == ["acme/platform", "acme/platform", "acme/platform", "acme/platform"]' >/dev/null ||
    fail "the names of a nested group of GitLab are wrong"
moves coveralls coveralls env COVERALLS_TOKEN=good-token $scripts/coveralls.sh github acme/payments go
moves coveralls-files coveralls $scripts/coveralls.sh github acme/payments go $scripts/fixtures/coveralls-[12].json
moves listing listing $scripts/listing.sh "$other"
moves listing-from-one listing env OLD_TOKEN=good-token $scripts/listing.sh "$other/from-one/"
last_message_is 'listing: 4 records; left out: 1 without a branch, 2 replaced by a newer record of the same commit'
moves listing-files listing $scripts/listing.sh $scripts/fixtures/listing-[01].json
# This service has the same listing as the replaced service.
source_url=$url
serving=$server
server=
moves listing-of-this-service listing $scripts/listing.sh "$source_url"
kill "$serving"
wait "$serving" || true
serving=

refused wrong-token 'answers 401: set CODECOV_TOKEN' env CODECOV_TOKEN=secret $scripts/codecov.sh github acme/payments go
refused no-token 'answers 401: set COVERALLS_TOKEN' $scripts/coveralls.sh github acme/payments go
refused too-busy 'answers 429' $scripts/coveralls.sh github acme/busy go
refused unknown 'answers 404' $scripts/codecov.sh github acme/unknown go
refused redirected 'a redirect' env CODECOV_TOKEN=secret $scripts/codecov.sh github acme/moved go
refused another-page 'not a page of the listing' $scripts/listing.sh "$other/page-of-a-proxy"
refused another-file 'not a page of the listing' $scripts/codecov.sh github acme/payments go $scripts/fixtures/coveralls-1.json
refused no-service 'does not answer' env CODECOV_URL=http://127.0.0.1:1 $scripts/codecov.sh github acme/payments go

python3 $scripts/old-database.py sqlite "$work/old.db" $scripts/fixtures/listing-[01].json
block SQLite >"$work/old-sqlite.sql"
have sqlite3 || fail "sqlite3 is needed for the query of the page"
old_sqlite() { sqlite3 -readonly "$work/old.db" <"$work/old-sqlite.sql"; }
moves query-of-sqlite listing old_sqlite

block PostgreSQL >"$work/old-postgres.sql"
python3 $scripts/old-database.py postgres "$work/old.sql" $scripts/fixtures/listing-[01].json
# shellcheck disable=SC2016 # the inner shell replaces them
scripts/with-postgres.sh sh -euc '
    psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --file "$1/old.sql" "$COVERAGE_TEST_POSTGRES/postgres"
    PGTZ=UTC psql --no-psqlrc --quiet --tuples-only --no-align --file "$1/old-postgres.sql" "$COVERAGE_TEST_POSTGRES/postgres" >"$1/of-postgres"
' sh "$work"
if [ -e "$work/of-postgres" ]; then moves query-of-postgresql listing cat "$work/of-postgres"; fi
say "history moves as docs/src/moving.md describes"
