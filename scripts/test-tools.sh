#!/usr/bin/env bash
# Installs what the browser tests need in addition to the build's tools: their Node.js packages, a Chromium and a font.
#
#   scripts/test-tools.sh            install what is missing
#   scripts/test-tools.sh COMMAND…   the same, then run COMMAND in end2end, with CHROMIUM_PATH set if Playwright has no browser
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

# --- Node.js packages ---

cd "$repo/end2end"
{ have node && have npm; } || fail "the browser tests need Node.js 20 or newer with npm"
[ "$(node --print 'process.versions.node.split(".")[0]')" -ge 20 ] || fail "the browser tests need Node.js 20 or newer, this is $(node --version)"
# The copy of the lock file is written last, so it exists only after a complete installation.
if ! cmp -s package-lock.json node_modules/.installed; then
    begin_install
    slowly npm "installing the browser tests' Node.js packages" npm ci --no-audit --no-fund || fail "npm ci failed in end2end"
    cp package-lock.json node_modules/.installed
fi

# --- a browser ---

installed_chromium() {
    local name path
    # The shell without a window is faster by a third, and what Playwright itself would use.
    for name in chromium-headless-shell chromium google-chrome google-chrome-stable; do
        path=$(command -v "$name") || continue
        case $path in
        /snap/*) ;; # cannot read temporary folders
        *)
            echo "$path"
            return
            ;;
        esac
    done
    return 1
}
playwright_chromium() { node --eval 'process.exit(require("fs").existsSync(require("@playwright/test").chromium.executablePath()) ? 0 : 1)'; }

find_chromium() {
    [ -n "${CHROMIUM_PATH:-}" ] || CHROMIUM_PATH=$(installed_chromium) || playwright_chromium
}

if ! find_chromium; then
    begin_install
    slowly playwright "downloading Playwright's Chromium" npx playwright install chromium ||
        { have apt-get && say "Playwright's Chromium cannot be downloaded here: installing Debian's" && { apt_install chromium-headless-shell || apt_install chromium; }; } ||
        fail "no Chromium for the browser tests: install one, or set CHROMIUM_PATH to it"
    find_chromium || fail "the installed Chromium was not found: set CHROMIUM_PATH to it"
fi
if [ -n "${CHROMIUM_PATH:-}" ]; then export CHROMIUM_PATH; fi

# Without a font, texts are invisible and have no size.
fonts() { find /usr/share/fonts "$HOME/.fonts" "$HOME/.local/share/fonts" \( -name '*.ttf' -o -name '*.otf' \) -print -quit 2>/dev/null || true; }
if have apt-get && [ -z "$(fonts)" ]; then
    begin_install
    apt_install fonts-dejavu-core || fail "no font for the browser tests"
fi

if [ $# -gt 0 ]; then hand_over "$@"; fi
