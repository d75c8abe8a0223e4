#!/usr/bin/env bash
# Benchmarks served reports: requests per second of an HTML file, against nginx with gzip_static and the same bytes. Also the health
# check, which does nothing: it measures the layers around every route.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/bench-lib.sh
. "$repo/scripts/bench-lib.sh"
# shellcheck source=scripts/bench-nginx.sh
. "$repo/scripts/bench-nginx.sh"

rounds=${ROUNDS:-3}
seconds_each=${SECONDS_EACH:-5}
connections=32
# A medium size among the pages of a report.
wanted_bytes=60000
need_nginx_and_wrk
begin_bench
trap 'stop_nginx; end_bench' EXIT
find_report

# --- one page on both servers ---

start_server "$work/served"
post page
id=$(sed -nE 's/.*"coverage": *\{[^}]*"id": *([0-9]+).*/\1/p' "$work/answer-page")
mkdir -p "$work/unpacked" "$work/www"
tar -xzf "$archive" -C "$work/unpacked"
page=$(find "$work/unpacked" -name '*.html' -printf '%s %p\n' |
    awk -v wanted="$wanted_bytes" '{ off = $1 > wanted ? $1 - wanted : wanted - $1; if (NR == 1 || off < best) { best = off; path = substr($0, length($1) + 2) } } END { print path }')
# The page's address in the service: in the folder of the start page, to which the report's address redirects.
start_page=$(curl --silent --fail --location --output /dev/null --write-out '%{url_effective}' "$url/reports/$id/")
served=${start_page%/*}/$(basename "$page")

plain='*/*'
browser='text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

# take NAME ACCEPT: stores the response body of the service, so that nginx serves the same bytes
take() {
    curl --silent --fail --header "Accept-Encoding: gzip" --header "Accept: $2" --output "$work/www/$1.html.gz" "$served"
    gzip --decompress --keep "$work/www/$1.html.gz"
}
take plain "$plain"
take browser "$browser"
cmp -s "$work/www/plain.html" "$page" || say "WARNING: the service does not serve the bytes that were uploaded"
start_nginx "$work/www" plain.html

# --- requests per second ---

for round in $(seq 1 "$rounds"); do
    rate "$nginx_url/plain.html" "$plain" >>"$work/rates-nginx-plain"
    rate "$served" "$plain" >>"$work/rates-plain"
    rate "$nginx_url/browser.html" "$browser" >>"$work/rates-nginx-browser"
    rate "$served" "$browser" >>"$work/rates-browser"
    rate "$url/coverages-api/live" >>"$work/rates-live"
    say "round $round of $rounds: plain client $(tail -n 1 "$work/rates-plain"), nginx $(tail -n 1 "$work/rates-nginx-plain"); browser $(tail -n 1 "$work/rates-browser"), nginx $(tail -n 1 "$work/rates-nginx-browser") requests/s"
done
live=$(median <"$work/rates-live")
say "a page of $(basename "$archive"): $(stat -c %s "$page") bytes, on $connections connections for $seconds_each s (median of $rounds)"
for client in plain browser; do
    ours=$(median <"$work/rates-$client")
    theirs=$(median <"$work/rates-nginx-$client")
    echo "  for a $client client: $ours requests/s of $(stat -c %s "$work/www/$client.html.gz") bytes, nginx $theirs, RATIO $(ratio "$ours" "$theirs")   (goal: 0.9 or more)"
    ratio "$ours" "$theirs" >>"$work/ratios"
done
echo "  live: $live requests/s   (goal: 60000 or more)"
reached 'the lower ratio' "$(sort -n "$work/ratios" | head -n 1)" '>=' 0.9
reached 'the health check that does nothing' "$live" '>=' 60000
