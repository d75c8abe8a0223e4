#!/usr/bin/env bash
# Provides clients of other services, with which tests upload: codecov-cli, codecov, coveralls and cpp-coveralls of PyPI; codecov, coveralls
# and coveralls-next of npm; coveralls of Debian, in Ruby. Nothing is sent to those services: every client gets the address of the tested service.
#
#   scripts/with-foreign-clients.sh COMMAND…   runs COMMAND, with the clients in the folder $COVERAGE_FOREIGN_CLIENTS
#
# A client that cannot be installed is left out, and its tests say that they did not run.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

codecov_cli=11.3.1
codecov_pypi=2.1.13
codecov_npm=3.8.3
coveralls_pypi=4.1.0
cpp_coveralls=0.4.2
coveralls_npm=3.1.1
coveralls_next=6.0.2
clients=$cache/foreign-clients-$codecov_cli-$codecov_pypi-$codecov_npm-$coveralls_pypi-$cpp_coveralls-$coveralls_npm-$coveralls_next

# python_client NAME PACKAGE: installs one client of PyPI in a folder of its own; their dependencies differ.
python_client() {
    local folder=$clients/$1
    if [ -d "$folder" ]; then return; fi
    have python3 || { say "$1 is missing: it needs Python 3" && return; }
    begin_install
    mkdir -p "$clients"
    # A virtual environment contains its own path, so it is created in its final folder.
    # shellcheck disable=SC2016 # the inner shell replaces them
    slowly "$1" "installing $2" sh -c 'python3 -m venv "$1" && "$1/bin/pip" install --quiet "$2"' sh "$folder" "$2" || {
        rm -rf "$folder"
        say "$1 is missing: $2 cannot be installed"
    }
}

# node_client NAME PACKAGE
node_client() {
    local folder=$clients/$1
    if [ -d "$folder" ]; then return; fi
    { have node && have npm; } || { say "$1 is missing: it needs Node.js with npm" && return; }
    begin_install
    mkdir -p "$clients"
    slowly "$1" "installing $2" npm install --prefix "$work/$1" --no-audit --no-fund --no-save --ignore-scripts "$2" || {
        say "$1 is missing: $2 cannot be installed"
        return
    }
    mv "$work/$1" "$folder"
}

# ruby_client: Debian has the only client in Ruby that is offered to all machines. It is installed for the system.
ruby_client() {
    local folder=$clients/coveralls-ruby
    if [ -d "$folder" ]; then return; fi
    begin_install
    if ! ruby -e 'require "coveralls"' 2>/dev/null; then
        (apt_install ruby-coveralls) || { say "coveralls-ruby is missing: ruby-coveralls cannot be installed" && return; }
    fi
    mkdir -p "$folder"
}

python_client codecov-cli "codecov-cli==$codecov_cli"
python_client codecov-pypi "codecov==$codecov_pypi"
node_client codecov-npm "codecov@$codecov_npm"
python_client coveralls-pypi "coveralls==$coveralls_pypi"
python_client cpp-coveralls "cpp-coveralls==$cpp_coveralls"
node_client coveralls-npm "coveralls@$coveralls_npm"
node_client coveralls-next "coveralls-next@$coveralls_next"
ruby_client

export COVERAGE_FOREIGN_CLIENTS=$clients
hand_over "$@"
