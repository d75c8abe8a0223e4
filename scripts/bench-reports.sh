#!/usr/bin/env bash
# Benchmarks served reports: requests per second of an HTML file, against nginx with gzip_static. Also the health check that does
# nothing: what the layers around every route take.
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
cp "$page" "$work/www/page.html"
gzip --keep "$work/www/page.html"

# The page's address in the service: in the folder of the start page, to which the report's address redirects.
start_page=$(curl --silent --fail --location --output /dev/null --write-out '%{url_effective}' "$url/reports/$id/")
served=${start_page%/*}/$(basename "$page")

start_nginx "$work/www" page.html
other=$nginx_url/page.html

fetch() { curl --silent --fail --compressed --header "Accept: $2" --output "$3" --write-out '%{size_download}' "$1"; }
plain='*/*'
browser='text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
size_of_other=$(fetch "$other" "$plain" "$work/other.html")
size_plain=$(fetch "$served" "$plain" "$work/plain.html")
size_browser=$(fetch "$served" "$browser" "$work/browser.html")
cmp -s "$work/plain.html" "$work/other.html" || say "WARNING: the two bodies differ when decompressed"

# --- requests per second ---

for round in $(seq 1 "$rounds"); do
    rate "$other" "$plain" >>"$work/rates-nginx"
    rate "$served" "$plain" >>"$work/rates-plain"
    rate "$served" "$browser" >>"$work/rates-browser"
    rate "$url/coverages-api/live" >>"$work/rates-live"
    say "round $round of $rounds: nginx $(tail -n 1 "$work/rates-nginx"), plain client $(tail -n 1 "$work/rates-plain"), browser $(tail -n 1 "$work/rates-browser") requests/s"
done
by_nginx=$(median <"$work/rates-nginx")
by_plain=$(median <"$work/rates-plain")
by_browser=$(median <"$work/rates-browser")
live=$(median <"$work/rates-live")
cat <<END
a page of $(basename "$archive"): $(stat -c %s "$page") bytes, on $connections connections for $seconds_each s (median of $rounds)
  nginx, gzip_static       $by_nginx requests/s of $size_of_other bytes
  for a plain client       $by_plain requests/s of $size_plain bytes
  for a browser            $by_browser requests/s of $size_browser bytes
  RATIO                    $(ratio "$by_plain" "$by_nginx") plain, $(ratio "$by_browser" "$by_nginx") browser   (goal: 0.9 or more)
  live                     $live requests/s   (goal: 60000 or more)
END
reached 'the ratio for a plain client' "$(ratio "$by_plain" "$by_nginx")" '>=' 0.9
reached 'the ratio for a browser' "$(ratio "$by_browser" "$by_nginx")" '>=' 0.9
reached 'the health check that does nothing' "$live" '>=' 60000
