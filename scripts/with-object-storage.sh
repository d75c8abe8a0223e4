#!/usr/bin/env bash
# Provides the object storage for Rust tests: s3s-fs, a server of the S3 protocol, compiled once into the tools' folder.
#
#   scripts/with-object-storage.sh COMMAND…        runs COMMAND, with COVERAGE_S3_SERVER set if the server is available
#   scripts/with-object-storage.sh --only COMMAND… runs it with the HTML reports of all tests in a bucket; does not run it without one
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

s3s=0.14.1 # 0.15 and newer need rustc 1.96
installed=$cache/s3s-fs-$s3s

only=
if [ "${1:-}" = --only ]; then
    only=1
    shift
fi

find_server() {
    if [ -n "${COVERAGE_S3_SERVER:-}" ]; then return; fi
    COVERAGE_S3_SERVER=$installed/bin/s3s-fs
    [ -x "$COVERAGE_S3_SERVER" ] || COVERAGE_S3_SERVER=$(command -v s3s-fs)
}

if ! find_server; then
    begin_install
    if find_server || { install_crate s3s-fs "$s3s" "$installed" 3 --features binary && find_server; }; then
        say "object storage: $COVERAGE_S3_SERVER"
    else
        say "s3s-fs is missing and cannot be compiled here: tests with an object storage DID NOT RUN."
        COVERAGE_S3_SERVER=
    fi
fi

if [ -n "$COVERAGE_S3_SERVER" ]; then
    export COVERAGE_S3_SERVER
    if [ -n "$only" ]; then export COVERAGE_TEST_REPORTS=s3; fi
elif [ -n "$only" ]; then
    exit
fi
hand_over "$@"
