#!/usr/bin/env bash
# Tests compose.yaml: secrets.sh must write every variable in it, and docker compose must accept it. If docker compose is missing, the
# PyPI package compose-spec, which follows the same specification, reads it instead. No container is started.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/../lib.sh"
cd "$repo"

spec=0.2.1
tools=$cache/compose-spec-$spec

install_spec() {
    have python3 || return 1
    # A virtual environment contains its own path, so it is created in its final folder.
    rm -rf "$tools"
    # shellcheck disable=SC2016 # the inner shell replaces them
    slowly compose-spec "installing compose-spec $spec from PyPI" sh -c 'python3 -m venv "$1" && "$1/bin/pip" install --quiet "compose-spec==$2"' sh "$tools" "$spec" ||
        { rm -rf "$tools" && return 1; }
}

with_docker() {
    docker compose --project-directory "$folder" --file "$folder/compose.yaml" config --quiet || fail "docker compose refuses compose.yaml"
    say "compose.yaml: docker compose accepts it"
}

with_spec() {
    "$tools/bin/python" - "$folder" <<'PYTHON' || fail "compose.yaml does not follow the specification"
import pathlib, re, sys
from compose_spec import PyCompose

folder = pathlib.Path(sys.argv[1])
lines = [line for line in (folder / ".env").read_text().splitlines() if not line.startswith("#")]
values = dict(line.split("=", 1) for line in lines)
text = re.sub(r"\$\{(\w+)[^}]*\}", lambda found: values[found[1]], (folder / "compose.yaml").read_text())
read = PyCompose.from_yaml(text)
read.validate()
print("services:", *sorted(read.service_names()))
PYTHON
    say "compose.yaml: it follows the specification; docker compose is missing, so it was not started"
}

begin_install
folder=$work/compose
cp -R scripts/packages/compose "$folder"
(cd "$folder" && ./secrets.sh 1.2.3 2>/dev/null) || fail "secrets.sh fails"
if (cd "$folder" && ./secrets.sh 1.2.3 2>/dev/null); then fail "secrets.sh replaces secrets that exist"; fi
[ "$(stat -c %a "$folder/.env")" = 600 ] || fail "others can read the secrets"
grep -oE '\$\{[A-Z_0-9]+' "$folder/compose.yaml" | cut -c 3- | sort -u | while read -r name; do
    grep -q "^$name=." "$folder/.env" || fail "compose.yaml uses $name, which secrets.sh does not write"
done
if have docker && docker compose version >/dev/null 2>&1; then
    with_docker
elif [ -x "$tools/bin/python" ] || install_spec; then
    with_spec
else
    say "compose.yaml: only its variables are tested, because docker compose is missing and compose-spec cannot be installed"
fi
