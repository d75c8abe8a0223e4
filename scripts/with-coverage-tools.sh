#!/usr/bin/env bash
# Provides the coverage tools with which tests compare the service: coverage.py, gcovr, lcov and nyc (the union of parts), pycobertura
# (exported lines), diff-cover (changed lines), grcov (ignored files), pytest-cov (the settings file), and codeowners of PyPI and of npm (CODEOWNERS). Also
# provides releases of five projects, whose histories are measured.
#
#   scripts/with-coverage-tools.sh COMMAND…   runs COMMAND, with the tools in PATH and the releases in $COVERAGE_RELEASES
#
# gcovr and lcov need gcc; without gcc, only these two are left out. If any other tool is missing, the tests fail.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

coverage=7.17.3
gcovr=8.8
pycobertura=4.1.0
diff_cover=11.0.1
pytest=9.2.0
pytest_cov=7.1.0
nyc=18.0.0
codeowners=0.9.0
npm_codeowners=5.1.1
# Pure Python. The oldest release of a project comes first.
projects=(
    boltons==23.0.0 boltons==24.0.0 boltons==25.0.0
    cachetools==5.2.0 cachetools==5.5.2 cachetools==6.2.0
    itsdangerous==2.0.1 itsdangerous==2.1.2 itsdangerous==2.2.0
    more-itertools==9.1.0 more-itertools==10.1.0 more-itertools==10.8.0
    packaging==23.2 packaging==24.2 packaging==25.0
)
releases=$cache/releases-$(printf '%s\n' "${projects[@]}" | cksum | cut -d ' ' -f 1)
python=$cache/coverage-$coverage-gcovr-$gcovr-pycobertura-$pycobertura-diff-cover-$diff_cover-pytest-$pytest-cov-$pytest_cov-codeowners-$codeowners
node=$cache/nyc-$nyc-codeowners-$npm_codeowners

if ! [ -x "$python/bin/pytest" ]; then
    have python3 || fail "the tests against coverage tools need Python 3"
    begin_install
    # A virtual environment contains its own path, so it is created in its final folder.
    rm -rf "$python"
    # shellcheck disable=SC2016 # the inner shell replaces them
    slowly coverage.py "installing coverage.py, gcovr, pycobertura, diff-cover, pytest-cov and codeowners" sh -c '
        python3 -m venv "$1" && "$1/bin/pip" install --quiet "coverage==$2" "gcovr==$3" "pycobertura==$4" "diff-cover==$5" "pytest==$6" "pytest-cov==$7" "codeowners==$8"' sh \
        "$python" "$coverage" "$gcovr" "$pycobertura" "$diff_cover" "$pytest" "$pytest_cov" "$codeowners" || {
        rm -rf "$python"
        fail "coverage.py, gcovr, pycobertura, diff-cover, pytest-cov and codeowners cannot be installed"
    }
fi
if ! [ -d "$releases" ]; then
    begin_install
    # pip refuses two releases of one project in one call.
    # shellcheck disable=SC2016 # the inner shell replaces them
    slowly releases "downloading releases of five projects" sh -c '
        pip=$1 folder=$2 number=10
        shift 2
        for release; do
            "$pip" download --quiet --no-deps --only-binary=:all: --dest "$folder/$number" "$release" || exit 1
            number=$((number + 1))
        done' sh "$python/bin/pip" "$work/releases" "${projects[@]}" || fail "the releases cannot be downloaded"
    mv "$work/releases" "$releases"
fi
if ! [ -x "$node/node_modules/.bin/nyc" ]; then
    { have node && have npm; } || fail "the tests against coverage tools need Node.js with npm"
    begin_install
    rm -rf "$node"
    slowly nyc "installing nyc and codeowners" npm install --prefix "$work/nyc" --no-audit --no-fund --no-save "nyc@$nyc" \
        "codeowners@$npm_codeowners" || fail "nyc and codeowners cannot be installed"
    mv "$work/nyc" "$node"
fi
if have gcc && ! have lcov; then
    { have apt-get && begin_install && apt_install lcov; } || fail "the tests against coverage tools need lcov"
fi

# Debian has a package of grcov, other systems may not. In a subshell, a failure does not end this script.
have grcov || { have apt-get && (begin_install && apt_install grcov); } || say "grcov is missing: ignored files are compared with lcov alone"

export COVERAGE_RELEASES=$releases NODE_PATH=$node/node_modules
PATH=$python/bin:$node/node_modules/.bin:$PATH
export PATH
hand_over "$@"
