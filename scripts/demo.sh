#!/usr/bin/env bash
# Uploads demonstration data to a running server: invented projects with some history, and sample reports of real tools.
# SAMPLES=no omits the sample reports.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$repo"

url=${URL:-http://127.0.0.1:3000}
url=${url%/}
token=${TOKEN:-${UPLOAD_TOKEN:-}}
[ -n "$token" ] || fail "no upload token: set one that the server accepts, with 'make demo TOKEN=…'"
have curl || fail "curl is needed to upload"
work=$(mktemp -d)
uploads=0
sources=() # the form field with source text; a service with SOURCES=accept keeps it, as 'make run' does

encode() {
    local LC_ALL=C text=$1 i c
    for ((i = 0; i < ${#text}; i++)); do
        c=${text:i:1}
        case $c in
        [A-Za-z0-9._~/-]) printf '%s' "$c" ;;
        *) printf '%%%02X' "'$c" ;;
        esac
    done
}

# upload ARCHIVE XML ORG REPO BRANCH LANGUAGE AUTHOR COMMIT
upload() {
    local query status answer=$work/answer detail
    query="coverage_xml_file_name=$(encode "$2")&org_name=$(encode "$3")&repo_name=$(encode "$4")&branch_name=$(encode "$5")"
    query+="&language=$(encode "$6")&commit_author=$(encode "$7")&commit_hash=$(encode "$8")"
    status=$(curl --silent --show-error --output "$answer" --write-out '%{http_code}' --header "Authorization: Bearer $token" \
        --form "file=@$1" "${sources[@]}" "$url/coverages-api?$query") || fail "no server answers at $url: start one with 'make run', or set URL=…"
    case $status in
    200 | 201) ;;
    *)
        detail=$(sed -nE 's/.*"detail": *"(([^"\\]|\\.)*)".*/\1/p' "$answer")
        fail "$3/$4 $5 ($1): $status ${detail:-$(head -c 300 "$answer")}"
        ;;
    esac
    uploads=$((uploads + 1))
    printf '%-36s %-24s %6s %%\n' "$3/$4" "$5" "$(sed 's/.*"coverage": *{[^}]*"percentage": *\([0-9.]*\).*/\1/' "$answer")"
}

# The same commits in each run, so that a second run changes nothing.
commit() { git hash-object --stdin <<<"$*"; }

# Makes a Cobertura file, an HTML page and the text of four files with about the given percentage in total.
made_up_report() {
    awk -v percent="$1" -v folder="$2" 'BEGIN {
        split("checkout cart search account", names)
        html = "<!doctype html><html lang=en><meta charset=utf-8><title>Coverage</title><h1>Coverage</h1><table><tr><th>File<th>Lines<th>Covered"
        for (f = 1; f <= 4; f++) {
            lines = 90 + 70 * f; hit = 0; body = ""
            for (i = 1; i <= lines; i++) {
                print "let " names[f] "_" i " = step(" i ");" >(folder "/src/" names[f] ".src")
                on = (i * 37 + f * 11) % 100 < percent + (percent > 0 && percent < 90 ? 5 * (f - 2) : 0)
                hit += on
                body = body "<line number=\"" i "\" hits=\"" on * (1 + i % 7) "\"/>\n"
            }
            classes = classes "<class name=\"" names[f] "\" filename=\"src/" names[f] ".src\" line-rate=\"" hit / lines "\"><methods/><lines>\n" \
                body "</lines></class>\n"
            html = html "<tr><td>src/" names[f] ".src<td>" lines "<td>" hit
            valid += lines; covered += hit
        }
        print "<?xml version=\"1.0\"?>\n<coverage line-rate=\"" covered / valid "\" lines-covered=\"" covered "\" lines-valid=\"" valid \
            "\" version=\"1\" timestamp=\"0\">\n<packages><package name=\"src\" line-rate=\"" covered / valid "\"><classes>\n" \
            classes "</classes></package></packages></coverage>" >(folder "/coverage.xml")
        print html "</table>" >(folder "/html/index.html")
    }'
}

# commits ORG REPO BRANCH LANGUAGE AUTHOR PERCENT…: one commit for each
commits() {
    local org=$1 repo=$2 branch=$3 language=$4 author=$5 percent n=0
    shift 5
    for percent; do
        n=$((n + 1))
        mkdir -p "$work/report/html" "$work/report/src"
        made_up_report "$percent" "$work/report"
        tar -czf "$work/report.tar.gz" -C "$work/report" coverage.xml html
        tar -czf "$work/sources.tar.gz" -C "$work/report" src
        sources=(--form "sources=@$work/sources.tar.gz")
        upload "$work/report.tar.gz" coverage.xml "$org" "$repo" "$branch" "$language" "$author" "$(commit "$org" "$repo" "$branch" "$n")"
    done
}

commits acme webshop main typescript 'Ada Lovelace' 58 61 60 64 68 67 71 74 73 78
commits acme webshop feature/faster-checkout typescript 'Grace Hopper' 74 76 81
commits acme payments main java 'Margaret Hamilton' 84 85 85 86 79 80 83 87 88 91
commits acme payments release/2.x java 'Margaret Hamilton' 82 82 83
commits platform/tools release-bot main rust 'Barbara Liskov' 96 95 93 94 92 90 91 89 90 88
commits platform/tools release-bot fix/retry-on-429 rust 'Barbara Liskov' 89 91
commits platform/tools dotfiles main shell 'Ken Thompson' 0
sources=()

if [ "${SAMPLES:-}" = no ]; then
    say "$uploads uploads to $url"
    exit
fi

for report in server/formats/testdata/*/*; do
    format=$(basename "$(dirname "$report")")
    file=$(basename "$report")
    case $format/$file in programs/* | *.expected) continue ;; esac
    name=${file#.}
    case $format-$file in
    *coverage*py* | *pytest* | *-python*) language=python ;;
    go-* | *gocover*) language=go ;;
    *gcovr* | *lcov* | bullseye-* | ctc-*) language=c ;;
    llvm* | *grcov* | *tarpaulin*) language=rust ;;
    jacoco-* | *kover* | *java*) language=java ;;
    scoverage-*) language=scala ;;
    simplecov-*) language=ruby ;;
    *php*) language=php ;;
    *coverlet* | *cover-* | mprof-* | visual-studio-*) language=csharp ;;
    *) language=javascript ;;
    esac
    tar -czf "$work/sample.tar.gz" -C "$(dirname "$report")" "$file"
    upload "$work/sample.tar.gz" "$file" samples "$format-${name%.*}" main "$language" 'Sample Author' "$(commit "$report")"
done

samples=${COVERAGE_SAMPLE_REPORTS:-}
if [ -n "$samples" ] && [ -e "$samples/EXPECTED.tsv" ]; then
    # The first coverage file of each archive. Files without a percentage are for tests of refusals.
    awk -F '\t' 'NR > 1 && $6 ~ /^[0-9.]+$/ && !seen[$2]++ { print $1 "\t" $2 "\t" $3 "\t" $4 }' "$samples/EXPECTED.tsv" >"$work/list"
    while IFS=$'\t' read -r name archive language xml; do
        # Some archives contain tens of megabytes of HTML: only small ones are uploaded.
        [ "$(wc -c <"$samples/$archive")" -lt 1000000 ] || continue
        upload "$samples/$archive" "$xml" open-source "$name" main "$language" 'Open Source' "$(commit "$archive")"
    done <"$work/list"
else
    say "skipping the sample archives: COVERAGE_SAMPLE_REPORTS names no folder with them"
fi
say "$uploads uploads to $url"
