# shellcheck shell=bash
# Functions for these scripts: fail, request page by page, and convert records to lines for `coverage-dashboard import`.

me=$(basename "$0" .sh)
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# The value of the Authorization header; may be empty.
authorization=
# The page that was requested last; empty if the pages are files.
url=

say() { printf '%s: %s\n' "$me" "$*" >&2; }
fail() {
    say "$*"
    exit 1
}

# begin TOKEN_VARIABLE: sets $work to a folder that is removed at the end.
begin() {
    token_variable=$1
    for tool in curl jq; do command -v "$tool" >/dev/null || fail "$tool is needed"; done
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    : >"$work/records"
}

# check_names REPOSITORY LANGUAGE: refuses malformed names, because they go into URLs and records.
check_names() {
    [[ $1 =~ ^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)+$ ]] || fail "the repository must be written as OWNER/REPO, not '$1'"
    [[ $2 =~ ^[a-z0-9+#.-]{1,32}$ ]] || fail "the language must be a lower-case name such as go, not '$2'"
}

# fetch URL: writes the response to $work/page. curl retries after a 429 or 5xx and waits for Retry-After, for at most PATIENCE
# seconds in total. It reads the header from its input, because arguments are visible in the list of processes.
fetch() {
    local status problem
    url=$1
    [[ $authorization != *[[:cntrl:]]* ]] || fail "$token_variable must be one line"
    read -r status problem < <(printf '%s' "${authorization:+Authorization: $authorization}" |
        curl --silent --header @- --header 'Accept: application/json' --connect-timeout 20 --max-time 120 \
            --retry 5 --retry-max-time "${PATIENCE:-300}" --output "$work/page" --write-out '%{http_code} %{errormsg}\n' "$1") || true
    case $status in
        200) ;;
        000 | '') fail "$1 does not answer: ${problem:-curl failed}" ;;
        401 | 403) fail "$1 answers $status: set $token_variable to a token that may read it" ;;
        404) fail "$1 answers 404: the repository does not exist, or it is private and $token_variable is not a token that may read it" ;;
        3??) fail "$1 answers $status, a redirect: the address is another one, or a login is needed ($token_variable)" ;;
        429) fail "$1 answers 429 (too many requests): try again later, or wait longer with PATIENCE=… (now ${PATIENCE:-300} seconds)" ;;
        *) fail "$1 answers $status" ;;
    esac
}

# add_page FILE SHAPE FILTER [ARGUMENTS OF jq…]: adds the records of a page, which the filter extracts.
add_page() {
    local file=$1 shape=$2 filter=$3 source=${url:-$1}
    shift 3
    jq -e "$shape" "$file" >/dev/null 2>&1 || fail "$source is not a page of the listing: expected $shape"
    jq -c "$@" "$filter" "$file" >>"$work/records" 2>/dev/null || fail "$source has a record of an unexpected shape"
}

# Writes the lines, and prints which records were left out.
finish() {
    jq -L "$folder" -s 'include "history"; history' "$work/records" >"$work/history"
    jq -c '.lines[]' "$work/history"
    say "$(jq -r '"\(.lines | length) records" + (.left_out | if . == [] then "" else "; left out: " + join(", ") end)' "$work/history")"
}
