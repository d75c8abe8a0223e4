#!/usr/bin/env bash
# Runs targets of make one after another, stops at the first that fails, and ends with the time that each took.
#
#   scripts/steps.sh TARGET…
set -euo pipefail

times=()
status=0
begin=$SECONDS
clock() { printf '%3d:%02d' $(($1 / 60)) $(($1 % 60)); }

for step; do
    from=$SECONDS
    printf '\n=== %s\n' "$step"
    "${MAKE:-make}" --no-print-directory "$step" || status=$?
    times+=("$(clock $((SECONDS - from)))  $step")
    [ "$status" -eq 0 ] || break
done

printf '\n--- minutes of each step ---\n'
printf '%s\n' "${times[@]}" "$(clock $((SECONDS - begin)))  all"
exit "$status"
