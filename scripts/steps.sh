#!/usr/bin/env bash
# Runs targets of make one after another, stops at the first that fails, and ends with the time that each took.
#
#   scripts/steps.sh TARGET…
#
# In A+B, B runs beside A, and what it prints follows: for a target that uses one core most of the time.
set -euo pipefail

times=()
status=0
begin=$SECONDS
log=$(mktemp)
trap 'rm -f "$log"' EXIT
clock() { printf '%3d:%02d' $(($1 / 60)) $(($1 % 60)); }
run() { "${MAKE:-make}" --no-print-directory "$1"; }

for step; do
    from=$SECONDS beside=
    printf '\n=== %s\n' "$step"
    case $step in *+*) run "${step#*+}" >"$log" 2>&1 & beside=$! ;; esac
    run "${step%+*}" || status=$?
    if [ -n "$beside" ]; then
        wait "$beside" || status=$?
        cat "$log"
    fi
    times+=("$(clock $((SECONDS - from)))  $step")
    [ "$status" -eq 0 ] || break
done

printf '\n--- minutes of each step ---\n'
printf '%s\n' "${times[@]}" "$(clock $((SECONDS - begin)))  all"
exit "$status"
