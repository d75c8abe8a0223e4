#!/usr/bin/env bash
# Owns the benchmark of served reports: requests per second of an HTML file, against nginx with gzip_static.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/bench-lib.sh
. "$repo/scripts/bench-lib.sh"

rounds=${ROUNDS:-3}
seconds_each=${SECONDS_EACH:-5}
connections=32
# Some way between the smallest and the largest page of a report.
wanted_bytes=60000
nginx=

stop_nginx() {
    if [ -n "$nginx" ]; then
        kill "$nginx" 2>/dev/null || true
        wait "$nginx" 2>/dev/null || true
    fi
    nginx=
}
PATH=$PATH:/usr/sbin
if ! have nginx || ! have wrk; then
    begin_install
    { have apt-get && apt_install nginx-light wrk; } || fail "nginx and wrk are needed, and cannot be installed here: nothing was measured"
    tidy
    exec 9>&-
fi
begin_bench
trap 'stop_nginx; end_bench' EXIT
find_report

# --- one page, by both ---

start_server "$work/served"
post page
id=$(sed -nE 's/.*"coverage": *\{[^}]*"id": *([0-9]+).*/\1/p' "$work/answer-page")
mkdir -p "$work/unpacked" "$work/www"
tar -xzf "$archive" -C "$work/unpacked"
page=$(find "$work/unpacked" -name '*.html' -printf '%s %p\n' |
    awk -v wanted="$wanted_bytes" '{ off = $1 > wanted ? $1 - wanted : wanted - $1; if (NR == 1 || off < best) { best = off; path = substr($0, length($1) + 2) } } END { print path }')
cp "$page" "$work/www/page.html"
gzip --keep "$work/www/page.html"

# Where the service serves it: beside the start page that it leads to, whatever its addresses are made of.
start_page=$(curl --silent --fail --location --output /dev/null --write-out '%{url_effective}' "$url/reports/$id/")
served=${start_page%/*}/$(basename "$page")

# A master that runs as root would give its workers to somebody who may not read this folder.
as_user=
if [ "$(id -u)" -eq 0 ]; then as_user="user root root;"; fi
port=0
for _ in 1 2 3 4 5; do
    port=$((20000 + RANDOM % 20000))
    cat >"$work/nginx.conf" <<END
$as_user
daemon off;
worker_processes $(nproc);
pid $work/nginx.pid;
error_log $work/nginx.log;
events { worker_connections 1024; }
http {
    types { text/html html; }
    access_log off;
    sendfile on;
    keepalive_requests 1000000;
    client_body_temp_path $work/temp-body;
    proxy_temp_path $work/temp-proxy;
    fastcgi_temp_path $work/temp-fastcgi;
    uwsgi_temp_path $work/temp-uwsgi;
    scgi_temp_path $work/temp-scgi;
    server {
        listen 127.0.0.1:$port;
        root $work/www;
        gzip_static on;
    }
}
END
    nginx -c "$work/nginx.conf" -p "$work" -e "$work/nginx.log" &
    nginx=$!
    for _ in $(seq 50); do
        if curl --silent --fail --output /dev/null "http://127.0.0.1:$port/page.html"; then break 2; fi
        kill -0 "$nginx" 2>/dev/null || break
        sleep 0.1
    done
    stop_nginx
done
[ -n "$nginx" ] || fail "nginx does not start, see its log: $(cat "$work/nginx.log")"
other=http://127.0.0.1:$port/page.html

fetch() { curl --silent --fail --compressed --header "Accept: $2" --output "$3" --write-out '%{size_download}' "$1"; }
plain='*/*'
browser='text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
size_of_other=$(fetch "$other" "$plain" "$work/other.html")
size_plain=$(fetch "$served" "$plain" "$work/plain.html")
size_browser=$(fetch "$served" "$browser" "$work/browser.html")
cmp -s "$work/plain.html" "$work/other.html" || say "WARNING: the two bodies differ when decompressed"

# --- requests per second ---

# rate ADDRESS ACCEPT
rate() {
    wrk --threads 1 --connections "$connections" --duration "${seconds_each}s" --header "Accept-Encoding: gzip" --header "Accept: $2" "$1" >"$work/wrk"
    if grep -E 'Non-2xx|Socket errors' "$work/wrk" >&2; then say "WARNING: not all requests of $1 were answered well"; fi
    awk '/^Requests\/sec:/ { print $2 }' "$work/wrk"
}
for round in $(seq 1 "$rounds"); do
    rate "$other" "$plain" >>"$work/rates-nginx"
    rate "$served" "$plain" >>"$work/rates-plain"
    rate "$served" "$browser" >>"$work/rates-browser"
    say "round $round of $rounds: nginx $(tail -n 1 "$work/rates-nginx"), plain client $(tail -n 1 "$work/rates-plain"), browser $(tail -n 1 "$work/rates-browser") requests/s"
done
by_nginx=$(median <"$work/rates-nginx")
by_plain=$(median <"$work/rates-plain")
by_browser=$(median <"$work/rates-browser")
cat <<END
a page of $(basename "$archive"): $(stat -c %s "$page") bytes, on $connections connections for $seconds_each s (median of $rounds)
  nginx, gzip_static       $by_nginx requests/s of $size_of_other bytes
  for a plain client       $by_plain requests/s of $size_plain bytes
  for a browser            $by_browser requests/s of $size_browser bytes
  RATIO                    $(ratio "$by_plain" "$by_nginx") plain, $(ratio "$by_browser" "$by_nginx") browser   (goal: 0.5 or more)
END
reached 'the ratio for a plain client' "$(ratio "$by_plain" "$by_nginx")" '>=' 0.5
reached 'the ratio for a browser' "$(ratio "$by_browser" "$by_nginx")" '>=' 0.5
