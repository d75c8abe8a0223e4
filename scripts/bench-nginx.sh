# shellcheck shell=bash
# shellcheck disable=SC2154 # bench-lib.sh sets $work; the script that sources this sets $connections and $seconds_each
# Starts an nginx to compare with, and wrk to send requests. Sourced after bench-lib.sh.

nginx=

stop_nginx() {
    if [ -n "$nginx" ]; then
        kill "$nginx" 2>/dev/null || true
        wait "$nginx" 2>/dev/null || true
    fi
    nginx=
}

need_nginx_and_wrk() {
    PATH=$PATH:/usr/sbin
    if ! have nginx || ! have wrk; then
        begin_install
        { have apt-get && apt_install nginx-light wrk; } || fail "nginx and wrk are needed and cannot be installed here: nothing was measured"
        tidy
        exec 9>&-
    fi
}

# start_nginx FOLDER FILE: serves the folder and sets $nginx_url; waits until FILE is served
start_nginx() {
    local port as_user=
    # By default, an nginx that runs as root starts workers as a user that cannot read this folder.
    if [ "$(id -u)" -eq 0 ]; then as_user="user root root;"; fi
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
    types { text/html html; application/json json; }
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
        root $1;
        gzip_static on;
    }
}
END
        nginx -c "$work/nginx.conf" -p "$work" -e "$work/nginx.log" &
        nginx=$!
        nginx_url=http://127.0.0.1:$port
        for _ in $(seq 50); do
            if curl --silent --fail --output /dev/null "$nginx_url/$2"; then return; fi
            kill -0 "$nginx" 2>/dev/null || break
            sleep 0.1
        done
        stop_nginx
    done
    fail "nginx does not start, see its log: $(cat "$work/nginx.log")"
}

# rate ADDRESS [ACCEPT]: requests per second
rate() {
    wrk --threads 1 --connections "$connections" --duration "${seconds_each}s" --header "Accept-Encoding: gzip" --header "Accept: ${2:-*/*}" "$1" >"$work/wrk"
    if grep -E 'Non-2xx|Socket errors' "$work/wrk" >&2; then say "WARNING: some requests of $1 failed"; fi
    awk '/^Requests\/sec:/ { print $2 }' "$work/wrk"
}
